"""Which rounds of a vote are open: no seat alone uses up those of the others."""

from __future__ import annotations

from engine.games import load
from p2p.protocol.absence.poll import Past, Poll
from p2p.protocol.absence.vote import PRESENT, ROUNDS_MAX, place_of
from p2p.protocol.effects import Write
from p2p.protocol.inline import run_inline
from tests.protocol.kit import bare_hub
from tests.protocol.test_polls import PLACE, THREE, cast, poll, say, vote


def test_vote_in_a_round_far_ahead_opens_none() -> None:
    """A liar signs it before anybody is missing; the others vote as if it were not there."""
    one = poll(0, vote(1, (), ROUNDS_MAX - 1), vote(1, {2}, ROUNDS_MAX - 2))
    assert one.newest_round() == 0
    assert say(one, 2) == vote(0, {2})


def test_empty_vote_opens_no_round() -> None:
    """Nobody has to speak against it."""
    one = poll(0, vote(1, {2}), vote(1, (), 1))
    assert one.newest_round() == 0
    one.receive(vote(1, {2}, 2))
    assert one.newest_round() == 0, "it follows upon a round that is not open"


def test_seat_that_skips_a_round_opens_none() -> None:
    one = poll(0, vote(1, {2}, 1))
    assert one.newest_round() == 0
    one.receive(vote(1))
    assert one.newest_round() == 1


def test_seat_opens_only_its_own_share_of_the_rounds() -> None:
    votes = [vote(1, {2}, number) for number in range(ROUNDS_MAX)]
    one = poll(0, *votes)
    assert one.newest_round() == THREE.opens == ROUNDS_MAX // 3


def test_seat_that_has_used_up_its_rounds_votes_in_those_of_others() -> None:
    """Its person has said the same again and again, and another one has spoken against it."""
    one = poll()
    for number in range(1 + THREE.opens):
        assert say(one, 2) == vote(0, {2}, number)
        one.receive(vote(1, (), number))
    assert say(one, 2) is None
    one.receive(vote(1, {2}, 1 + THREE.opens))
    assert cast(one) == vote(0, {2}, 1 + THREE.opens)


def test_seat_votes_in_the_newest_round_before_it_opens_another() -> None:
    one = poll(0, vote(1), vote(1, {0}, 1))
    one.receive(vote(2))
    assert say(one, 2) == vote(0, PRESENT, 1)
    assert cast(one) == vote(0, PRESENT, 0)
    assert cast(one) == vote(0, {2}, 2)


def test_seat_that_comes_back_knows_who_opened_the_round_of_its_vote() -> None:
    """Whoever opened it may be gone, and nobody else may have heard of it."""
    opened = (vote(1, (), 0), vote(1, {2}, 1))
    back = Poll(PLACE, THREE, 0, Past((vote(0, {1}, 1),), heard=opened))
    assert back.newest_round() == 1
    assert say(back, 2) == vote(0, PRESENT, 0)
    assert cast(back) == vote(0, {2}, 2)


def test_votes_of_others_are_written_with_ones_own() -> None:
    machine = bare_hub(load("flip-over"), 3, least=2).seats[0].machine
    machine.start()
    run_inline(machine)
    here = place_of(machine.chain)
    theirs = vote(1, {2}, place=here)
    machine.receive(theirs.record)
    machine.go_on_without(frozenset({2}))
    written = [one.record for one in run_inline(machine, disk=True) if isinstance(one, Write)]
    assert written[:2] == [theirs.record, vote(0, {2}, place=here).record]
