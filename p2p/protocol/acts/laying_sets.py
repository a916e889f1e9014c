"""Several cards laid at once: by one seat, or by several in secret (engine/sets.py).

A set laid open comes with one share for each hidden card and one proof for all of them; a
set laid face down only names its slots.  Either comes with the holder's reshuffle if slot
tracking demands one.  Secret sets take two steps: every seat commits to the cards it will lay,
or to a pass, and then all turn up what they committed to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.sets import Laid, Lay, LaySet, LayTogether
from engine.zone import Seat, Slot
from p2p import checks
from p2p.crypto.commitment import COMMITMENT_BYTES, NONCE_BYTES, verify_choice
from p2p.errors import LocalError
from p2p.protocol import step_kinds, wire
from p2p.protocol.acts import opening, shuffling
from p2p.protocol.acts.laying import Hand
from p2p.protocol.acts.secret_choice import recall, seal
from p2p.protocol.cards import Cards
from p2p.protocol.slots import own_history
from p2p.protocol.step import Kept, Program, Step

Shape = dict[str, type | tuple[type, ...]]
_SET: Final[Shape] = {"slots": list, "shown": (dict, type(None)), "merge": (dict, type(None))}
_SHOWN: Final[Shape] = {"cards": list, "shares": bytes, "proof": (bytes, type(None))}
_REVEAL: Final[Shape] = {"nonce": bytes, "laid": (dict, type(None))}


@dataclass(slots=True)
class _Entry:
    """A set as an entry says it; `shown` are its hidden cards in the order of its slots, None for
    one laid face down.
    """

    slots: tuple[Slot, ...]
    shown: opening.Opened | None
    merged: shuffling.Permuted | None


class _Claim:
    """What one seat may lay, and how its entry is made and checked."""

    def __init__(self, cards: Cards, question: LaySet) -> None:
        self._cards = cards
        self._question = question
        self.seat = question.seat
        self._hand = Hand(cards, question.seat, tuple(question.zone))

    def parse(self, payload: Any) -> _Entry | None:
        question, table = self._question, self._cards.table
        if payload is None:
            _refuse(question.why_not(table, None))
            return None
        fields = wire.take(payload, _SET)
        slots = tuple(wire.exactly(slot, int, "a slot") for slot in fields["slots"])
        _refuse(question.why_not_slots(slots))
        checks.require(
            "set.held",
            self._hand.can_lay(slots),
            "illegal-move",
            "the seat does not hold one of these cards",
        )
        hidden = tuple(slot for slot in slots if slot in self._hand.hidden)
        shown = None if fields["shown"] is None else self._parse_shown(hidden, fields["shown"])
        entry = _Entry(slots, shown, self._hand.decode(fields["merge"], bool(hidden)))
        _refuse(question.why_not(table, self.answer(entry)))
        return entry

    def _parse_shown(self, hidden: tuple[Slot, ...], payload: Any) -> opening.Opened:
        fields = wire.take(payload, _SHOWN)
        checks.require(
            "set.cards",
            len(fields["cards"]) == len(hidden),
            "malformed",
            "a set laid open names the face of each of its hidden cards",
        )
        checks.require(
            "set.proof",
            (fields["proof"] is not None) == bool(hidden),
            "malformed",
            "a set with hidden cards comes with a proof, any other without",
        )
        numbers = tuple(map(self._cards.slots.number, fields["cards"]))
        return opening.read(hidden, numbers, fields["shares"], fields["proof"])

    def numbers(self, entry: _Entry) -> list[int]:
        """The faces of a set laid open, by their numbers, in the order of its slots."""
        assert entry.shown is not None  # the rules refuse a set laid face down here
        return self._read(entry.slots, zip(entry.shown.slots, entry.shown.numbers, strict=True))

    def _read(self, slots: Iterable[Slot], hidden: Iterable[tuple[Slot, int]]) -> list[int]:
        """The faces of slots that are public or among the `hidden` ones."""
        numbers = dict(enumerate(self._cards.slots.numbers)) | dict(hidden)
        found = [numbers[slot] for slot in slots]
        return [number for number in found if number is not None]

    def answer(self, entry: _Entry) -> Laid:
        """What the entry says, in the form that the rules take."""
        if entry.shown is None:
            return Laid(entry.slots, None)
        return Laid(entry.slots, tuple(map(self._cards.slots.card, self.numbers(entry))))

    def verify(self, entry: _Entry | None) -> None:
        if entry is None:
            return
        self._hand.check(entry.merged)
        if entry.shown is not None:
            ciphers = self._hand.ciphers(entry.merged)
            opening.check(self._cards, self.seat, step_kinds.LAY_SET, entry.shown, ciphers)

    def make(self, decision: Lay | None) -> object:
        if decision is None:
            return None
        own = self._cards.slots.own
        hidden = [slot for slot in decision.slots if slot in self._hand.hidden]
        numbers = [own[slot] for slot in hidden]
        merged, went = self._hand.merge() if hidden else (None, {})
        slots = [went.get(slot, slot) for slot in decision.slots]
        if decision.down:  # the decision's order would tell something about the hidden cards
            slots.sort()
        now_hidden = tuple(went[slot] for slot in hidden)
        return {
            "slots": slots,
            "shown": None if decision.down else self._make_shown(now_hidden, numbers, merged),
            "merge": shuffling.encode(merged) if merged else None,
        }

    def _make_shown(
        self, slots: tuple[Slot, ...], numbers: list[int], merged: shuffling.Permuted | None
    ) -> dict[str, object]:
        ciphers = self._hand.ciphers(merged)
        opened = opening.make(self._cards, step_kinds.LAY_SET, slots, ciphers)
        return {"cards": numbers, **opened}

    def apply(self, entry: _Entry) -> Laid:
        """A verified set takes effect: open cards become public, the hand has one history."""
        self._hand.apply(entry.merged)
        laid, slots = self.answer(entry), self._cards.slots
        if entry.shown is None:
            for slot in entry.slots:
                slots.history[slot] = own_history(self._cards.chain.step, slot)
        else:
            for slot, number in zip(entry.shown.slots, entry.shown.numbers, strict=True):
                slots.show(slot, number)
        return laid

    def chosen(self, decision: Lay | None) -> list[int] | None:
        """The faces in a decision of this machine's own seat, by their numbers.

        LocalError if the rules forbid it: it could be committed to, but never opened.
        """
        if decision is None:
            return None
        numbers = self._held(decision.slots)
        cards = tuple(map(self._cards.slots.card, numbers))
        why = self._question.why_not(self._cards.table, Laid(decision.slots, cards))
        if why is not None:
            raise LocalError(f"this seat decided on an illegal set: {why}")
        return numbers

    def _held(self, slots: Sequence[Slot]) -> list[int]:
        return self._read(slots, self._cards.slots.own.items())

    def decided(self, numbers: list[int] | None) -> Lay | None:
        """The decision that `chosen` turned into these faces; of copies, it takes the first."""
        if numbers is None:
            return None
        zone = tuple(self._question.zone)
        left = list(zip(self._held(zone), zone, strict=True))
        return Lay(tuple([_take(left, number) for number in numbers]))


def _take(left: list[tuple[int, Slot]], number: int) -> Slot:
    """Take the first slot with this face out of `left`."""
    place = [face for face, _ in left].index(number)
    return left.pop(place)[1]


def _refuse(why: str | None) -> None:
    checks.require("set.legal", why is None, "illegal-move", why or "")


def lay_set(cards: Cards, question: LaySet) -> Program[Laid | None]:
    """One seat lays a set, open or face down, or passes: one step."""
    claim = _Claim(cards, question)
    entries = yield Step(
        step_kinds.LAY_SET,
        (question.seat,),
        parse=lambda _, payload: claim.parse(payload),
        verify=lambda _, entry: claim.verify(entry),
        make=claim.make,
        question=question,
        heavy=True,
    )
    entry: _Entry | None = entries[question.seat]
    return None if entry is None else claim.apply(entry)


def lay_together(cards: Cards, question: LayTogether) -> Program[tuple[Laid | None, ...]]:
    """Every seat commits to a set or a pass, then all turn up: two steps.

    The nonce and the cards are on disk before the commitment leaves, as for any secret choice
    (secret_choice.py); a commitment is bound to its seat, so a copied one can never be opened.
    """
    seats, committed_at = question.deciders, cards.chain.step
    claims = {seat: _Claim(cards, claim) for seat, claim in question.claims.items()}
    context = {seat: wire.pack(["set", cards.chain.table, committed_at, seat]) for seat in seats}

    def commit(decision: Lay | None) -> Kept:
        me = cards.keys.own_seat
        return seal(cards, context[me], claims[me].chosen(decision))

    def parse_commitment(_: Seat, payload: Any) -> bytes:
        return wire.octets(payload, COMMITMENT_BYTES, "a commitment")

    commitments = yield Step(
        step_kinds.SET_COMMIT, seats, parse_commitment, make=commit, question=question
    )

    def parse(seat: Seat, payload: Any) -> tuple[bytes, _Entry | None]:
        fields = wire.take(payload, _REVEAL)
        return wire.octets(fields["nonce"], NONCE_BYTES, "a nonce"), claims[seat].parse(
            fields["laid"]
        )

    def verify(seat: Seat, opened: tuple[bytes, _Entry | None]) -> None:
        nonce, entry = opened
        chosen = None if entry is None else claims[seat].numbers(entry)
        verify_choice(commitments[seat], context[seat], nonce, wire.pack(chosen))
        claims[seat].verify(entry)

    def reveal(_: object) -> object:
        me, (nonce, chosen) = cards.keys.own_seat, recall(cards, committed_at)
        return {"nonce": nonce, "laid": claims[me].make(claims[me].decided(chosen))}

    opened = yield Step(step_kinds.SET_REVEAL, seats, parse, verify, reveal, heavy=True)
    entries = [(seat, opened[seat][1]) for seat in seats]
    return tuple([None if entry is None else claims[seat].apply(entry) for seat, entry in entries])
