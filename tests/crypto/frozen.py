"""Forgers who solve for a part of the statement after they have seen the challenge.

This is what "weak Fiat-Shamir" and "frozen heart" mean: a value of the verification equation is not
in the hash, so it may still be chosen once the challenge is known.  Each forger works against a
transcript that leaves such values out; `OMITTED` says which.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import pytest

from p2p.crypto import (
    dleq,
    elgamal,
    group,
    keys,
    oath,
    oath_by_pairs,
    relock,
    shuffle,
    transfer,
)
from p2p.crypto import shuffle_statement as statement
from p2p.crypto.group import ORDER, Scalar
from p2p.crypto.keys import KeyContext
from p2p.crypto.shuffle import OfflinePart
from p2p.crypto.transcript import Transcript
from tests.crypto.helpers import (
    SeededEntropy,
    cards,
    hidden_deck,
    hide,
    secret,
    transcript,
)

Verify = Callable[[], None]
"""Puts a forged proof to the verifier: returns if it is believed, otherwise raises."""
ALL: Final = range(99)
HOLDER = secret("holder")
DECK = hidden_deck(4, HOLDER.public)


def leave_out(patch: pytest.MonkeyPatch, omitted: Mapping[str, range]) -> None:
    """From now on transcripts forget these items of what is appended under these labels."""
    real = Transcript.append

    def append(self: Transcript, label: str, *data: bytes) -> None:
        kept = [part for at, part in enumerate(data) if at not in omitted.get(label, ())]
        real(self, label, *kept)

    patch.setattr(Transcript, "append", append)


def random(name: str) -> Scalar:
    return group.random_scalar(SeededEntropy(name))


def _inverse(scalar: Scalar) -> Scalar:
    return pow(scalar, -1, ORDER)


def key() -> Verify:
    """A table key whose secret nobody knows: Y = (N - s G) / c."""
    context, opening = KeyContext(bytes(16), 0, bytes(32)), bytes(32)
    nonce, answer = group.base(random("unknown")), random("answer")
    bound = context.possession(keys._POSSESSION, group.GENERATOR, [bytes(64)])
    bound.append("nonce", nonce)
    challenge = bound.challenge("possession")
    public = group.mul(group.sub(nonce, group.base(answer)), _inverse(challenge))
    commitments = [keys.commit_key(context, public, opening)]
    proof = group.encode_scalar(challenge) + group.encode_scalar(answer)
    return lambda: keys.verify_key(context, public, opening, proof, commitments)


def share() -> Verify:
    """A share that is not x a: the second commitment is any point, and the share follows."""
    a = DECK[0][0]
    bound = transcript()
    dleq._weights(HOLDER.public, [(a, a)], bound)
    nonce, second = random("nonce"), group.base(random("second"))
    challenge = dleq._challenge(bound, a, a, group.base(nonce), second)
    answer = (nonce - challenge * HOLDER.scalar) % ORDER
    image = group.mul(group.sub(second, group.mul(a, answer)), _inverse(challenge))
    pairs = [(a, image)]
    proof = group.encode_scalar(challenge) + group.encode_scalar(answer)
    return lambda: dleq.verify_shares(HOLDER.public, pairs, proof, transcript())


def moved() -> Verify:
    """A card that becomes another one when moved: the new b follows from any third commitment."""
    receiver = secret("receiver").public
    slot, factor, bound = DECK[0], random("factor"), transcript()
    new_a, nonces = group.base(factor), (random("first"), random("second"))
    transfer._absorb_before(bound, HOLDER.public, slot, receiver)
    transfer._absorb_after(bound, (new_a, new_a))
    third = group.base(random("third"))
    challenge = transfer._challenge(bound, *map(group.base, nonces), third)
    answers = (nonces[0] - challenge * HOLDER.scalar, nonces[1] - challenge * factor)
    known = group.msm((slot[0], receiver), (answers[0], -answers[1]))
    gap = group.mul(group.sub(third, known), _inverse(challenge))
    new, proof = (new_a, group.sub(slot[1], gap)), map(group.encode_scalar, (challenge, *answers))
    data = b"".join(proof)
    return lambda: transfer.verify_transfer(HOLDER.public, slot, new, receiver, data, transcript())


def relocked() -> Verify:
    """A card that becomes another one under a layer more: b' follows from any third commitment."""
    key, factor, bound = group.add(HOLDER.public, group.GENERATOR), random("factor"), transcript()
    (a, b), nonces = DECK[0], (random("first"), random("second"))
    new_a = group.add(a, group.base(factor))
    relock._absorb_before(bound, HOLDER.public, [(a, b)], key)
    (weight,) = relock._weights(bound, [(new_a, new_a)])
    third = group.base(random("third"))
    challenge = relock._challenge(bound, *map(group.base, nonces), third)
    answers = (nonces[0] - challenge * HOLDER.scalar, nonces[1] - challenge * factor * weight)
    known = group.msm((key, group.mul(a, weight)), (answers[1], answers[0]))
    gap = group.mul(group.sub(third, known), _inverse(challenge * weight))
    after, proof = [(new_a, group.add(b, gap))], map(group.encode_scalar, (challenge, *answers))
    data = b"".join(proof)
    return lambda: relock.verify_relock(HOLDER.public, [(a, b)], after, key, data, transcript())


