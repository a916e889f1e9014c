"""Every public function that takes points, fed with every bad encoding (protocol, intro)."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import typing
from collections.abc import Callable
from dataclasses import replace

import pytest

import p2p.crypto
from p2p.crypto import (
    coin,
    dleq,
    elgamal,
    group,
    keys,
    oath,
    relock,
    sealing,
    sharing,
    shuffle,
    transfer,
)
from p2p.crypto.group import GENERATOR, Point
from p2p.crypto.keys import KeyContext
from p2p.crypto.sealing import Errand, SealingSecret
from p2p.crypto.sharing import Images, Polynomial
from p2p.crypto.shuffle import KeylessPart, OfflinePart, ShuffleProof, prove_shuffle
from p2p.errors import PeerError
from tests.crypto.helpers import (
    SeededEntropy,
    bad_encodings,
    cards,
    hidden_deck,
    hide,
    secret,
    transcript,
)

HOLDER = secret("holder")
KEY = HOLDER.public
ENTROPY = SeededEntropy("bad points")
SLOTS = hidden_deck(2, KEY)
PAIRS = [(slot[0], elgamal.share(HOLDER, slot)) for slot in SLOTS]
SHARES_PROOF = dleq.prove_shares(HOLDER, PAIRS, transcript(), ENTROPY)
CONTEXT = KeyContext(b"token", 0, bytes(32))
MOVED, MOVE_PROOF = transfer.transfer(HOLDER, SLOTS[0], GENERATOR, transcript(), ENTROPY)
DONE = prove_shuffle(OfflinePart.prepare(2, KEY, ENTROPY), SLOTS, transcript(), ENTROPY)
ALLOWED, FORBIDDEN = cards(2, "test deck"), cards(3, "forbidden")
OPENED = list(zip(SLOTS, ALLOWED, strict=True))
OATH = oath.swear(HOLDER, OPENED, ALLOWED, FORBIDDEN, transcript(), ENTROPY)
PAIR_OATH = oath.swear(HOLDER, OPENED, ALLOWED, FORBIDDEN[:1], transcript(), ENTROPY)

UNDER = group.add(KEY, GENERATOR)
LOCKED, LOCK_PROOF = relock.relock(HOLDER, SLOTS, UNDER, transcript(), ENTROPY)
DEALT = Polynomial.through(HOLDER, 2, 3, ENTROPY)
SEALING = SealingSecret(HOLDER.scalar)
BEGUN = sealing.begun_by(b"token", [b"bound"])
ERRAND = Errand(BEGUN, 0, 1, (KEY, SEALING.public), DEALT.images, 1)
COMPLAINT = sealing.complain(ERRAND, 5, SEALING, ENTROPY)


def open_key(point: Point) -> None:
    opening = bytes(32)
    commitments = [keys.commit_key(CONTEXT, point, opening)]
    keys.verify_key(CONTEXT, point, opening, bytes(64), commitments)


def verify_one(
    key: Point = KEY,
    before: elgamal.Cipher = SLOTS[0],
    after: elgamal.Cipher = DONE.deck[0],
    proof: ShuffleProof = DONE.proof,
) -> None:
    decks = [[before, SLOTS[1]], [after, DONE.deck[1]]]
    shuffle.verify_shuffle(key, decks[0], decks[1], proof, transcript(), ENTROPY)


def verify_oath(
    public: Point = KEY,
    slot: elgamal.Cipher = SLOTS[0],
    allowed: Point = ALLOWED[0],
    forbidden: Point = FORBIDDEN[0],
    data: bytes = OATH,
) -> None:
    banned = [forbidden] if data == PAIR_OATH else [forbidden, *FORBIDDEN[1:]]
    slots, listed = [slot, SLOTS[1]], [allowed, ALLOWED[1]]
    oath.verify_oath(public, slots, listed, banned, data, transcript(), ENTROPY)


def verify_move(
    public: Point = KEY,
    slot: elgamal.Cipher = SLOTS[0],
    moved: elgamal.Cipher = MOVED,
    target: Point = GENERATOR,
) -> None:
    transfer.verify_transfer(public, slot, moved, target, MOVE_PROOF, transcript())


def verify_lock(
    public: Point = KEY,
    before: elgamal.Cipher = SLOTS[0],
    after: elgamal.Cipher = LOCKED[0],
    key: Point = UNDER,
) -> None:
    decks = [[before, SLOTS[1]], [after, LOCKED[1]]]
    relock.verify_relock(public, decks[0], decks[1], key, LOCK_PROOF, transcript())


def errand_to(point: Point) -> Errand:
    """One to a receiver whose sealing key is this."""
    return replace(ERRAND, keys=(KEY, point))


def errand_from(point: Point) -> Errand:
    """One from a sender whose sealing key is this."""
    return replace(ERRAND, keys=(point, SEALING.public))


Bad = Callable[[Point], object]
GIVEN: dict[str, list[Bad]] = {
    "group.decode_point": [group.decode_point],
    "group.decode_points": [lambda bad: group.decode_points(GENERATOR + bad, 2)],
    "group.mul": [lambda bad: group.mul(bad, 2)],
    "group.add": [lambda bad: group.add(bad, KEY), lambda bad: group.add(KEY, bad)],
    "group.sub": [lambda bad: group.sub(bad, KEY), lambda bad: group.sub(KEY, bad)],
    "group.add_all": [lambda bad: group.add_all([KEY, bad])],
    "group.rank_sum": [lambda bad: group.rank_sum([KEY, bad])],
    "group.msm": [lambda bad: group.msm([KEY, bad], [1, 2])],
    "group.small_sum": [
        lambda bad: group.small_sum([KEY, bad], [1, -2]),
        lambda bad: group.small_sum([KEY, bad], [1, 0]),
    ],
    "keys.verify_key": [open_key],
    "keys.joint_key": [lambda bad: keys.joint_key([KEY, bad])],
    "elgamal.unpack_ciphers": [
        lambda bad: elgamal.unpack_ciphers(bad + KEY, 1),
        lambda bad: elgamal.unpack_ciphers(KEY + bad, 1, identity_ok=True),
    ],
    "elgamal.fresh": [elgamal.fresh],
    "elgamal.share": [lambda bad: elgamal.share(HOLDER, (bad, KEY))],
    "elgamal.strip": [
        lambda bad: elgamal.strip((KEY, bad), [KEY]),
        lambda bad: elgamal.strip((KEY, KEY), [bad]),
    ],
    "elgamal.read": [
        lambda bad: elgamal.read(HOLDER, (bad, KEY)),
        lambda bad: elgamal.read(HOLDER, (KEY, bad)),
    ],
    "dleq.prove_shares": [
        lambda bad: dleq.prove_shares(HOLDER, [(bad, KEY)], transcript(), ENTROPY),
    ],
    "dleq.verify_shares": [
        lambda bad: dleq.verify_shares(bad, PAIRS, SHARES_PROOF, transcript()),
        lambda bad: dleq.verify_shares(KEY, [(bad, KEY)], SHARES_PROOF, transcript()),
        lambda bad: dleq.verify_shares(KEY, [(KEY, bad)], SHARES_PROOF, transcript()),
    ],
    "coin.coin_value": [lambda bad: coin.coin_value([KEY, bad])],
    "transfer.transfer": [
        lambda bad: transfer.transfer(HOLDER, (bad, KEY), KEY, transcript(), ENTROPY),
        lambda bad: transfer.transfer(HOLDER, (KEY, bad), KEY, transcript(), ENTROPY),
        lambda bad: transfer.transfer(HOLDER, SLOTS[0], bad, transcript(), ENTROPY),
    ],
    "transfer.verify_transfer": [
        lambda bad: verify_move(public=bad),
        lambda bad: verify_move(slot=(bad, KEY)),
        lambda bad: verify_move(slot=(KEY, bad)),
        lambda bad: verify_move(moved=(bad, KEY)),
        lambda bad: verify_move(moved=(KEY, bad)),
        lambda bad: verify_move(target=bad),
    ],
    "shuffle.prove_shuffle": [
        lambda bad: prove_shuffle(
            OfflinePart.prepare(1, KEY, ENTROPY), [(bad, KEY)], transcript(), ENTROPY
        ),
        lambda bad: prove_shuffle(
            OfflinePart.prepare(1, KEY, ENTROPY), [(KEY, bad)], transcript(), ENTROPY
        ),
    ],
    "shuffle.verify_shuffle": [
        lambda bad: verify_one(key=bad),
        lambda bad: verify_one(before=(bad, KEY)),
        lambda bad: verify_one(before=(KEY, bad)),
        lambda bad: verify_one(after=(bad, KEY)),
        lambda bad: verify_one(after=(KEY, bad)),
        lambda bad: verify_one(proof=replace(DONE.proof, masked_a=bad)),
    ],
    "shuffle.verify_chain": [
        lambda bad: shuffle.verify_chain(
            KEY, [[(bad, KEY)], [(KEY, KEY)]], [DONE.proof], [transcript()], ENTROPY
        ),
    ],
    "shuffle.ShuffleProof.decode": [
        lambda bad: ShuffleProof.decode(bad + DONE.proof.encode()[32:], 2),
    ],
    "shuffle.OfflinePart.prepare": [lambda bad: OfflinePart.prepare(2, bad, ENTROPY)],
    "shuffle.KeylessPart.under": [lambda bad: KeylessPart.prepare(2, ENTROPY).under(bad)],
    "oath.swear": [
        lambda bad: oath.swear(
            HOLDER, [((bad, KEY), ALLOWED[0])], ALLOWED, FORBIDDEN, transcript(), ENTROPY
        ),
        lambda bad: oath.swear(HOLDER, [(SLOTS[0], bad)], [bad], FORBIDDEN, transcript(), ENTROPY),
    ],
    "oath.verify_oath": [
        lambda bad: verify_oath(public=bad),
        lambda bad: verify_oath(slot=(bad, KEY)),
        lambda bad: verify_oath(slot=(KEY, bad)),
        lambda bad: verify_oath(allowed=bad),
        lambda bad: verify_oath(forbidden=bad),
        lambda bad: verify_oath(data=bad + OATH[32:]),
        lambda bad: verify_oath(forbidden=bad, data=PAIR_OATH),
        lambda bad: verify_oath(data=bad + PAIR_OATH[32:]),
    ],
    "relock.relock": [
        lambda bad: relock.relock(HOLDER, [(bad, KEY)], KEY, transcript(), ENTROPY),
        lambda bad: relock.relock(HOLDER, [(KEY, bad)], KEY, transcript(), ENTROPY),
        lambda bad: relock.relock(HOLDER, SLOTS, bad, transcript(), ENTROPY),
    ],
    "relock.verify_relock": [
        lambda bad: verify_lock(public=bad),
        lambda bad: verify_lock(before=(bad, KEY)),
        lambda bad: verify_lock(before=(KEY, bad)),
        lambda bad: verify_lock(after=(bad, KEY)),
        lambda bad: verify_lock(after=(KEY, bad)),
        lambda bad: verify_lock(key=bad),
    ],
    "sharing.read_images": [
        lambda bad: sharing.read_images(bad, KEY, 2),
        lambda bad: sharing.read_images(KEY, bad, 2),
    ],
    "sharing.Images.image": [
        lambda bad: Images((KEY, bad)).image(2),
        lambda bad: Images((bad, KEY)).image(2),
    ],
    "sharing.combine": [lambda bad: sharing.combine({0: [KEY], 1: [bad]}, 2)],
    "sealing.seal": [lambda bad: sealing.seal(errand_to(bad), 5, SEALING)],
    "sealing.unseal": [lambda bad: sealing.unseal(errand_from(bad), 5, SEALING)],
    "sealing.complain": [lambda bad: sealing.complain(errand_from(bad), 5, SEALING, ENTROPY)],
    "sealing.verify_complaint": [
        lambda bad: sealing.verify_complaint(ERRAND, 5, bad + COMPLAINT[32:]),
        lambda bad: sealing.verify_complaint(errand_to(bad), 5, COMPLAINT),
        lambda bad: sealing.verify_complaint(errand_from(bad), 5, COMPLAINT),
    ],
    "oath.part_used": [lambda bad: oath.part_used(bad + OATH[32:], 2, 2, len(FORBIDDEN))],
}
MOVES_BYTES_ONLY = {
    "elgamal.pack_ciphers": "joins what it is given",
    "keys.commit_key": "a hash; verify_key decodes the point",
    "keys.prove_key": "takes commitments, which are hashes",
    "sealing.begun_by": "a hash; the sealing keys are decoded where a seat begins",
}


@pytest.mark.parametrize("bad", bad_encodings(), ids=lambda bad: bad.hex()[:8])
def test_a_bad_encoding_is_the_peers_fault_everywhere(bad: Point) -> None:
    """A peer sends 32 bytes that are no point of the group, or a second form of one.

    Answer: every public function that takes points refuses them as the peer's fault, before a
    secret touches them.
    """
    for name, calls in GIVEN.items():
        for call in calls:
            with pytest.raises(PeerError):
                call(bad)
            assert name


def test_the_good_values_of_these_calls_are_accepted() -> None:
    """Control: the same calls with sound points are accepted."""
    verify_one()
    verify_oath()
    verify_oath(data=PAIR_OATH)
    verify_move()
    verify_lock()
    sealing.verify_complaint(ERRAND, 5, COMPLAINT)
    dleq.verify_shares(KEY, PAIRS, SHARES_PROOF, transcript())
    assert hide(GENERATOR, KEY, "slot")[0] != group.IDENTITY


FACES = [
    *("group", "keys", "elgamal", "dleq", "coin", "transfer", "shuffle", "oath", "commitment"),
    *("sharing", "sealing", "relock"),
]
INNER = {"sigma", "transcript", "hedged", "errors"}


def _takes_bytes(function: Callable[..., object]) -> bool:
    hints = typing.get_type_hints(function)
    hints.pop("return", None)
    return any("bytes" in str(hint) for hint in hints.values())


def test_no_public_function_that_takes_points_is_missing_here() -> None:
    """Control: no function is forgotten. Points are bytes to the type system, so the exempt ones
    are named one by one.
    """
    modules = {module.name for module in pkgutil.iter_modules(p2p.crypto.__path__)}
    assert {name for name in modules if "_" not in name} == {*FACES, *INNER}
    takes_no_point = {
        "group.from_uniform",
        "group.scalar_from_uniform",
        "group.hash_to_point",
        "group.decode_scalar",
        "group.decode_scalars",
        "group.random_scalar",
        "group.random_scalars",
        "coin.coin_point",
        "coin.draw",
        "commitment.commit_choice",
        "commitment.verify_choice",
    }
    public = set()
    for face in FACES:
        module = importlib.import_module(f"p2p.crypto.{face}")
        for name, function in inspect.getmembers(module, inspect.isfunction):
            ours = function.__module__.startswith(f"p2p.crypto.{face}")
            if ours and not name.startswith("_") and _takes_bytes(function):
                public.add(f"{face}.{name}")
    assert public - takes_no_point - set(MOVES_BYTES_ONLY) <= set(GIVEN)
