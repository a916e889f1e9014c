"""What the races of a table are decided with: terms, stated pings, delays, the cap."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import UsageError
from engine.games import load
from p2p.errors import PeerError
from p2p.protocol import wire
from p2p.protocol.genesis import Header, decode_header
from p2p.protocol.proposal import decode_proposal, propose
from p2p.protocol.races.terms import (
    PING_MAX_US,
    Ping,
    RaceTerms,
    decode_pings,
    exposure,
    one_way,
    passed_on,
    race_cap,
    stated,
)
from p2p.protocol.terms import Terms
from tests.protocol.cheats import CHEAT, bend_fields
from tests.protocol.kit import TOKEN, genesis_hub, identities, pings_of

GAME = load("flip-over")
APART: list[list[Ping]] = [[None, 30_000, None], [20_000, None, 50_000], [None, 70_000, None]]
"""Seats 0 and 2 have no link; the way through seat 1 takes 10 ms and 25 ms."""


def proposal_with(race: object) -> bytes:
    seats = [(one.public, one.name, False) for one in identities(3)]
    sound = propose(TOKEN, Terms.of(GAME.name, race=RaceTerms(250_000, 0)), seats)
    return wire.pack({**wire.unpack(sound.data), "race": race})


def refused(race: object) -> str:
    with pytest.raises(PeerError) as refusal:
        decode_proposal(proposal_with(race))
    assert refusal.value.verdict == "malformed"
    return refusal.value.reason


def test_the_terms_are_part_of_what_is_proposed() -> None:
    race = decode_proposal(proposal_with({"cap": 1_000, "hold": 5_000_000})).terms.race
    assert race == RaceTerms(1_000, 5_000_000)
    assert RaceTerms() == RaceTerms(cap_us=80_000, hold_us=600_000)
    apart = [proposal_with({"cap": cap, "hold": 0}) for cap in (80_000, 80_001)]
    assert len({decode_proposal(data).id for data in apart}) == 2


@pytest.mark.check("genesis.race-cap")
@pytest.mark.parametrize("cap", [0, 999, 250_001, -80_000])
def test_a_cap_out_of_range_is_refused(cap: int) -> None:
    assert "race cap" in refused({"cap": cap, "hold": 0})


@pytest.mark.check("genesis.race-hold")
@pytest.mark.parametrize("hold", [-1, 5_000_001])
def test_a_hold_out_of_range_is_refused(hold: int) -> None:
    assert "hold" in refused({"cap": 80_000, "hold": hold})


@pytest.mark.parametrize(
    "race", [{}, {"cap": 80_000}, {"cap": True, "hold": 0}, {"cap": 80_000, "hold": None}, []]
)
def test_terms_are_two_numbers(race: object) -> None:
    refused(race)


@pytest.mark.parametrize("terms", [(999, 0), (250_001, 0), (80_000, -1), (80_000, 5_000_001)])
def test_nobody_proposes_terms_out_of_range(terms: tuple[int, int]) -> None:
    with pytest.raises(UsageError, match="ms"):
        RaceTerms(*terms)


@pytest.mark.check("genesis.pings")
@pytest.mark.parametrize("row", [[None], [None, 1, 1, 1]])
def test_one_ping_a_seat(row: list[Any]) -> None:
    with pytest.raises(PeerError, match="one ping"):
        decode_pings(0, 3, row)


@pytest.mark.check("genesis.ping-own")
def test_no_seat_states_a_ping_to_itself() -> None:
    with pytest.raises(PeerError, match="itself"):
        decode_pings(1, 3, [None, 1, 1])


@pytest.mark.check("genesis.ping")
@pytest.mark.parametrize("ping", [0, -5, PING_MAX_US + 1])
def test_a_ping_out_of_range_is_refused(ping: int) -> None:
    assert decode_pings(0, 3, [None, 1, PING_MAX_US]) == (None, 1, PING_MAX_US)
    with pytest.raises(PeerError, match="out of range"):
        decode_pings(0, 3, [None, ping, 1])


@pytest.mark.parametrize("ping", [True, "1", b"", [1]])
def test_a_ping_is_a_number(ping: object) -> None:
    with pytest.raises(PeerError, match="wrong type"):
        decode_pings(0, 3, [None, ping, 1])


def header_of() -> Header:
    hub = genesis_hub(GAME, 3)
    hub.run()
    assert not hub.faults
    header: Header = hub.seats[0].result
    return header


def test_the_header_holds_what_every_seat_stated() -> None:
    header = header_of()
    assert [list(row) for row in header.pings] == [pings_of(seat, 3) for seat in range(3)]
    assert decode_header(header.encode()).pings == header.pings
    assert header.race_cap_us == 15_000


@pytest.mark.parametrize(
    "pings", [[10, None, 0], [10, 5, 10], [10, None], [10, None, "far"], {"to": 1}]
)
def test_a_seat_that_states_nonsense_is_named(pings: object) -> None:
    hub = genesis_hub(GAME, 3)
    bend_fields(hub, "reveal", pings=pings)
    hub.run()
    for honest in (0, 2):
        error = hub.faults[honest].error
        assert (error.verdict, error.seat, error.step) == ("malformed", CHEAT, 1)


def test_we_state_nothing_that_others_would_refuse() -> None:
    ours = stated([7, 7, 0, PING_MAX_US, PING_MAX_US + 1, None], me=0)
    assert ours == [None, 7, None, PING_MAX_US, None, None]
    assert decode_pings(0, 6, ours) == tuple(ours)


def test_the_smaller_statement_of_a_pair_is_halved() -> None:
    assert one_way([[None, 30_000], [20_000, None]]) == ((0, 10_000), (10_000, 0))
    assert one_way([[None, 30_000], [None, None]]) == ((0, 15_000), (15_000, 0))
    assert one_way([[None, None], [None, None]]) == ((0, None), (None, 0))


def test_without_a_link_the_way_by_the_others_counts() -> None:
    assert one_way(APART) == ((0, 10_000, 43_000), (10_000, 0, 25_000), (43_000, 25_000, 0))
    chain: list[list[Ping]] = [[None] * 5 for _ in range(5)]
    for seat in range(4):
        chain[seat][seat + 1] = 2_000 * (seat + 1)
    assert one_way(chain)[4] == (34_000, 25_000, 15_000, 4_000, 0)


def test_a_measured_link_counts_even_where_a_detour_is_shorter() -> None:
    pings: list[list[Ping]] = [[None, 2_000, 90_000], [None, None, 2_000], [None, None, None]]
    assert one_way(pings)[0] == (0, 1_000, 45_000)


def test_what_all_pass_on_comes_by_the_shorter_way() -> None:
    """From seat 0 to seat 2 it is 35 ms directly, and 30 and a hop through seat 1."""
    nearer = [[None, 20_000, 70_000], [20_000, None, 40_000], [70_000, 40_000, None]]
    assert passed_on(nearer) == ((0, 10_000, 33_000), (10_000, 0, 20_000), (33_000, 20_000, 0))
    assert passed_on([[None, 30_000], [20_000, None]]) == ((0, 10_000), (10_000, 0))
    assert passed_on([[None, None], [None, None]]) == ((0, None), (None, 0))


def test_a_relay_makes_nobody_near_by_its_own_word() -> None:
    """Nor do its lies about both others: each leg counts by the word of its end."""
    lies = [[None, 40_000, 70_000], [1, None, 1], [70_000, 40_000, None]]
    assert passed_on(lies)[0][2] == 35_000


def test_the_cap_is_the_largest_delay_of_the_table() -> None:
    assert race_cap(RaceTerms(80_000), APART) == 43_000
    assert race_cap(RaceTerms(20_000), APART) == 20_000
    assert race_cap(RaceTerms(80_000), [[None, 300], [300, None]]) == 1_000
    assert race_cap(RaceTerms(80_000), [[None]]) == 1_000


def test_a_pair_that_nobody_measured_counts_as_far_apart() -> None:
    pings: list[list[Ping]] = [[None, 4_000, None], [None, None, None], [None, None, None]]
    assert race_cap(RaceTerms(60_000), pings) == 60_000


def test_faking_distance_gains_twice_what_the_cap_leaves_open() -> None:
    assert exposure(80_000, 40_000) == 80_000
    assert exposure(5_000, 0) == 10_000
    assert exposure(5_000, 9_000) == 0
