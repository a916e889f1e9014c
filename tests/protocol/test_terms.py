"""What is agreed to be played next, as a guest reads it (protocol section 6)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games import load
from p2p.errors import PeerError
from p2p.protocol.policy import carry_on
from p2p.protocol.proposal import ProposedSeat, propose
from p2p.protocol.terms import Terms, read_next
from tests.protocol.kit import TOKEN, identities

SNEAK = load("sneak")
FEWEST = min(SNEAK.seats)


def plan(policy: str = "wait") -> Terms:
    return Terms.of("sneak", SNEAK.defaults(), policy)


def test_a_plan_is_read_as_it_was_made() -> None:
    assert read_next(plan().data, FEWEST) == plan()


@pytest.mark.parametrize("by", [-1, 1])
def test_rules_of_another_version_are_no_fault_of_the_host_and_are_not_played(by: int) -> None:
    ours = SNEAK.rules_version
    other = replace(plan(), rules=ours + by)
    read = read_next(other.data, FEWEST)
    assert read.unknown == f"it has version {ours + by} of the rules, and this program {ours}"
    assert read_next(plan().data, FEWEST).unknown == ""


def test_a_game_that_this_program_lacks_is_no_fault_of_the_host() -> None:
    other = replace(plan(), game="whist")
    assert read_next(other.data, FEWEST).unknown == "this program does not have the game whist"


def test_what_no_number_of_those_people_could_play_is_refused() -> None:
    with pytest.raises(PeerError, match="nobody here could play that"):
        read_next(plan().data, FEWEST - 1)


def test_of_fewer_people_fewer_have_to_go_on() -> None:
    agreed = plan(policy=carry_on(3))
    assert (plan().least, agreed.least) == (0, 3)
    for people, policy in ((4, carry_on(3)), (3, carry_on(2))):
        seats = [ProposedSeat(one.public, one.name) for one in identities(people)]
        assert propose(TOKEN, agreed.narrowed(len(seats)), seats).terms.policy == policy
