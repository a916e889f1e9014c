"""What lies on a table of Flip Over, and the scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from engine.cards import Card
from engine.game import Options
from engine.games.flip_over.cards import SIZES
from engine.plain import FOR_PEOPLE
from engine.table import Table
from engine.zone import Seat, Zone, nowhere

NOBODY: Final = -1
TEAMS: Final = ((0, 2), (1, 3))
"""Partners sit opposite each other."""


@dataclass(slots=True, eq=False)
class FlipTable(Table):
    """The table; a trick and the disc it is for have the same number."""

    trumps: bool = True
    alternating: bool = False
    teams: bool = False
    partner_only: bool = False
    """In teams: a card is given to the partner only, not to each other player."""
    rounds: int = 2
    stock: Zone = field(default_factory=nowhere)
    hands: list[Zone] = field(default_factory=list)
    beside: list[Zone] = field(default_factory=list)
    """What each player has laid this round."""
    players: int = 0
    """The number of players for whom the deck and the discs are: those at the last deal."""
    round: int = 0
    """From 1 up; 0 before the first.  A void round gives its number to the next one."""
    second: bool = False
    """Whether the next round, or the one being played, is the second of its pair."""
    disc: int = 0
    """The disc that the current trick is for; 0 while a round is being prepared."""
    blue: list[bool] = field(default_factory=list)
    """The colour of each disc: blue counts plus, red minus."""
    takers: list[int] = field(default_factory=list)
    """Who took disc 1, 2, ... in this round."""
    leader: int = 0
    last_taker: int = NOBODY
    """The winner of the last disc of the last finished round."""
    led_last: int = field(default=0, metadata=FOR_PEOPLE)
    """Who led to the trick that was finished last: in this order its cards were laid."""
    trick: list[Card] = field(default_factory=list)
    """The cards laid to the current trick, from the leader on."""
    scores: list[tuple[int, ...]] = field(default_factory=list)
    """What each seat scored, for each finished round."""

    @property
    def numbers(self) -> int:
        """How many numbers there are, and so how many tricks and discs."""
        return SIZES[self.players][1]

    @property
    def length(self) -> int:
        """The number of rounds of the match, if no player leaves from now on (section 4).

        Once a player has left, the match ends with a whole pair.
        """
        if not self.lost:
            return self.rounds
        begun = len(self.scores) - self.second
        return max(begun + 2, self.rounds + (self.rounds - begun) % 2)

    def order(self, first: Seat) -> Sequence[Seat]:
        """The seats that play, clockwise from this one on."""
        order = (*range(first, self.seats), *range(first))
        return [seat for seat in order if seat not in self.lost] if self.lost else order


def new_table(seats: int, options: Options) -> FlipTable:
    """The table before anybody sits down."""
    table = FlipTable(
        seats,
        players=seats,
        trumps=options["trumps"] is True,
        alternating=options["discs"] == "alternating",
        teams=options["teams"] is True,
        partner_only=options["exchange"] == "partner",
        rounds=int(options["rounds"]),
    )
    table.stock = table.zone("stock")
    table.hands = [table.zone("hand", seat) for seat in range(seats)]
    table.beside = [table.zone("beside", seat) for seat in range(seats)]
    return table


def receivers(table: FlipTable, seat: Seat) -> list[Seat]:
    """The seat that gets a card from this one in an exchange: partners sit opposite (D7)."""
    if table.partner_only:
        return [(seat + 2) % table.seats]
    return [(seat + step) % table.seats for step in range(1, table.seats)]


def winner(cards: Sequence[Card], number: int, trumps: bool) -> int:
    """The place of the card that wins trick `number` (rules section 3).

    The last card laid whose number is that of the trick; without one (or without trumps) the
    highest of the led suit.
    """
    if trumps:
        for place in range(len(cards) - 1, -1, -1):
            if cards[place].rank == number:
                return place
    best = 0
    for place, card in enumerate(cards):
        if card.suit == cards[best].suit and card.rank > cards[best].rank:
            best = place
    return best


def round_scores(table: FlipTable) -> tuple[int, ...]:
    """Each seat's blue numbers minus its red ones, of the discs taken so far."""
    scores = [0] * table.seats
    for number, (seat, blue) in enumerate(zip(table.takers, table.blue, strict=False), start=1):
        scores[seat] += number if blue else -number
    return tuple(scores)


def totals(table: FlipTable) -> tuple[int, ...]:
    """The sum of each seat over the finished rounds; partners (opposite seats) share theirs."""
    sums = [sum(scores[seat] for scores in table.scores) for seat in range(table.seats)]
    for team in TEAMS if table.teams else ():
        shared = sum(sums[seat] for seat in team)
        for seat in team:
            sums[seat] = shared
    return tuple(sums)
