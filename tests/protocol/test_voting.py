"""Votes of one seat on two histories: they do not count together, but both are signed."""

from __future__ import annotations

from itertools import permutations

import pytest

from engine.games import load
from p2p.protocol.absence.vote import Place, Vote, place_of
from p2p.protocol.effects import Fault, Forward, Outdated
from p2p.protocol.entry import decode_entry
from p2p.protocol.inline import run_inline
from p2p.protocol.machine import Machine
from tests.protocol.kit import TABLE, bare_hub
from tests.protocol.test_polls import vote

ELSEWHERE = bytes(range(32))


def waiting() -> Machine:
    """Seat 0 of three, at its first step."""
    machine = bare_hub(load("flip-over"), 3, least=2).seats[0].machine
    machine.start()
    run_inline(machine)
    return machine


def votes(machine: Machine, seat: int, ahead: int = 0) -> tuple[Vote, Vote, Vote]:
    """One on the history of this machine, and one on each of two others."""
    here = place_of(machine.chain)
    places = [here._replace(step=here.step + ahead, previous=previous)
              for previous in (here.previous, ELSEWHERE, ELSEWHERE[::-1])]  # fmt: skip
    ours, one, another = (vote(seat, {2}, place=place) for place in places)
    return ours, one, another


@pytest.mark.check("voting.once")
@pytest.mark.call(
    "p2p.protocol.absence.voting:Voting.receive -> self._require_once",
    "p2p.protocol.absence.voting:Voting.receive -> self._require_once #2",
    "p2p.protocol.absence.voting:Voting._first -> self._require_once",
)
@pytest.mark.parametrize("order", [*permutations(range(3), 2)])
@pytest.mark.parametrize("ahead", [0, 1])
def test_a_second_vote_in_a_round_is_equivocation_whatever_comes_before_it(
    order: tuple[int, int], ahead: int
) -> None:
    """Whoever ran twice from a copy voted for the same on two histories, and nobody was caught."""
    machine = waiting()
    first, second = (votes(machine, 1, ahead)[place] for place in order)
    machine.receive(first.record)
    assert machine.fault is None
    machine.receive(first.record)
    assert machine.fault is None, "the same again"
    machine.receive(second.record)
    fault = machine.fault
    assert fault is not None
    assert (fault.verdict, fault.seat, fault.step) == ("equivocation", 1, ahead)
    (shown,) = (one for one in run_inline(machine) if isinstance(one, Fault))
    assert {first.record, second.record} <= set(shown.evidence)


def test_a_vote_on_another_history_is_passed_on_once_and_does_not_count() -> None:
    machine = waiting()
    _, stray, _ = votes(machine, 1)
    machine.receive(stray.record)
    machine.receive(stray.record)
    passed = [one.entry for one in run_inline(machine) if isinstance(one, Forward)]
    assert passed == [decode_entry(stray.record)]
    assert machine.voting.all() == [stray.record]
    poll = machine.voting.current(make=True)
    assert poll is not None
    assert poll.newest() == {}


def test_votes_of_other_rounds_seats_and_steps_do_not_contradict_each_other() -> None:
    machine = waiting()
    here = place_of(machine.chain)
    other = Place(TABLE, here.step, ELSEWHERE)
    for one in (
        vote(1, {2}, place=here),
        vote(1, {2}, 1, place=other),
        vote(2, {1}, place=other),
        vote(1, {2}, place=other._replace(step=here.step + 1)),
    ):
        machine.receive(one.record)
    assert machine.fault is None


@pytest.mark.parametrize(("ahead", "known"), [(0, False), (0, True), (1, True)])
def test_a_seat_that_voted_on_another_history_goes_on_with_newer_files_only(
    ahead: int, known: bool
) -> None:
    """Older files were restored while a liar told another history: the seat voted a second time in
    that round, and was caught for it."""
    machine = waiting()
    ours, one, another = votes(machine, 0, ahead)
    if known:
        machine.receive((one if ahead else ours).record)
    run_inline(machine)
    machine.receive((another if ahead else one).record)
    assert machine.ended
    assert machine.fault is None
    (told,) = run_inline(machine)
    assert isinstance(told, Outdated)
    assert str(told.error).endswith("Restore newer files of this table to go on")
