"""The genesis of a table, with and without shares of its keys; and going on without a lost seat."""

from __future__ import annotations

import os
import statistics
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple, cast

from cli.bench.apart import Apart
from cli.bench.library import CallTimes, call_times, call_works
from cli.bench.losses import WHOLE_MS, floor_times
from cli.bench.row import Row, Target, ratio_at_most
from cli.bench.timing import medians
from engine.game import Value
from engine.table_state import JOINT
from p2p.crypto.keys import OPENING_BYTES
from p2p.identity.keys import Identity
from p2p.protocol.entry import Chain
from p2p.protocol.genesis import Signed, begin_table
from p2p.protocol.machine import Machine
from p2p.protocol.own_seat import OwnSeat, fresh_seat
from p2p.protocol.policy import WAIT, carry_on
from p2p.protocol.proposal import Proposal, ProposedSeat, propose
from p2p.protocol.table import GameTable, open_table
from p2p.protocol.terms import Terms

SEATS: Final = 5
LEAST: Final = 4
REPEATS: Final = 9
TIMES: Final = 1.3
"""How much longer than without shares a genesis with them may take."""
LOSSES: Final = 3
GAME: Final = "flaps"
OPTIONS: Final[dict[str, Value]] = {"level": 7}
_ROUND_TRIP_US: Final = 20_000


class Begun(NamedTuple):
    """A table after its genesis, by seat."""

    own: list[OwnSeat]
    signed: list[Signed]
    computed: float
    """Processor time of a seat, in ms, drawing its keys included."""


def rows(repeats: int = REPEATS, losses: int = LOSSES) -> list[Row]:
    """The genesis in both ways, in turn; then the way from the last vote to the next question."""
    people = [Identity.generate(os.urandom, f"seat {seat}") for seat in range(SEATS)]
    taken: dict[str, list[float]] = {WAIT: [], carry_on(LEAST): []}
    for _ in range(repeats):
        for policy, times in taken.items():
            times.append(begin(_proposal(policy, people), people).computed)
    plain, shared = map(statistics.median, taken.values())
    name = f"a genesis of {SEATS} seats, one seat's work"
    return [
        Row(f"{name}: all wait for who is lost", plain, "ms"),
        Row(f"{name}: carry-on {LEAST}", shared, "ms", plain, (ratio_at_most(TIMES),)),
        _loss_row(people, losses),
    ]


def _proposal(policy: str, people: Sequence[Identity]) -> Proposal:
    seats = [ProposedSeat(one.public, one.name, bot=False) for one in people]
    return propose(os.urandom(16), Terms.of(GAME, OPTIONS, policy), seats)


def begin(proposal: Proposal, people: Sequence[Identity]) -> Begun:
    """A whole genesis in memory."""
    own: list[OwnSeat] = []
    seats = range(len(people))

    def draw() -> None:
        seat = len(own)
        own.append(fresh_seat(seat, people[seat], proposal.terms.least, len(people), os.urandom))

    drawn = medians({"keys": draw}, len(people))["keys"]
    table = Apart([_beginner(proposal, own[seat]) for seat in seats])
    table.run(Machine.start)
    signed = [cast(Signed, table.results[seat]) for seat in seats]
    return Begun(own, signed, drawn + sum(table.computed) / len(people))


def _beginner(proposal: Proposal, own: OwnSeat) -> Machine:
    count, opening = len(proposal.seats), os.urandom(OPENING_BYTES)
    pings = [None if seat == own.seat else _ROUND_TRIP_US for seat in range(count)]
    program = begin_table(proposal, os.urandom, own, opening, lambda: pings)
    return Machine(Chain(proposal.id), program, proposal.identities, own)


class Lost(NamedTuple):
    """Going on without a seat: from the last vote to the next question, and its floor, in ms."""

    took: float
    floor: float


def lose_one(people: Sequence[Identity]) -> Lost:
    """Play to the first decision, and lose whoever is to make it."""
    begun = begin(_proposal(carry_on(LEAST), people), people)
    calls = call_times(medians(call_works(), REPEATS))
    tables = [
        open_table(signed.header, os.urandom, replace(own, shares=signed.shares))
        for own, signed in zip(begun.own, begun.signed, strict=True)
    ]
    table = Apart([one.machine for one in tables])
    table.run(Machine.start)
    lost = min(table.asked)
    floor = _floor(tables[(lost + 1) % len(tables)], lost, calls)
    table.gone.add(lost)
    table.asked.clear()
    table.run(lambda machine: machine.go_on_without(frozenset({lost})))
    return Lost(max(table.asked.values()) - max(table.cast), floor)


def _floor(table: GameTable, lost: int, calls: CallTimes) -> float:
    """The calls for the cards as they lie: the lost hand relocked in turn, then all stripped."""
    locks, left = table.session.table.locks, SEATS - 1
    hand, hidden = locks.count(lost), locks.count(lost) + locks.count(JOINT)
    relock, strip = floor_times(hand, calls, LEAST), floor_times(hidden, calls, LEAST)
    in_turn = left * (relock["relock"] + relock["verify relock"])
    verified = (left - 1) * strip["verify partial"]
    return in_turn + strip["partial"] + verified + strip["combine"]


def _loss_row(people: Sequence[Identity], losses: int) -> Row:
    measured = [lose_one(people) for _ in range(losses)]
    took = statistics.median([one.took for one in measured])
    floor = statistics.median([one.floor for one in measured])
    name = f"lost seat, Flaps with 148 cards, {SEATS} seats: last vote to next question"
    return Row(name, took, "ms", floor, (Target(WHOLE_MS),))
