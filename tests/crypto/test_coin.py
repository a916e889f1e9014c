"""Coins and choices."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from p2p.crypto import coin, commitment, dleq, group
from p2p.errors import LocalError, PeerError
from tests.crypto.helpers import SeededEntropy, secret, transcript

SEATS = [secret(f"seat {seat}") for seat in range(3)]
POINT = coin.coin_point(b"table", 7, b"head")
SHARES = [group.mul(POINT, seat.scalar) for seat in SEATS]
CONTEXT, NONCE = b"label, table, step, seat", bytes(range(32))


def test_a_coin_is_the_hash_of_all_shares_in_any_order() -> None:
    value = coin.coin_value(SHARES)
    assert value == coin.coin_value(SHARES[::-1])
    total = group.base(1)
    joint = sum(seat.scalar for seat in SEATS)
    assert value == coin.coin_value([group.mul(POINT, joint)])
    assert value != coin.coin_value([total, *SHARES])
    assert value != coin.coin_value(SHARES[:2])
    assert len(value) == coin.VALUE_BYTES


def test_every_table_step_and_head_has_its_own_coin() -> None:
    """A share given at one end of a fork decides nothing at the other."""
    asked = [
        (table, step, head) for table in (b"a", b"b") for step in range(3) for head in (b"c", b"d")
    ]
    assert len({coin.coin_point(*one) for one in asked}) == len(asked) == 12


def test_a_share_of_a_coin_is_proven_like_any_share() -> None:
    proof = dleq.prove_shares(
        SEATS[0], [(POINT, SHARES[0])], transcript("coin"), SeededEntropy("coin")
    )
    dleq.verify_shares(SEATS[0].public, [(POINT, SHARES[0])], proof, transcript("coin"))
    with pytest.raises(PeerError):
        dleq.verify_shares(SEATS[0].public, [(POINT, SHARES[1])], proof, transcript("coin"))


def test_draws_are_in_range_independent_and_even() -> None:
    value = coin.coin_value(SHARES)
    drawn = [coin.draw(value, k, 6) for k in range(3000)]
    counts = Counter(drawn)
    assert set(counts) == set(range(6))
    # Chi-squared with 5 degrees of freedom, 0.1 % point.
    assert sum((seen - 500) ** 2 / 500 for seen in counts.values()) < 20.5
    assert coin.draw(value, 0, 1) == 0


def test_draws_are_rejected_rather_than_biased() -> None:
    """With 2**511 + 1 sides almost half of the attempts fall outside the fair range."""
    value, sides = coin.coin_value(SHARES), 2**511 + 1
    drawn = [coin.draw(value, k, sides) for k in range(50)]
    assert len(set(drawn)) == 50
    assert max(drawn) < sides
    assert all(number <= 2**511 for number in drawn)


def test_attempts_are_counted_one_by_one() -> None:
    """As the page about the protocol says: peers of another make draw the same numbers."""
    value, sides = coin.coin_value(SHARES), 2**511 + 1

    def attempts(k: int) -> list[int]:
        rows = (k.to_bytes(8, "big") + n.to_bytes(8, "big") for n in range(64))
        hashed = (hashlib.sha512(b"nodealer draw" + value + row).digest() for row in rows)
        return [int.from_bytes(one, "big") for one in hashed]

    for k in range(8):
        fair = [one for one in attempts(k) if one < sides]
        assert coin.draw(value, k, sides) == fair[0]
    assert {next(n for n, one in enumerate(attempts(k)) if one < sides) for k in range(8)} > {0, 1}


@pytest.mark.parametrize(("value", "sides"), [(bytes(64), 0), (bytes(63), 6)])
def test_impossible_draws_are_our_mistake(value: bytes, sides: int) -> None:
    with pytest.raises(LocalError):
        coin.draw(value, 0, sides)
    with pytest.raises(LocalError):
        coin.coin_value([])


def test_a_choice_opens_to_itself() -> None:
    committed = commitment.commit_choice(CONTEXT, NONCE, b"three cards")
    assert len(committed) == commitment.COMMITMENT_BYTES
    commitment.verify_choice(committed, CONTEXT, NONCE, b"three cards")


@pytest.mark.check("commitment.opening")
@pytest.mark.parametrize(
    ("context", "nonce", "choice"),
    [
        (CONTEXT, NONCE, b"two cards"),
        (CONTEXT, bytes(32), b"three cards"),
        (b"another seat", NONCE, b"three cards"),
        (CONTEXT + NONCE[:1], NONCE, b"three cards"),
    ],
    ids=["choice", "nonce", "context", "boundary"],
)
def test_another_opening_is_refused(context: bytes, nonce: bytes, choice: bytes) -> None:
    committed = commitment.commit_choice(CONTEXT, NONCE, b"three cards")
    with pytest.raises(PeerError) as caught:
        commitment.verify_choice(committed, context, nonce, choice)
    assert caught.value.verdict == "bad-opening"


@pytest.mark.check("commitment.nonce-length")
@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_nonce_of_another_length_is_refused(length: int) -> None:
    """A short nonce hides nothing; its own commitment would open correctly."""
    nonce = bytes(length)
    committed = commitment._hash(CONTEXT, nonce, b"three cards")
    with pytest.raises(PeerError) as caught:
        commitment.verify_choice(committed, CONTEXT, nonce, b"three cards")
    assert caught.value.verdict == "bad-opening"
    with pytest.raises(LocalError):
        commitment.commit_choice(CONTEXT, nonce, b"three cards")
