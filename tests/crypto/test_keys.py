"""Table keys: commitment, proof of possession, joint key."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import pytest

from p2p.crypto import group, keys, sigma
from p2p.crypto.keys import KeyContext, TableSecret
from p2p.errors import LocalError, PeerError
from tests.crypto.helpers import SeededEntropy, secret

TOKEN = bytes(range(16))
OPENINGS = [bytes([seat]) * 32 for seat in range(3)]
SECRETS = [secret(f"seat {seat}") for seat in range(3)]
CONTEXTS = [KeyContext(TOKEN, seat, bytes([100 + seat]) * 32) for seat in range(3)]
COMMITMENTS = [
    keys.commit_key(context, held.public, opening)
    for context, held, opening in zip(CONTEXTS, SECRETS, OPENINGS, strict=True)
]


def proof(seat: int = 1) -> bytes:
    return keys.prove_key(SECRETS[seat], CONTEXTS[seat], COMMITMENTS, SeededEntropy("proof"))


def refused(
    context: KeyContext = CONTEXTS[1],
    public: bytes = SECRETS[1].public,
    opening: bytes = OPENINGS[1],
    given: bytes | None = None,
    commitments: list[bytes] = COMMITMENTS,
) -> PeerError:
    with pytest.raises(PeerError) as caught:
        keys.verify_key(context, public, opening, given or proof(), commitments)
    return caught.value


def test_every_seat_is_believed() -> None:
    for seat, held in enumerate(SECRETS):
        keys.verify_key(CONTEXTS[seat], held.public, OPENINGS[seat], proof(seat), COMMITMENTS)


@pytest.mark.check("keys.commitment")
def test_a_key_chosen_after_the_others_reveal_is_refused() -> None:
    late = secret("chosen late")
    given = keys.prove_key(late, CONTEXTS[1], COMMITMENTS, SeededEntropy("late"))
    assert refused(public=late.public, given=given).verdict == "bad-key"


def test_a_seat_without_a_commitment_is_refused() -> None:
    assert refused(commitments=COMMITMENTS[:1]).verdict == "bad-key"


@pytest.mark.check("keys.opening-length")
def test_an_opening_of_another_length_is_refused() -> None:
    short = b"short"
    commitments = list(COMMITMENTS)
    commitments[1] = keys.commit_key(CONTEXTS[1], SECRETS[1].public, short)
    given = keys.prove_key(SECRETS[1], CONTEXTS[1], commitments, SeededEntropy("proof"))
    assert refused(opening=short, given=given, commitments=commitments).verdict == "bad-key"


@pytest.mark.check("keys.possession")
def test_a_key_that_cancels_anothers_cannot_be_proven() -> None:
    rogue = group.sub(secret("own").public, SECRETS[0].public)
    commitments = list(COMMITMENTS)
    commitments[1] = keys.commit_key(CONTEXTS[1], rogue, OPENINGS[1])
    given = keys.prove_key(secret("own"), CONTEXTS[1], commitments, SeededEntropy("rogue"))
    assert refused(public=rogue, given=given, commitments=commitments).verdict == "bad-key"


@pytest.mark.parametrize("field", ["token", "seat", "identity", "commitments"])
def test_a_proof_is_bound_to_each_field(field: str) -> None:
    context, commitments = CONTEXTS[1], list(COMMITMENTS)
    if field == "commitments":
        commitments[2] = commitments[0]
    else:
        changed = 2 if field == "seat" else bytes(32)
        context = replace(context, **{field: changed})
        commitments[context.seat] = keys.commit_key(context, SECRETS[1].public, OPENINGS[1])
        again = keys.prove_key(SECRETS[1], CONTEXTS[1], commitments, SeededEntropy("proof"))
        assert refused(context, given=again, commitments=commitments).verdict == "bad-key"
    assert refused(context, commitments=commitments).verdict == "bad-key"


@pytest.mark.parametrize("position", [0, 31, 32, 63])
def test_a_changed_proof_is_refused(position: int) -> None:
    changed = bytearray(proof())
    changed[position] ^= 0x81
    assert refused(given=bytes(changed)).verdict == "bad-key"


def test_out_of_range_answers_are_refused() -> None:
    challenge, response = group.decode_scalars(proof(), 2)
    for first, second in ((challenge + group.ORDER, response), (challenge, response + group.ORDER)):
        given = first.to_bytes(32, "little") + second.to_bytes(32, "little")
        assert refused(given=given).verdict == "bad-key"


@pytest.mark.call("p2p.crypto.keys:verify_key -> group.decode_point")
def test_the_identity_is_no_table_key() -> None:
    assert refused(public=group.IDENTITY).verdict == "malformed"


def test_the_joint_key_is_the_sum() -> None:
    total = sum(held.scalar for held in SECRETS)
    assert keys.joint_key([held.public for held in SECRETS]) == group.base(total)


@pytest.mark.check("keys.repeated")
def test_repeated_keys_have_no_joint_key() -> None:
    with pytest.raises(PeerError) as caught:
        keys.joint_key([SECRETS[0].public, SECRETS[1].public, SECRETS[0].public])
    assert caught.value.verdict == "bad-key"


@pytest.mark.check("keys.identity")
def test_a_zero_key_has_no_joint_key() -> None:
    with pytest.raises(PeerError) as caught:
        keys.joint_key([SECRETS[0].public, group.IDENTITY])
    assert caught.value.verdict == "bad-key"


@pytest.mark.check("keys.joint")
def test_keys_that_cancel_out_have_no_joint_key() -> None:
    with pytest.raises(PeerError) as caught:
        keys.joint_key([group.base(5), group.base(-5)])
    assert caught.value.verdict == "bad-key"


def test_a_secret_survives_its_file_and_shows_itself_nowhere() -> None:
    held = SECRETS[0]
    restored = TableSecret.from_bytes(held.to_bytes())
    assert (restored.scalar, restored.public) == (held.scalar, held.public)
    for shown in (repr(held), str(held), f"{held}"):
        assert str(held.scalar) not in shown
        assert held.to_bytes().hex()[:8] not in shown
    for copier in (pickle.dumps, copy.deepcopy):
        with pytest.raises(LocalError):
            copier(held)


@pytest.mark.check("keys.secret-zero")
def test_a_damaged_secret_file_is_malformed() -> None:
    with pytest.raises(PeerError) as caught:
        TableSecret.from_bytes(bytes(32))
    assert caught.value.verdict == "malformed"


def test_proofs_differ_between_runs_but_not_their_statement() -> None:
    one = keys.prove_key(SECRETS[0], CONTEXTS[0], COMMITMENTS, SeededEntropy("a"))
    other = keys.prove_key(SECRETS[0], CONTEXTS[0], COMMITMENTS, SeededEntropy("b"))
    assert one != other
    assert len(sigma.encode(1, 2)) == len(one) == keys.PROOF_BYTES
