"""Hidden cards that their holder turns up: a share for each of them, and one proof for all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.zone import Seat, Slot
from p2p import checks
from p2p.crypto import dleq
from p2p.crypto.elgamal import Cipher, share
from p2p.crypto.group import Point, decode_points, sub
from p2p.protocol import wire
from p2p.protocol.acts.sharing import PROOF_BYTES
from p2p.protocol.cards import Cards


@dataclass(slots=True)
class Opened:
    """The cards that an entry turns up, the numbers of their faces, and what opens them."""

    slots: tuple[Slot, ...]
    numbers: tuple[int, ...]
    shares: list[Point]
    proof: bytes | None


def read(slots: tuple[Slot, ...], numbers: tuple[int, ...], shares: Any, proof: Any) -> Opened:
    """What an entry says about these slots; PeerError `malformed`."""
    points = decode_points(shares, len(slots))
    proven = wire.octets(proof, PROOF_BYTES, "a proof of shares") if slots else None
    return Opened(slots, numbers, points, proven)


def check(
    cards: Cards, seat: Seat, kind: str, opened: Opened, ciphers: Mapping[Slot, Cipher]
) -> None:
    """PeerError `bad-share` unless the shares open the faces that were named, and are proven."""
    pairs = [(ciphers[slot], own) for slot, own in zip(opened.slots, opened.shares, strict=True)]
    checks.require(
        "opened.face",
        [sub(b, own) for (_, b), own in pairs] == [cards.slots.points[n] for n in opened.numbers],
        "bad-share",
        "the shares do not open the cards that were named",
    )
    if opened.proof is not None:
        transcript = cards.bind(seat, kind, opened.slots)
        shares = [(a, own) for (a, _), own in pairs]
        dleq.verify_shares(cards.keys.public[seat], shares, opened.proof, transcript)


def make(
    cards: Cards, kind: str, slots: tuple[Slot, ...], ciphers: Mapping[Slot, Cipher]
) -> dict[str, object]:
    """This seat's shares of these slots with their proof, as an entry says them."""
    if not slots:
        return {"shares": b"", "proof": None}
    keys = cards.keys
    pairs = [(ciphers[slot][0], share(keys.own, ciphers[slot])) for slot in slots]
    transcript = cards.bind(keys.own_seat, kind, slots)
    proof = dleq.prove_shares(keys.own, pairs, transcript, keys.entropy)
    return {"shares": b"".join(own for _, own in pairs), "proof": proof}
