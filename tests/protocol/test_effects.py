"""When things happen that a machine asks for: at once, or in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from p2p.errors import PeerError
from p2p.protocol.effects import (
    Agenda,
    Compute,
    Decide,
    Done,
    Effect,
    Ended,
    Fault,
    Forward,
    Send,
    Write,
)
from p2p.protocol.entry import Chain, Entry, decode_entry, sign_entry
from p2p.protocol.inline import run_inline
from p2p.protocol.machine import Machine
from p2p.protocol.outcome import attempt
from p2p.protocol.own_seat import OwnSeat
from p2p.protocol.races.timing import Timing
from p2p.protocol.step import Program, Step, Work
from tests.protocol.kit import TABLE, Hub, game_hub, identities, table_secrets
from tests.protocol.scenes import SCENES

PEOPLE = identities(2)
ME, OTHER = 0, 1
SAID = b"said"


def program(heavy: bool = False) -> Program[Any]:
    """Both say something, which is checked; then we do."""
    both, checked = (ME, OTHER), lambda seat, said: None
    yield Step("first", both, lambda _, it: it, checked, make=lambda _: SAID, heavy=heavy)
    return (yield Step("second", (ME,), lambda _, it: it, checked, make=lambda _: SAID))


class Clock:
    """Shows how often it was looked at."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        self.now += 1
        return self.now


def machine(heavy: bool = False) -> Machine:
    own = OwnSeat(ME, PEOPLE[ME], table_secrets(2, 1)[ME])
    keys = [one.public for one in PEOPLE]
    made = Machine(Chain(TABLE), program(heavy), keys, own, timing=Timing(Clock()))
    made.start()
    return made


def theirs() -> Entry:
    return sign_entry(PEOPLE[OTHER], Chain(TABLE), OTHER, "first", SAID, bytes(16))


def kinds(effects: list[Effect]) -> list[type]:
    return [type(effect) for effect in effects]


def carried_out(
    one: Machine, *, only_at_once: bool = False, heed: Callable[[Effect], None] = lambda _: None
) -> list[Effect]:
    """All that happens, with a disk and a thread that answer when it is their turn."""
    done = []
    for effect in one.carry_out(only_at_once=only_at_once):
        done.append(effect)
        heed(effect)
        if isinstance(effect, Write):
            one.wrote(effect.number)
        elif isinstance(effect, Compute) and effect.heavy:
            one.finish(effect.number, attempt(effect.job))
    return done


class _Heeding(Hub):
    """A table at which all that the first seat does is looked at when its turn comes."""

    heed: Callable[[Effect], None] = staticmethod(lambda effect: None)

    def _settle(self) -> bool:
        first, *others = self.seats
        done = [(first, effect) for effect in carried_out(first.machine, heed=self.heed)]
        done += [(seat, effect) for seat in others for effect in run_inline(seat.machine)]
        for seat, effect in done:
            self._do(seat, effect)
        return bool(done)


def test_what_came_is_passed_on_and_judged_while_the_disk_is_busy() -> None:
    """First passed on: whoever waits for it does not wait for our computing."""
    mine = machine()
    effects = mine.carry_out()
    assert isinstance(next(effects), Compute)  # our own entry
    write = next(effects)
    assert isinstance(write, Write)
    mine.receive(theirs().record)
    forward, judged = carried_out(mine, only_at_once=True)
    assert (type(forward), type(judged)) == (Forward, Compute)
    assert mine.chain.step == 0, "ours is not on disk"
    mine.wrote(write.number)
    assert kinds([next(effects)]) == [Send]


def test_what_came_is_passed_on_before_heavy_work() -> None:
    mine = machine(heavy=True)
    mine.receive(theirs().record)
    assert kinds(carried_out(mine, only_at_once=True)) == [Forward]
    ours, judging = mine.carry_out()
    assert isinstance(ours, Compute)
    assert isinstance(judging, Compute)
    assert ours.heavy
    assert judging.heavy


