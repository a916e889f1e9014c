"""A secret in shares: any t of them make it, fewer tell nothing, and wrong ones are seen."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from p2p.crypto import dleq, elgamal, group, sharing
from p2p.crypto.group import GENERATOR, IDENTITY, ORDER, Scalar
from p2p.crypto.sharing import Commitments, Polynomial, combine, fits, read_commitments
from p2p.errors import LocalError, PeerError
from tests.crypto.helpers import SeededEntropy, hidden_deck, secret, transcript

ALL_CHECKS = list(HealthCheck)
HOLDER = secret("holder")
SEATS, LEAST = 5, 3
DEALT = Polynomial.through(HOLDER, LEAST, SEATS, SeededEntropy("polynomial"))
SLOTS = hidden_deck(3, HOLDER.public)
SIZES = [(3, 2), (4, 3), (5, 3), (5, 4), (16, 9)]


def interpolated(shares: dict[int, Scalar], at: int) -> Scalar:
    """The value at this place of the polynomial through (seat + 1, share)."""
    total = 0
    for seat, share in shares.items():
        term = share
        for other in set(shares) - {seat}:
            term = term * (at - other - 1) * pow(seat - other, -1, ORDER) % ORDER
        total += term
    return total % ORDER


@pytest.mark.parametrize(("seats", "least"), SIZES)
def test_any_t_partial_shares_take_a_layer_off(seats: int, least: int) -> None:
    dealt = Polynomial.through(HOLDER, least, seats, SeededEntropy("dealt"))
    known = read_commitments(HOLDER.public, dealt.commitments.further, least, seats)
    assert known.threshold == least
    whole = [elgamal.share(HOLDER, slot) for slot in SLOTS]
    partials = {}
    for seat in range(seats):
        share = dealt.share(seat)
        assert share.public == known.image(seat)
        pairs = [(slot[0], elgamal.share(share, slot)) for slot in SLOTS]
        proof = dleq.prove_shares(share, pairs, transcript("strip"), SeededEntropy(str(seat)))
        dleq.verify_shares(known.image(seat), pairs, proof, transcript("strip"))
        partials[seat] = [partial for _, partial in pairs]
    chosen = list(combinations(range(seats), least))[:40]
    for group_of_t in chosen:
        assert combine({seat: partials[seat] for seat in group_of_t}, least) == whole
    assert combine(partials, least) == whole


def test_a_partial_share_that_does_not_fit_is_refused() -> None:
    share, known = DEALT.share(1), DEALT.commitments
    pairs = [(slot[0], elgamal.share(share, slot)) for slot in SLOTS]
    proof = dleq.prove_shares(share, pairs, transcript(), SeededEntropy("one"))
    bent = [*pairs[:2], (pairs[2][0], group.add(pairs[2][1], GENERATOR))]
    for seat, given_pairs in ((2, pairs), (1, bent)):
        with pytest.raises(PeerError) as refusal:
            dleq.verify_shares(known.image(seat), given_pairs, proof, transcript())
        assert refusal.value.verdict == "bad-share"


@given(st.integers(1, ORDER - 1), st.sets(st.integers(0, 4), min_size=2, max_size=2))
@settings(max_examples=30, derandomize=True, deadline=None, suppress_health_check=ALL_CHECKS)
def test_fewer_shares_fit_every_secret(other: Scalar, seats: set[int]) -> None:
    """For t - 1 shares and any secret there is one polynomial that has both: nothing is learned."""
    known = {seat: DEALT.share(seat).scalar for seat in seats}
    through = {**known, -1: other}  # the secret stands at seat -1: at zero
    missing = next(seat for seat in range(SEATS) if seat not in seats)
    whole = {**known, missing: interpolated(through, missing + 1)}
    assert interpolated(whole, 0) == other
    assert all(interpolated(whole, seat + 1) == share for seat, share in known.items())


def test_t_shares_tell_the_secret() -> None:
    """So that the test above can fail."""
    for seats in combinations(range(SEATS), LEAST):
        shares = {seat: DEALT.share(seat).scalar for seat in seats}
        assert interpolated(shares, 0) == HOLDER.scalar
        assert interpolated(shares, 9) == DEALT.share(8).scalar
    two = {seat: DEALT.share(seat).scalar for seat in (0, 1)}
    assert interpolated(two, 0) != HOLDER.scalar


@given(st.integers(2, 9), st.integers(0, 15), st.text(max_size=5))
@settings(max_examples=30, derandomize=True, deadline=None, suppress_health_check=ALL_CHECKS)
def test_every_share_fits_its_image_and_no_other(least: int, seat: int, seed: str) -> None:
    dealt = Polynomial.through(secret(seed), least, 16, SeededEntropy(seed))
    share = dealt.share(seat).scalar
    assert fits(dealt.commitments, seat, share)
    assert not fits(dealt.commitments, seat, (share + 1) % ORDER)
    assert not fits(dealt.commitments, (seat + 1) % 16, share)


def test_the_commitments_are_exactly_as_many_as_agreed() -> None:
    """One more would raise the threshold without a word, one fewer would lower it."""
    further = DEALT.commitments.further
    assert read_commitments(HOLDER.public, further, LEAST, SEATS).points == DEALT.commitments.points
    for data in (further + GENERATOR, further[32:], further[:-1], b"", IDENTITY + further[32:]):
        with pytest.raises(PeerError) as refusal:
            read_commitments(HOLDER.public, data, LEAST, SEATS)
        assert refusal.value.verdict == "malformed"


def test_the_first_commitment_is_a_table_key() -> None:
    with pytest.raises(PeerError):
        read_commitments(IDENTITY, DEALT.commitments.further, LEAST, SEATS)


@pytest.mark.check("sharing.zero")
@pytest.mark.parametrize("seat", range(SEATS))
def test_no_seat_gets_a_zero(seat: int) -> None:
    """f with f(seat + 1) = 0: its receiver would have a share with which nothing can be proven."""
    first, second = HOLDER.scalar, 12345
    third = -(first + second * (seat + 1)) * pow((seat + 1) ** 2, -1, ORDER) % ORDER
    further = group.base(second) + group.base(third)
    with pytest.raises(PeerError) as refusal:
        read_commitments(HOLDER.public, further, LEAST, SEATS)
    assert refusal.value.verdict == "bad-key"
    with pytest.raises(LocalError):
        Polynomial((first, second, third)).share(seat)


def test_a_polynomial_that_gives_a_zero_is_drawn_again() -> None:
    zero_at_one = (ORDER - HOLDER.scalar).to_bytes(64, "little")
    drawn = [
        (int.from_bytes(zero_at_one, "little") - 1).to_bytes(64, "little"),
        bytes(63) + b"\x01",
    ]
    dealt = Polynomial.through(HOLDER, 2, 3, lambda size: drawn.pop(0))
    assert drawn == []
    assert all(dealt.share(seat).scalar for seat in range(3))


def test_a_polynomial_comes_back_from_its_file() -> None:
    again = Polynomial.from_bytes(HOLDER, DEALT.to_bytes())
    assert again.commitments.points == DEALT.commitments.points
    assert len(DEALT.to_bytes()) == 32 * (LEAST - 1)
    assert DEALT.commitments.points[0] == HOLDER.public


@pytest.mark.check("sharing.file")
@pytest.mark.parametrize("data", [b"", bytes(64)])
def test_a_damaged_file_is_refused(data: bytes) -> None:
    with pytest.raises(PeerError) as refusal:
        Polynomial.from_bytes(HOLDER, data)
    assert refusal.value.verdict == "malformed"


def test_the_secret_is_not_shown_or_copied() -> None:
    shown = repr(DEALT) + repr(DEALT.share(1)) + repr(DEALT.commitments)
    assert str(HOLDER.scalar) not in shown
    assert HOLDER.to_bytes().hex() not in shown
    with pytest.raises(LocalError):
        DEALT.__reduce__()
    assert not hasattr(DEALT, "__dict__")


def test_mistakes_of_our_own_are_loud() -> None:
    with pytest.raises(LocalError):
        DEALT.share(-1)
    with pytest.raises(LocalError):
        Polynomial((1,))
    with pytest.raises(LocalError):
        combine({0: SLOTS[0], 1: SLOTS[0]}, 3)
    with pytest.raises(LocalError):
        combine({0: SLOTS[0], 1: SLOTS[0][:1]}, 2)


def test_images_are_values_of_the_polynomial() -> None:
    line = Commitments((group.base(7), group.base(5)))
    assert [line.image(seat) for seat in range(3)] == [group.base(v) for v in (12, 17, 22)]
    assert sharing._weight_at_zero(0, [0, 1]) == 2
