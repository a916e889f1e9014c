"""For each equation of the shuffle argument, a prover who satisfies all the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace

import pytest

from p2p.crypto import elgamal, group, shuffle_offline, shuffle_prover, shuffle_statement
from p2p.crypto.elgamal import Cipher
from p2p.crypto.group import GENERATOR, IDENTITY, ORDER, Point
from p2p.crypto.shuffle import (
    BadShuffle,
    ShuffleProof,
    verify_chain,
    verify_shuffle,
)
from p2p.crypto.shuffle_offline import Prepared
from p2p.crypto.shuffle_statement import draw_weights
from p2p.crypto.transcript import Transcript
from p2p.errors import PeerError
from tests.crypto.helpers import SeededEntropy, cards, hidden_deck, hide, secret, transcript

HOLDER = secret("holder")
KEY = HOLDER.public
COUNT = 5
DECK = hidden_deck(COUNT, KEY)
FRESH = [elgamal.fresh(card) for card in cards(COUNT)]
ORDERLY = [3, 0, 4, 1, 2]

Tamper = Callable[[list[Cipher]], list[Cipher]]


def prepare(permutation: list[int] = ORDERLY) -> Prepared:
    return shuffle_offline.prepare(permutation, KEY, SeededEntropy("offline"))


def forge(
    prepared: Prepared, deck: list[Cipher] = DECK, tamper: Tamper = list
) -> tuple[list[Cipher], ShuffleProof]:
    """Argue as an honest prover would, about an output that was tampered with."""
    output = tamper(shuffle_prover.apply(prepared, deck))
    proof = shuffle_prover.argue(
        prepared, KEY, (deck, output), transcript(), SeededEntropy("online")
    )
    return output, proof


def refused(
    output: list[Cipher], proof: ShuffleProof, deck: list[Cipher] = DECK, bound: str = "test"
) -> None:
    with pytest.raises(BadShuffle) as caught:
        verify_shuffle(KEY, deck, output, proof, transcript(bound), SeededEntropy("verifier"))
    assert (caught.value.verdict, caught.value.index) == ("bad-shuffle", 0)


def replaced(deck: list[Cipher], at: int, slot: Cipher) -> list[Cipher]:
    return [*deck[:at], slot, *deck[at + 1 :]]


def test_the_forger_without_malice_is_believed() -> None:
    """Control: the forger of these tests is believed where it changes nothing."""
    output, proof = forge(prepare())
    verify_shuffle(KEY, DECK, output, proof, transcript(), SeededEntropy("verifier"))


@pytest.mark.check("shuffle.equations")
@pytest.mark.check("shuffle.a-column")
def test_a_wrong_re_encryption_is_refused() -> None:
    """A shuffler re-encrypts one card with another number than its proof says.

    Answer: the equation over the first halves of all slots fails, and it alone.
    """
    refused(
        *forge(
            prepare(),
            tamper=lambda deck: replaced(deck, 1, (group.add(deck[1][0], GENERATOR), deck[1][1])),
        )
    )


@pytest.mark.check("shuffle.b-column")
@pytest.mark.call(
    "p2p.crypto.shuffle_verifier:verify_shuffle -> verify_chain",
    "p2p.crypto.shuffle_verifier:verify_chain -> _verify",
)
def test_a_foreign_card_is_refused() -> None:
    """A shuffler exchanges a card of the deck for one from outside.

    Answer: the equation over the second halves of all slots fails, and it alone.
    """
    change = group.sub(cards(1, "another deck")[0], cards(COUNT)[ORDERLY[2]])
    refused(
        *forge(
            prepare(),
            tamper=lambda deck: replaced(deck, 2, (deck[2][0], group.add(deck[2][1], change))),
        )
    )


@pytest.mark.parametrize("deck", [DECK, FRESH], ids=["hidden", "fresh"])
def test_a_duplicate_in_place_of_another_card_is_refused(deck: list[Cipher]) -> None:
    """A shuffler puts one card in twice and leaves another one out.

    Answer: the proof is refused.
    """
    twin = hide(cards(COUNT)[0], KEY, "twin")
    refused(*forge(prepare(), deck, lambda output: replaced(output, 2, twin)), deck)


@pytest.mark.parametrize(
    "choice", [[0, 0, 2, 3, 4], [1, 1, 1, 1, 1], [4, 3, 2, 1, 1]], ids=["one", "all", "last"]
)
def test_a_choice_that_is_no_permutation_is_refused(choice: list[int]) -> None:
    """A shuffler does the same consistently, in every commitment of its proof.

    Answer: the product over all cards is not that of a real order.
    """
    honest = prepare()
    opening = honest.permutation_opening
    commitment = shuffle_offline.commit([source + 1 for source in choice], opening)
    prepared = replace(honest, permutation=choice, permutation_commitment=commitment)
    refused(*forge(prepared))


@pytest.mark.check("shuffle.product")
@pytest.mark.call("p2p.crypto.shuffle_verifier:_add_contents -> _check_product")
def test_a_scaled_card_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shuffler doubles a card and answers for it with half its weight, so that all sums are
    right.

    Answer: the product over all cards, which now has half a weight in it, shows that no order of
    the cards did this.
    """
    half = pow(2, -1, ORDER)
    (a, b), absorb, draw = DECK[0], shuffle_statement.absorb_statement, draw_weights
    doubled = [(group.mul(a, 2), group.mul(b, 2)), *DECK[1:]]

    def absorb_true_deck(bound: Transcript, key: Point, _: bytes, after: bytes) -> None:
        absorb(bound, key, elgamal.pack_ciphers(DECK), after)

    def draw_with_half(bound: Transcript, points: tuple[Point, ...], count: int) -> list[int]:
        first, *others = draw(bound, points, count)
        return [first * half % ORDER, *others]

    with monkeypatch.context() as patched:
        patched.setattr(shuffle_statement, "absorb_statement", absorb_true_deck)
        patched.setattr(shuffle_statement, "draw_weights", draw_with_half)
        output, proof = forge(prepare(), doubled)
    foreign = elgamal.read(HOLDER, output[ORDERLY.index(0)])
    assert foreign == group.mul(cards(1)[0], 2)
    refused(output, proof)


