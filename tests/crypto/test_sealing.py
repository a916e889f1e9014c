"""Sealed key shares: read by their receiver alone, and whoever lies about one is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.crypto import dleq, group, sealing
from p2p.crypto.group import GENERATOR, IDENTITY, ORDER, Scalar
from p2p.crypto.sealing import Errand, SealingSecret
from p2p.crypto.sharing import Images, Polynomial
from p2p.errors import PeerError
from tests.crypto.helpers import SeededEntropy, secret

SENDER, RECEIVER = 0, 2
HOLDER = secret("holder")
DEALT = Polynomial.through(HOLDER, 2, 3, SeededEntropy("polynomial"))
KEYS = [SealingSecret(secret(f"sealing {seat}").scalar) for seat in range(3)]
KEY = KEYS[RECEIVER]
BOUND = tuple(bytes([seat]) * 64 + key.public for seat, key in enumerate(KEYS))


def about(
    sender: int = SENDER,
    receiver: int = RECEIVER,
    *,
    token: bytes = bytes(16),
    bound: tuple[bytes, ...] = BOUND,
    promised: Images = DEALT.images,
) -> Errand:
    keys = KEYS[sender].public, KEYS[receiver].public
    begun = sealing.begun_by(token, bound)
    return Errand(begun, sender, receiver, keys, promised, (receiver - sender) % 3)


ERRAND = about()
SHARE = DEALT.share(RECEIVER)
SEALED = sealing.seal(ERRAND, SHARE, KEYS[SENDER])
WRONG = (SEALED + 1) % ORDER
OTHERS = {
    "token": about(token=b"x" * 16),
    "bound": about(bound=BOUND[::-1]),
    "promised": about(promised=Polynomial((5, 6)).images),
    "sender": about(1, RECEIVER),
    "receiver": about(SENDER, 1),
    "the other way": about(RECEIVER, SENDER),
}
"""What is not `ERRAND`, by what differs."""


def guilty(errand: Errand, sealed: Scalar, complaint: bytes) -> tuple[int | None, str]:
    try:
        sealing.verify_complaint(errand, sealed, complaint)
    except PeerError as refusal:
        return refusal.seat, refusal.verdict
    named = sealing.broken_promise(errand)
    return named.seat, named.verdict


def complaint(sealed: Scalar, errand: Errand = ERRAND) -> bytes:
    return sealing.complain(errand, sealed, KEY, SeededEntropy("complaint"))


def test_the_receiver_gets_the_share() -> None:
    got = sealing.unseal(ERRAND, SEALED, KEY)
    assert got is not None
    assert got.scalar == SHARE != SEALED
    assert got.public == DEALT.images.image(RECEIVER)


def test_nobody_else_does() -> None:
    assert sealing.unseal(ERRAND, SEALED, KEYS[1]) is None


def test_two_seats_have_one_point_to_themselves() -> None:
    points = {
        KEYS[one].shared_with(KEYS[other].public)
        for one in range(3)
        for other in range(3)
        if one != other
    }
    assert len(points) == 3
    assert KEY.shared_with(KEYS[0].public) == group.mul(KEYS[0].public, KEY.scalar)
    assert KEY.shared_with(KEYS[0].public) == KEYS[0].shared_with(KEY.public)


@pytest.mark.parametrize("errand", OTHERS.values(), ids=OTHERS)
def test_every_errand_has_a_mask_of_its_own(errand: Errand) -> None:
    """Of one pair of seats too: each way, each table, each polynomial."""
    shared = KEY.shared_with(KEYS[SENDER].public)
    assert errand.mask(shared) != ERRAND.mask(shared)
    assert ERRAND.mask(GENERATOR) != ERRAND.mask(shared)


def test_who_shows_the_sealing_key_of_another_seat_reads_nothing() -> None:
    """Seat 1 began with seat 2's key: what is sealed for it is read by neither.

    It does not have the point, and the hash names another receiver than seat 2.
    """
    bound = (*BOUND[:1], bytes([1]) * 64 + KEY.public, BOUND[2])
    to_thief = replace(about(SENDER, 1, bound=bound), keys=(KEYS[SENDER].public, KEY.public))
    sealed = sealing.seal(to_thief, DEALT.share(1), KEYS[SENDER])
    assert sealing.unseal(to_thief, sealed, KEYS[1]) is None
    assert sealing.unseal(about(bound=bound), sealed, KEY) is None


def test_a_wrong_share_is_seen_and_its_sender_named() -> None:
    assert sealing.unseal(ERRAND, WRONG, KEY) is None
    assert guilty(ERRAND, WRONG, complaint(WRONG)) == (SENDER, "bad-key")


def test_a_share_of_zero_is_a_wrong_one() -> None:
    """f(2) = 0, sealed as promised: its receiver could prove nothing with it."""
    flat = Images((group.base(2), group.base(1)))
    assert flat.image(2) == IDENTITY
    errand = about(promised=flat)
    sealed = sealing.seal(errand, 0, KEYS[SENDER])
    assert sealing.unseal(errand, sealed, KEY) is None
    assert guilty(errand, sealed, complaint(sealed, errand)) == (SENDER, "bad-key")


@pytest.mark.check("sealing.complaint")
def test_a_complaint_about_a_right_share_names_who_complains() -> None:
    assert guilty(ERRAND, SEALED, complaint(SEALED)) == (RECEIVER, "bad-key")


@pytest.mark.call("p2p.crypto.sealing:verify_complaint -> dleq.verify_shares")
def test_a_complaint_with_another_point_names_who_complains() -> None:
    """The opened point is false, so that the share seems wrong."""
    shared = group.add(KEY.shared_with(KEYS[SENDER].public), GENERATOR)
    transcript = sealing._complaint(ERRAND, SEALED)
    entropy = SeededEntropy("forged")
    proof = dleq.prove_shares(KEY, [(KEYS[SENDER].public, shared)], transcript, entropy)
    assert guilty(ERRAND, SEALED, shared + proof) == (RECEIVER, "bad-share")
    assert guilty(ERRAND, SEALED, shared + complaint(SEALED)[32:]) == (RECEIVER, "bad-share")


@pytest.mark.check("sealing.complaint-length")
@pytest.mark.parametrize(
    "change", [lambda data: data[:-1], lambda data: data + b"\0", lambda _: b""]
)
def test_a_complaint_has_one_length(change: Callable[[bytes], bytes]) -> None:
    with pytest.raises(PeerError) as refusal:
        sealing.verify_complaint(ERRAND, WRONG, change(complaint(WRONG)))
    assert (refusal.value.seat, refusal.value.reason) == (RECEIVER, "a complaint has 96 bytes")


@pytest.mark.parametrize("errand", OTHERS.values(), ids=OTHERS)
def test_a_complaint_is_about_one_errand(errand: Errand) -> None:
    with pytest.raises(PeerError):
        sealing.verify_complaint(errand, WRONG, complaint(WRONG))


def test_a_complaint_is_about_one_sealed_share() -> None:
    assert guilty(ERRAND, (WRONG + 1) % ORDER, complaint(WRONG)) == (RECEIVER, "bad-share")


@given(st.integers(1, ORDER - 1))
@settings(max_examples=30)
def test_every_other_number_is_a_wrong_share(change: int) -> None:
    sealed = (SEALED + change) % ORDER
    assert sealing.unseal(ERRAND, sealed, KEY) is None


@given(st.integers(0, 95), st.integers(1, 255))
@settings(max_examples=60)
def test_a_bent_complaint_convicts_nobody_else(at: int, flip: int) -> None:
    data = bytearray(complaint(WRONG))
    data[at] ^= flip
    assert guilty(ERRAND, WRONG, bytes(data))[0] == RECEIVER


def test_no_secret_is_shown() -> None:
    shared = KEY.shared_with(KEYS[SENDER].public)
    shown = repr(KEY) + repr(ERRAND)
    for hidden in (KEY.scalar, SHARE, HOLDER.scalar):
        assert str(hidden) not in shown
        assert group.encode_scalar(hidden).hex() not in shown
    assert shared.hex() not in shown
    assert repr(shared) not in shown
    assert repr(KEY) == f"SealingSecret(public={KEY.public.hex()[:16]})"
