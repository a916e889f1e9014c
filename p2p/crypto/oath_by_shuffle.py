"""An oath by shuffling the allowed cards.

The holder shuffles the list of allowed cards under its own key, with proof, names one output
position for each slot, all different, and shows by one batched DLEQ that each slot minus its
position encrypts the identity.  The shuffle hides which allowed card each slot is.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from p2p import checks
from p2p.checks import Entropy
from p2p.crypto import dleq, elgamal, group, shuffle
from p2p.crypto.elgamal import CIPHER_BYTES, Cipher
from p2p.crypto.group import IDENTITY, Point
from p2p.crypto.keys import TableSecret
from p2p.crypto.oath_by_pairs import ANOTHER_LENGTH
from p2p.crypto.shuffle import OfflinePart, ShuffleProof
from p2p.crypto.transcript import Transcript

_VERDICT: Final = "bad-oath"
_POSITION_BYTES: Final = 2


def prove(
    secret: TableSecret,
    opened: list[tuple[Cipher, Point]],
    allowed: list[Point],
    part: OfflinePart,
    transcript: Transcript,
    entropy: Entropy,
) -> bytes:
    """The oath for slots with their cards: deck, proof, positions (2 bytes each), DLEQ."""
    shuffled = shuffle.prove_shuffle(part, _fresh(allowed), transcript, entropy)
    positions = _positions(shuffled.permutation, allowed, [card for _, card in opened])
    slots = [slot for slot, _ in opened]
    transcript.append_numbers("oath positions", *positions)
    pairs = _differences(slots, [shuffled.deck[at] for at in positions])
    return b"".join(
        (
            elgamal.pack_ciphers(shuffled.deck),
            shuffled.proof.encode(),
            b"".join(at.to_bytes(_POSITION_BYTES, "big") for at in positions),
            dleq.prove_shares(secret, pairs, transcript, entropy),
        )
    )


def _positions(permutation: list[int], allowed: list[Point], cards: list[Point]) -> list[int]:
    """A place in the shuffled list for each card; each copy of a face is used once.

    Which copy stands for a card does not depend on where the copies came to lie.  Then every list
    of different places is equally likely, whatever the cards are; the last place of a face, say,
    would tell how many copies it has.
    """
    place = {source: at for at, source in enumerate(permutation)}
    copies: defaultdict[Point, list[int]] = defaultdict(list)
    for source, card in enumerate(allowed):
        copies[card].append(source)
    return [place[copies[card].pop()] for card in cards]


def verify(
    public: Point,
    slots: list[Cipher],
    allowed: list[Point],
    data: bytes,
    transcript: Transcript,
    entropy: Entropy,
) -> None:
    """Accept that each slot holds one of the allowed cards.  Raises PeerError."""
    deck, proof, positions, equality = _decode(data, len(slots), len(allowed))
    shuffle.verify_shuffle(public, _fresh(allowed), deck, proof, transcript, entropy)
    checks.require(
        "oath.position-range",
        max(positions) < len(allowed),
        _VERDICT,
        "the oath names a card that is not in the list",
    )
    checks.require(
        "oath.position-repeated",
        len(set(positions)) == len(positions),
        _VERDICT,
        "the oath names one card for two slots",
    )
    transcript.append_numbers("oath positions", *positions)
    pairs = _differences(slots, [deck[at] for at in positions])
    dleq.verify_shares(public, pairs, equality, transcript)


def commitment(data: bytes, slots: int, allowed: int) -> Point:
    """The commitment of the oath's shuffle, by which a part used twice is recognised."""
    _, proof, _, _ = _decode(data, slots, allowed)
    return proof.commitment


def _fresh(allowed: list[Point]) -> list[Cipher]:
    return [(IDENTITY, card) for card in allowed]


def _differences(slots: list[Cipher], outputs: list[Cipher]) -> list[Cipher]:
    """Slot minus output: (A, x A) exactly if both hold the same card."""
    return [
        (group.sub(slot[0], output[0]), group.sub(slot[1], output[1]))
        for slot, output in zip(slots, outputs, strict=True)
    ]


def _decode(
    data: bytes, slots: int, allowed: int
) -> tuple[list[Cipher], ShuffleProof, list[int], bytes]:
    deck_end = allowed * CIPHER_BYTES
    proof_end = deck_end + shuffle.proof_bytes(allowed)
    positions_end = proof_end + slots * _POSITION_BYTES
    end = positions_end + dleq.PROOF_BYTES
    checks.require("oath.length", len(data) == end, _VERDICT, ANOTHER_LENGTH)
    named = data[proof_end:positions_end]
    return (
        elgamal.unpack_ciphers(data[:deck_end], allowed),
        ShuffleProof.decode(data[deck_end:proof_end], allowed),
        [
            int.from_bytes(named[at : at + _POSITION_BYTES], "big")
            for at in range(0, len(named), _POSITION_BYTES)
        ],
        data[positions_end:end],
    )