def test_a_long_computation_between_steps_is_heavy_and_its_result_goes_on() -> None:
    def computing() -> Program[int]:
        number: int = yield Work(lambda: 7)
        return number

    own = OwnSeat(ME, PEOPLE[ME], table_secrets(2, 1)[ME])
    made = Machine(Chain(TABLE), computing(), [one.public for one in PEOPLE], own)
    made.start()
    work, end = carried_out(made)
    assert isinstance(work, Compute)
    assert work.heavy
    assert end == Ended(7)


def test_ours_leaves_before_anything_is_computed_about_the_next_step() -> None:
    """Races look back to when it left: that is noted as soon as it has."""
    mine = machine()
    left: list[int | None] = []

    def heed(effect: Effect) -> None:
        if isinstance(effect, Compute | Done):
            left.append(mine.timing.own_after(0))

    mine.receive(theirs().record)
    done = kinds(carried_out(mine, heed=heed))
    assert done == [
        *(Forward, Compute),  # theirs
        *(Compute, Write, Send, Done),  # ours of the first step
        *(Compute, Write, Send, Done, Ended),
    ]
    assert left[:2] == [None, None]
    assert left[2] is not None
    assert set(left[2:]) == {left[2]}


@pytest.mark.parametrize("owed", [(OTHER,), (ME, OTHER)])
def test_what_one_alone_has_said_is_blamed_on_it(owed: tuple[int, ...]) -> None:
    """Proofs may hold, and the step make no sense all the same: of two, who knows whose fault."""

    def senseless() -> Program[Any]:
        yield Step("first", owed, lambda _, it: it, lambda seat, said: None, make=lambda _: SAID)
        raise PeerError("illegal-move", "what was said makes no sense")

    own = OwnSeat(ME, PEOPLE[ME], table_secrets(2, 1)[ME])
    keys = [one.public for one in PEOPLE]
    made = Machine(Chain(TABLE), senseless(), keys, own, timing=Timing(Clock()))
    made.start()
    made.receive(theirs().record)
    (fault,) = [effect for effect in carried_out(made) if isinstance(effect, Fault)]
    assert fault.error.seat == (OTHER if len(owed) == 1 else None)
    assert fault.error.step == 0


@pytest.mark.parametrize("game", ["chosen-together", "slapped-often"])
def test_nothing_leaves_that_is_not_on_disk(game: str) -> None:
    """A whole game: of our own, only what was written leaves or can be asked for; a step is
    logged when all that led to it has happened, a player decides after that, the end is last."""
    hub = _Heeding(game_hub(SCENES[game], 3).seats)
    me = hub.seats[ME].machine
    disk: set[bytes] = set()
    happened: list[Effect] = []

    def shown() -> set[bytes]:
        return {r for step in me.records for r in step} | {*me.current(), *me.beyond()}

    def heed(effect: Effect) -> None:
        happened.append(effect)
        if isinstance(effect, Write):
            assert effect.record not in shown()
            disk.add(effect.record)
        if isinstance(effect, Send):
            assert effect.record in disk
        assert {record for record in shown() if decode_entry(record).seat == me.seat} <= disk

    hub.heed = heed
    hub.run()
    steps = [effect.step for effect in happened if isinstance(effect, Done)]
    assert steps == list(range(len(me.records)))
    assert isinstance(happened[-1], Ended)
    for at, effect in enumerate(happened):
        if isinstance(effect, Decide):
            logged = [e.step for e in happened[:at] if isinstance(e, Done)]
            assert logged == list(range(effect.step))
        if isinstance(effect, Done):
            ours = [r for r in effect.records if decode_entry(r).seat == me.seat]
            left = [e.record for e in happened[:at] if isinstance(e, Send)]
            assert set(ours) <= set(left)


def test_what_is_to_happen_at_once_overtakes_only_what_is_in_order() -> None:
    agenda = Agenda()
    done = [Done(number, ()) for number in range(2)]
    sent = [Send(b"", number) for number in range(2)]
    agenda.in_order(done[0])
    agenda.at_once(sent[0])
    agenda.in_order(done[1])
    agenda.at_once(sent[1])
    assert agenda.take(only_at_once=True) == sent[0]
    assert [agenda.take(only_at_once=False) for _ in range(4)] == [sent[1], *done, None]
    assert agenda.take(only_at_once=True) is None
