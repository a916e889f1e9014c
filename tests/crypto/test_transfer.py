"""Transfers: the same card under another key, or a refusal."""

from __future__ import annotations

import pytest

from p2p.crypto import elgamal, group, transfer
from p2p.crypto.elgamal import Cipher
from p2p.crypto.group import GENERATOR, IDENTITY, ORDER, Point
from p2p.errors import PeerError
from tests.crypto.helpers import SeededEntropy, cards, hide, secret, transcript

HOLDER, RECEIVER = secret("holder"), secret("receiver")
CARD, OTHER = cards(2)
SLOT = hide(CARD, HOLDER.public, "slot")


def move(slot: Cipher = SLOT, operation: str = "show") -> tuple[Cipher, bytes]:
    return transfer.transfer(
        HOLDER, slot, RECEIVER.public, transcript(operation), SeededEntropy("factor")
    )


def refused(
    moved: Cipher,
    proof: bytes,
    slot: Cipher = SLOT,
    target: Point = RECEIVER.public,
    operation: str = "show",
) -> PeerError:
    with pytest.raises(PeerError) as caught:
        transfer.verify_transfer(HOLDER.public, slot, moved, target, proof, transcript(operation))
    return caught.value


def forge(moved: Cipher, factor: int, slot: Cipher = SLOT, card_gap: int = 0) -> bytes:
    """Argue for `moved` with the holder's secret and `factor`, whatever `moved` holds.

    `card_gap` shifts the third commitment, as if the moved card were off by that multiple.
    """
    bound = transcript("show")
    transfer._absorb_before(bound, HOLDER.public, slot, RECEIVER.public)
    transfer._absorb_after(bound, moved)
    nonces = group.random_scalars(SeededEntropy("forger"), 2)
    third = group.msm((slot[0], RECEIVER.public, GENERATOR), (nonces[0], -nonces[1], card_gap))
    drawn = transfer._challenge(bound, group.base(nonces[0]), group.base(nonces[1]), third)
    answers = (nonces[0] - drawn * HOLDER.scalar, nonces[1] - drawn * factor)
    return b"".join(map(group.encode_scalar, (drawn, *answers)))


def test_the_receiver_reads_the_card() -> None:
    moved, proof = move()
    assert len(proof) == transfer.PROOF_BYTES
    transfer.verify_transfer(HOLDER.public, SLOT, moved, RECEIVER.public, proof, transcript("show"))
    assert elgamal.read(RECEIVER, moved) == CARD
    assert elgamal.read(HOLDER, moved) != CARD


def test_a_known_slot_can_be_moved() -> None:
    known = elgamal.fresh(CARD)
    moved, proof = move(known)
    transfer.verify_transfer(
        HOLDER.public, known, moved, RECEIVER.public, proof, transcript("show")
    )
    assert elgamal.read(RECEIVER, moved) == CARD


def test_the_forger_without_malice_is_believed() -> None:
    moved = group.base(9), group.add(CARD, group.mul(RECEIVER.public, 9))
    proof = forge(moved, 9)
    transfer.verify_transfer(HOLDER.public, SLOT, moved, RECEIVER.public, proof, transcript("show"))


@pytest.mark.check("transfer.proof")
@pytest.mark.parametrize("gap", [0, 1, ORDER - 1])
def test_another_card_in_the_same_wrapping_is_refused(gap: int) -> None:
    """Only b - b' = x a - r' K fails."""
    moved = group.base(9), group.add(OTHER, group.mul(RECEIVER.public, 9))
    assert refused(moved, forge(moved, 9, card_gap=gap)).verdict == "bad-transfer"


def test_a_wrapping_the_receiver_cannot_open_is_refused() -> None:
    """Only a' = r' G fails."""
    moved = group.base(10), group.add(CARD, group.mul(RECEIVER.public, 9))
    assert refused(moved, forge(moved, 9)).verdict == "bad-transfer"


def test_a_transfer_by_somebody_else_is_refused() -> None:
    """Only Y = x G fails: the thief strips a layer that was never on the slot."""
    thief = secret("thief")
    card = elgamal.read(thief, SLOT)
    moved, proof = transfer.transfer(
        thief, SLOT, RECEIVER.public, transcript("show"), SeededEntropy("thief")
    )
    assert elgamal.read(RECEIVER, moved) == card
    assert refused(moved, proof).verdict == "bad-transfer"


@pytest.mark.check("transfer.visible-card")
def test_a_card_moved_without_wrapping_is_refused() -> None:
    moved = IDENTITY, CARD
    assert refused(moved, forge(moved, 0)).verdict == "bad-transfer"


def test_a_transfer_is_bound_to_each_part_of_its_statement() -> None:
    moved, proof = move()
    twin = hide(CARD, HOLDER.public, "another slot with this card")
    assert refused(moved, proof, operation="hand over").verdict == "bad-transfer"
    assert refused(moved, proof, slot=twin).verdict == "bad-transfer"
    assert refused(moved, proof, target=HOLDER.public).verdict == "bad-transfer"
    assert refused((moved[0], group.add(moved[1], GENERATOR)), proof).verdict == "bad-transfer"


@pytest.mark.parametrize("at", range(3))
def test_every_scalar_counts_and_has_one_encoding(at: int) -> None:
    moved, proof = move()
    scalars = group.decode_scalars(proof, 3)
    for change in (1, ORDER):
        changed = list(scalars)
        changed[at] += change
        given = b"".join(value.to_bytes(32, "little") for value in changed)
        assert refused(moved, given).verdict == "bad-transfer"
    assert refused(moved, proof[:-1]).verdict == "bad-transfer"
