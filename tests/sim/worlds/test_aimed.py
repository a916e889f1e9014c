"""Faults at every moment of the genesis, and while a lost key is taken out: all come to an end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from random import Random
from unittest.mock import patch

import pytest

from p2p.files.ledger import Note
from p2p.player.events import Missed
from tests.sim.worlds import aimed
from tests.sim.worlds.aimed import BEGINNING, LATER, LOST, SOON, with_faults, without_one
from tests.sim.worlds.missed import Word
from tests.sim.worlds.plan import Plan
from tests.sim.worlds.world import run

Plans = Callable[[], Iterator[Plan]]


def _beginning(faults: Callable[..., Iterator[aimed.Fault]], seat: int) -> Iterator[Plan]:
    return (with_faults(BEGINNING, fault) for fault in faults(BEGINNING, seat))


def _of_loss(plans: Callable[..., Iterator[Plan]], *given: float | None) -> Iterator[Plan]:
    return plans(without_one(), *given)


GENESIS: dict[str, Plans] = {
    f"{name} of seat {seat}": partial(_beginning, faults, seat)
    for name, faults in (
        ("effects", aimed.at_every_effect_of_the_genesis),
        ("older files", aimed.older_files_in_the_genesis),
    )
    for seat in (0, 2)
}
LOSSES: dict[str, Plans] = {
    "a second one for good": partial(_of_loss, aimed.another_in_the_middle, None),
    "a second one, soon back": partial(_of_loss, aimed.another_in_the_middle, SOON),
    "a second one, back later": partial(_of_loss, aimed.another_in_the_middle, LATER),
    "a crash, for good": partial(_of_loss, aimed.at_every_effect_of_a_loss, None),
    "a crash, soon back": partial(_of_loss, aimed.at_every_effect_of_a_loss, SOON),
    "a crash, back later": partial(_of_loss, aimed.at_every_effect_of_a_loss, LATER),
    "the lost one is back": partial(_of_loss, aimed.the_lost_one_is_back),
    "who was asked, for good": partial(_of_loss, aimed.whoever_was_just_asked, None),
    "who was asked, back later": partial(_of_loss, aimed.whoever_was_just_asked, LATER),
    "votes that cross an entry": aimed.votes_that_cross_an_entry,
}
"""Whoever is there comes to the end of each."""
FEW = {**dict.fromkeys(GENESIS, 8), **dict.fromkeys(LOSSES, 2)}


def hold(plans: list[Plan]) -> None:
    """Whoever is there at the end has closed the game, but for whom the others voted out."""
    for plan in plans:
        result = run(plan)
        assert not result.failed, f"{result.failed}: {result.why}: {plan}"
        assert "waits" not in result.endings, plan
        closed = [seat for seat, ending in enumerate(result.endings) if ending == "closed"]
        assert len(closed) >= max(plan.least, 3), (result.endings, plan)


@pytest.mark.parametrize("name", [*GENESIS, *LOSSES])
def test_faults_at_some_moments(name: str) -> None:
    hold(Random(name).sample([*{**GENESIS, **LOSSES}[name]()], FEW[name]))


@pytest.mark.full
@pytest.mark.parametrize("name", [*GENESIS, *LOSSES])
def test_faults_at_every_moment(name: str) -> None:
    hold([*{**GENESIS, **LOSSES}[name]()])


def complaints() -> list[Plan]:
    """A seat gets a false share; it or the third one crashes until the complaint has left."""
    plan = replace(BEGINNING, modified=(1, "seals falsely"))
    faults = [fault for seat in (0, 2) for fault in aimed.until_the_complaint(plan, seat)]
    return [plan, *[with_faults(plan, fault) for fault in faults]]


@pytest.mark.parametrize(
    "share", [pytest.param(1, marks=pytest.mark.full), 20], ids=["all", "some"]
)
def test_whoever_sealed_a_false_share_is_named_after_any_crash(share: int) -> None:
    """The complaint is signed again to the byte; the others and who crashed name the liar."""
    for plan in complaints()[::share]:
        result = run(plan)
        assert not result.failed, f"{result.failed}: {result.why}: {plan}"
        honest = [ending for seat, ending in enumerate(result.endings) if seat != 1]
        assert honest == ["PeerError"] * 2, (result.endings, plan)


def test_whoever_votes_with_older_files_says_nothing_else() -> None:
    """The ledger says that more was signed than these files have: it asks all before it signs.

    The one who is gone cannot answer.  So all wait, until that seat is closed too.
    """
    for plan in Random(1).sample([*aimed.older_files_of_a_voter(without_one())], 2):
        result = run(plan)
        assert not result.failed, f"{result.failed}: {result.why}: {plan}"
        assert result.endings[LOST] == "gone"


def test_a_vote_that_only_one_seat_has_is_not_contradicted_with_older_files() -> None:
    """The person has said "go on", and says "wait" after that, with nobody who knows of the vote.

    Only the note in the ledger protects the seat: without it, it signs a second vote.
    """

    def say(word: Word, event: Missed) -> None:
        process = word._process
        if process.runs and word._event is event and event.say is not None:
            process.enter(partial(event.say, process.number == 0))
            word._later(event)

    with patch.object(aimed, "PLAYED", replace(aimed.PLAYED, seed=3)):
        plan = aimed.a_vote_that_only_one_has(without_one())
    with patch.object(Word, "_say", say):
        result = run(plan)
        assert (result.failed, result.counts["Restore"]) == ("", 1)
        with patch.object(Note, "fits", lambda note, data: True):
            assert run(plan).failed == "one body"
