"""Slots that change locks: shown or handed to another seat, or put back (section 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine import acts
from engine.zone import Seat, Slot
from p2p.crypto.elgamal import Cipher, pack_ciphers, unpack_ciphers
from p2p.crypto.group import Point
from p2p.crypto.transfer import PROOF_BYTES, transfer, verify_transfer
from p2p.errors import blaming
from p2p.protocol import step_kinds, wire
from p2p.protocol.cards import Cards
from p2p.protocol.slots import holders, own_history
from p2p.protocol.step import Program, Step
from p2p.protocol.step_kinds import StepKind

Moved = tuple[list[Cipher], list[bytes]]


def hand_over(cards: Cards, question: acts.HandOver) -> Program[None]:
    """Slots locked to a seat come under another seat's key; only those two know them."""
    to = dict(question.moves)
    keys = {slot: cards.keys.public[seat] for slot, seat in to.items()}
    yield from _move(cards, step_kinds.HAND_OVER, keys, holders(question.moves, cards.table.locks))
    for slot, seat in to.items():
        cards.learn((slot,), seat)


def put_back(cards: Cards, question: acts.PutBack) -> Program[None]:
    """Slots locked to seats return under everybody's key."""
    keys = dict.fromkeys(question.slots, cards.keys.joint)
    pairs = [(slot, 0) for slot in question.slots]
    yield from _move(cards, step_kinds.PUT_BACK, keys, holders(pairs, cards.table.locks))


def _move(
    cards: Cards,
    operation: StepKind,
    keys: Mapping[Slot, Point],
    owed: Mapping[Seat, Sequence[Slot]],
) -> Program[None]:
    """One step: each holder re-encrypts its slots of `owed` under their new keys."""
    moves = {seat: Moves(cards, operation, seat, mine, keys) for seat, mine in owed.items()}
    entries = yield Step(
        operation,
        tuple(owed),
        parse=lambda seat, payload: moves[seat].parse(payload),
        verify=lambda seat, moved: moves[seat].verify(moved),
        make=lambda _: moves[cards.keys.own_seat].make(),
    )
    for seat, moved in entries.items():
        moves[seat].apply(moved)


class Moves:
    """What one seat owes that re-encrypts some of its slots, each under its new key."""

    def __init__(
        self,
        cards: Cards,
        operation: StepKind,
        seat: Seat,
        slots: Sequence[Slot],
        keys: Mapping[Slot, Point],
    ) -> None:
        self._cards: Final = cards
        self._seat: Final = seat
        self._slots: Final = slots
        self._to: Final = keys
        self._bound: Final = {slot: cards.bind(seat, operation, (slot,)) for slot in slots}

    def make(self) -> object:
        made = list(map(self._made, self._slots))
        return {
            "deck": pack_ciphers([cipher for cipher, _ in made]),
            "proofs": b"".join(proof for _, proof in made),
        }

    def _made(self, slot: Slot) -> tuple[Cipher, bytes]:
        keys, bound = self._cards.keys, self._bound[slot].copy()
        cipher = self._cards.slots.ciphers[slot]
        return transfer(keys.own, cipher, self._to[slot], bound, keys.entropy)

    def parse(self, payload: Any) -> Moved:
        fields = wire.take(payload, {"deck": bytes, "proofs": bytes})
        count, size = len(self._slots), PROOF_BYTES
        proofs = wire.octets(fields["proofs"], count * size, "transfer proofs")
        split = [proofs[i * size : (i + 1) * size] for i in range(count)]
        return unpack_ciphers(fields["deck"], count), split

    def verify(self, moved: Moved) -> None:
        public, ciphers = self._cards.keys.public[self._seat], self._cards.slots.ciphers
        for slot, cipher, proof in zip(self._slots, *moved, strict=True):
            bound = self._bound[slot].copy()
            verify_transfer(public, ciphers[slot], cipher, self._to[slot], proof, bound)

    def apply(self, moved: Moved) -> None:
        step = self._cards.chain.step
        with blaming(self._seat):
            for slot, cipher in zip(self._slots, moved[0], strict=True):
                # Each move is a separate act that named the slot: a history of its own.
                history = own_history(step, slot)
                self._cards.slots.renew([slot], [cipher], history, "bad-transfer", same=True)
