"""Several seats lay every card that fits, and swear that no other is left (Flop-A's flop).

There is one step for all of them: what one seat lays does not change what another owes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from engine import acts
from engine.cards import Card
from engine.errors import DOES_NOT_FIT
from engine.zone import Seat, Slot, Zone
from p2p import checks
from p2p.protocol import step_kinds, wire
from p2p.protocol.acts import opening, shuffling, swearing
from p2p.protocol.acts.laying import Hand
from p2p.protocol.cards import Cards
from p2p.protocol.step import Program, Step

_LAY_ALL: Final[dict[str, type | tuple[type, ...]]] = {
    "slots": list,
    "cards": list,
    "shares": bytes,
    "proof": (bytes, type(None)),
    "oath": (bytes, type(None)),
    "merge": (dict, type(None)),
}


@dataclass(slots=True)
class LaidAll:
    """All fitting cards of one hand, as an entry says them; the oath is about the others."""

    opened: opening.Opened
    oath: bytes | None
    owed: swearing.Owed | None
    merged: shuffling.Permuted | None


class _Forced:
    """What one seat owes: the fitting cards of its hand that only it knows."""

    def __init__(self, cards: Cards, question: acts.LayAll, seat: Seat) -> None:
        self._cards = cards
        self._fits = question.fits
        zone = next(hand for hand in question.hands if hand.owner == seat)
        self._hand = Hand(cards, seat, tuple(zone))
        self._seat = seat

    def _owed(self, laid: tuple[Slot, ...]) -> swearing.Owed | None:
        others = [slot for slot in self._hand.hidden if slot not in laid]
        return self._hand.owes(others, self._fits)

    def parse(self, payload: Any) -> LaidAll:
        fields = wire.take(payload, _LAY_ALL)
        slots = tuple(wire.exactly(slot, int, "a slot") for slot in fields["slots"])
        checks.require(
            "lay-all.slots",
            slots == tuple(slot for slot in self._hand.hidden if slot in slots),
            "illegal-move",
            "hidden cards of the hand are laid, each once and in its order",
        )
        numbers = tuple(map(self._cards.slots.number, fields["cards"]))
        checks.require(
            "lay-all.fields",
            len(numbers) == len(slots) and (fields["proof"] is None) == (not slots),
            "malformed",
            "each card laid comes with its face, and all of them with a proof",
        )
        opened = opening.read(slots, numbers, fields["shares"], fields["proof"])
        fit = all(self._fits(self._cards.slots.card(number)) for number in numbers)
        checks.require("lay-all.fits", fit, "illegal-move", DOES_NOT_FIT)
        merged = self._hand.decode(fields["merge"])
        owed = self._owed(slots)
        checks.require(
            "lay-all.oath",
            (owed is None) == (fields["oath"] is None),
            "illegal-move",
            "what stays in the hand comes with an oath, exactly where one is owed",
        )
        return LaidAll(opened, fields["oath"], owed, merged)

    def verify(self, laid: LaidAll) -> None:
        self._hand.check(laid.merged)
        ciphers = self._hand.ciphers(laid.merged)
        opening.check(self._cards, self._seat, step_kinds.LAY_ALL, laid.opened, ciphers)
        if laid.owed is not None and laid.oath is not None:
            swearing.check(self._cards, self._seat, laid.owed, ciphers, laid.oath)

    def make(self) -> object:
        known = self._cards.slots
        merged, went = self._hand.merge()
        faces = {went[old]: known.own[old] for old in self._hand.hidden}
        slots = tuple(s for s in self._hand.hidden if self._fits(known.card(faces[s])))
        ciphers = self._hand.ciphers(merged)
        owed = self._owed(slots)
        return {
            "slots": list(slots),
            "cards": [faces[slot] for slot in slots],
            **opening.make(self._cards, step_kinds.LAY_ALL, slots, ciphers),
            "oath": swearing.make(self._cards, owed, ciphers, faces) if owed else None,
            "merge": shuffling.encode(merged) if merged else None,
        }

    def apply(self, laid: LaidAll) -> None:
        self._hand.apply(laid.merged)
        if laid.owed is not None and laid.oath is not None:
            swearing.accept(self._cards, self._seat, laid.owed, laid.oath)
        for slot, number in zip(laid.opened.slots, laid.opened.numbers, strict=True):
            self._cards.slots.show(slot, number)


def lay_all(
    cards: Cards, question: acts.LayAll
) -> Program[tuple[tuple[tuple[Slot, Card], ...], ...]]:
    """Seats with a card that not everybody knows owe an entry; the others' cards are public."""
    locks = cards.table.locks
    owing = [hand.owner for hand in question.hands if any(locks[s] == hand.owner for s in hand)]
    forced = {seat: _Forced(cards, question, seat) for seat in owing if seat is not None}

    def make(_: object) -> object:
        return forced[cards.keys.own_seat].make()

    entries: dict[Seat, LaidAll] = {}
    if forced:
        entries = yield Step(
            step_kinds.LAY_ALL,
            tuple(sorted(forced)),
            parse=lambda seat, payload: forced[seat].parse(payload),
            verify=lambda seat, laid: forced[seat].verify(laid),
            make=make,
            heavy=True,
        )
    for seat, laid in sorted(entries.items()):
        forced[seat].apply(laid)
    return tuple(tuple(_public(cards, question, hand)) for hand in question.hands)


def _public(cards: Cards, question: acts.LayAll, hand: Zone) -> list[tuple[Slot, Card]]:
    """The cards of a hand that are public by now and fit."""
    slots = cards.slots
    numbers = [(slot, slots.numbers[slot]) for slot in hand]
    faces = [(slot, slots.card(number)) for slot, number in numbers if number is not None]
    return [(slot, card) for slot, card in faces if question.fits(card)]
