"""A secret in shares: any t of them make it, fewer tell nothing, and wrong ones are seen."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.crypto import dleq, elgamal, group, sharing
from p2p.crypto.group import GENERATOR, IDENTITY, ORDER, Scalar
from p2p.crypto.keys import TableSecret
from p2p.crypto.sharing import Images, Polynomial, combine, place, read_images
from p2p.errors import LocalError, PeerError
from tests.crypto.helpers import SeededEntropy, hidden_deck, secret, transcript

HOLDER = secret("holder")
SEATS, LEAST = 5, 3
DEALT = Polynomial.through(HOLDER, LEAST, SEATS, SeededEntropy("polynomial"))
SLOTS = hidden_deck(3, HOLDER.public)
SIZES = [(3, 2), (4, 3), (5, 3), (5, 4), (16, 9)]


def interpolated(shares: dict[int, Scalar], at: int) -> Scalar:
    """The value at this place of the polynomial with these values at other places."""
    total = 0
    for own, share in shares.items():
        term = share
        for other in set(shares) - {own}:
            term = term * (at - other) * pow(own - other, -1, ORDER) % ORDER
        total += term
    return total % ORDER


def test_a_place_is_how_many_seats_later_somebody_sits() -> None:
    assert [place(1, seat, 4) for seat in range(4)] == [3, 0, 1, 2]
    for owner in range(5):
        assert sorted(place(owner, seat, 5) for seat in range(5)) == list(range(5))


@pytest.mark.parametrize(("seats", "least"), SIZES)
def test_any_t_partial_shares_take_a_layer_off(seats: int, least: int) -> None:
    dealt = Polynomial.through(HOLDER, least, seats, SeededEntropy("dealt"))
    known = read_images(HOLDER.public, dealt.images.further, least)
    assert known.threshold == least
    whole = [elgamal.share(HOLDER, slot) for slot in SLOTS]
    partials = {}
    for at in range(1, seats):
        share = TableSecret(dealt.share(at))
        assert share.public == known.image(at)
        pairs = [(slot[0], elgamal.share(share, slot)) for slot in SLOTS]
        proof = dleq.prove_shares(share, pairs, transcript("strip"), SeededEntropy(str(at)))
        dleq.verify_shares(known.image(at), pairs, proof, transcript("strip"))
        partials[at] = [partial for _, partial in pairs]
    chosen = list(combinations(range(1, seats), least))[:40]
    for group_of_t in chosen:
        assert combine({at: partials[at] for at in group_of_t}, least) == whole
    assert combine(partials, least) == whole


def test_a_partial_share_that_does_not_fit_is_refused() -> None:
    share, known = TableSecret(DEALT.share(1)), DEALT.images
    pairs = [(slot[0], elgamal.share(share, slot)) for slot in SLOTS]
    proof = dleq.prove_shares(share, pairs, transcript(), SeededEntropy("one"))
    bent = [*pairs[:2], (pairs[2][0], group.add(pairs[2][1], GENERATOR))]
    for at, given_pairs in ((2, pairs), (3, pairs), (1, bent)):
        with pytest.raises(PeerError) as refusal:
            dleq.verify_shares(known.image(at), given_pairs, proof, transcript())
        assert refusal.value.verdict == "bad-share"


@given(st.integers(1, ORDER - 1), st.sets(st.integers(1, 4), min_size=2, max_size=2))
@settings(max_examples=30)
def test_fewer_shares_fit_every_secret(other: Scalar, places: set[int]) -> None:
    """For t - 1 shares and any secret there is one polynomial that has both: nothing is learned."""
    known = {at: DEALT.share(at) for at in places}
    missing = next(at for at in range(1, SEATS) if at not in places)
    whole = {**known, missing: interpolated({**known, 0: other}, missing)}
    assert interpolated(whole, 0) == other
    assert all(interpolated(whole, at) == share for at, share in known.items())


def test_t_shares_tell_the_secret() -> None:
    """So that the test above can fail."""
    for places in combinations(range(1, SEATS), LEAST):
        shares = {at: DEALT.share(at) for at in places}
        assert interpolated(shares, 0) == HOLDER.scalar
        assert interpolated(shares, 9) == DEALT.share(9)
    two = {at: DEALT.share(at) for at in (1, 2)}
    assert interpolated(two, 0) != HOLDER.scalar


@given(st.integers(2, 9), st.integers(1, 15), st.text(max_size=5))
@settings(max_examples=30)
def test_every_share_fits_its_image_and_no_other(least: int, at: int, seed: str) -> None:
    dealt = Polynomial.through(HOLDER, least, 16, SeededEntropy(seed))
    image = group.base(dealt.share(at))
    assert image == dealt.images.image(at)
    assert image not in [dealt.images.image(other) for other in range(16) if other != at]


def test_the_images_are_exactly_as_many_as_agreed() -> None:
    """One more would raise the threshold without a word, one fewer would lower it."""
    further = DEALT.images.further
    assert read_images(HOLDER.public, further, LEAST).points == DEALT.images.points
    for data in (further + GENERATOR, further[32:], further[:-1], b"", IDENTITY + further[32:]):
        with pytest.raises(PeerError) as refusal:
            read_images(HOLDER.public, data, LEAST)
        assert refusal.value.verdict == "malformed"


def test_the_first_image_is_a_table_key() -> None:
    with pytest.raises(PeerError):
        read_images(IDENTITY, DEALT.images.further, LEAST)


def test_a_polynomial_that_gives_a_zero_is_drawn_again() -> None:
    """f(2) = 2 f(1) - x, which is zero for f(1) = x / 2; the second time f(1) is 2."""
    half = HOLDER.scalar * pow(2, -1, ORDER) % ORDER
    drawn = [(value - 1).to_bytes(64, "little") for value in (half, 2)]
    dealt = Polynomial.through(HOLDER, 2, 3, lambda size: drawn.pop(0))
    assert drawn == []
    assert dealt.share(1) == 2
    assert dealt.share(2) == (4 - HOLDER.scalar) % ORDER


def test_a_polynomial_comes_back_from_its_file() -> None:
    again = Polynomial.from_bytes(HOLDER, DEALT.to_bytes())
    assert again.images.points == DEALT.images.points
    assert len(DEALT.to_bytes()) == 32 * (LEAST - 1)
    assert DEALT.images.points[0] == HOLDER.public


@pytest.mark.check("sharing.file")
@pytest.mark.parametrize("data", [b"", bytes(64)])
def test_a_damaged_file_is_refused(data: bytes) -> None:
    with pytest.raises(PeerError) as refusal:
        Polynomial.from_bytes(HOLDER, data)
    assert refusal.value.verdict == "malformed"


def test_the_secret_is_not_shown_or_copied() -> None:
    shown = repr(DEALT) + repr(DEALT.images)
    assert DEALT.images.points[0].hex()[:16] in repr(DEALT), "the key that others see names it"
    assert str(HOLDER.scalar) not in shown
    assert HOLDER.to_bytes().hex() not in shown
    with pytest.raises(LocalError):
        DEALT.__reduce__()
    assert not hasattr(DEALT, "__dict__")


def test_mistakes_of_our_own_are_loud() -> None:
    with pytest.raises(LocalError):
        DEALT.share(0)
    with pytest.raises(LocalError):
        Polynomial((1,))
    with pytest.raises(LocalError):
        combine({0: SLOTS[0], 1: SLOTS[0]}, 3)
    with pytest.raises(LocalError):
        combine({0: SLOTS[0], 1: SLOTS[0][:1]}, 2)


def test_images_are_values_of_the_polynomial() -> None:
    line = Images((group.base(7), group.base(12)))
    assert [line.image(at) for at in range(5)] == [group.base(v) for v in (7, 12, 17, 22, 27)]
    cube = Images(tuple([group.base(at**3 + 1) for at in range(4)]))
    assert cube.image(5) == group.base(126)


def test_weights_are_whole_numbers_for_places_in_a_row() -> None:
    """So that an image costs a few additions; for others they are fractions modulo the order."""
    assert sharing._weights(range(4), 4) == [-1, 4, -6, 4]
    assert sharing._weights([1, 2], 0) == [2, -1]
    (first, _) = sharing._weights([1, 4], 0)
    assert first * 3 % ORDER == 4