@pytest.mark.check("shuffle.contents")
@pytest.mark.call("p2p.crypto.shuffle_verifier:_verify -> _add_contents")
def test_a_commitment_to_another_permutation_is_refused() -> None:
    """A shuffler computes its product over one order, and has committed to another one.

    Answer: the equation that ties the two together fails.
    """
    swapped = [ORDERLY[1], ORDERLY[0], *ORDERLY[2:]]
    honest = prepare()
    other = shuffle_offline.commit_ranks(swapped, honest.permutation_opening)
    refused(*forge(replace(honest, permutation_commitment=other)))


@pytest.mark.check("shuffle.product-commitment")
def test_a_commitment_to_another_product_is_refused() -> None:
    """A shuffler answers for steps of its product that are not those it has committed to.

    Answer: the equation of that commitment fails.
    """
    honest = prepare()
    refused(*forge(replace(honest, cross_commitment=group.add(honest.cross_commitment, GENERATOR))))


def test_a_false_mask_commitment_is_refused() -> None:
    """A shuffler commits to masks that are not those it uses.

    Answer: the proof is refused.
    """
    honest = prepare()
    refused(*forge(replace(honest, mask_commitment=group.add(honest.mask_commitment, GENERATOR))))


@pytest.mark.check("shuffle.visible-card")
@pytest.mark.call("p2p.crypto.shuffle_verifier:_verify -> _check_shape")
def test_a_card_left_for_everybody_to_see_is_refused() -> None:
    """A shuffler leaves one card of a fresh deck unencrypted; every equation of its proof holds.

    Answer: a separate check refuses a shuffled deck with an unencrypted card.
    """
    honest = prepare()
    factors = [0, *honest.factors[1:]]
    layers = [(IDENTITY, IDENTITY), *honest.layers[1:]]
    remainder = honest.mask_factor - sum(map(int.__mul__, honest.masks, factors))
    mask_layer = group.base(remainder), group.mul(KEY, remainder)
    prepared = replace(honest, factors=factors, layers=layers, mask_layer=mask_layer)
    output, proof = forge(prepared, FRESH)
    assert output[0] == FRESH[ORDERLY[0]]
    refused(output, proof, FRESH)


@pytest.mark.check("shuffle.count")
@pytest.mark.parametrize("change", [-1, 1])
def test_a_card_less_or_more_is_refused(change: int) -> None:
    """A shuffler gives back a deck with a card too few or too many.

    Answer: the number of cards is checked before anything else.
    """

    def tamper(deck: list[Cipher]) -> list[Cipher]:
        return deck[:-1] if change < 0 else [*deck, deck[0]]

    refused(*forge(prepare(), tamper=tamper))
    output, proof = forge(prepare())
    refused(tamper(output), proof)


def test_a_proof_for_another_number_of_cards_is_refused() -> None:
    """A proof for fewer cards comes with a whole deck.

    Answer: every list of the proof has to have the size of the deck.
    """
    smaller = shuffle_offline.prepare([1, 0], KEY, SeededEntropy("small"))
    output, proof = forge(smaller, DECK[:2])
    refused(forge(prepare())[0], proof)
    refused(output, proof)


SCALARS = ["masked_factor", "content_opening", "product_opening"]
LISTS = ["masked_weights", "content_answers", "product_answers"]
POINTS = [name.name for name in fields(ShuffleProof) if name.name not in SCALARS + LISTS]


@pytest.mark.parametrize("field", POINTS)
def test_every_point_of_a_proof_counts(field: str) -> None:
    """One point of a shuffle's proof is changed.

    Answer: whichever it is, the proof is refused.
    """
    output, proof = forge(prepare())
    changed = {field: group.add(getattr(proof, field), GENERATOR)}
    refused(output, replace(proof, **changed))


