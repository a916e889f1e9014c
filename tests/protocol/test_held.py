"""The entries that a seat holds: of its step, of steps to come, and of other histories."""

from __future__ import annotations

import pytest

from p2p.errors import PeerError
from p2p.protocol.absence.vote import Place
from p2p.protocol.entry import Chain, Entry, sign_entry
from p2p.protocol.held import REMEMBERED, Held, check_late
from tests.protocol.kit import TABLE
from tests.protocol.test_polls import PEOPLE, vote

HERE, ELSEWHERE = bytes(32), bytes(range(32))


def entry(step: int = 3, previous: bytes = HERE, said: int = 0) -> Entry:
    """An entry of seat 1."""
    return sign_entry(PEOPLE[1], Chain(TABLE, step, previous), 1, "choose", said, bytes(16))


def test_record_is_known_until_many_others_came() -> None:
    held, records = Held(), []
    for step in range(REMEMBERED + 1):
        held.hold(entry(step))
        records.append(entry(step).record)
    assert all(map(held.has_taken, records))


def test_entry_of_other_step_contradicts_nothing() -> None:
    held = Held()
    held.strays[1] = entry(2, ELSEWHERE)
    assert held.known(1, 3) is None
    assert held.known(1, 2) == entry(2, ELSEWHERE)


def test_entries_of_the_last_step_are_looked_up() -> None:
    steps = [[entry(step).record] for step in range(4)]
    assert Held().known_of(entry(3, said=1), steps) == entry(3)


def test_vote_and_entry_of_a_step_do_not_contradict() -> None:
    voted = vote(1, {2}, place=Place(TABLE, 0, HERE))
    assert Held().known_of(entry(0), [[voted.record]]) is None


@pytest.mark.parametrize("stray", [True, False])
def test_history_exists_once_a_seat_continued_it(stray: bool) -> None:
    held = Held()
    if stray:
        held.strays[1] = entry(3, ELSEWHERE)
    else:
        held.hold(entry(3, ELSEWHERE))
    assert held.has_on(3, ELSEWHERE)
    assert not held.has_on(3, HERE)
    assert not held.has_on(2, ELSEWHERE)


def test_seat_strayed_at_the_step_of_its_entry() -> None:
    held = Held()
    held.strays[1] = entry(2, ELSEWHERE)
    assert held.strayed(2) == {1}
    assert held.strayed(3) == set()


def test_late_entry_is_no_fault_where_votes_decided() -> None:
    voted = vote(0, {1}, place=Place(TABLE, 0, HERE))
    check_late(entry(0), [[voted.record]])
    own = sign_entry(PEOPLE[0], Chain(TABLE, 0, HERE), 0, "choose", 0, bytes(16))
    with pytest.raises(PeerError):
        check_late(entry(0), [[own.record]])
