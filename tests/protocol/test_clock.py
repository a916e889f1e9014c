"""The clock of a table stands in all that people agree to, and nobody can bend it there."""

from __future__ import annotations

from typing import Any

import pytest

from cli.options import terms as options
from engine.errors import UsageError
from engine.games import load
from p2p.errors import PeerError
from p2p.lobby.plan import TablePlan, encode_plan, receive_plan
from p2p.protocol import clock, wire
from p2p.protocol.frame_kinds import payload_of
from p2p.protocol.proposal import Proposal, ProposedSeat, decode_proposal, propose
from p2p.protocol.terms import Terms, read_next
from tests.protocol.kit import TOKEN, identities

GAME = load("flip-over")
SOUND = [0, 5, 30, 3600]
BENT: list[object] = [1, 4, 3601, -1, -30, 2**40, True, "30", None, b"", [30]]


def proposal(seconds: int) -> Proposal:
    seats = [ProposedSeat(one.public, one.name) for one in identities(3)]
    return propose(TOKEN, Terms.of(GAME.name, clock=seconds), seats)


def bent(data: bytes, value: object) -> bytes:
    """The same map with another clock."""
    fields: dict[str, Any] = wire.unpack(data)
    return wire.pack({**fields, "clock": value})


def refused(read: Any, data: bytes) -> str:
    with pytest.raises(PeerError) as refusal:
        read(data)
    assert refusal.value.verdict == "malformed"
    return refusal.value.reason


@pytest.mark.parametrize("seconds", SOUND)
def test_the_clock_is_part_of_what_everybody_signs(seconds: int) -> None:
    assert decode_proposal(proposal(seconds).data).terms.clock == seconds
    others = [proposal(one).id for one in SOUND if one != seconds]
    assert proposal(seconds).id not in others


@pytest.mark.check("genesis.clock")
@pytest.mark.parametrize("value", BENT)
def test_a_clock_that_no_table_has_is_refused_in_a_proposal(value: object) -> None:
    said = refused(decode_proposal, bent(proposal(30).data, value))
    assert "clock" in said


@pytest.mark.parametrize("value", BENT)
def test_and_in_the_plan_of_a_lobby(value: object) -> None:
    frame = encode_plan(TablePlan(Terms.of("flip-over", clock=30), 3))
    assert receive_plan(payload_of(frame)).terms.clock == 30
    assert "clock" in refused(receive_plan, bent(payload_of(frame), value))


@pytest.mark.parametrize("value", BENT)
def test_and_in_the_plan_of_the_next_game(value: object) -> None:
    plan = Terms.of(GAME.name, clock=30)
    assert read_next(plan.data, 3).clock == 30
    assert "clock" in refused(lambda data: read_next(data, 3), bent(plan.data, value))


def test_a_proposal_without_the_field_is_refused() -> None:
    """An older program would not know that there is a limit."""
    fields = wire.unpack(proposal(0).data)
    del fields["clock"]
    assert "fields" in refused(decode_proposal, wire.pack(fields))


@pytest.mark.parametrize("seconds", [1, 4, 3601, -5])
def test_nobody_proposes_a_clock_out_of_range(seconds: int) -> None:
    sentence = f"the clock is 5 to 3600 seconds, or 0 for none (not {seconds})"
    with pytest.raises(UsageError) as refusal:
        proposal(seconds)
    assert str(refusal.value) == sentence
    with pytest.raises(UsageError, match="5 to 3600"):
        Terms.of(GAME.name, clock=seconds)


def test_the_next_game_keeps_the_clock() -> None:
    old = proposal(45)
    again = old.terms
    assert again.clock == 45
    new = propose(
        TOKEN[::-1],
        again.narrowed(len([ProposedSeat(one.public, one.name) for one in identities(3)])),
        [ProposedSeat(one.public, one.name) for one in identities(3)],
    )
    assert new.terms.clock == 45


def test_the_option_says_the_same_numbers() -> None:
    """They are there twice, so that the first picture need not import the protocol."""
    assert (clock.CLOCKS[0], clock.CLOCKS[-1]) == options.CLOCKS
    assert str(clock.NO_CLOCK) == options.NO_CLOCK
