"""Votes about seats that are gone: how they are written and read."""

from __future__ import annotations

from typing import Any

import pytest

from p2p.errors import LocalError, PeerError
from p2p.protocol import wire
from p2p.protocol.absence.vote import (
    PRESENT,
    ROUNDS_MAX,
    Place,
    Vote,
    Voters,
    decode_vote,
    place_of,
    sign_vote,
)
from p2p.protocol.ballot import is_ballot, sign_ballot
from p2p.protocol.entry import SIGNATURE_BYTES, STATE_BYTES, VOTE_PURPOSE, Chain, sign_entry
from tests.protocol.kit import TABLE, identities

PEOPLE = identities(16)
KEYS = [one.public for one in PEOPLE]
PLACE = Place(TABLE, 3, bytes(range(32)))


def vote(seat: int, absent: set[int], number: int = 0) -> Vote:
    return sign_vote(PEOPLE[seat], PLACE, seat, number, frozenset(absent))


def bent(record: bytes, signer: int = 0, **changes: object) -> bytes:
    fields: dict[str, Any] = wire.unpack(record[:-SIGNATURE_BYTES])
    said = {key: changes.pop(key) for key in fields["payload"] if key in changes}
    body = wire.pack({**fields, "payload": {**fields["payload"], **said}, **changes})
    return body + PEOPLE[signer].sign(VOTE_PURPOSE, body)


@pytest.mark.parametrize("absent", [set(), {3}, {3, 1}, set(range(1, 16))])
def test_a_vote_is_read_as_it_was_signed(absent: set[int]) -> None:
    signed = vote(0, absent, ROUNDS_MAX - 1)
    assert decode_vote(signed.record, KEYS) == signed
    assert signed.body + signed.record[-SIGNATURE_BYTES:] == signed.record


def test_a_vote_is_about_the_current_step() -> None:
    chain = Chain(TABLE)
    chain.advance([b"a step"])
    assert place_of(chain) == Place(TABLE, 1, chain.head)


def test_votes_entries_and_ballots_are_told_apart() -> None:
    chain = Chain(TABLE)
    ballot = sign_ballot(PEOPLE[0], chain, 0, 1).record
    entry = sign_entry(PEOPLE[0], chain, 0, "close", None, bytes(STATE_BYTES)).record
    mine = vote(0, {1}).record
    assert [is_ballot(one) for one in (mine, ballot, entry)] == [False, True, False]
    as_ballot = ballot[:-SIGNATURE_BYTES] + PEOPLE[0].sign(VOTE_PURPOSE, ballot[:-SIGNATURE_BYTES])
    for record in (ballot, entry, as_ballot):
        with pytest.raises(PeerError):
            decode_vote(record, KEYS)


@pytest.mark.check("vote.length")
def test_a_vote_has_a_greatest_length() -> None:
    longest = sign_vote(PEOPLE[0], PLACE, 0, 63, frozenset(range(1, 16))).record
    assert len(decode_vote(longest, KEYS).record) < 512
    with pytest.raises(PeerError, match="too long"):
        decode_vote(bent(longest, absent=[1] * 500), KEYS)


@pytest.mark.check("vote.round")
@pytest.mark.parametrize("changes", [{"round": -1}, {"round": ROUNDS_MAX}, {"step": -1}])
def test_a_vote_is_in_a_possible_round(changes: dict[str, int]) -> None:
    with pytest.raises(PeerError, match="round"):
        decode_vote(bent(vote(0, {1}).record, **changes), KEYS)


@pytest.mark.check("vote.seats")
@pytest.mark.parametrize(
    "changes",
    [{"absent": [16]}, {"absent": [-1]}, {"absent": ["1"]}, {"absent": [True]}, {"seat": 16}],
)
def test_a_vote_is_of_and_about_seats_of_the_table(changes: dict[str, object]) -> None:
    with pytest.raises(PeerError, match="nobody here"):
        decode_vote(bent(vote(0, {1}).record, **changes), KEYS)


@pytest.mark.check("vote.order")
@pytest.mark.parametrize("absent", [[2, 1], [1, 1]])
def test_a_set_has_one_form(absent: list[int]) -> None:
    with pytest.raises(PeerError, match="order"):
        decode_vote(bent(vote(0, {1}).record, absent=absent), KEYS)


@pytest.mark.check("vote.kind")
def test_an_entry_is_no_vote_even_if_it_says_the_same() -> None:
    with pytest.raises(PeerError, match="no vote"):
        decode_vote(bent(vote(0, {1}).record, kind="close"), KEYS)


@pytest.mark.check("vote.state")
def test_a_vote_has_one_form() -> None:
    with pytest.raises(PeerError, match="state"):
        decode_vote(bent(vote(0, {1}).record, state=b"1" * STATE_BYTES), KEYS)


@pytest.mark.call("p2p.protocol.absence.vote:decode_vote -> entry.check_signature")
def test_a_vote_is_signed_by_the_seat_it_names() -> None:
    with pytest.raises(PeerError) as refusal:
        decode_vote(bent(vote(0, {1}).record, seat=2), KEYS)
    assert refusal.value.verdict == "bad-signature"


@pytest.mark.parametrize(("seats", "least"), [(3, 1), (4, 2), (5, 2), (16, 8)])
def test_half_of_the_seats_are_too_few(seats: int, least: int) -> None:
    with pytest.raises(LocalError, match="majority"):
        Voters(tuple(range(seats)), least, seats)
    assert Voters(tuple(range(seats)), least + 1, seats).room == seats - least - 1


def test_who_may_say_what() -> None:
    voters = Voters((0, 1, 2, 4), 3, 5)
    assert voters.others(frozenset({1})) == (0, 2, 4)
    assert voters.may_say(0, PRESENT)
    assert voters.may_say(0, frozenset({1}))
    for seat, absent in ((0, {0}), (0, {3}), (3, {1}), (0, {1, 2}), (3, set())):
        assert not voters.may_say(seat, frozenset(absent))
    assert Voters((0, 1), 3, 5).room == 0