def sworn() -> Verify:
    """An oath about a forbidden card: T and V follow from answers that are any numbers."""
    allowed, forbidden = cards(4, "allowed"), cards(1, "forbidden")
    slot, bound = hide(forbidden[0], HOLDER.public, "slot"), transcript()
    oath._absorb(bound, HOLDER.public, [slot], allowed, forbidden)
    challenge = oath_by_pairs._challenge(bound, [])
    scaled, (scale, product) = group.base(random("C")), (random("t"), random("u"))
    difference = group.sub(slot[1], forbidden[0])
    points = (
        scaled,
        group.msm((difference, slot[0], scaled), (scale, -product, -challenge)),
        group.sub(group.mul(HOLDER.public, scale), group.base(product)),
    )
    data = b"".join(points) + b"".join(map(group.encode_scalar, (scale, product)))
    weights = SeededEntropy("verifier")
    return lambda: oath.verify_oath(
        HOLDER.public, [slot], allowed, forbidden, data, transcript(), weights
    )


def shuffled() -> Verify:
    """A deck with a foreign card in it: the second half of E follows from the answers."""
    part = OfflinePart.prepare(len(DECK), HOLDER.public, SeededEntropy("part"))
    honest = shuffle.prove_shuffle(part, DECK, transcript(), SeededEntropy("honest"))
    (a, b), *rest = honest.deck
    deck = [(a, group.add(b, cards(1, "another deck")[0])), *rest]
    proof, bound = honest.proof, transcript()
    packed = elgamal.pack_ciphers(DECK), elgamal.pack_ciphers(deck)
    statement.absorb_statement(bound, HOLDER.public, *packed)
    weights = statement.draw_weights(bound, proof.shuffle_commitments, len(DECK))
    left = group.msm([b for _, b in deck], proof.masked_weights)
    right = group.msm([b for _, b in DECK], weights)
    masked = group.mul(HOLDER.public, proof.masked_factor)
    bent = replace(proof, masked_b=group.add(masked, group.sub(right, left)))
    entropy = SeededEntropy("verifier")
    return lambda: shuffle.verify_shuffle(HOLDER.public, DECK, deck, bent, transcript(), entropy)


FORGERS: Final[dict[str, Callable[[], Verify]]] = {
    "key": key,
    "share": share,
    "moved": moved,
    "relocked": relocked,
    "sworn": sworn,
    "shuffled": shuffled,
}
OMITTED: Final[dict[str, dict[str, range]]] = {
    "key": {"public": ALL, "commitments": ALL},
    "share": {"shares": ALL, "share sums and commitments": range(1, 2)},
    "moved": {"slot after": range(1, 2)},
    "relocked": {"slots after": ALL},
    "sworn": {"oath commitments": ALL},
    "shuffled": {"deck after": ALL, "shuffle commitments": range(3, 4)},
}
"""What each forger needs the transcript to forget, by label: these items."""
