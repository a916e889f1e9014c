"""Which proofs an entry carries; the audit says whether they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, Final, NamedTuple

from engine.wording import counted
from engine.zone import Seat
from p2p.crypto.elgamal import CIPHER_BYTES
from p2p.crypto.group import POINT_BYTES
from p2p.crypto.transfer import PROOF_BYTES
from p2p.protocol import step_kinds
from p2p.protocol.entry import Entry


class Proof(Enum):
    """What a seat proves, in the words of protocol section 4."""

    SHUFFLE = "shuffle"
    SHARES = "shares"
    TRANSFERS = "transfers"
    OATH = "oath"
    OPENING = "opening"


SAID: Final[Mapping[Proof, str]] = {
    Proof.SHUFFLE: "a shuffle of {cards} (shuffle argument)",
    Proof.SHARES: "{shares} of decryption (one batched equality of logarithms)",
    Proof.TRANSFERS: "{cards} under another key (knowledge of key and randomness)",
    Proof.OATH: "an oath about cards that are not held",
    Proof.OPENING: "what was chosen in secret (opening of a commitment)",
}


class Carried(NamedTuple):
    """A proof by `seat` about `items` cards (0 if nobody learns how many)."""

    seat: Seat
    proof: Proof
    items: int

    @property
    def said(self) -> str:
        """What it proves, without saying whose it is."""
        cards, shares = counted(self.items, "card"), counted(self.items, "share")
        return SAID[self.proof].format(cards=cards, shares=shares)


def proofs(entry: Entry) -> list[Carried]:
    """The proofs in one entry, whose shape is known to be right; its signature is not counted."""
    return [Carried(entry.seat, proof, count) for proof, count in _made(entry.payload, entry.kind)]


def _in_parts(parts: list[Any], kind: str) -> Iterator[tuple[Proof, int]]:
    """What is owed in several parts when somebody is lost; each has a proof of its own."""
    for part in parts:
        if kind == step_kinds.RELOCK:
            yield Proof.TRANSFERS, len(part["deck"]) // CIPHER_BYTES
        elif kind in (step_kinds.STRIP, step_kinds.COIN):
            yield Proof.SHARES, len(part["shares"]) // POINT_BYTES


def _made(payload: Any, kind: str) -> Iterator[tuple[Proof, int]]:
    """Entries carry their proofs in fields of the same names, whatever the act."""
    if kind == step_kinds.SWEAR:
        yield Proof.OATH, 0
    if isinstance(payload, list):
        yield from _in_parts(payload, kind)
    if not isinstance(payload, dict):
        return
    if payload.get("nonce"):
        yield Proof.OPENING, 0
    if payload.get("merge"):
        yield from _made(payload["merge"], "")
    if "deck" in payload and "proof" in payload:
        yield Proof.SHUFFLE, len(payload["deck"]) // CIPHER_BYTES
    if "proofs" in payload:
        yield Proof.TRANSFERS, len(payload["proofs"]) // PROOF_BYTES
    shares = payload.get("shares") or payload.get("share")
    if shares:
        yield Proof.SHARES, len(shares) // POINT_BYTES
    if payload.get("oath"):
        yield Proof.OATH, 0
    for inner in ("shown", "laid", "released", "put_back"):
        if payload.get(inner):
            yield from _made(payload[inner], "")
