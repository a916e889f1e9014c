"""A game for measuring only: a card is turned, and everybody races to slap it.

It is in no list of games; the processes of a benchmark register it for themselves.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Final

from engine import games
from engine.cards import Card, Deck
from engine.game import Game, Option, Options
from engine.question import Choose
from engine.table import Table
from engine.zone import Zone, nowhere

CARDS_MAX: Final = 100
CLAIM: Final = "first"
ROUNDS: Final = Option("rounds", 20, tuple(range(1, CARDS_MAX + 1)), "how many cards are slapped")


@dataclass(slots=True, eq=False)
class SlapTable(Table):
    """The stock, the cards turned up, and how many slaps each seat has won."""

    stock: Zone = field(default_factory=nowhere)
    shown: Zone = field(default_factory=nowhere)
    wins: list[int] = field(default_factory=list)
    deck: Deck = field(default_factory=lambda: Deck("slapping", ()))


def table(seats: int, options: Options) -> SlapTable:
    """The table before the first card."""
    made = SlapTable(seats)
    rounds = int(options["rounds"])
    made.stock, made.shown = made.zone("cards"), made.zone("shown")
    made.wins = [0] * seats
    made.deck = Deck(f"slapping/{rounds}", [Card(n, str(n), 0, n) for n in range(rounds)])
    return made


async def turn(t: SlapTable) -> None:
    """The whole game: each card of the deck is opened, and the first to slap wins it."""
    await t.fresh(t.deck, t.stock)
    await t.shuffle(t.stock)
    for _ in t.deck.cards:
        await t.open(t.stock[-1:])
        t.move(t.stock[-1:], t.shown)
        won = await t.race([Choose(seat, (CLAIM,), CLAIM) for seat in range(t.seats)], CLAIM)
        if won is not None:
            t.wins[won.seat] += 1
    t.over = True


GAME: Final = Game(
    name="slapping",
    title="Slapping",
    rules_version=1,
    seats=range(2, 9),
    options=(ROUNDS,),
    table=table,
    turn=turn,
    returns=lambda t: tuple(t.wins),
    bounds=lambda seats, options: (0, int(options["rounds"])),
    races=True,
)


def register() -> None:
    """Let this process, and no other, load the game by its name."""
    sys.modules["engine.games.slapping.rules"] = sys.modules[__name__]
    setattr(games, "NAMES", (*games.NAMES, GAME.name))  # noqa: B010  (the list is Final)
