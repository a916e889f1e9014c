"""Sealed key shares: read by their receiver alone, and whoever lies about one is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from p2p.crypto import dleq, group, sealing, sigma
from p2p.crypto.group import GENERATOR, IDENTITY, ORDER
from p2p.crypto.keys import KeyContext, TableSecret, prove_key
from p2p.crypto.sealing import Errand, Sealed, SealingSecret
from p2p.crypto.sharing import Polynomial
from p2p.errors import PeerError
from tests.crypto.helpers import SeededEntropy, read_sealed, secret

ALL_CHECKS = list(HealthCheck)
SENDER, RECEIVER = 0, 2
HOLDER = secret("holder")
DEALT = Polynomial.through(HOLDER, 2, 3, SeededEntropy("polynomial"))
KEY = SealingSecret(secret("sealing").scalar)
BOUND = (b"a" * 64, b"b" * 64, b"c" * 64)
ERRAND = Errand(bytes(16), SENDER, RECEIVER, BOUND, DEALT.commitments, KEY.public)
SHARE = DEALT.share(RECEIVER)
SEALED = sealing.seal(ERRAND, SHARE, SeededEntropy("seal"))
WRONG = TableSecret((SHARE.scalar + 1) % ORDER)
CONTEXT = KeyContext(bytes(16), RECEIVER, bytes(32))


def guilty(errand: Errand, sealed: Sealed, complaint: bytes) -> tuple[int | None, str]:
    try:
        sealing.verify_complaint(errand, sealed, complaint)
    except PeerError as refusal:
        return refusal.seat, refusal.verdict
    named = sealing.broken_promise(errand)
    return named.seat, named.verdict


def complaint(sealed: Sealed, errand: Errand = ERRAND) -> bytes:
    return sealing.complain(errand, sealed, KEY, SeededEntropy("complaint"))


def test_the_receiver_gets_the_share() -> None:
    data = SEALED.encode()
    assert len(data) == sealing.SEALED_BYTES
    sealed = read_sealed(ERRAND, data)
    assert sealed == SEALED
    got = sealing.unseal(ERRAND, sealed, KEY)
    assert got is not None
    assert got.scalar == SHARE.scalar


def test_nobody_else_does() -> None:
    other = SealingSecret(secret("other").scalar)
    assert sealing.unseal(ERRAND, SEALED, other) is None
    assert SEALED.masked != SHARE.scalar


def test_a_wrong_share_is_seen_and_its_sender_named() -> None:
    sealed = sealing.seal(ERRAND, WRONG, SeededEntropy("wrong"))
    assert sealing.unseal(ERRAND, read_sealed(ERRAND, sealed.encode()), KEY) is None
    assert guilty(ERRAND, sealed, complaint(sealed)) == (SENDER, "bad-key")


@pytest.mark.check("sealing.complaint")
def test_a_complaint_about_a_right_share_names_who_complains() -> None:
    assert guilty(ERRAND, SEALED, complaint(SEALED)) == (RECEIVER, "bad-key")


@pytest.mark.call("p2p.crypto.sealing:verify_complaint -> dleq.verify_shares")
def test_a_complaint_with_another_point_names_who_complains() -> None:
    """The opened point is false, so that the share seems wrong."""
    shared = group.add(group.mul(SEALED.first, KEY.scalar), GENERATOR)
    transcript = sealing._complaint(ERRAND, SEALED)
    entropy = SeededEntropy("forged")
    proof = dleq.prove_shares(KEY, [(SEALED.first, shared)], transcript, entropy)
    assert guilty(ERRAND, SEALED, shared + proof) == (RECEIVER, "bad-share")
    assert guilty(ERRAND, SEALED, shared + complaint(SEALED)[32:]) == (RECEIVER, "bad-share")


@pytest.mark.check("sealing.complaint-length")
@pytest.mark.parametrize(
    "change", [lambda data: data[:-1], lambda data: data + b"\0", lambda _: b""]
)
def test_a_complaint_has_one_length(change: Callable[[bytes], bytes]) -> None:
    sealed = sealing.seal(ERRAND, WRONG, SeededEntropy("wrong"))
    with pytest.raises(PeerError) as refusal:
        sealing.verify_complaint(ERRAND, sealed, change(complaint(sealed)))
    assert (refusal.value.seat, refusal.value.reason) == (RECEIVER, "a complaint has 96 bytes")


def test_a_complaint_is_about_one_sealed_share() -> None:
    first, second = (sealing.seal(ERRAND, WRONG, SeededEntropy(seed)) for seed in "ab")
    assert guilty(ERRAND, second, complaint(first))[0] == RECEIVER
    assert guilty(replace(ERRAND, token=b"x" * 16), first, complaint(first))[0] == RECEIVER


@pytest.mark.check("sealing.length")
@pytest.mark.parametrize("size", [0, 127])
def test_a_sealed_share_has_one_length(size: int) -> None:
    with pytest.raises(PeerError, match="128 bytes"):
        read_sealed(ERRAND, SEALED.encode()[:size])
    with pytest.raises(PeerError, match="128 bytes"):
        read_sealed(ERRAND, SEALED.encode() + b"\0")


@pytest.mark.check("sealing.knowledge")
@pytest.mark.parametrize(
    "errand",
    [
        replace(ERRAND, token=b"x" * 16),
        replace(ERRAND, sender=1),
        replace(ERRAND, receiver=1),
        replace(ERRAND, bound=BOUND[::-1]),
        replace(ERRAND, promised=Polynomial((5, 6)).commitments),
        replace(ERRAND, key=GENERATOR),
    ],
    ids=["token", "sender", "receiver", "bound", "promised", "key"],
)
def test_a_copied_sealed_share_is_refused(errand: Errand) -> None:
    """Seat 1 sends on what seat 0 sent, so that the complaint about it opens seat 0's share."""
    with pytest.raises(PeerError) as refusal:
        read_sealed(errand, SEALED.encode())
    assert refusal.value.verdict == "bad-key"
    first = ERRAND.mask(SEALED.first, GENERATOR)
    assert errand.mask(SEALED.first, GENERATOR) != first


