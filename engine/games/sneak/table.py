"""What lies on a table of Sneak, and who has how much of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from engine.game import Options
from engine.games.sneak.cards import packs_for, target_of
from engine.games.sneak.combos import AUTHOR, HOUSE, Order, kind_of, strength, why_better
from engine.table import Table
from engine.zone import Seat, Zone, nowhere

NO_COUNT: Final = -1
"""Turns are not counted: the round ends when the cards do."""


LOWEST: Final[tuple[int, ...]] = ()
"""Less strength than any set has."""


@dataclass(slots=True, eq=False)
class SneakTable(Table):
    """The table; `played` holds what was laid in the current contest, by seat."""

    packs: int = 1
    target: int = 100
    """The points that end the game."""
    house: bool = False
    """Option `ranking=house`."""
    one_more: bool = False
    """Option `ending=one-more-turn`."""
    stock: Zone = field(default_factory=nowhere)
    hands: list[Zone] = field(default_factory=list)
    played: list[Zone] = field(default_factory=list)
    winnings: list[Zone] = field(default_factory=list)
    round: int = 0
    """From 1 up; 0 before the first."""
    dealing: bool = True
    """Whether the next turn begins a round."""
    dealer: Seat = 0
    seat: Seat = 0
    """Whose turn it is."""
    turns_left: int = NO_COUNT
    """How many turns are left in the round, if they are counted."""
    scores: list[int] = field(default_factory=list)
    """The points of each seat, over all rounds."""
    ties: int = 0
    """How many rounds in a row have ended with the target reached and the top shared."""

    @property
    def order(self) -> Order:
        """Which category beats which."""
        return HOUSE if self.house else AUTHOR

    def left_of(self, seat: Seat) -> Seat:
        """The next seat clockwise whose player is still there."""
        return self.neighbour(seat) if self.lost else (seat + 1) % self.seats

    def others(self, seat: Seat) -> list[Seat]:
        """The other seats, to the left of this one."""
        return [(seat + step) % self.seats for step in range(1, self.seats)]

    def rivals(self, seat: Seat) -> list[Seat]:
        """Those of them whose players are still there."""
        return [other for other in self.others(seat) if other not in self.lost]

    def lead_limit(self, seat: Seat) -> int:
        """The most cards that may be led: another player has to hold as many."""
        sizes = list(map(len, self.hands))
        for gone in self.lost:
            sizes[gone] = 0
        own = sizes.pop(seat)
        longest = max(sizes)
        return own if own < longest else longest


def new_table(seats: int, options: Options) -> SneakTable:
    """The table before anybody sits down."""
    packs = packs_for(seats, str(options["packs"]))
    table = SneakTable(
        seats,
        packs=packs,
        target=target_of(packs, options),
        house=options["ranking"] == "house",
        one_more=options["ending"] == "one-more-turn",
        scores=[0] * seats,
    )
    table.stock = table.zone("stock")
    table.hands = [table.zone("hand", seat) for seat in range(seats)]
    table.played = [table.zone("played", seat) for seat in range(seats)]
    table.winnings = [table.zone("winnings", seat) for seat in range(seats)]
    return table


def best_set(table: SneakTable, leader: Seat, flaunted: bool) -> Seat:
    """Who wins the contest; all the cards in it are public.

    Of equal sets the one laid last wins; the leader lays first, then everybody to his left (section
    3).  A sneak that can no longer be turned up loses.
    """
    order, played = table.order, table.played
    led, winner, best = None, leader, LOWEST
    if flaunted or leader not in table.lost:
        first = list(map(table.face, played[leader]))
        led = kind_of(first) if flaunted else None
        best = strength(first, order, led)
    for seat in table.others(leader):
        if played[seat]:
            one = strength(list(map(table.face, played[seat])), order, led)
            if one >= best:
                winner, best = seat, one
    return winner


def why_best(table: SneakTable, leader: Seat, flaunted: bool, winner: Seat) -> tuple[object, ...]:
    """By what the winner's set beats the best of the others, for people; () if it lay alone."""
    order = table.order
    opened = [one for one in table.others(leader) if table.played[one]]
    if flaunted or leader not in table.lost:
        opened.insert(0, leader)
    sets = {seat: list(map(table.face, table.played[seat])) for seat in opened}
    led = kind_of(sets[leader]) if flaunted else None
    best = sets.pop(winner)
    if not sets:
        return ()
    return why_better(
        best, max(sets.values(), key=lambda one: strength(one, order, led)), order, led
    )


def leaders(table: SneakTable) -> list[Seat]:
    """Return the players with the most points, of those who are still there."""
    most = max([table.scores[seat] for seat in table.present()])
    return [seat for seat in table.present() if table.scores[seat] == most]


def totals(table: SneakTable) -> tuple[int, ...]:
    """The points of each seat."""
    return tuple(table.scores)
