"""Proofs that are true, and odd: made with secrets that an honest prover would not choose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from p2p.checks import Entropy
from p2p.crypto import group, relock, sigma
from p2p.crypto.elgamal import Cipher, read
from p2p.crypto.group import Point, Scalar
from p2p.crypto.keys import TableSecret
from p2p.crypto.shuffle import OfflinePart, prove_shuffle
from p2p.crypto.shuffle_offline import encrypt_under, lay_ground
from p2p.crypto.shuffle_prover import Shuffled
from p2p.crypto.transcript import Transcript
from p2p.crypto.transfer import _absorb_after, _absorb_before, _challenge
from p2p.protocol.acts import moving
from tests.protocol.kit import seeded

Transfer = Callable[[TableSecret, Cipher, Point, Transcript, Entropy], tuple[Cipher, bytes]]
_NONCES = (11, 13)


def transfer_by(
    factor: Scalar, secret: TableSecret, cipher: Cipher, key: Point, transcript: Transcript
) -> tuple[Cipher, bytes]:
    """A card under another key, hidden by a chosen factor, with a true proof."""
    moved = group.base(factor), group.add(read(secret, cipher), group.mul(key, factor))
    _absorb_before(transcript, secret.public, cipher, key)
    _absorb_after(transcript, moved)
    key_nonce, factor_nonce = _NONCES
    commitments = (
        group.base(key_nonce),
        group.base(factor_nonce),
        group.msm((cipher[0], key), (key_nonce, -factor_nonce)),
    )
    challenge = _challenge(transcript, *commitments)
    answers = (key_nonce - challenge * secret.scalar, factor_nonce - challenge * factor)
    return moved, sigma.encode(challenge, *(answer % group.ORDER for answer in answers))


def relocked_bare(
    secret: TableSecret, ciphers: Sequence[Cipher], key: Point, transcript: Transcript, _: Entropy
) -> tuple[list[Cipher], bytes]:
    """One's own layer on slots, and nothing more: their points stay, with a true proof."""
    moved = [(a, group.add(b, group.mul(a, secret.scalar))) for a, b in ciphers]
    relock._absorb_before(transcript, secret.public, ciphers, key)
    element = group.msm([a for a, _ in ciphers], relock._weights(transcript, moved))
    key_nonce, factor_nonce = _NONCES
    commitments = (
        group.base(key_nonce),
        group.base(factor_nonce),
        group.msm((key, element), (factor_nonce, key_nonce)),
    )
    challenge = relock._challenge(transcript, *commitments)
    answers = (key_nonce - challenge * secret.scalar, factor_nonce)
    return moved, sigma.encode(challenge, *(answer % group.ORDER for answer in answers))


def without_factors(part: OfflinePart, deck: list[Cipher], *rest: Any) -> Shuffled:
    """A true shuffle that leaves every card where it is, and every cipher as it is."""
    count = part.count
    ground = lay_ground(list(range(count)), seeded("no factors"))
    remainder = ground.mask_factor
    still = replace(
        ground,
        factors=[0] * count,
        factor_points=[group.IDENTITY] * count,
        remainder=remainder,
        remainder_point=group.base(remainder),
    )
    return prove_shuffle(OfflinePart(part.key, encrypt_under(still, part.key)), deck, *rest)


def by_one_factor(cheat: TableSecret) -> Transfer:
    """The prover of transfers, except that all that this secret moves is hidden by one factor."""
    honest = moving.transfer

    def transfer(
        secret: TableSecret, cipher: Cipher, key: Point, transcript: Transcript, entropy: Entropy
    ) -> tuple[Cipher, bytes]:
        if secret.public != cheat.public:
            return honest(secret, cipher, key, transcript, entropy)
        return transfer_by(7, secret, cipher, key, transcript)

    return transfer