def test_a_copied_point_under_another_mask_is_refused() -> None:
    """R is another sender's, and the rest is new: nobody knows k, so nobody can prove it."""
    made = sealing.seal(replace(ERRAND, sender=1), WRONG, SeededEntropy("thief"))
    for bent in (replace(made, first=SEALED.first), replace(SEALED, masked=made.masked)):
        with pytest.raises(PeerError) as refusal:
            read_sealed(replace(ERRAND, sender=1), bent.encode())
        assert refusal.value.verdict == "bad-key"


def test_a_complaint_opens_one_share_only() -> None:
    """What it shows, k Z, is no mask of another errand, even from the same sender and point."""
    shared = complaint(SEALED)[:32]
    masks = {errand.mask(SEALED.first, shared) for errand in (ERRAND, replace(ERRAND, receiver=1))}
    assert len(masks) == 2


@given(st.integers(0, 127), st.integers(1, 255))
@settings(max_examples=60, derandomize=True, deadline=None, suppress_health_check=ALL_CHECKS)
def test_a_bent_sealed_share_is_refused_by_all(at: int, flip: int) -> None:
    data = bytearray(SEALED.encode())
    data[at] ^= flip
    with pytest.raises(PeerError) as refusal:
        read_sealed(ERRAND, bytes(data))
    assert refusal.value.verdict in ("bad-key", "malformed")


@given(st.integers(0, 95), st.integers(1, 255))
@settings(max_examples=60, derandomize=True, deadline=None, suppress_health_check=ALL_CHECKS)
def test_a_bent_complaint_convicts_nobody_else(at: int, flip: int) -> None:
    sealed = sealing.seal(ERRAND, WRONG, SeededEntropy("wrong"))
    data = bytearray(complaint(sealed))
    data[at] ^= flip
    assert guilty(ERRAND, sealed, bytes(data))[0] == RECEIVER


# -- the sealing key -----------------------------------------------------------------------------


def possession(seed: str = "nonce") -> bytes:
    return sealing.prove_sealing_key(KEY, CONTEXT, BOUND, SeededEntropy(seed))


def test_its_holder_proves_a_sealing_key() -> None:
    sealing.verify_sealing_key(CONTEXT, KEY.public, possession(), BOUND)
    assert len(possession()) == sealing.PROOF_BYTES


@pytest.mark.check("sealing.possession")
def test_a_sealing_key_without_its_secret_is_refused() -> None:
    cases = [
        (CONTEXT, group.add(KEY.public, GENERATOR), BOUND),
        (KeyContext(bytes(16), 1, bytes(32)), KEY.public, BOUND),
        (KeyContext(bytes(16), RECEIVER, b"x" * 32), KEY.public, BOUND),
        (CONTEXT, KEY.public, BOUND[::-1]),
    ]
    for context, public, bound in cases:
        with pytest.raises(PeerError) as refusal:
            sealing.verify_sealing_key(context, public, possession(), bound)
        assert refusal.value.verdict == "bad-key"


@pytest.mark.call("p2p.crypto.sealing:verify_sealing_key -> group.decode_point")
def test_a_sealing_key_is_not_the_identity() -> None:
    transcript = CONTEXT.possession(sealing._POSSESSION, IDENTITY, BOUND)
    forged = sigma.prove_log(0, 5, lambda first: sealing._challenge(transcript, first))
    with pytest.raises(PeerError) as refusal:
        sealing.verify_sealing_key(CONTEXT, IDENTITY, forged, BOUND)
    assert refusal.value.verdict == "malformed"


def test_the_proof_of_a_table_key_is_none_of_a_sealing_key() -> None:
    """The same secret, the same context: another use."""
    proof = prove_key(KEY, CONTEXT, BOUND, SeededEntropy("nonce"))
    with pytest.raises(PeerError):
        sealing.verify_sealing_key(CONTEXT, KEY.public, proof, BOUND)


def test_no_secret_is_shown() -> None:
    shown = repr(KEY) + repr(SEALED) + repr(ERRAND)
    for hidden in (KEY.scalar, SHARE.scalar, HOLDER.scalar):
        assert str(hidden) not in shown
        assert group.encode_scalar(hidden).hex() not in shown
    assert repr(KEY).startswith("SealingSecret(")
