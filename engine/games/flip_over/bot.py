"""A player of Flip Over with some sense: what is the disc worth, and who will probably take it?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum
from random import Random
from typing import Any, Final, NamedTuple

from engine.bots import random_bot
from engine.cards import Card
from engine.games.flip_over.table import FlipTable, winner
from engine.question import Play, Question, Together
from engine.view import View
from engine.zone import Seat, Slot

KEEP: Final = 0.5
"""How much of a card's value in later tricks counts against laying it now (tuned by play)."""
TRUMP: Final = 0.5
"""How likely a trump is to take its own disc, for deciding whether to keep it (tuned by play)."""


def sensible_bot(view: View, question: Question[Any], rng: Random) -> object:
    """Lay the card with the best prospect; in an exchange give away what is worth least."""
    decisions = question.decisions(view)
    if len(decisions) == 1:
        return decisions[0]
    table = view.table
    if isinstance(question, Play) and isinstance(table, FlipTable):
        trick = _Trick(view, table)
        return max(decisions, key=lambda slot: trick.prospect(view.face(_slot(slot))))
    if isinstance(question, Together) and isinstance(table, FlipTable):
        return _exchange(view, table, question.options[question.seats.index(view.seat)])
    return random_bot(view, question, rng)


class _Holding(NamedTuple):
    """What a seat may hold: its cards if they are known, otherwise the pool they come from."""

    cards: Sequence[Card]
    size: int


class _Trick:
    """The trick being played, as one seat sees it."""

    def __init__(self, view: View, table: FlipTable) -> None:
        self.table = table
        self.stake = table.disc if table.blue[table.disc - 1] else -table.disc
        if _partner_leads(view, table):
            self.stake = 0
        self.later = [
            _holding(view, table, seat)
            for seat in table.order(table.leader)[len(table.trick) + 1 :]
        ]

    def prospect(self, card: Card) -> float:
        """What laying `card` is expected to bring, less what it could bring later."""
        return self.stake * self.chance(card) - KEEP * worth(self.table, card)

    def chance(self, card: Card) -> float:
        """The chance that `card` takes the disc, if the others lay legal cards at random."""
        table = self.table
        laid = [*table.trick, card]
        if winner(laid, table.disc, table.trumps) != len(laid) - 1:
            return 0.0
        led, stays = laid[0].suit, 1.0
        for holding in self.later:
            stays *= 1.0 - self._beaten(card, led, holding)
        return stays

    def _beaten(self, card: Card, led: int, holding: _Holding) -> float:
        following = [other for other in holding.cards if other.suit == led]
        others = [other for other in holding.cards if other.suit != led]
        # Of cards that are known, size / len is 1: void is 0, or 1 without a card to follow.
        void = (1.0 - holding.size / max(1, len(holding.cards))) ** len(following)
        return (1.0 - void) * self._share(card, following) + void * self._share(card, others)

    def _share(self, card: Card, replies: Sequence[Card]) -> float:
        """The part of these replies that beats `card`."""
        table = self.table
        beats = sum(winner((card, reply), table.disc, table.trumps) for reply in replies)
        return beats / len(replies) if replies else 0.0


def worth(table: FlipTable, card: Card) -> float:
    """What holding `card` is worth in the tricks to come.

    High cards take discs, which is good if those to come are blue; a card whose number is still to
    come will be a trump then.
    """
    discs = [
        number if blue else -number
        for number, blue in enumerate(table.blue, start=1)
        if number > table.disc
    ]
    if not discs:
        return 0.0
    strength = 2.0 * card.rank / table.numbers - 1.0
    value = strength * sum(discs) / len(discs)
    if table.trumps and card.rank > table.disc and table.blue[card.rank - 1]:
        value += TRUMP * card.rank
    return value


def _holding(view: View, table: FlipTable, seat: Seat) -> _Holding:
    hand = table.hands[seat]
    faces = [table.faces[slot] for slot in hand]
    cards = [card for card in faces if card is not None]
    if len(cards) == len(hand):
        return _Holding(cards, len(hand))
    return _Holding(_unseen(view, table), len(hand))


def _unseen(view: View, table: FlipTable) -> list[Card]:
    """The cards whose places this seat does not know (each occurs once)."""
    seen = {view.face(slot).id for slot in _known(view, table)}
    deck = table.deck
    return [card for card in (deck.faces if deck else ()) if card.id not in seen]


def _known(view: View, table: FlipTable) -> Iterable[Slot]:
    return (slot for slot in range(len(table.faces)) if view.knows(slot))


def _partner_leads(view: View, table: FlipTable) -> bool:
    """Whether the partner is winning the trick, so that it need not be taken."""
    if not table.teams or len(table.trick) < 2:
        return False
    best = (table.leader + winner(table.trick, table.disc, table.trumps)) % table.seats
    return best == (view.seat + 2) % table.seats


def _exchange(view: View, table: FlipTable, options: Sequence[Any]) -> int:
    """The choice that gives the opponents the least, and the partner the best of the rest."""
    partner = (view.seat + 2) % table.seats

    def given_away(choice: int) -> float:
        return fsum(
            worth(table, view.face(slot)) * (-0.1 if receiver == partner else 1.0)
            for slot, receiver in options[choice]
        )

    return min(range(len(options)), key=given_away)


def _slot(decision: object) -> Slot:
    if not isinstance(decision, int):
        raise TypeError("every decision in Flip Over is a card")
    return decision
