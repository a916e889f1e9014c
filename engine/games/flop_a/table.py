"""What lies on a table of Flop-A, who is in, and whose chips are where."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from engine.game import Options
from engine.table import Table
from engine.zone import Seat, Zone, nowhere

NOBODY: Final = -1
FLIPS: Final = 5
"""Four cards in a row, then one from the deck."""


class Stage(Enum):
    """What the next turn is."""

    DEAL = "deal"
    BETTING = "betting"
    FLIP = "flip"
    DECLARATION = "declaration"


@dataclass(slots=True, eq=False)
class FlopTable(Table):
    """The table.  Chips are a running tally, so `sum(tally) + pot == 0` at any time.

    All lists except `ranks` have an item for each seat.
    """

    ante: int = 1
    largest: int = 4
    """The most chips of a bet, and of a raise."""
    raises_allowed: int = 3
    """In each round of betting."""
    folders_pay: bool = False
    stack: int = 0
    """Table stakes: what each player starts with; 0 for a tally without a limit."""
    hands_to_play: int = 0
    stock: Zone = field(default_factory=nowhere)
    row: Zone = field(default_factory=nowhere)
    """The table cards that are still face down, from left to right."""
    board: Zone = field(default_factory=nowhere)
    """The cards that lie face up: flipped and flopped ones."""
    hands: list[Zone] = field(default_factory=list)
    stage: Stage = Stage.DEAL
    first_dealer: Seat = NOBODY
    """The dealer of the first hand."""
    hand: int = 0
    """The number of the hand being played, from 1."""
    flips: int = 0
    """How many ranks have been flipped in this hand."""
    ranks: list[int] = field(default_factory=list)
    """The ranks on the table, in the order in which they came."""
    still_in: list[bool] = field(default_factory=list)
    tally: list[int] = field(default_factory=list)
    paid: list[int] = field(default_factory=list)
    """Chips put into the pot in this hand."""
    pot: int = 0
    """Including what was carried over from the hand before."""
    bets: list[int] = field(default_factory=list)
    """Chips put in in this round of betting."""
    highest: int = 0
    """The bet that has to be equalled."""
    raises: int = 0
    """Made in this round of betting."""
    turn_of: Seat = 0
    """Who has to act, in a round of betting."""
    waiting: int = 0
    """How many have still to act before the round of betting ends."""

    @property
    def dealer(self) -> Seat:
        """Who deals this hand: the first dealer, then the next seat each time.

        For a player who has left the one before him deals: the same player is left of him.
        """
        seat = (self.first_dealer + self.hand - 1) % self.seats
        return self.neighbour(seat, -1) if seat in self.lost else seat

    def players(self) -> list[Seat]:
        """The seats still in, from dealer's left."""
        seats, still_in = self.seats, self.still_in
        left = (self.first_dealer + self.hand) % seats
        return [seat for seat in (*range(left, seats), *range(left)) if still_in[seat]]

    def chips(self, seat: Seat) -> int:
        """What a seat has left, under table stakes."""
        return self.stack + self.tally[seat]

    def afford(self, seat: Seat, due: int) -> int:
        """As much of `due` as the seat can pay: all of it, except under table stakes."""
        return min(due, self.chips(seat)) if self.stack else due

    def can_play(self, seat: Seat) -> bool:
        """Whether the seat is there and has chips, so that it is dealt cards in the next hand."""
        return seat not in self.lost and (not self.stack or self.chips(seat) > 0)

    def can_bet(self, seat: Seat) -> bool:
        """Whether the seat is in and has chips to bet with."""
        return self.still_in[seat] and self.can_play(seat)

    def is_last_agreed(self) -> bool:
        """Whether this is the last of the hands that were agreed on."""
        return self.hand >= self.hands_to_play

    def is_last(self) -> bool:
        """Whether no hand follows this one: enough are played, or too few have chips left."""
        return self.is_last_agreed() or sum(map(self.can_play, range(self.seats))) < 2


def new_table(seats: int, options: Options) -> FlopTable:
    """The table before anybody sits down."""
    table = FlopTable(
        seats,
        ante=int(options["ante"]),
        largest=int(options["bet"]),
        raises_allowed=int(options["raises"]),
        folders_pay=options["foldersPay"] is True,
        stack=int(options["stack"]),
        hands_to_play=hands_to_play(seats, options),
    )
    table.stock, table.row, table.board = map(table.zone, ("stock", "row", "board"))
    table.hands = [table.zone("hand", seat) for seat in range(seats)]
    table.still_in = [False] * seats
    table.tally, table.paid, table.bets = [0] * seats, [0] * seats, [0] * seats
    return table


def hands_to_play(seats: int, options: Options) -> int:
    """The hands of a session: two for each seat unless agreed otherwise (section 6)."""
    return int(options["hands"]) or 2 * seats
