"""Slots that change their lock: shown or handed to another seat, or put back (section 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine import question as ask
from engine.question import Seat, Slot
from p2p.crypto.elgamal import Cipher, pack_ciphers, unpack_ciphers
from p2p.crypto.group import Point
from p2p.crypto.transcript import Transcript
from p2p.crypto.transfer import PROOF_BYTES, transfer, verify_transfer
from p2p.protocol import wire
from p2p.protocol.slots import holders
from p2p.protocol.step import Program, Step

if TYPE_CHECKING:
    from p2p.protocol.dealer import Dealer

Moved = tuple[list[Cipher], list[bytes]]


def hand_over(dealer: Dealer, question: ask.HandOver) -> Program[None]:
    """Slots locked to a seat come under another seat's key; only those two know them."""
    to = dict(question.moves)
    keys = {slot: dealer.keys.public[seat] for slot, seat in to.items()}
    yield from _move(dealer, "hand-over", keys, holders(question.moves, dealer.table.locks))
    for slot, seat in to.items():
        dealer.learn((slot,), seat)


def put_back(dealer: Dealer, question: ask.PutBack) -> Program[None]:
    """Slots locked to seats return under everybody's key."""
    keys = dict.fromkeys(question.slots, dealer.keys.joint)
    pairs = [(slot, 0) for slot in question.slots]
    yield from _move(dealer, "put-back", keys, holders(pairs, dealer.table.locks))


def _move(
    dealer: Dealer,
    operation: str,
    keys: Mapping[Slot, Point],
    owed: Mapping[Seat, Sequence[Slot]],
) -> Program[None]:
    """One step: each holder re-encrypts its slots of `owed` under their new keys."""
    slots = dealer.slots
    bound = {
        (seat, slot): _bind(dealer, seat, operation, slot)
        for seat, mine in owed.items()
        for slot in mine
    }

    def make(_: object) -> object:
        me, secret, entropy = dealer.keys.me, dealer.keys.own, dealer.keys.entropy
        assert me is not None
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
        public = dealer.keys.public[seat]
        for slot, cipher, proof in zip(owed[seat], *moved, strict=True):
            old = slots.ciphers[slot]
            verify_transfer(public, old, cipher, keys[slot], proof, bound[seat, slot].copy())

    entries = yield Step(operation, tuple(owed), parse, verify, make)
    for seat, (ciphers, _) in entries.items():
        for slot, cipher in zip(owed[seat], ciphers, strict=True):
            # Each move is an act of its own that named the slot: a history of its own.
            slots.hide([slot], [cipher], (dealer.chain.step << 16) + slot)


def _bind(dealer: Dealer, seat: Seat, operation: str, slot: Slot) -> Transcript:
    return dealer.bind(seat, operation, (slot,))
