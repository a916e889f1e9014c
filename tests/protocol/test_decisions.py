"""When the votes of a table decide, and what holds a decision up."""

from __future__ import annotations

from p2p.protocol.absence.vote import PRESENT, Voters
from tests.protocol.test_polls import FOUR, cast, poll, say, vote

FIVE = Voters((0, 1, 2, 3, 4), 3, 5)


def test_decision_needs_every_seat_outside_its_set() -> None:
    """Three of five may decide, but not without asking the fourth, who is there."""
    one = poll(0, vote(1, {4}), vote(2, {4}), voters=FIVE)
    say(one, 4)
    assert one.decision is None
    one.receive(vote(3, {4}))
    assert one.decide().absent == {4}


def test_narrower_later_vote_holds_up_decision() -> None:
    """The player has since said that only one of the two is gone: that may be decided as well."""
    one = poll(0, voters=FIVE)
    say(one, 3, 4)
    say(one, 3)
    for seat in (1, 2):
        one.receive(vote(seat, {3, 4}))
    assert one.decision is None
    one.receive(vote(1, (), 1))
    assert one.decide().absent == {3, 4}


def test_later_vote_of_absent_seat_holds_up_nothing() -> None:
    one = poll(0, vote(3), vote(3, {1}, 1), voters=FOUR)
    say(one, 3)
    for seat in (1, 2):
        one.receive(vote(seat, {3}))
    assert one.newest_round() == 1
    assert one.decide().absent == {3}


def test_seat_joins_later_round_that_strands_nobody() -> None:
    """Seat 1 has voted against seat 0 and then for seat 2 again: both can decide that now."""
    one = poll()
    say(one, 2)
    for theirs in (vote(1, {0}, 1), vote(1, {2}, 2), vote(1, {2})):
        one.receive(theirs)
    assert one.decision is None
    assert cast(one) == vote(0, {2}, 2)
    assert one.decide().round == 2


def test_refuted_vote_waits_for_nobody() -> None:
    one = poll(0, voters=FOUR)
    say(one, 3)
    assert one.awaited == (1, 2)
    one.receive(vote(1))
    assert one.awaited == ()


def test_newest_vote_of_each_seat_is_shown() -> None:
    one = poll(0, vote(1, {2}), vote(1, (), 1), vote(2))
    assert one.newest() == {1: PRESENT, 2: PRESENT}
