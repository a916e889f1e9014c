"""A game for measuring only: as many cards as Flaps has, dealt, and then nothing happens.

It is in no list of games; the processes of a benchmark register it for themselves.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Final

from engine import games
from engine.cards import Card, Deck
from engine.game import Game, Options
from engine.table import Table
from engine.zone import Zone, nowhere

CARDS: Final = 148
HAND: Final = 7
DECK: Final = Deck(f"big-deal/{CARDS}", [Card(n, str(n), 0, n) for n in range(CARDS)])


@dataclass(slots=True, eq=False)
class BigTable(Table):
    """A stock and the hands."""

    stock: Zone = field(default_factory=nowhere)
    hands: list[Zone] = field(default_factory=list)


def table(seats: int, options: Options) -> BigTable:
    """The table before the deal."""
    made = BigTable(seats)
    made.stock = made.zone("cards")
    made.hands = [made.zone("dealt", seat) for seat in range(seats)]
    return made


async def turn(t: BigTable) -> None:
    """The whole game: shuffle, deal, and one player says that he has seen his cards."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands, HAND)
    await t.choose(0, ("done",), "seen your cards?")
    t.over = True


GAME: Final = Game(
    name="big-deal",
    title="Big Deal",
    rules_version=1,
    seats=range(2, 9),
    options=(),
    table=table,
    turn=turn,
    returns=lambda t: (0,) * t.seats,
    bounds=lambda seats, options: (0, 0),
)


def register() -> None:
    """Let this process, and no other, load the game by its name."""
    sys.modules["engine.games.big_deal.rules"] = sys.modules[__name__]
    setattr(games, "NAMES", (*games.NAMES, GAME.name))  # noqa: B010  (the list is Final)
