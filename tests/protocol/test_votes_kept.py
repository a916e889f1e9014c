"""The votes that a seat keeps: of steps to come, of steps that are over, and on its disk."""

from __future__ import annotations

from p2p.protocol.absence.poll import Choice
from p2p.protocol.absence.vote import PRESENT, Place, Vote, decode_vote, place_of
from p2p.protocol.absence.voting import POLLS_MAX, Voting
from p2p.protocol.effects import Agenda, Write
from p2p.protocol.entry import Chain, sign_entry
from p2p.protocol.own_seat import OwnPast, OwnSeat
from tests.protocol.kit import TABLE, table_secrets
from tests.protocol.test_polls import KEYS, PEOPLE, THREE, vote


class Steps:
    """The votes of seat 0 of three, and a chain whose steps end by an entry of seat 1."""

    def __init__(self, *written: Vote) -> None:
        past = OwnPast(votes=tuple([one.record for one in written]))
        own = OwnSeat(0, PEOPLE[0], table_secrets(1, 1)[0], past)
        self.chain = Chain(TABLE)
        self.records: list[list[bytes]] = []
        self.agenda = Agenda()
        self.voting = Voting(self.chain, self.records, KEYS, own, lambda: THREE, self.agenda)
        self.early = self.voting.begin()

    @property
    def here(self) -> Place:
        return place_of(self.chain)

    def end_step(self) -> None:
        """End the step by its entry, and begin the next one."""
        entry = sign_entry(PEOPLE[1], self.chain, 1, "choose", 0, bytes(16))
        self.records.append([entry.record])
        self.chain.advance([entry.body])
        self.early = self.voting.begin()

    def written(self) -> list[Vote]:
        """The votes that are due to be written."""
        found = []
        while (effect := self.agenda.take(only_at_once=False)) is not None:
            assert isinstance(effect, Write)
            found.append(decode_vote(effect.record, KEYS))
        return found


def test_early_vote_counts_when_its_step_begins() -> None:
    ahead = Steps()
    ahead.end_step()
    early = vote(1, {2}, place=ahead.here)
    steps = Steps()
    assert steps.voting.receive(early)
    assert steps.early == []
    steps.end_step()
    assert steps.early == [early.record]


def test_seat_that_comes_back_knows_all_written_votes() -> None:
    """Its own vote is open, and the votes of others tell who opened the round."""
    here = Steps().here
    both = vote(1, {2}, place=here), vote(0, {2}, place=here)
    poll = Steps(*both).voting.current()
    assert poll is not None
    assert poll.votes() == [both[1], both[0]]
    assert not Steps(both[1]).voting.current().may_complete  # type: ignore[union-attr]


def test_seat_that_comes_back_may_vote_again_at_that_step() -> None:
    poll = Steps(vote(0, {2}, place=Steps().here)).voting.current()
    assert poll is not None
    poll.say(frozenset({1}))
    assert poll.next_vote() == Choice(1, frozenset({1}))


def test_seat_answers_late_votes_about_steps_in_its_log() -> None:
    steps = Steps()
    late = vote(1, {2}, place=steps.here)
    steps.end_step()
    assert steps.voting.receive(late)
    steps.voting.speak(lambda: None)
    assert [(one.seat, one.absent) for one in steps.written()] == [(1, {2}), (0, PRESENT)]


def test_votes_about_newest_steps_are_kept() -> None:
    steps, places = Steps(), []
    for _ in range(POLLS_MAX + 2):
        places.append(steps.here)
        steps.end_step()
    for place in places:
        assert steps.voting.receive(vote(1, {2}, place=place))
    kept = [decode_vote(record, KEYS).place for record in steps.voting.all()]
    assert kept == places[2:]


def test_step_that_is_over_has_no_standing() -> None:
    steps = Steps()
    steps.voting.receive(vote(1, place=steps.here))
    assert steps.voting.standing.votes == {1: PRESENT}
    poll = steps.voting.current()
    assert poll is not None
    poll.complete()
    assert steps.voting.standing.votes == {}
