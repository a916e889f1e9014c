"""What a reason in Flaps looks at: the hand that decides, and the deals that fit what it knows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final, NamedTuple

from engine.bots.reasons import Cards, Decided, Reason
from engine.cards import Card, Fits
from engine.games.flaps.cards import ACE, ACES, spoof_value, strength
from engine.games.flaps.duties import FOLLOW
from engine.games.flaps.table import FlapsTable
from engine.zone import Seat, Slot

CLEAR: Final = 10
"""Two numbers of 100 deals have to be so far apart that the difference is a reason."""


class Fact(NamedTuple):
    """Something that is true of a decision, and how good that is beside the same of another one.

    `key` says which facts can be compared: it speaks for the decision if it is better by `clear`,
    or if the other one has no such fact, and if it is as good as `enough`.  `beside`: beside one
    other decision it is told with how good the same is there.
    """

    key: str
    good: int
    reason: Reason
    clear: int = 1
    enough: int = 0
    beside: bool = False

    def told(self, others: Sequence[Fact | None]) -> Fact:
        """The same, with how good it is of the other decision if that is one."""
        (other, *more) = others or (None,)
        if other is None or more or not self.beside:
            return self
        return self._replace(reason=(*self.reason, other.good))


class Look:
    """A decision of Flaps that is to be explained, as far as several facts look at the same."""

    def __init__(self, decided: Decided, table: FlapsTable) -> None:
        self.decided: Final = decided
        self.view: Final = decided.view
        self.table: Final = table
        self.seat: Final = decided.view.seat
        self.hand: Final = table.hands[self.seat]
        self._without: Final[dict[tuple[Seat, Fits], int]] = {}

    @cached_property
    def others(self) -> Sequence[Seat]:
        """Everybody else who plays."""
        return [seat for seat in self.table.present() if seat != self.seat]

    def held(self, seat: Seat) -> int:
        """How many cards somebody holds."""
        return len(self.table.hands[seat])

    def rest(self, gone: Sequence[Slot]) -> Sequence[Card]:
        """The cards that stay in the hand without these."""
        return self.view.cards([slot for slot in self.hand if slot not in gone])

    def without(self, seat: Seat, fits: Fits) -> int:
        """In how many of 100 deals somebody holds nothing that fits."""
        if (seat, fits) not in self._without:
            hand = self.table.hands[seat]
            found = self.decided.of_100(lambda cards: not any(fits(cards[slot]) for slot in hand))
            self._without[seat, fits] = found
        return self._without[seat, fits]

    def calling(self, suit: int, follower: Seat, jacks_ok: bool) -> int:
        """In how many of 100 deals somebody holds nothing that follows a suit that is called."""
        fits = FOLLOW[self.table.level][suit, ACE, jacks_ok, jacks_ok, True].fits
        return self.without(follower, fits)

    def lowest(self, card: Card, trump: int | None) -> int:
        """In how many of 100 deals a card loses at TRUMPS, if the others put their highest down.

        Who has put a card down already has put the highest of all that the seat then held.
        """
        own = strength(card, trump)
        return self.decided.of_100(lambda cards: own < self._least_of_best(cards, trump))

    def _least_of_best(self, cards: Cards, trump: int | None) -> int:
        table = self.table
        best = [
            max(strength(cards[slot], trump) for slot in held)
            for seat in self.others
            if (held := [*table.hands[seat], *table.aside[seat]])
        ]
        return min(best, default=0)

    @cached_property
    def sums(self) -> Sequence[int]:
        """What all cards put down for SPOOF add up to in each of the deals, in ascending order."""
        aside = [slot for zone in self.table.aside for slot in zone]
        return sorted(
            sum(spoof_value(cards[slot]) for slot in aside) for cards in self.decided.deals
        )


def stays_up(card: Card, lost: int) -> Fact:
    """How seldom a card loses at TRUMPS."""
    kept = 100 - lost
    return Fact("lowest", kept, ("lowest", card.id, kept), CLEAR, beside=True)


def kin(card: Card, rest: Sequence[Card]) -> int:
    """How many of these cards are of the card's suit or rank, so that they could follow it.

    >>> from engine.games.flaps.cards import BY_NAME
    >>> kin(BY_NAME["7H"], [BY_NAME[name] for name in ("7C", "QH", "9S", "OM1")])
    2
    """
    if card.suit < 0:
        return 0
    return sum(other.suit == card.suit or other.rank == card.rank for other in rest)


def of_suit(suit: int, cards: Sequence[Card]) -> int:
    """How many cards follow a suit that is called; an Ace goes in any case.

    >>> from engine.games.flaps.cards import BY_NAME
    >>> of_suit(2, [BY_NAME[name] for name in ("7H", "QH", "AH", "9S")])
    2
    """
    return sum(card.suit == suit and card.kind not in ACES for card in cards)


def has_ace(suit: int, cards: Sequence[Card]) -> bool:
    """Whether one of these cards is an Ace of a suit, which `of_suit` leaves out."""
    return any(card.suit == suit and card.kind in ACES for card in cards)
