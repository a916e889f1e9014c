"""Batched decryption shares: RFC 9497 vectors for the inner proof, then forgeries."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from p2p.crypto import dleq, elgamal, group, sigma
from p2p.crypto.dleq import Pair
from p2p.crypto.group import Point, Scalar
from p2p.errors import LocalError, PeerError
from tests.crypto.helpers import SeededEntropy, hidden_deck, load, secret, transcript

HOLDER = secret("holder")
SLOTS = hidden_deck(6, HOLDER.public)
RFC_CONTEXT = b"OPRFV1-\x01-ristretto255-SHA512"
SUITE = load("rfc9497_ristretto255_voprf.json")[0]


def pairs(slots: list[elgamal.Cipher] = SLOTS) -> list[Pair]:
    return [(slot[0], elgamal.share(HOLDER, slot)) for slot in slots]


def prove(shares: list[Pair], operation: str = "open") -> bytes:
    return dleq.prove_shares(HOLDER, shares, transcript(operation), SeededEntropy("nonce"))


def refused(shares: list[Pair], proof: bytes, operation: str = "open") -> PeerError:
    with pytest.raises(PeerError) as caught:
        dleq.verify_shares(HOLDER.public, shares, proof, transcript(operation))
    return caught.value


# RFC 9497, section 2.2: the composites and the hashing, which the product replaces.


def expand_message_xmd(message: bytes, tag: bytes) -> bytes:
    """RFC 9380, section 5.3.1, for one block of SHA-512."""
    suffixed = tag + bytes([len(tag)])
    zero = hashlib.sha512(bytes(128) + message + b"\x00\x40\x00" + suffixed).digest()
    return hashlib.sha512(zero + b"\x01" + suffixed).digest()


def rfc_scalar(message: bytes, tag: bytes = b"HashToScalar-" + RFC_CONTEXT) -> Scalar:
    return int.from_bytes(expand_message_xmd(message, tag), "little") % group.ORDER


def framed(data: bytes) -> bytes:
    return len(data).to_bytes(2, "big") + data


def rfc_composites(key: Point, inputs: list[Point], outputs: list[Point]) -> tuple[Point, Point]:
    seed = hashlib.sha512(framed(key) + framed(b"Seed-" + RFC_CONTEXT)).digest()
    weights = [
        rfc_scalar(framed(seed) + index.to_bytes(2, "big") + framed(c) + framed(d) + b"Composite")
        for index, (c, d) in enumerate(zip(inputs, outputs, strict=True))
    ]
    return group.msm(inputs, weights), group.msm(outputs, weights)


@pytest.mark.parametrize("vector", SUITE["vectors"], ids=lambda vector: f"batch {vector['Batch']}")
def test_the_inner_proof_matches_rfc_9497(vector: dict[str, Any]) -> None:
    key, held = bytes.fromhex(SUITE["pkSm"]), int.from_bytes(bytes.fromhex(SUITE["skSm"]), "little")
    inputs = [bytes.fromhex(point) for point in vector["BlindedElement"].split(",")]
    outputs = [bytes.fromhex(point) for point in vector["EvaluationElement"].split(",")]
    element, image = rfc_composites(key, inputs, outputs)

    def challenge(first: Point, second: Point) -> Scalar:
        points = (key, element, image, first, second)
        return rfc_scalar(b"".join(map(framed, points)) + b"Challenge")

    nonce = int.from_bytes(bytes.fromhex(vector["Proof"]["r"]), "little")
    proof = sigma.prove_equal_logs(held, element, nonce, challenge)
    assert sigma.encode(*proof).hex() == vector["Proof"]["proof"]
    assert challenge(*sigma.equal_logs_commitments(key, element, image, proof)) == proof[0]


# Our batch.


@pytest.mark.parametrize("count", [1, 2, 6])
def test_honest_shares_are_accepted(count: int) -> None:
    shares = pairs(SLOTS[:count])
    proof = prove(shares)
    assert len(proof) == dleq.PROOF_BYTES
    dleq.verify_shares(HOLDER.public, shares, proof, transcript("open"))


def test_known_slots_have_identity_shares() -> None:
    known = [(group.IDENTITY, group.IDENTITY)]
    for shares in (known, known + pairs()):
        dleq.verify_shares(HOLDER.public, shares, prove(shares), transcript("open"))


def test_a_known_slot_has_no_other_share() -> None:
    shares = [*pairs(), (group.IDENTITY, group.GENERATOR)]
    assert refused(shares, prove(shares)).verdict == "bad-share"


@pytest.mark.check("dleq.proof")
@pytest.mark.parametrize("position", range(6))
def test_one_wrong_share_is_refused(position: int) -> None:
    shares = pairs()
    slot, share = shares[position]
    shares[position] = (slot, group.add(share, group.GENERATOR))
    assert refused(shares, prove(shares)).verdict == "bad-share"


def test_wrong_shares_that_cancel_out_are_refused() -> None:
    """Two errors whose plain sum is zero, and two swapped shares."""
    shares = pairs()
    shares[0] = (shares[0][0], group.add(shares[0][1], group.GENERATOR))
    shares[1] = (shares[1][0], group.sub(shares[1][1], group.GENERATOR))
    assert refused(shares, prove(shares)).verdict == "bad-share"
    swapped = pairs()
    swapped[0], swapped[1] = (swapped[0][0], swapped[1][1]), (swapped[1][0], swapped[0][1])
    assert refused(swapped, prove(swapped)).verdict == "bad-share"


def test_errors_that_cancel_under_the_weights_of_another_message_are_refused() -> None:
    """The weights change with every share, so an error cannot be fitted to them."""
    honest = pairs()
    weights = dleq._weights(HOLDER.public, honest, transcript("open"))
    fitted = list(honest)
    fitted[0] = (honest[0][0], group.add(honest[0][1], group.base(weights[0])))
    fitted[1] = (honest[1][0], group.sub(honest[1][1], group.base(1)))
    sums = [dleq._combined([share for _, share in batch], weights) for batch in (honest, fitted)]
    assert sums[0] == sums[1]
    assert refused(fitted, prove(fitted)).verdict == "bad-share"


def test_shares_of_another_key_are_refused() -> None:
    other = secret("other")
    shares = [(slot[0], elgamal.share(other, slot)) for slot in SLOTS]
    proof = dleq.prove_shares(other, shares, transcript("open"), SeededEntropy("nonce"))
    assert refused(shares, proof).verdict == "bad-share"


def test_a_proof_is_bound_to_its_transcript_and_its_shares() -> None:
    shares = pairs()
    proof = prove(shares)
    assert refused(shares, proof, operation="lay").verdict == "bad-share"
    assert refused(shares[:-1], proof).verdict == "bad-share"
    assert refused(shares[::-1], proof).verdict == "bad-share"
    assert refused([*shares, shares[0]], proof).verdict == "bad-share"


@pytest.mark.parametrize("position", [0, 31, 32, 63])
def test_a_changed_proof_is_refused(position: int) -> None:
    changed = bytearray(prove(pairs()))
    changed[position] ^= 0x81
    assert refused(pairs(), bytes(changed)).verdict == "bad-share"


def test_out_of_range_answers_are_refused() -> None:
    challenge, response = group.decode_scalars(prove(pairs()), 2)
    for first, second in ((challenge + group.ORDER, response), (challenge, response + group.ORDER)):
        given = first.to_bytes(32, "little") + second.to_bytes(32, "little")
        assert refused(pairs(), given).verdict == "bad-share"
    assert refused(pairs(), prove(pairs())[:-1]).verdict == "bad-share"


@pytest.mark.check("dleq.empty")
def test_an_empty_batch_is_nobodys_proof() -> None:
    with pytest.raises(LocalError):
        prove([])
    empty = transcript("open")
    dleq._weights(HOLDER.public, [], empty)

    def challenge(first: Point, second: Point) -> Scalar:
        return dleq._challenge(empty, group.IDENTITY, group.IDENTITY, first, second)

    proof = sigma.encode(*sigma.prove_equal_logs(HOLDER.scalar, group.IDENTITY, 5, challenge))
    assert refused([], proof).verdict == "malformed"
