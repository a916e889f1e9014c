"""Honest shuffles of every size, single use, encodings, chains."""

from __future__ import annotations

import copy
import pickle
from collections import Counter

import pytest

from p2p.crypto import elgamal, group
from p2p.crypto.elgamal import Cipher
from p2p.crypto.shuffle import (
    BadShuffle,
    KeylessPart,
    OfflinePart,
    Shuffled,
    ShuffleProof,
    proof_bytes,
    prove_shuffle,
    verify_chain,
    verify_shuffle,
)
from p2p.crypto.shuffle_offline import random_permutation
from p2p.crypto.transcript import Transcript
from p2p.errors import LocalError, PeerError
from tests.crypto.helpers import SeededEntropy, cards, hidden_deck, secret, transcript

HOLDER = secret("holder")
KEY = HOLDER.public
ENTROPY = SeededEntropy("verifier")
SIZES = [1, 2, 3, 10, 52, 148]


def fresh_deck(count: int) -> list[Cipher]:
    return [elgamal.fresh(card) for card in cards(count)]


def shuffle(deck: list[Cipher], seed: str = "prover", bound: Transcript | None = None) -> Shuffled:
    entropy = SeededEntropy(seed)
    part = OfflinePart.prepare(len(deck), KEY, entropy)
    return prove_shuffle(part, deck, bound or transcript(), entropy)


@pytest.mark.parametrize("count", SIZES)
def test_a_fresh_deck_is_shuffled_and_believed(count: int) -> None:
    deck = fresh_deck(count)
    done = shuffle(deck)
    opened = [elgamal.read(HOLDER, slot) for slot in done.deck]
    assert opened == [cards(count)[source] for source in done.permutation]
    assert sorted(done.permutation) == list(range(count))
    verify_shuffle(KEY, deck, done.deck, done.proof, transcript(), ENTROPY)


@pytest.mark.slow
@pytest.mark.parametrize("count", SIZES)
def test_a_chain_of_shuffles_is_believed_after_its_journey(count: int) -> None:
    decks, proofs = [fresh_deck(count)], []
    for seat in range(3):
        done = shuffle(decks[-1], f"prover {seat}", transcript(f"seat {seat}"))
        data = done.proof.encode()
        assert len(data) == proof_bytes(count)
        proofs.append(ShuffleProof.decode(data, count))
        decks.append(elgamal.unpack_ciphers(elgamal.pack_ciphers(done.deck), count))
    bound = [transcript(f"seat {seat}") for seat in range(3)]
    verify_chain(KEY, decks, proofs, bound, ENTROPY)
    opened = {elgamal.read(HOLDER, slot) for slot in decks[-1]}
    assert opened == set(cards(count))


def test_known_and_hidden_slots_may_be_mixed() -> None:
    deck = fresh_deck(2) + hidden_deck(5, KEY)[2:]
    done = shuffle(deck)
    verify_shuffle(KEY, deck, done.deck, done.proof, transcript(), ENTROPY)
    assert all(a != group.IDENTITY for a, _ in done.deck)


def test_an_offline_part_is_used_once() -> None:
    part = OfflinePart.prepare(3, KEY, SeededEntropy("part"))
    deck = fresh_deck(3)
    prove_shuffle(part, deck, transcript(), ENTROPY)
    with pytest.raises(LocalError, match="once"):
        prove_shuffle(part, deck, transcript(), ENTROPY)
    with pytest.raises(LocalError):
        part.take()


def test_a_part_without_a_key_is_put_under_one_key_once() -> None:
    part = KeylessPart.prepare(3, SeededEntropy("part"))
    done = prove_shuffle(part.under(KEY), fresh_deck(3), transcript(), ENTROPY)
    verify_shuffle(KEY, fresh_deck(3), done.deck, done.proof, transcript(), ENTROPY)
    with pytest.raises(LocalError, match="once"):
        part.under(secret("another").public)
    with pytest.raises(LocalError):
        copy.copy(part)
    assert repr(part) == "KeylessPart(count=3, used=True)"


