"""What lies on a table of You Fink!, and who owns what."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from engine.cards import Card
from engine.game import Options
from engine.games.you_fink.cards import POWERS
from engine.table import Table
from engine.zone import Seat, Zone, nowhere

NOBODY: Final = -1
NO_POWER: Final = -1
MINION_ASKS: Final = 3
"""Stands in place of a power: the challenge is a Minion's."""

TOUCH_CARDS: Final = 2
COOLDOWN_CARDS: Final = 1
RESHUFFLE_BAN_CARDS: Final = 2
"""Windows of sections 3 and 4, which no shared clock measures (docs/explanation/races.md): a
forehead touch is good until two more cards have been turned; a player may slap again after the next
card, or after an early reshuffle (3 s) when two more have been turned: a card takes about 1.4 s."""

LONGEST: Final = 20_000
"""The number of turned cards that ends every game, even with `cardLimit=off` (see README)."""


class Phase(Enum):
    """What the table waits for while anybody may slap."""

    TURN = "a card is due"
    CHOOSE = "a power is chosen"
    FREE = "free for all"
    """The pile can be slapped and no card may cover it."""


TURNING: Final = Phase.TURN
CHOOSING: Final = Phase.CHOOSE
FREE: Final = Phase.FREE
"""Bound here because looking up a member of an enum is slow, and this is done for each card."""


@dataclass(slots=True, eq=False)
class FinkTable(Table):
    """The table; the top of each stack is its last slot."""

    forehead: bool = True
    minions: bool = True
    minion_beaten_takes_pile: bool = False
    next_leads: bool = False
    """Option: the player after the last to place leads, not the winner of the pile."""
    guests: int = 0
    """How many of the last seats begin without cards."""
    limit: int = LONGEST
    """Cards turned after which the pile in play is the last."""
    stock: Zone = field(default_factory=nowhere)
    decks: list[Zone] = field(default_factory=list)
    claimed: list[Zone] = field(default_factory=list)
    """Won cards, which cannot be turned before they are reshuffled into a deck."""
    pile: Zone = field(default_factory=nowhere)
    booty: Zone = field(default_factory=nowhere)
    phase: Phase = TURNING
    due: Seat = 0
    """Who turns the next card or chooses a power."""
    heir: Seat = NOBODY
    """Free for all: who takes the pile that nobody slaps; NOBODY: the next player covers it."""
    owner: Seat = NOBODY
    """Whose challenge has to be answered."""
    asked: int = NO_POWER
    """The power to be answered (an index), or MINION_ASKS."""
    used: list[int] = field(default_factory=list)
    """The powers that were answered in this series."""
    remaining: int = 0
    """How many cards the challenge still asks for."""
    last_placer: Seat = 0
    touched: list[int] = field(default_factory=list)
    """A seat's forehead touch is good until this many cards have been turned."""
    barred: list[int] = field(default_factory=list)
    """A seat may not slap until this many cards have been turned."""
    gone: list[bool] = field(default_factory=list)
    """Seats whose players are lost for good: those of `lost`, here where each hand is looked at."""
    turned: int = 0


def new_table(seats: int, options: Options) -> FinkTable:
    """The table before anybody sits down."""
    table = FinkTable(
        seats,
        forehead=options["forehead"] is True,
        minions=options["minions"] is True,
        minion_beaten_takes_pile=options["minionBeatenTakesPile"] is True,
        next_leads=options["leader"] == "next",
        guests=int(options["guests"]),
        limit=limit_of(options),
        touched=[0] * seats,
        barred=[0] * seats,
        gone=[False] * seats,
    )
    table.stock = table.zone("stock")
    table.decks = [table.zone("deck", seat) for seat in range(seats)]
    table.claimed = [table.zone("claimed", seat) for seat in range(seats)]
    table.pile, table.booty = table.zone("pile"), table.zone("booty")
    return table


def limit_of(options: Options) -> int:
    """After how many turned cards the pile in play is the last (D16)."""
    written = options["cardLimit"]
    return LONGEST if written == "off" else int(written)


def owned(table: FinkTable, seat: Seat) -> int:
    """How many cards a seat owns."""
    return len(table.decks[seat]) + len(table.claimed[seat])


def counts(table: FinkTable) -> tuple[int, ...]:
    """How many cards each seat owns: the result of a game, when the centre is empty."""
    return tuple(map(len, map(_joined, table.decks, table.claimed)))


def _joined(deck: Zone, claimed: Zone) -> list[int]:
    return deck + claimed


def next_holder(table: FinkTable, after: Seat, barring: Seat = NOBODY) -> Seat:
    """The first seat after this one, clockwise, that owns a card; `after` itself comes last.

    `barring` (the owner of a challenge) is left out.  NOBODY if there is none.
    """
    decks, claimed, seats = table.decks, table.claimed, table.seats
    for step in range(1, seats + 1):
        seat = (after + step) % seats
        if (decks[seat] or claimed[seat]) and seat != barring:
            return seat
    return NOBODY


def matches(table: FinkTable) -> bool:
    """Whether the top two cards of the pile have the same rank (two Minions do)."""
    pile = table.pile
    return len(pile) > 1 and table.face(pile[-1]).rank == table.face(pile[-2]).rank


def is_touched(table: FinkTable, seat: Seat) -> bool:
    """Whether a forehead touch of this seat is still good."""
    return table.touched[seat] > table.turned


def is_barred(table: FinkTable, seat: Seat) -> bool:
    """Whether this seat may not slap yet."""
    return table.barred[seat] > table.turned


def slappable(table: FinkTable) -> bool:
    """Whether a slap wins the pile (rules section 4)."""
    return table.phase is FREE or matches(table)


def powers_left(table: FinkTable, card: Card) -> tuple[int, ...]:
    """The powers (as indices) that the owner of this challenger may still choose from."""
    return tuple(
        power
        for power, value in enumerate(POWERS[card.id])
        if value > 0 and power not in table.used
    )
