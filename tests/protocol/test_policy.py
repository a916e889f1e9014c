"""What a table does when a seat is lost: which policies there are, and for which tables."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import UsageError
from engine.games import load
from p2p.errors import PeerError
from p2p.protocol import wire
from p2p.protocol.policy import WAIT, allowed, carry_on, check_policy, least_of, narrowed
from p2p.protocol.proposal import Proposal, ProposedSeat, decode_proposal, propose
from p2p.protocol.terms import Terms
from tests.protocol.kit import TOKEN, identities

GAME = load("flip-over")
STAYS = replace(load("flaps"), lose=None)
"""A game that cannot lose a player."""


def proposed(count: int, policy: str, game: str = "flip-over") -> Proposal:
    seats = [ProposedSeat(one.public, one.name) for one in identities(count)]
    return propose(TOKEN, Terms.of(game, policy=policy), seats)


@pytest.mark.parametrize(
    ("policy", "least"),
    [
        *((carry_on(least), least) for least in (1, 2, 15, 99)),
        (WAIT, 0),
        ("carry-on", None),
        ("carry-on 0", None),
        ("carry-on 03", None),
        ("carry-on  3", None),
        ("carry-on 3 ", None),
        ("carry-on 3\n", None),
        ("carry-on 100", None),
        ("carry-on \u0663", None),
        ("Wait", None),
        ("", None),
    ],
)
def test_a_policy_is_written_in_one_way(policy: str, least: int | None) -> None:
    assert least_of(policy) == least


@pytest.mark.parametrize(
    ("seats", "least"), [(3, {2}), (4, {3}), (5, {3, 4}), (6, {4, 5}), (16, set(range(9, 16)))]
)
def test_a_majority_and_not_all_go_on_together(seats: int, least: set[int]) -> None:
    game = replace(GAME, seats=range(3, 17))
    assert set(allowed(seats)) == least
    for number in range(1, 20):
        if number in least:
            check_policy(game, seats, carry_on(number))
            continue
        with pytest.raises(UsageError, match=rf"of {seats} players {min(least)}.*\(not {number}\)"):
            check_policy(game, seats, carry_on(number))


@pytest.mark.parametrize(
    ("game", "seats", "policy", "says"),
    [
        (load("flaps"), 2, "carry-on 1", "three or more"),
        (STAYS, 4, "carry-on 3", "cannot go on without a player"),
        (GAME, 4, "shrug", "wait, or carry-on"),
        (GAME, 4, "carry-on 2", r"of 4 players 3 have to carry on together \(not 2\)"),
        (GAME, 5, "carry-on 5", r"of 5 players 3 to 4 have to carry on together \(not 5\)"),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(game, seats, policy, says) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UsageError, match=says):
        check_policy(game, seats, policy)


def test_the_proposal_says_how_many_go_on_together() -> None:
    assert proposed(3, WAIT).terms.least == 0
    made = proposed(5, carry_on(3))
    assert made.terms.least == 3
    again = decode_proposal(made.data)
    assert (again.terms.policy, again.terms.least) == ("carry-on 3", 3)


def test_nobody_proposes_what_cannot_be() -> None:
    with pytest.raises(UsageError, match="not 2"):
        proposed(4, carry_on(2))


def test_a_proposal_of_others_is_checked_too() -> None:
    fields = wire.unpack(proposed(4, carry_on(3)).data)
    for policy in ("carry-on 2", "carry-on 4", "carry-on 15"):
        with pytest.raises(PeerError, match="have to carry on together") as refusal:
            decode_proposal(wire.pack({**fields, "policy": policy}))
        assert refusal.value.verdict == "malformed"
    with pytest.raises(PeerError, match="wait, or carry-on"):
        decode_proposal(wire.pack({**fields, "policy": "carry-on 03"}))


def test_the_next_table_goes_on_with_those_who_are_there() -> None:
    assert narrowed(carry_on(4), GAME, 5) == carry_on(4)
    assert narrowed(carry_on(4), GAME, 4) == carry_on(3)
    assert narrowed(carry_on(3), GAME, 5) == carry_on(3)
    assert narrowed(carry_on(3), GAME, 2) == WAIT
    assert narrowed(carry_on(2), STAYS, 3) == WAIT
    assert narrowed(WAIT, GAME, 5) == WAIT


def test_a_plan_for_fewer_needs_fewer() -> None:
    plan = Terms.of(GAME.name, policy=carry_on(4))
    seats = [ProposedSeat(one.public, one.name) for one in identities(5)]
    assert propose(TOKEN, plan.narrowed(len(seats)), seats).terms.least == 4
    assert propose(TOKEN, plan.narrowed(len(seats[:4])), seats[:4]).terms.least == 3