@pytest.mark.parametrize("field", SCALARS)
def test_every_single_scalar_of_a_proof_counts(field: str) -> None:
    """One of the single numbers of a shuffle's proof is changed.

    Answer: whichever it is, the proof is refused.
    """
    output, proof = forge(prepare())
    refused(output, replace(proof, **{field: (getattr(proof, field) + 1) % ORDER}))


@pytest.mark.parametrize("field", LISTS)
@pytest.mark.parametrize("at", [0, 1, -1])
def test_every_listed_scalar_of_a_proof_counts(field: str, at: int) -> None:
    """One number in a list of a shuffle's proof is changed.

    Answer: wherever it stands, the proof is refused.
    """
    output, proof = forge(prepare())
    values = list(getattr(proof, field))
    values[at] = (values[at] + 1) % ORDER
    refused(output, replace(proof, **{field: values}))


def test_errors_in_two_slots_that_cancel_out_are_refused() -> None:
    """A shuffler falsifies two slots so that the two errors cancel out in a plain sum.

    Answer: each slot has a weight of its own, drawn when the deck is fixed, so nothing cancels.
    """

    def tamper(deck: list[Cipher]) -> list[Cipher]:
        (a0, b0), (a1, b1) = deck[:2]
        return [(a0, group.add(b0, GENERATOR)), (a1, group.sub(b1, GENERATOR)), *deck[2:]]

    refused(*forge(prepare(), tamper=tamper))


def test_two_outputs_exchanged_after_the_proof_are_refused() -> None:
    """Two cards of a shuffled deck change places after the proof was made.

    Answer: the proof is about the deck as it was, and is refused.
    """
    output, proof = forge(prepare())
    refused([output[1], output[0], *output[2:]], proof)


def test_a_proof_is_bound_to_each_part_of_its_statement() -> None:
    """A valid proof is shown with another key, with another deck, or for another step.

    Answer: it is refused: all of these are in the hash that gives its challenges.
    """
    output, proof = forge(prepare())
    refused(output, proof, bound="another step")
    refused(output, proof, deck=[DECK[1], DECK[0], *DECK[2:]])
    with pytest.raises(BadShuffle):
        verify_shuffle(
            group.add(KEY, GENERATOR), DECK, output, proof, transcript(), SeededEntropy("v")
        )


def test_two_false_shuffles_whose_errors_cancel_are_refused() -> None:
    """Two shufflers work together: the second takes back the error that the first one put in.

    Answer: though the ends of the chain agree, each proof has weights of its own, and the first
    false one is named.
    """

    def add(deck: list[Cipher]) -> list[Cipher]:
        return replaced(deck, 0, (deck[0][0], group.add(deck[0][1], GENERATOR)))

    first, first_proof = forge(prepare(), tamper=add)
    back = shuffle_offline.prepare([0, 1, 2, 3, 4], KEY, SeededEntropy("second"))
    honest_input = replaced(first, 0, (first[0][0], group.sub(first[0][1], GENERATOR)))
    second = shuffle_prover.apply(back, honest_input)
    second_proof = shuffle_prover.argue(
        back, KEY, (first, second), transcript(), SeededEntropy("online")
    )
    assert {elgamal.read(HOLDER, slot) for slot in second} == set(cards(COUNT))
    with pytest.raises(BadShuffle) as caught:
        verify_chain(
            KEY,
            [DECK, first, second],
            [first_proof, second_proof],
            [transcript(), transcript()],
            SeededEntropy("verifier"),
        )
    assert caught.value.index == 0


def test_a_reused_offline_part_shows_in_its_commitment() -> None:
    """A shuffler uses prepared randomness twice, which tells the order of the cards to anybody
    who looks.

    Answer: the commitment in the proof is that of the prepared part, whatever else changes, so a
    second use is seen.
    """
    prepared = prepare()
    other = shuffle_offline.prepare(ORDERLY, KEY, SeededEntropy("other"))
    reused = {forge(prepared)[1].commitment, forge(prepared, FRESH)[1].commitment}
    assert len(reused) == 1
    assert forge(other)[1].commitment not in reused


def test_scalars_out_of_range_are_malformed() -> None:
    """Somebody adds the group's order to a number of a valid proof, to get a second form of it.

    Answer: numbers out of range are refused, so each proof has one form.
    """
    data = bytearray(forge(prepare())[1].encode())
    for at in range(7 * 32, len(data), 32):
        changed = bytearray(data)
        value = int.from_bytes(data[at : at + 32], "little") + ORDER
        changed[at : at + 32] = value.to_bytes(32, "little")
        with pytest.raises(PeerError) as caught:
            ShuffleProof.decode(bytes(changed), COUNT)
        assert caught.value.verdict == "malformed"
