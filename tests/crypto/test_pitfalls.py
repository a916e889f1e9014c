"""What broke other protocols, tried on our cryptography: see docs/explanation/attacks.md."""

from __future__ import annotations

import ast
import hashlib
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pytest

import p2p.crypto
from p2p import checks
from p2p.crypto import (
    commitment,
    dleq,
    group,
    keys,
    oath,
    relock,
    shuffle_offline,
    transfer,
)
from p2p.crypto.group import GENERATOR, ORDER
from p2p.crypto.keys import KeyContext, TableSecret
from p2p.crypto.shuffle import OfflinePart, ShuffleProof, prove_shuffle, verify_shuffle
from p2p.crypto.shuffle_statement import CHALLENGE_BITS, generators
from p2p.crypto.transcript import Transcript
from p2p.errors import PeerError
from tests.crypto.frozen import FORGERS, OMITTED, leave_out
from tests.crypto.helpers import SeededEntropy, cards, hidden_deck, secret, transcript
from tests.repo.sources import imported, module_of, parsed, shown, sources, walked

HOLDER = secret("holder")
DECK = hidden_deck(3, HOLDER.public)
CARDS = cards(3)
CONTEXT, OPENING = KeyContext(bytes(16), 0, bytes(32)), bytes(32)
COMMITMENTS = [keys.commit_key(CONTEXT, HOLDER.public, OPENING)]
ASYMMETRIC = "cryptography.hazmat.primitives.asymmetric."


