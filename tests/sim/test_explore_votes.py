"""No order of votes, losses and crashes forks a table; and each rule of a poll is needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from p2p.protocol.absence.decision import Decision
from p2p.protocol.absence.poll import Choice, Past, Poll
from p2p.protocol.absence.vote import PRESENT, Absent, Voters
from tests.shares import seldom
from tests.sim.explore_votes import LONG, QUICK
from tests.sim.vote_states import Explorer, ForkError, StuckError
from tests.sim.vote_tables import Kept, Shape

THREE, FOUR = Shape(3, 2, 1), Shape(4, 3, 1)
TWICE = Shape(3, 2, 2)
JUMPS = Shape(3, 2, 1, liar=2, jumps=True)
LAGS = Shape(4, 3, 1, liar=3, jumps=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*QUICK, *(seldom(pytest.param(name, id=name)) for name in LONG)])
def test_no_table_forks_and_all_come_to_an_end(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = Explorer((QUICK | LONG)[name]).search()
    with capsys.disabled():
        print(f"\n{name}: {found}")  # noqa: T201 - how much was looked at belongs to the result
    assert found.ends > found.states > 400


def test_stopped_search_says_how_far_it_came() -> None:
    """With room for 50 states, it looks at all states of the fewest events."""
    steps = iter(range(51))
    found = Explorer(THREE).search(lively=False, stop=lambda: next(steps) == 50)
    assert (found.states, found.left > 0) == (50, True)
    whole = Explorer(THREE).search(lively=False)
    assert (whole.left, whole.events > found.events > 1) == (0, True)


@pytest.mark.parametrize(
    "shape", [THREE, Shape(3, 2, 1, liar=2), seldom(pytest.param(TWICE, id="two rounds"))]
)
def test_single_deliveries_reach_the_same_states(shape: Shape) -> None:
    """Polls that remember, and one delivery at a time: nothing is left out by the short way."""
    assert Explorer(shape).reached_by_deliveries() == Explorer(shape).reached()


def test_a_liar_who_votes_twice_in_a_round_can_split_a_table() -> None:
    """Control: the two votes that convict it are what it takes."""
    with pytest.raises(ForkError):
        Explorer(Shape(3, 2, 1, liar=2, twice=True)).search(lively=False)


def test_liar_may_vote_late_in_an_old_round() -> None:
    explorer = Explorer(Shape(3, 2, 2, liar=2))
    ahead = [*explorer.start()[:2], Kept((None, PRESENT))]
    following = map(explorer.state_of, explorer.following(tuple(map(explorer.code, ahead))))
    assert Kept((frozenset({1}), PRESENT)) in {state[2] for state in following}


# -- planted faults ------------------------------------------------------------------------------

Patch = pytest.MonkeyPatch


def complete_beside_a_vote(patch: Patch) -> None:
    patch.setattr(Poll, "may_complete", property(lambda self: self._ended is None))


def votes_being_written_do_not_count(patch: Patch) -> None:
    real = Poll._own
    patch.setattr(Poll, "_own", lambda self: (one for one in real(self) if one != self._writing))


def refuted_from_inside(patch: Patch) -> None:
    def is_refuted(self: Poll, said: Choice) -> bool:
        votes = self._cast.get(said.number, {}).values()
        return any(vote.absent != said.absent for vote in votes)

    patch.setattr(Poll, "_is_refuted", is_refuted)


def not_a_majority(patch: Patch) -> None:
    patch.setattr(Voters, "is_majority", lambda self: True)


def all_but_one_are_enough(patch: Patch) -> None:
    def agreed(self: Poll, said: Choice) -> Decision | None:
        votes = self._cast.get(said.number, {}).values()
        agree = tuple(vote for vote in votes if vote.absent == said.absent)
        enough = len(agree) >= self.voters.least
        return Decision(said.absent, said.number, agree) if enough else None

    patch.setattr(Poll, "_agreed", agreed)


def votes_are_forgotten(patch: Patch) -> None:
    """What a disk that was put back does."""
    patch.setattr("tests.sim.vote_states.Past", lambda votes, beyond: Past((), beyond))


def older_decisions_beside_later_votes(patch: Patch) -> None:
    def decision(self: Poll) -> Decision | None:
        if self.is_over:
            return self._ended
        found = (self._agreed(said) for said in self._own())
        return next((one for one in found if one is not None), None)

    patch.setattr(Poll, "decision", property(decision))


def answer_with_the_decision(patch: Patch) -> None:
    """As the first plan said: who has decided answers later rounds with the set, not with none."""
    real = Poll._next

    def following(self: Poll) -> Choice | None:
        choice = real(self)
        if choice is None or self._ended is None:
            return choice
        return Choice(choice.number, self._ended.absent)

    patch.setattr(Poll, "_next", following)


def who_comes_back_votes_anew(patch: Patch) -> None:
    """It has signed something for a later step, and does not know any more that this one ended."""
    patch.setattr("tests.sim.vote_states.Past", lambda votes, beyond: Past(votes, False))


def later_votes_refute(patch: Patch) -> None:
    """A seat that has voted in a later round is taken to have voted present in this one.

    A liar who lags then votes otherwise.
    """
    real = Poll._is_refuted

    def is_refuted(self: Poll, said: Choice) -> bool:
        went_on = {s for n, votes in self._cast.items() if n > said.number for s in votes}
        silent = went_on - {*self._cast.get(said.number, {})} - {self.seat}
        return real(self, said) or not silent <= said.absent

    patch.setattr(Poll, "_is_refuted", is_refuted)


FORKS: dict[str, tuple[Callable[[Patch], None], Shape]] = {
    "completed beside an open vote": (complete_beside_a_vote, THREE),
    "votes being written do not count": (votes_being_written_do_not_count, THREE),
    "a vote is refuted from inside its set": (refuted_from_inside, FOUR),
    "half of the seats may decide": (not_a_majority, Shape(4, 2, 1)),
    "not all others have to agree": (all_but_one_are_enough, Shape(5, 3, 1, most=1)),
    "votes are forgotten": (votes_are_forgotten, THREE),
    "an older decision beside a later vote": (older_decisions_beside_later_votes, TWICE),
    "decided again by answers": (answer_with_the_decision, TWICE),
    "a later vote refutes an earlier one": (later_votes_refute, LAGS),
    "who comes back votes anew": (who_comes_back_votes_anew, TWICE),
}


LONGEST = "half of the seats may decide"


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.slow] * (name == LONGEST), id=name) for name in FORKS],
)
def test_a_planted_fork_is_found(name: str, monkeypatch: Patch) -> None:
    plant, shape = FORKS[name]
    plant(monkeypatch)
    with pytest.raises(ForkError):
        Explorer(shape).search(lively=False)


def only_after_a_refutation(patch: Patch) -> None:
    """As the first plan said: the next round only if the last vote is refuted, or grows."""
    real = Poll._next

    def following(self: Poll) -> Choice | None:
        choice = real(self)
        if choice is None or not choice.absent:
            return choice
        last = max((said for said in self._own()), default=None, key=lambda said: said.number)
        grows = last is None or last.absent < choice.absent or self._is_refuted(last)
        return choice if grows else None

    patch.setattr(Poll, "_next", following)


def answers_are_withheld(patch: Patch) -> None:
    """Whoever has ended the step says nothing more."""
    real = Poll._next
    patch.setattr(Poll, "_next", lambda self: None if self.is_over else real(self))


def others_are_stranded(patch: Patch) -> None:
    patch.setattr(Poll, "_would_strand", lambda self, decision: False)


def any_vote_opens_its_round(patch: Patch) -> None:
    """As it once was: whoever is behind votes in the highest round in which somebody has voted."""
    patch.setattr(Poll, "_rounds", lambda self: (max(self._cast, default=0), Counter()))


def the_first_word_stands(patch: Patch) -> None:
    """A player who has said that they will wait cannot agree later."""
    real = Poll.say

    def say(self: Poll, absent: Absent) -> None:
        if self._word != PRESENT:
            real(self, absent)

    patch.setattr(Poll, "say", say)


HALTS: dict[str, tuple[Callable[[Patch], None], Shape]] = {
    "a vote waits for a refutation of the last": (only_after_a_refutation, TWICE),
    "no answer to late votes": (answers_are_withheld, TWICE),
    "a decision leaves one behind who goes on": (others_are_stranded, TWICE),
    "a player who waits cannot agree later": (the_first_word_stands, THREE),
    "one vote in the last round uses up all": (any_vote_opens_its_round, JUMPS),
}


@pytest.mark.parametrize("name", HALTS)
def test_a_planted_standstill_is_found(name: str, monkeypatch: Patch) -> None:
    plant, shape = HALTS[name]
    plant(monkeypatch)
    with pytest.raises(StuckError):
        Explorer(shape).search()
