"""Slots that change locks: shown or handed to another seat, or put back (section 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine import acts
from engine.zone import Seat, Slot
from p2p.crypto.elgamal import Cipher, pack_ciphers, unpack_ciphers
from p2p.crypto.group import Point
from p2p.crypto.transcript import Transcript
from p2p.crypto.transfer import PROOF_BYTES, transfer, verify_transfer
from p2p.errors import blaming
from p2p.protocol import step_kinds, wire
from p2p.protocol.cards import Cards
from p2p.protocol.slots import holders
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
    slots = cards.slots
    bound = {
        (seat, slot): _bind(cards, seat, operation, slot)
        for seat, mine in owed.items()
        for slot in mine
    }

    def make(_: object) -> object:
        me, secret, entropy = cards.keys.own_seat, cards.keys.own, cards.keys.entropy
        made = [
            transfer(secret, slots.ciphers[slot], keys[slot], bound[me, slot].copy(), entropy)
            for slot in owed[me]
        ]
        return {
            "deck": pack_ciphers([cipher for cipher, _ in made]),
            "proofs": b"".join(proof for _, proof in made),
        }

    def parse(seat: Seat, payload: Any) -> Moved:
        fields = wire.take(payload, {"deck": bytes, "proofs": bytes})
        count = len(owed[seat])
        proofs = wire.octets(fields["proofs"], count * PROOF_BYTES, "transfer proofs")
        size = PROOF_BYTES
        split = [proofs[i * size : (i + 1) * size] for i in range(count)]
        return unpack_ciphers(fields["deck"], count), split

    def verify(seat: Seat, moved: Moved) -> None:
        public = cards.keys.public[seat]
        for slot, cipher, proof in zip(owed[seat], *moved, strict=True):
            old = slots.ciphers[slot]
            verify_transfer(public, old, cipher, keys[slot], proof, bound[seat, slot].copy())

    entries = yield Step(operation, tuple(owed), parse, verify, make)
    for seat, (ciphers, _) in entries.items():
        for slot, cipher in zip(owed[seat], ciphers, strict=True):
            # Each move is a separate act that named the slot: a history of its own.
            history = (cards.chain.step << 16) + slot
            with blaming(seat):
                slots.renew([slot], [cipher], history, "bad-transfer", same=True)


def _bind(cards: Cards, seat: Seat, operation: str, slot: Slot) -> Transcript:
    return cards.bind(seat, operation, (slot,))