@pytest.mark.parametrize("name", FORGERS)
def test_a_statement_chosen_after_the_challenge(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A prover chooses a part of its statement after it knows the challenge.

    Answer: everything in the verifier's equation is in the hash that gives the challenge, so the
    proof is refused; with a hash that leaves that part out the same forgery is believed.
    """
    with monkeypatch.context() as weak:
        leave_out(weak, OMITTED[name])
        verify = FORGERS[name]()
        verify()
    with pytest.raises(PeerError):
        verify()


# Proofs that say nothing, and proofs whose randomness repeats.


def _share(entropy: checks.Entropy, operation: str) -> bytes:
    pairs = [(a, group.mul(a, HOLDER.scalar)) for a, _ in DECK]
    return dleq.prove_shares(HOLDER, pairs, transcript(operation), entropy)


def _moved(entropy: checks.Entropy, operation: str) -> bytes:
    target = secret("receiver").public
    return transfer.transfer(HOLDER, DECK[0], target, transcript(operation), entropy)[1]


def _key(entropy: checks.Entropy, operation: str) -> bytes:
    context = KeyContext(operation.encode().ljust(16), 0, bytes(32))
    return keys.prove_key(HOLDER, context, COMMITMENTS, entropy)


def _relocked(entropy: checks.Entropy, operation: str) -> bytes:
    return relock.relock(HOLDER, DECK, GENERATOR, transcript(operation), entropy)[1]


@pytest.mark.parametrize("prove", [_share, _key, _moved, _relocked])
def test_randomness_that_repeats(prove: Callable[[checks.Entropy, str], bytes]) -> None:
    """A machine draws the same random bytes again, after a copied disk or a broken source.

    Answer: the one-time numbers of a proof depend on the secret and on all that is proven, so
    two proofs never share them, and the key does not follow from the two.
    """
    first, second = (
        group.decode_scalars(prove(SeededEntropy("again"), operation)[:64], 2)
        for operation in ("one", "other")
    )
    (challenge, answer), (other, again) = first, second
    found = (again - answer) * pow(challenge - other, -1, ORDER) % ORDER
    assert found != HOLDER.scalar


def test_randomness_that_repeats_in_an_oath() -> None:
    """A machine that swears twice draws the same random bytes both times.

    Answer: as for all proofs, what hides the key depends on all that is sworn, and does not repeat.
    """
    answers = []
    for operation in ("one", "other"):
        bound, entropy = transcript(operation), SeededEntropy("again")
        other = cards(1, "forbidden")
        data = oath.swear(HOLDER, [(DECK[0], CARDS[0])], CARDS, other, bound, entropy)
        replayed = transcript(operation)
        oath._absorb(replayed, HOLDER.public, DECK[:1], CARDS, other)
        replayed.append("oath commitments", data[:96])
        drawn = replayed.challenge("oath challenge")
        answers.append((drawn, *group.decode_scalars(data[96:], 2)))
    (e, t, u), (f, v, w) = answers
    scale, scaled_key = (t - v) * pow(e - f, -1, ORDER), (u - w) * pow(e - f, -1, ORDER)
    assert scaled_key * pow(scale, -1, ORDER) % ORDER != HOLDER.scalar


def _verifiers() -> dict[str, tuple[int, int, Callable[[bytes], None]]]:
    """For each proof the number of its points and of its scalars, and its verifier."""
    pairs = [(a, group.mul(a, HOLDER.scalar)) for a, _ in DECK]
    public, entropy = HOLDER.public, SeededEntropy("verifier")
    part = OfflinePart.prepare(len(DECK), public, SeededEntropy("part"))
    after = prove_shuffle(part, DECK, transcript(), SeededEntropy("shuffle")).deck
    moved, _ = transfer.transfer(HOLDER, DECK[0], GENERATOR, transcript(), SeededEntropy("moved"))
    other = cards(1, "forbidden")
    locked, _ = relock.relock(HOLDER, DECK, GENERATOR, transcript(), SeededEntropy("locked"))
    return {
        "key": (0, 2, lambda d: keys.verify_key(CONTEXT, public, OPENING, d, COMMITMENTS)),
        "shares": (0, 2, lambda d: dleq.verify_shares(public, pairs, d, transcript())),
        "transfer": (
            0,
            3,
            lambda d: transfer.verify_transfer(public, DECK[0], moved, GENERATOR, d, transcript()),
        ),
        "shuffle": (
            7,
            11,
            lambda d: verify_shuffle(
                public, DECK, after, ShuffleProof.decode(d, 3), transcript(), entropy
            ),
        ),
        "relock": (
            0,
            3,
            lambda d: relock.verify_relock(public, DECK, locked, GENERATOR, d, transcript()),
        ),
        "oath by pairs": (
            3,
            2,
            lambda d: oath.verify_oath(public, DECK[:1], CARDS, other, d, transcript(), entropy),
        ),
    }


@pytest.mark.parametrize("name", _verifiers())
@pytest.mark.parametrize("point", [group.IDENTITY, GENERATOR, HOLDER.public])
@pytest.mark.parametrize("scalar", [0, 1, ORDER - 1, ORDER, 2**256 - 1])
def test_a_proof_of_zeros_and_ones(name: str, point: bytes, scalar: int) -> None:
    """A proof is made of nothing but zeros, ones, the generator, or numbers out of range.

    Answer: it is refused: no such value satisfies any of the equations by itself.
    """
    points, scalars, verify = _verifiers()[name]
    with pytest.raises(PeerError):
        verify(point * points + scalar.to_bytes(32, "little") * scalars)


@pytest.mark.parametrize("name", _verifiers())
def test_no_proof_at_all(name: str) -> None:
    """A proof is empty, or has one number too few or too many.

    Answer: lengths are checked before anything is computed, so no loop runs zero times and says
    yes.
    """
    points, scalars, verify = _verifiers()[name]
    size = 32 * (points + scalars)
    for length in (0, 32, size - 32, size - 1, size + 1, size + 32, 2 * size):
        with pytest.raises(PeerError):
            verify(GENERATOR * (length // 32) + bytes(length % 32))


# Whose secrets a verifier could leak, and what its word depends on.


def _functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    for module in pkgutil.iter_modules(p2p.crypto.__path__, "p2p.crypto."):
        loaded = importlib.import_module(module.name)
        for name, function in inspect.getmembers(loaded, inspect.isfunction):
            if function.__module__ == module.name:
                yield f"{module.name}.{name}", function


def test_a_proof_that_fails_only_for_some_secrets() -> None:
    """A cheat bends a proof so that it fails only if the victim holds a certain secret.

    Answer: no verifier is given a secret, so its yes or no tells nothing about one; and a proof
    that fails ends the table, so there is no second try.
    """
    verifiers = [found for found in _functions() if "verify" in found[0].rsplit(".", 1)[1]]
    assert len(verifiers) >= 8
    for name, function in verifiers:
        notes = [str(parameter) for parameter in inspect.signature(function).parameters.values()]
        assert not [note for note in notes if "TableSecret" in note or "secret" in note], name


def test_challenges_and_weights_that_are_zero_or_short() -> None:
    """A prover tries until a challenge, or the weight of an equation, is zero or guessed.

    Answer: challenges have 252 bits or 128, weights 127, and neither a challenge nor a weight that
    a verifier draws is ever zero.
    """
    for uniform in (bytes(64), ORDER.to_bytes(64, "little"), (ORDER - 1).to_bytes(64, "little")):
        assert 0 < group.scalar_from_uniform(uniform) < ORDER
    assert checks.weight("no.check", bytes) == 1
    assert checks.weight("no.check", lambda size: b"\xff" * size) == 2**128 - 1
    assert CHALLENGE_BITS == 128
    drawn = Transcript("weights").challenges("weights", 1000)
    assert max(drawn).bit_length() == 128
    assert len({Transcript(str(at)).challenge("one") for at in range(100)}) == 100


def test_a_source_of_randomness_of_which_a_part_is_used() -> None:
    """A program asks for many random bytes and uses one bit of each.

    Answer: every secret asks for at least 32 bytes, and each byte of them changes it.
    """
    asked: list[int] = []

    def count(size: int) -> bytes:
        asked.append(size)
        return SeededEntropy("count")(size)

    group.random_scalar(count)
    TableSecret.generate(count)
    shuffle_offline.random_permutation(52, count)
    assert asked == [64, 64, 16 * 52]
    for at in range(64):
        other = bytearray(64)
        other[at] = 1
        assert group.random_scalar(lambda _, o=other: bytes(o)) != group.random_scalar(bytes)  # type: ignore[misc]
    assert len(_nonces()) == 33


def _nonces() -> set[int]:
    flips = [bytes(32), *(bytes(at) + b"\1" + bytes(31 - at) for at in range(32))]
    return {transcript().witness_rng(lambda _, f=f: f, b"secret").scalar("one") for f in flips}  # type: ignore[misc]


# Hashes: what goes in, and what for.


def _shifted(parts: list[bytes]) -> list[list[bytes]]:
    """The same bytes, cut in other places."""
    joined = b"".join(parts)
    cuts = permutations(range(len(joined) + 1), len(parts) - 1)
    ends = [(0, *cut, len(joined)) for cut in cuts if list(cut) == sorted(cut)]
    return [[joined[a:b] for a, b in pairwise(cut)] for cut in ends]


def _state(parts: list[bytes]) -> int:
    bound = Transcript("split")
    bound.append("parts", *parts)
    return bound.challenge("end")


@pytest.mark.parametrize(
    "digest",
    [
        _state,
        lambda parts: group.hash_to_point("parts", *parts),
        lambda parts: commitment._hash(*parts),
        lambda parts: keys.commit_key(KeyContext(parts[0], 0, parts[1]), parts[2], bytes(32)),
    ],
    ids=["transcript", "point", "choice", "key"],
)
def test_the_same_bytes_cut_in_other_places(digest: Callable[[list[bytes]], object]) -> None:
    """Several values go into one hash, and a forger moves the boundaries between them, so that the
    same bytes mean other values.

    Answer: the length of each value is hashed before it; no two lists give the same bytes.
    """
    lists = _shifted([b"a$", b"$", b"b\0"])
    assert len({digest(parts) for parts in lists}) == len(lists) > 10


def _labels() -> dict[str, bytes]:
    """The first bytes of each SHA-512 in the product, by place; all are constants."""
    found: dict[str, bytes] = {}
    for path in sources("p2p"):
        for node in walked(parsed(path)):
            hashed = isinstance(node, ast.Call) and ast.unparse(node.func) == "hashlib.sha512"
            if hashed and node.args:
                found[shown(path, node)] = _first(path, node.args[0])
    return found


def _first(path: Path, argument: ast.expr) -> bytes:
    while isinstance(argument, ast.BinOp):
        argument = argument.left
    if isinstance(argument, ast.Constant) and isinstance(argument.value, bytes):
        return argument.value
    value = vars(importlib.import_module(module_of(path))).get(ast.unparse(argument))
    return value if isinstance(value, bytes) else ast.unparse(argument).encode()


RUNNING = {b"self._state", b"seed", b"body"} | {b"half", b"said", b"whole", b"data[:size]"}
"""What else a hash may begin with: the state of a transcript, which began with its label, a draw
from one, and the body of a record, whose hash goes into another one; and what lies in the files
of one's own seat, which begin with a first line of theirs."""


@pytest.mark.slow
def test_one_hash_for_two_purposes() -> None:
    """A hash that was made for one purpose is shown as one for another.

    Answer: every hash begins with a label that says what it is for, and no label begins another
    one.  No hash begins with a secret either, so nobody can make one longer without knowing it.
    """
    labels = _labels()
    assert len(labels) > 12
    named = {place: label for place, label in labels.items() if label not in RUNNING}
    assert {place: label for place, label in named.items() if b"nodealer " not in label[:12]} == {}
    plain = sorted(set(named.values()))
    assert [pair for pair in permutations(plain, 2) if pair[0].startswith(pair[1])] == []


def test_one_signature_for_two_purposes() -> None:
    """A signature that was made for one purpose is shown as one for another.

    Answer: each purpose has its own label in front of what is signed; no label begins another one,
    or begins like a TLS handshake or a certificate, which the same key signs.
    """
    modules = [importlib.import_module(module_of(path)) for path in sources("p2p")]
    named = [item for module in modules for item in vars(module).items()]
    found = {
        value for name, value in named if name.endswith("PURPOSE") and isinstance(value, bytes)
    }
    assert len(found) >= 5
    assert all(purpose.startswith(b"nodealer ") for purpose in found)
    assert not [pair for pair in permutations(found, 2) if pair[0].startswith(pair[1])]


def test_points_whose_relation_somebody_knows() -> None:
    """Whoever chose the generators knows how they are related, and can open a commitment to any
    value.

    Answer: each generator is the hash of a different name: nobody chose it, and nothing that a peer
    sends replaces it.
    """
    pedersen = generators(200)
    faces = [*cards(200, "deck"), *cards(200, "another deck")]
    every = [*pedersen, *faces, GENERATOR]
    assert len(set(every)) == len(every)
    first = hashlib.sha512(b"nodealer group")
    for part in (b"nodealer shuffle generator", bytes(4)):
        first.update(len(part).to_bytes(4, "big") + part)
    assert pedersen[0] == group.from_uniform(first.digest())


@pytest.mark.slow
def test_groups_of_unknown_order() -> None:
    """A peer sends an RSA or Paillier modulus that has small factors, or is no product of two.

    Answer: there is no such modulus here: one prime-order group, one kind of signature.
    """
    used = {
        module.removeprefix(ASYMMETRIC).split(".")[0]
        for path in sources("p2p", "replay", "cli")
        for _, module in imported(path)
        if module.startswith(ASYMMETRIC)
    }
    assert used == {"ed25519"}
