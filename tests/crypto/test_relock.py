"""Relocking: one's own layer on the slots of a lost seat, re-encrypted in the same act."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.crypto import elgamal, group, relock, sharing
from p2p.crypto.elgamal import Cipher
from p2p.crypto.group import GENERATOR, IDENTITY, ORDER, Point, Scalar
from p2p.crypto.keys import TableSecret
from p2p.crypto.sharing import Polynomial
from p2p.errors import LocalError, PeerError
from tests.crypto.helpers import SeededEntropy, cards, hide, secret, transcript

LOST, HOLDER, OTHER = secret("lost"), secret("holder"), secret("other")
CARDS = cards(4)
SLOTS = [hide(card, LOST.public, f"slot {at}") for at, card in enumerate(CARDS)]
KEY = group.add(LOST.public, HOLDER.public)


def made(slots: list[Cipher] = SLOTS, operation: str = "relock") -> tuple[list[Cipher], bytes]:
    return relock.relock(HOLDER, slots, KEY, transcript(operation), SeededEntropy("factors"))


def refused(
    after: list[Cipher],
    proof: bytes,
    before: list[Cipher] = SLOTS,
    public: Point = HOLDER.public,
    key: Point = KEY,
    operation: str = "relock",
) -> str:
    with pytest.raises(PeerError) as caught:
        relock.verify_relock(public, before, after, key, proof, transcript(operation))
    return caught.value.verdict


def forge(
    after: list[Cipher],
    total: Scalar,
    secret_scalar: Scalar = HOLDER.scalar,
    before: list[Cipher] = SLOTS,
) -> bytes:
    """Argue for `after`, whatever it is, with p = `total` and this secret."""
    bound = transcript("relock")
    relock._absorb_before(bound, HOLDER.public, before, KEY)
    sums = relock._sums(before, after, relock._weights(bound, after))
    nonces = group.random_scalars(SeededEntropy("forger"), 2)
    third = group.msm((KEY, sums.before), (nonces[1], nonces[0]))
    drawn = relock._challenge(bound, group.base(nonces[0]), group.base(nonces[1]), third)
    answers = (nonces[0] - drawn * secret_scalar, nonces[1] - drawn * total)
    return b"".join(map(group.encode_scalar, (drawn, *answers)))


def weighted(after: list[Cipher], factors: list[Scalar]) -> Scalar:
    """The p of a proof about `after`, for these r."""
    bound = transcript("relock")
    relock._absorb_before(bound, HOLDER.public, SLOTS, KEY)
    weights = relock._weights(bound, after)
    return sum(w * r for w, r in zip(weights, factors, strict=True)) % ORDER


def by_hand(factors: list[Scalar], layer: Scalar = HOLDER.scalar) -> list[Cipher]:
    return [
        (group.add(a, group.base(r)), group.add(b, group.msm((KEY, a), (r, layer))))
        for (a, b), r in zip(SLOTS, factors, strict=True)
    ]


R = [11, 22, 33, 44]


@pytest.mark.parametrize("count", [1, 2, 4])
def test_slots_get_a_layer_more(count: int) -> None:
    after, proof = made(SLOTS[:count])
    assert len(proof) == relock.PROOF_BYTES
    relock.verify_relock(HOLDER.public, SLOTS[:count], after, KEY, proof, transcript("relock"))
    both = TableSecret((LOST.scalar + HOLDER.scalar) % ORDER)
    assert [elgamal.read(both, slot) for slot in after] == CARDS[:count]


def test_all_who_are_left_in_turn_and_then_the_lost_layer_comes_off() -> None:
    """Seat order: each under the sum of the lost key and those up to its own."""
    left = [secret(f"left {seat}") for seat in range(4)]
    slots, key = SLOTS, LOST.public
    for seat in left:
        key = group.add(key, seat.public)
        moved, proof = relock.relock(seat, slots, key, transcript(), SeededEntropy("in turn"))
        relock.verify_relock(seat.public, slots, moved, key, proof, transcript())
        slots = moved
    dealt = Polynomial.through(LOST, 3, 5, SeededEntropy("polynomial"))
    partials = {at: [group.mul(a, dealt.share(at)) for a, _ in slots] for at in (1, 3, 4)}
    layers = sharing.combine(partials, 3)
    stripped = [elgamal.strip(slot, [layer]) for slot, layer in zip(slots, layers, strict=True)]
    joint = TableSecret(sum(seat.scalar for seat in left) % ORDER)
    assert [elgamal.read(joint, slot) for slot in stripped] == CARDS
    assert group.add_all([seat.public for seat in left]) == joint.public


def test_the_forger_without_malice_is_believed() -> None:
    after = by_hand(R)
    proof = forge(after, weighted(after, R))
    relock.verify_relock(HOLDER.public, SLOTS, after, KEY, proof, transcript("relock"))


@pytest.mark.check("relock.proof")
@pytest.mark.parametrize("at", range(4))
def test_another_card_in_one_slot_is_refused(at: int) -> None:
    """Only B = p K + x E fails."""
    after = by_hand(R)
    after[at] = (after[at][0], group.add(after[at][1], GENERATOR))
    assert refused(after, forge(after, weighted(after, R))) == "bad-transfer"


def test_a_wrapping_that_does_not_come_off_is_refused() -> None:
    """Only A = p G fails: b goes on with another r than a."""
    after = by_hand(R)
    after[0] = (group.add(after[0][0], GENERATOR), after[0][1])
    assert refused(after, forge(after, weighted(after, R))) == "bad-transfer"


def test_a_layer_of_somebody_else_is_refused() -> None:
    """Only Y = x G fails: the layer is one that its giver cannot take off again."""
    after = by_hand(R, OTHER.scalar)
    proof = forge(after, weighted(after, R), OTHER.scalar)
    assert refused(after, proof) == "bad-transfer"


def test_slots_that_are_swapped_are_refused() -> None:
    after, _ = made()
    swapped = [after[1], after[0], *after[2:]]
    assert refused(swapped, forge(swapped, weighted(swapped, R))) == "bad-transfer"


def test_errors_that_cancel_under_other_weights_are_refused() -> None:
    after = by_hand(R)
    bound = transcript("relock")
    relock._absorb_before(bound, HOLDER.public, SLOTS, KEY)
    weights = relock._weights(bound, after)
    bent = list(after)
    bent[0] = (after[0][0], group.add(after[0][1], group.base(weights[1])))
    bent[1] = (after[1][0], group.sub(after[1][1], group.base(weights[0])))
    assert relock._sums(SLOTS, bent, weights) == relock._sums(SLOTS, after, weights)
    assert refused(bent, forge(bent, weighted(bent, R))) == "bad-transfer"


@pytest.mark.check("relock.visible-card")
def test_a_slot_that_is_hidden_by_nothing_is_refused() -> None:
    """Its holder knows log a (as of a slot that it made itself), and takes a away with it."""
    slot = group.base(7), group.add(CARDS[0], group.mul(LOST.public, 7))
    after = [(IDENTITY, group.add(slot[1], group.msm((KEY, slot[0]), (-7, HOLDER.scalar))))]
    bound = transcript("relock")
    relock._absorb_before(bound, HOLDER.public, [slot], KEY)
    (weight,) = relock._weights(bound, after)
    proof = forge(after, -7 * weight % ORDER, before=[slot])
    assert refused(after, proof, before=[slot]) == "bad-transfer"


@pytest.mark.check("relock.count")
def test_as_many_slots_as_before() -> None:
    after, proof = made()
    assert refused(after[:-1], proof) == "malformed"
    assert refused([*after, after[0]], proof) == "malformed"
    bound = transcript("relock")
    relock._absorb_before(bound, HOLDER.public, [], KEY)
    assert refused([], forge([], 0, before=[]), before=[]) == "malformed"
    with pytest.raises(LocalError):
        made([])


def test_a_relock_is_bound_to_each_part_of_its_statement() -> None:
    after, proof = made()
    twin = [hide(CARDS[0], LOST.public, "another slot with this card"), *SLOTS[1:]]
    assert refused(after, proof, operation="strip") == "bad-transfer"
    assert refused(after, proof, before=twin) == "bad-transfer"
    assert refused(after, proof, public=OTHER.public) == "bad-transfer"
    assert refused(after, proof, key=group.add(KEY, OTHER.public)) == "bad-transfer"


@pytest.mark.parametrize("at", range(3))
def test_every_scalar_counts_and_has_one_encoding(at: int) -> None:
    after, proof = made()
    scalars = group.decode_scalars(proof, 3)
    for change in (1, ORDER):
        changed = list(scalars)
        changed[at] += change
        given = b"".join(value.to_bytes(32, "little") for value in changed)
        assert refused(after, given) == "bad-transfer"
    assert refused(after, proof[:-1]) == "bad-transfer"


@pytest.mark.slow
@given(st.lists(st.integers(0, 3), min_size=1, max_size=4), st.text(max_size=4))
@settings(max_examples=20)
def test_any_slots_also_the_same_one_twice(which: list[int], seed: str) -> None:
    """Each gets an r of its own."""
    slots = [SLOTS[at] for at in which]
    after, proof = relock.relock(HOLDER, slots, KEY, transcript(), SeededEntropy(seed))
    relock.verify_relock(HOLDER.public, slots, after, KEY, proof, transcript())
    assert len({a for a, _ in after}) == len(slots)


# -- secrecy --------------------------------------------------------------------------------------


def _what_all_but_one_know(honest_wraps: bool) -> Point:
    """What hides the card from everybody but seat h, by all that is published and all else.

    That is b' less everything that others know: the lost layer of a' (published by `strip`), and
    the share x_h a (published at the deal).
    """
    (a, b), h = SLOTS[0], HOLDER
    if honest_wraps:
        (after,), _ = made(SLOTS[:1])
    else:  # the layer alone, without a new r
        after = (a, group.add(b, elgamal.share(h, (a, b))))
    lost_layer = elgamal.share(LOST, after)
    return group.sub(group.sub(after[1], lost_layer), elgamal.share(h, (a, b)))


def test_one_honest_seat_hides_the_card_from_all_others() -> None:
    """The gap to the card is r Y_h: a Diffie-Hellman value of a' - a and Y_h."""
    (after,), _ = made(SLOTS[:1])
    gap = group.sub(_what_all_but_one_know(honest_wraps=True), CARDS[0])
    assert gap not in (IDENTITY, *CARDS)
    assert gap == group.mul(group.sub(after[0], SLOTS[0][0]), HOLDER.scalar)


def test_a_layer_that_is_not_wrapped_anew_hides_nothing() -> None:
    """Why both happen in one act."""
    assert _what_all_but_one_know(honest_wraps=False) == CARDS[0]
