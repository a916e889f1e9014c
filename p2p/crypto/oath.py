"""Oaths: "none of these slots is one of these cards", without showing a card.

Two methods, chosen by the sizes alone (protocol section 4): `oath_by_shuffle` shows that each slot
is one of the allowed cards, `oath_by_pairs` shows for each slot and each forbidden card that they
differ.  The verifier knows the sizes, so nothing about the choice has to be sent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

from p2p.checks import Entropy
from p2p.crypto import elgamal, oath_by_pairs, oath_by_shuffle
from p2p.crypto.elgamal import Cipher
from p2p.crypto.group import Point
from p2p.crypto.keys import TableSecret
from p2p.crypto.shuffle import OfflinePart
from p2p.crypto.transcript import Transcript
from p2p.errors import LocalError, PeerError


def uses_pairs(slots: int, allowed: int, forbidden: int) -> bool:
    """Whether these three counts make an oath by pairs (then no offline part is needed)."""
    return slots * forbidden <= allowed


def swear(
    secret: TableSecret,
    opened: Sequence[tuple[Cipher, Point]],
    allowed: list[Point],
    forbidden: list[Point],
    transcript: Transcript,
    entropy: Entropy,
    part: OfflinePart | None = None,
) -> bytes:
    """The oath about slots that are all locked to `secret` alone.

    `opened` are these slots, each with its card; `allowed` and `forbidden` are disjoint lists of
    card points that everybody knows, `allowed` with each copy of a face.  `part` may hold an
    offline part for len(allowed) cards under `secret.public`; it stays untouched by an oath by
    pairs.  LocalError if the oath would be false.
    """
    slots, cards = [slot for slot, _ in opened], [card for _, card in opened]
    if not Counter(cards) <= Counter(allowed) or not set(cards).isdisjoint(forbidden):
        raise LocalError("this oath would be false")
    _absorb(transcript, secret.public, slots, allowed, forbidden)
    if uses_pairs(len(slots), len(allowed), len(forbidden)):
        statement = oath_by_pairs.Statement(secret.public, slots, forbidden)
        return oath_by_pairs.prove(secret, statement, cards, transcript, entropy)
    if part is None:
        rng = transcript.witness_rng(entropy, secret.to_bytes())
        part = OfflinePart.prepare(len(allowed), secret.public, partial(rng.octets, "part"))
    if part.key != secret.public:
        raise LocalError("the offline part was made under another key")
    return oath_by_shuffle.prove(secret, list(opened), allowed, part, transcript, entropy)


def verify_oath(
    public: Point,
    slots: list[Cipher],
    allowed: list[Point],
    forbidden: list[Point],
    data: bytes,
    transcript: Transcript,
    entropy: Entropy,
) -> None:
    """Accept the oath that no slot holds a forbidden card.

    An oath by shuffle shows that each slot holds an allowed card; the caller makes sure that the
    two lists are disjoint.  Raises PeerError("bad-oath") for any fault.
    """
    _absorb(transcript, public, slots, allowed, forbidden)
    try:
        if uses_pairs(len(slots), len(allowed), len(forbidden)):
            statement = oath_by_pairs.Statement(public, slots, forbidden)
            oath_by_pairs.verify(statement, data, transcript, entropy)
        else:
            oath_by_shuffle.verify(public, slots, allowed, data, transcript, entropy)
    except PeerError as refusal:
        raise PeerError("bad-oath", refusal.reason) from refusal


def part_used(data: bytes, slots: int, allowed: int, forbidden: int) -> Point | None:
    """The commitment of the offline part in an oath of these sizes; None in one by pairs."""
    if uses_pairs(slots, allowed, forbidden):
        return None
    return oath_by_shuffle.commitment(data, slots, allowed)


def _absorb(
    transcript: Transcript,
    public: Point,
    slots: list[Cipher],
    allowed: list[Point],
    forbidden: list[Point],
) -> None:
    if not slots:
        raise LocalError("an oath is about one slot or more")
    transcript.append("oath by", public)
    transcript.append("oath slots", elgamal.pack_ciphers(slots))
    transcript.append("oath allowed", b"".join(allowed))
    transcript.append("oath forbidden", b"".join(forbidden))
