"""Worlds with faults at every moment of something: a world is run once, which tells its moments.

Until a fault befalls it another run of the same plan is the same, so that the number of an entry,
an order or a write, and the time at which it happened, are where the next fault is aimed at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Final

from p2p.protocol import step_kinds
from tests.sim.worlds.plan import (
    Crash,
    CrashAtEntry,
    Cut,
    Fault,
    Leave,
    Plan,
    Restore,
    Split,
    TornWrite,
)
from tests.sim.worlds.watch import ASKED, Moment
from tests.sim.worlds.world import Result, run

TAKING_OUT: Final = (
    step_kinds.VOTE,
    step_kinds.MEND,
    step_kinds.CONFIRM,
    step_kinds.RELOCK,
    step_kinds.STRIP,
)
"""What the others sign from the moment at which somebody is lost until they play on."""
SOON: Final = 0.3
LATER: Final = 9.0
"""After so many seconds somebody is back: before anybody is asked about him, or after that."""
FOR_A_WHILE: Final = 30.0
INSTANT: Final = 1e-5
BEGINNING: Final = Plan(1, "chosen-on", 3, (), latency=0.01, jitter=0.0, patience=0.05, least=2)
"""A table that can go on without a seat, and ends soon after it has begun."""
PLAYED: Final = Plan(
    1,
    "flop-a",
    5,
    (("bet", 2), ("hands", 1), ("raises", 1)),
    *((), 0.01, 0.0),
    patience=0.05,
    sensible=True,
    least=3,
)
"""A hand, of which two seats may be lost."""
LOST: Final = 1
"""The seat that is lost there, when it would open the first common card."""


@cache
def _told(plan: Plan) -> Result:
    """A world that was run once: several tests take their aim at it."""
    return run(plan)


def with_faults(plan: Plan, *faults: Fault) -> Plan:
    """The same plan with these faults too."""
    return replace(plan, faults=(*plan.faults, *faults))


def without_one(after: bool = False) -> Plan:
    """A hand of which one seat is lost; `after` its entry has reached one of the others."""
    found = first_of(_told(PLAYED).moments, step_kinds.OPEN, LOST)
    return with_faults(PLAYED, CrashAtEntry(LOST, found.number, after, True, None))


def first_of(moments: Sequence[Moment], kind: str, seat: int) -> Moment:
    """When a seat first signed an entry of this kind."""
    return next(one for one in moments if (one.kind, one.seat) == (kind, seat))


# -- the genesis ---------------------------------------------------------------------------------


def _until_it_plays(plan: Plan, seat: int) -> list[Moment]:
    """Its entries of the genesis, and the first one of the game."""
    mine = [one for one in _told(plan).moments if one.seat == seat]
    signed = next(number for number, one in enumerate(mine) if one.kind == step_kinds.SIGN)
    return mine[: signed + 2]


def at_every_effect_of_the_genesis(plan: Plan, seat: int) -> Iterator[Fault]:
    """A crash at each order of a seat, and in each write, until it begins to play."""
    return _at_every_effect(seat, _until_it_plays(plan, seat)[-1], SOON)


def until_the_complaint(plan: Plan, seat: int) -> Iterator[Fault]:
    """The same, where a seat complains in place of signing: nothing follows that."""
    mine = [one for one in _told(plan).moments if one.seat == seat]
    return _at_every_effect(seat, mine[-1], SOON)


def _at_every_effect(
    seat: int, last: Moment, back: float | None, orders: int = 0, writes: int = 0
) -> Iterator[Fault]:
    """A crash before and after each order until `last`, and within and around each write.

    `orders` and `writes` are the first of them.
    """
    for order in range(orders, last.orders):
        for after in (False, True):
            yield Crash(seat, order, after, order % 2 == 0, back)
    for write in range(writes, last.writes):
        for part in (0.0, 0.5, 1.0):
            yield TornWrite(seat, write, part, write % 2 == 0, back)


def older_files_in_the_genesis(plan: Plan, seat: int) -> Iterator[Fault]:
    """Files that were copied after one entry of a seat come back after a later one."""
    mine = _until_it_plays(plan, seat)
    for early, late in combinations(mine, 2):
        for instant in (-INSTANT, INSTANT):
            yield Restore(seat, early.at + instant, late.at + INSTANT, SOON)


# -- a lost seat ---------------------------------------------------------------------------------


def _taken_out(result: Result) -> list[Moment]:
    """The entries by which a lost key is taken out, from the first vote on."""
    asked = min(one.at for one in result.moments if one.kind == ASKED)
    return [one for one in result.moments if one.kind in TAKING_OUT and one.at > asked]


def _aims(result: Result) -> list[Moment]:
    """The first entry of each kind of each seat that takes a lost key out."""
    found: dict[tuple[int, str], Moment] = {}
    for one in _taken_out(result):
        found.setdefault((one.seat, one.kind), one)
    return list(found.values())


def at_every_effect_of_a_loss(plan: Plan, back: float | None) -> Iterator[Plan]:
    """Each other seat crashes at each order and in each write, from its vote until it plays on."""
    result = _told(plan)
    for seat in sorted({one.seat for one in _taken_out(result)}):
        mine = [one for one in _taken_out(result) if one.seat == seat]
        later = [one for one in result.moments if one.seat == seat and one.at > mine[-1].at]
        first, last = mine[0], (later or mine)[0]
        for fault in _at_every_effect(seat, last, back, first.orders - 1, first.writes - 1):
            yield with_faults(plan, fault)


def another_in_the_middle(plan: Plan, back: float | None) -> Iterator[Plan]:
    """A second seat is gone at each of these entries: before it leaves, or when one has it."""
    for one in _aims(_told(plan)):
        for after in (False, True):
            yield with_faults(plan, CrashAtEntry(one.seat, one.number, after, True, back))


def the_lost_one_is_back(plan: Plan) -> Iterator[Plan]:
    """Whoever is lost is started again at about the time of each of these entries."""
    (lost,) = plan.faults
    assert isinstance(lost, CrashAtEntry)
    result = _told(plan)
    gone = first_of(_told(PLAYED).moments, step_kinds.OPEN, lost.seat).at
    for one in _aims(result):
        for early in (0.0, 0.1, 0.3):  # links take a while
            back = replace(lost, back=one.at - gone - early)
            yield replace(plan, faults=(back,))


def whoever_was_just_asked(plan: Plan, back: float | None) -> Iterator[Plan]:
    """A person has been asked whether to go on, and is gone too."""
    for one in _told(plan).moments:
        if one.kind == ASKED:
            yield with_faults(plan, Leave(one.seat, one.at + INSTANT, back))


def votes_that_cross_an_entry() -> Iterator[Plan]:
    """Nobody is lost: a seat was cut off, and its entry arrives while the others vote."""
    opened = first_of(_told(PLAYED).moments, step_kinds.OPEN, LOST).at
    for one in _aims(_told(without_one())):
        for early in (0.0, 0.2, 0.5):
            heals = one.at - opened - early
            yield with_faults(PLAYED, Split((LOST,), opened - INSTANT, heals))


def older_files_of_a_voter(plan: Plan) -> Iterator[Plan]:
    """A seat votes, and comes back with files from before that; its ledger knows better."""
    for one in _aims(_told(plan)):
        if one.kind == step_kinds.VOTE:
            for back in (SOON, LATER):
                copied, at = one.at - INSTANT, one.at + INSTANT
                yield with_faults(plan, Restore(one.seat, copied, at, back))


def a_vote_that_only_one_has(plan: Plan) -> Plan:
    """The last one to vote reaches one seat only, which then is cut off for a while.

    The voter comes back with files from before its vote, and finds nobody who knows of it.
    """
    cast = [one for one in _aims(_told(plan)) if one.kind == step_kinds.VOTE]
    voter, witness = cast[-1], cast[0].seat
    others = [one.seat for one in cast[1:-1]]
    lasts = (FOR_A_WHILE, FOR_A_WHILE)
    deaf = [Cut((voter.seat, one), voter.at - INSTANT, lasts, False, SOON) for one in others]
    arrived = voter.at + plan.latency * 1.5
    alone = [
        Cut((witness, one), arrived, (0.0, 0.0), False, FOR_A_WHILE)
        for one in (voter.seat, *others)
    ]
    older = Restore(voter.seat, voter.at - INSTANT, arrived + INSTANT, SOON)
    return with_faults(plan, *deaf, *alone, older)


def an_entry_that_only_one_voter_gets() -> Plan:
    """Nobody is lost: a seat was cut off, and reaches one that has voted and is cut off now.

    The others have all votes, and go on.
    """
    opened = first_of(_told(PLAYED).moments, step_kinds.OPEN, LOST).at
    cast = [one for one in _aims(_told(without_one())) if one.kind == step_kinds.VOTE]
    voter, last = cast[0].seat, cast[-1]
    others = [one.seat for one in cast[1:]]
    lasts = last.at - opened + SOON
    away = [
        Cut((LOST, one), opened - INSTANT, (0.0, 0.0), False, lasts if one == voter else None)
        for one in (voter, *others)
    ]
    alone = [Cut((voter, one), last.at - INSTANT, (0.0, 0.0), False, LATER) for one in others]
    return with_faults(PLAYED, *away, *alone)
