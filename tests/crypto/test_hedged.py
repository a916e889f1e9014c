"""Secret randomness: a different value for each place, secret, draw and entropy."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import pytest

from p2p.checks import Entropy
from p2p.crypto.hedged import Draws, Hedged
from p2p.crypto.transcript import Transcript
from p2p.errors import LocalError
from tests.crypto.helpers import SeededEntropy


def stuck(length: int) -> bytes:
    return bytes(length)


def drawn(place: bytes, *secrets: bytes, entropy: Entropy = stuck) -> int:
    return Draws(place, secrets, entropy).scalar("nonce")


def test_a_draw_depends_on_place_secrets_and_entropy() -> None:
    different = [
        drawn(b"place", b"secret"),
        drawn(b"other", b"secret"),
        drawn(b"place", b"other!"),
        drawn(b"place", b"secret", b""),
        drawn(b"place", b"secr", b"et"),
        drawn(b"place", b"secret", entropy=SeededEntropy("fresh")),
    ]
    assert len(set(different)) == len(different)
    assert drawn(b"place", b"secret") == different[0]


def test_every_draw_is_another_one_also_under_one_label() -> None:
    draws = Draws(b"place", (b"secret",), stuck)
    values = [draws.octets("same", 32) for _ in range(5)]
    assert len(set(values)) == 5


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 1000])
def test_as_many_bytes_as_asked_for(size: int) -> None:
    """No block occurs twice."""
    drawn = Draws(b"place", (b"secret",), stuck).octets("many", size)
    blocks = [drawn[at : at + 64] for at in range(0, size, 64)]
    assert (len(drawn), len(set(blocks))) == (size, len(blocks))


def test_the_witness_rng_follows_the_transcript_and_leaves_it_alone() -> None:
    one, other = Transcript("t"), Transcript("t")
    before = one.witness_rng(stuck, b"secret").scalar("nonce")
    assert other.witness_rng(stuck, b"secret").scalar("nonce") == before
    one.append("more", b"")
    other.append("less", b"")
    after = {each.witness_rng(stuck, b"secret").scalar("nonce") for each in (one, other)}
    assert len(after | {before}) == 3
    one.witness_rng(stuck, b"secret").scalar("nonce")
    untouched = Transcript("t")
    untouched.append("more", b"")
    assert one.challenge("c") == untouched.challenge("c")


def test_broken_entropy_never_gives_a_hedged_source_the_same_twice() -> None:
    source = Hedged(stuck, b"place", b"secret")
    assert len({source(32) for _ in range(50)}) == 50


def test_another_place_secret_or_entropy_is_another_source() -> None:
    sources = [
        Hedged(stuck, b"place", b"secret"),
        Hedged(stuck, b"other", b"secret"),
        Hedged(stuck, b"place", b"other!"),
        Hedged(stuck, b"place"),
        Hedged(SeededEntropy("fresh"), b"place", b"secret"),
    ]
    assert len({source(32) for source in sources}) == len(sources)


def test_nothing_is_asked_of_entropy_before_something_is_drawn() -> None:
    """A replay, which draws nothing, has no entropy to give."""

    def none(_: int) -> bytes:
        raise AssertionError("asked")

    source = Hedged(none, b"place")
    with pytest.raises(AssertionError):
        source(1)


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, pickle.dumps])
@pytest.mark.parametrize("made", [Draws(b"p", (b"s",), stuck), Hedged(stuck, b"p", b"s")])
def test_randomness_is_not_copied(made: object, how: Callable[[object], object]) -> None:
    """A copy would give the same nonces again."""
    with pytest.raises(LocalError):
        how(made)
