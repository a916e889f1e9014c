"""Ballots about a seat that does not answer, and the close step without it."""

from __future__ import annotations

import pytest

from p2p.errors import PeerError
from p2p.protocol import wire
from p2p.protocol.ballot import PURPOSE, Ballots, decode_ballot, is_ballot, sign_ballot
from p2p.protocol.effects import Agenda
from p2p.protocol.entry import SIGNATURE_BYTES, Chain
from tests.protocol.kit import TABLE, identities

PEOPLE = identities(4)
KEYS = [one.public for one in PEOPLE]
SEATS = range(len(KEYS))


def ballot(voter: int, absent: int, chain: Chain | None = None) -> bytes:
    return sign_ballot(PEOPLE[voter], chain or Chain(TABLE), voter, absent).record


def bent(record: bytes, signer: int, **changes: object) -> bytes:
    body = wire.pack({**wire.unpack(record[:-SIGNATURE_BYTES]), **changes})
    return body + PEOPLE[signer].sign(PURPOSE, body)


def test_a_ballot_is_decoded_as_it_was_cast() -> None:
    record = ballot(0, 3)
    assert is_ballot(record)
    decoded = decode_ballot(record, KEYS)
    assert (decoded.seat, decoded.absent, decoded.step) == (0, 3, 0)


def test_five_other_fields_are_no_ballot() -> None:
    body = wire.unpack(ballot(0, 3)[:-SIGNATURE_BYTES])
    other = wire.pack({**{key: body[key] for key in body if key != "absent"}, "present": 3})
    assert not is_ballot(other + bytes(SIGNATURE_BYTES))


@pytest.mark.check("ballot.seats")
@pytest.mark.parametrize("absent", [-1, 4])
def test_a_ballot_is_about_somebody_here(absent: int) -> None:
    with pytest.raises(PeerError, match="nobody here"):
        decode_ballot(bent(ballot(0, 3), 0, absent=absent), KEYS)


@pytest.mark.call("p2p.protocol.ballot:decode_ballot -> verify")
def test_a_ballot_is_signed_by_the_seat_it_names() -> None:
    with pytest.raises(PeerError) as refusal:
        decode_ballot(bent(ballot(0, 3), 0, seat=1), KEYS)
    assert refusal.value.verdict == "bad-signature"


def test_votes_are_unanimous_when_all_the_others_cast_them() -> None:
    votes = Ballots(Chain(TABLE), KEYS, None, Agenda())
    assert votes.receive(ballot(0, 3)) is not None
    assert votes.receive(ballot(0, 3)) is None, "a second ballot is not new"
    assert votes.receive(ballot(1, 3)) is not None
    assert votes.unanimous(SEATS, [3]) == ()
    assert votes.receive(ballot(2, 3)) is not None
    assert votes.unanimous(SEATS, [3]) == (ballot(0, 3), ballot(1, 3), ballot(2, 3))
    assert votes.unanimous(SEATS, [2, 3]) == ()
    assert votes.unanimous(SEATS, []) == ()


def test_ballots_about_another_step_or_oneself_do_not_count() -> None:
    chain = Chain(TABLE)
    votes = Ballots(chain, KEYS, None, Agenda())
    later = Chain(TABLE)
    later.advance([b"a step"])
    assert votes.receive(ballot(0, 3, later)) is None
    assert votes.receive(ballot(3, 3)) is None
    assert votes.all() == []


def test_ballots_are_forgotten_when_the_table_goes_on() -> None:
    chain = Chain(TABLE)
    votes = Ballots(chain, KEYS, None, Agenda())
    for voter in range(3):
        votes.receive(ballot(voter, 3))
    chain.advance([b"the entry came after all"])
    assert votes.unanimous(SEATS, [3]) == ()
    assert votes.all() == []
    now = [ballot(voter, 3, chain) for voter in range(3)]
    assert all(votes.receive(one) is not None for one in now), "each seat may say it anew"
    assert votes.unanimous(SEATS, [3]) == tuple(now)
