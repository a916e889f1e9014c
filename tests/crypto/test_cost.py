"""The number of library calls of each proof: what the speed rests on, without a clock.

The floors are 5 n multiplications to verify a shuffle, (2 (K + 1) + 1) n for a chain of K, 8 n to
prove.  The fixed cost of a proof comes on top.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from cli.bench.library import counted_calls
from p2p.crypto import dleq, elgamal, oath
from p2p.crypto.shuffle import OfflinePart, prove_shuffle, verify_chain
from tests.crypto.helpers import SeededEntropy, cards, hidden_deck, secret, transcript

HOLDER = secret("holder")
KEY = HOLDER.public
ENTROPY = SeededEntropy("cost")
CARDS = 20
FIXED_VERIFY = 7 + 2  # the points of a proof; the blinding generator and the key


@pytest.fixture
def calls() -> Iterator[Counter[str]]:
    with counted_calls() as counted:
        yield counted


def test_a_shuffle_is_proven_below_the_floor(calls: Counter[str]) -> None:
    deck = hidden_deck(CARDS, KEY)
    calls.clear()
    part = OfflinePart.prepare(CARDS, KEY, ENTROPY)
    offline = calls.copy()
    assert offline["multiply"] <= 4 * CARDS + 6
    assert offline["base"] == CARDS + 1
    prove_shuffle(part, deck, transcript(), ENTROPY)
    online = calls - offline
    assert online["multiply"] == 3 * CARDS
    assert online["add"] <= 5 * CARDS
    assert calls["multiply"] <= 7 * CARDS + 6
    assert calls["add"] <= 10 * CARDS + 4


@pytest.mark.parametrize("length", [1, 2, 4])
def test_a_chain_is_verified_at_the_floor(length: int, calls: Counter[str]) -> None:
    decks, proofs = [hidden_deck(CARDS, KEY)], []
    for _ in range(length):
        part = OfflinePart.prepare(CARDS, KEY, ENTROPY)
        done = prove_shuffle(part, decks[-1], transcript(), ENTROPY)
        decks.append(done.deck)
        proofs.append(done.proof)
    calls.clear()
    verify_chain(KEY, decks, proofs, [transcript() for _ in proofs], ENTROPY)
    assert calls["multiply"] <= (2 * (length + 1) + 1) * CARDS + 7 * length + 2
    assert calls["add"] < calls["multiply"]
    assert calls["base"] == 1


def test_a_fresh_deck_costs_less(calls: Counter[str]) -> None:
    deck = [elgamal.fresh(card) for card in cards(CARDS)]
    part = OfflinePart.prepare(CARDS, KEY, ENTROPY)
    calls.clear()
    done = prove_shuffle(part, deck, transcript(), ENTROPY)
    assert calls["multiply"] == 2 * CARDS
    calls.clear()
    verify_chain(KEY, [deck, done.deck], [done.proof], [transcript()], ENTROPY)
    assert calls["multiply"] <= 4 * CARDS + FIXED_VERIFY


@pytest.mark.parametrize("count", [1, CARDS])
def test_shares_cost_two_multiplications_each(calls: Counter[str], count: int) -> None:
    slots = hidden_deck(count, KEY)
    calls.clear()
    pairs = [(slot[0], elgamal.share(HOLDER, slot)) for slot in slots]
    proof = dleq.prove_shares(HOLDER, pairs, transcript(), ENTROPY)
    assert calls["multiply"] == 2 * count + 1
    calls.clear()
    dleq.verify_shares(KEY, pairs, proof, transcript())
    assert calls["multiply"] == 2 * count + 1


def test_an_oath_by_pairs_costs_three_multiplications_a_pair(calls: Counter[str]) -> None:
    allowed, forbidden = cards(12), cards(3, "forbidden")
    slots = hidden_deck(4, KEY)
    opened = list(zip(slots, allowed[:4], strict=True))
    calls.clear()
    data = oath.swear(HOLDER, opened, allowed, forbidden, transcript(), ENTROPY)
    assert calls["multiply"] == 3 * 12
    calls.clear()
    oath.verify_oath(KEY, slots, allowed, forbidden, data, transcript(), ENTROPY)
    assert calls["multiply"] == 3 * 12 + 2 * 4 + 3 + 1