def test_a_part_of_another_size_is_refused_and_kept() -> None:
    part = OfflinePart.prepare(3, KEY, SeededEntropy("part"))
    with pytest.raises(LocalError):
        prove_shuffle(part, fresh_deck(4), transcript(), ENTROPY)
    prove_shuffle(part, fresh_deck(3), transcript(), ENTROPY)


def test_secrets_of_a_shuffle_show_nowhere() -> None:
    part = OfflinePart.prepare(3, KEY, SeededEntropy("part"))
    for copier in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(LocalError):
            copier(part)
    assert repr(part) == "OfflinePart(count=3, used=False)"
    prepared = part.take()
    assert repr(prepared) == "Prepared(cards=3)"
    assert repr(shuffle(fresh_deck(3))) == "Shuffled()"


@pytest.mark.parametrize("count", [0, -1])
def test_there_is_no_shuffle_of_no_cards(count: int) -> None:
    with pytest.raises(LocalError):
        OfflinePart.prepare(count, KEY, ENTROPY)


def test_a_chain_has_matching_parts() -> None:
    deck = fresh_deck(2)
    done = shuffle(deck)
    with pytest.raises(LocalError):
        verify_chain(KEY, [deck], [], [], ENTROPY)
    with pytest.raises(LocalError):
        verify_chain(KEY, [deck, done.deck], [done.proof], [], ENTROPY)


def test_every_permutation_is_equally_likely() -> None:
    """Chi-squared over the 24 orders of 4 cards: 23 degrees of freedom, 0.1 % point 49.7."""
    entropy, rounds = SeededEntropy("permutations"), 2400
    seen = Counter(tuple(random_permutation(4, entropy)) for _ in range(rounds))
    expected = rounds / 24
    assert len(seen) == 24
    assert sum((times - expected) ** 2 / expected for times in seen.values()) < 49.7


@pytest.mark.parametrize("change", [-32, -1, 1, 32])
def test_a_proof_of_another_length_is_malformed(change: int) -> None:
    data = shuffle(fresh_deck(3)).proof.encode()
    changed = data[:change] if change < 0 else data + bytes(change)
    with pytest.raises(PeerError) as caught:
        ShuffleProof.decode(changed, 3)
    assert caught.value.verdict == "malformed"


@pytest.mark.check("shuffle.no-cards")
def test_a_proof_about_no_cards_is_malformed() -> None:
    points, scalars = group.GENERATOR * 7, bytes(2 * 32)
    with pytest.raises(PeerError) as caught:
        ShuffleProof.decode(points + scalars, 0)
    assert caught.value.verdict == "malformed"


@pytest.mark.parametrize("position", range(7))
def test_a_proof_without_one_of_its_points_is_malformed(position: int) -> None:
    data = bytearray(shuffle(fresh_deck(2)).proof.encode())
    data[32 * position : 32 * position + 32] = group.IDENTITY
    with pytest.raises(PeerError):
        ShuffleProof.decode(bytes(data), 2)


@pytest.mark.call(
    "p2p.crypto.shuffle_verifier:verify_chain -> _blame",
    "p2p.crypto.shuffle_verifier:_blame -> _verify",
)
def test_a_refusal_names_the_first_false_shuffle() -> None:
    decks, proofs = [fresh_deck(4)], []
    for seat in range(4):
        done = shuffle(decks[-1], f"prover {seat}", transcript(f"seat {seat}"))
        decks.append(done.deck)
        proofs.append(done.proof)
    for false in range(4):
        bound = [transcript(f"seat {seat}") for seat in range(4)]
        bound[false] = transcript("another seat")
        with pytest.raises(BadShuffle) as caught:
            verify_chain(KEY, decks, proofs, bound, ENTROPY)
        assert (caught.value.index, caught.value.verdict) == (false, "bad-shuffle")
