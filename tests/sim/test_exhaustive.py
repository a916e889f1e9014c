"""Everything that can happen at a small table: no seat signs twice, nothing forks, all end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from p2p.errors import LocalError
from p2p.protocol.effects import Write
from p2p.protocol.frame_kinds import HAVE, RECORD
from p2p.protocol.machine import Machine
from p2p.protocol.own_seat import OwnPast
from p2p.seat.catch_up import CatchingUp
from p2p.seat.reply import Reply
from p2p.seat.returning import Returning
from p2p.seat.runner import Runner
from tests.shares import first_of, seldom
from tests.sim.exhaustive import apart, columns, direct, seat
from tests.sim.exhaustive import search as searching
from tests.sim.exhaustive.automaton import Automaton, Input
from tests.sim.exhaustive.columns import AtOnce, Rows
from tests.sim.exhaustive.columns_apart import Apart
from tests.sim.exhaustive.commuting import Commuting
from tests.sim.exhaustive.levels import Levels, bits_of
from tests.sim.exhaustive.search import FoundError, explore, search
from tests.sim.exhaustive.seat import Disk, Found, Shape
from tests.sim.exhaustive.tables import APART, LONG, MANY, QUICK

CRASH = QUICK["two seats, one step, one crash"]


def _by_columns(count: int, shape: Shape, crashes: int) -> Found:
    return Levels(AtOnce(count, shape, crashes)).run()


by_both = pytest.mark.parametrize("search", [search, _by_columns])
Search = Callable[[int, Shape, int], Found]


@pytest.mark.parametrize("name", [*QUICK, *(seldom(pytest.param(name, id=name)) for name in LONG)])
def test_nothing_wrong_can_happen(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = search(*(QUICK | LONG)[name])
    with capsys.disabled():
        print(f"\n{name}: {found}")  # noqa: T201 - how much was looked at belongs to the result
    assert found.ends > 0
    assert found.steps > found.states > found.ends
    assert found.doubts > 0


@pytest.mark.parametrize("name", QUICK)
def test_automata_lead_to_what_whole_tables_lead_to(name: str) -> None:
    """Searched by whole tables, which are gone through again for each state."""
    found, plain = search(*QUICK[name], whole=True), direct.search(*QUICK[name])
    assert (found.states, found.steps, found.ends) == (plain.states, plain.steps, plain.ends)


@pytest.mark.parametrize("name", [name for name, (*_, crashes) in QUICK.items() if crashes])
def test_orders_that_cannot_matter_lead_to_no_other_ends(name: str) -> None:
    few, whole = search(*QUICK[name]), search(*QUICK[name], whole=True)
    assert few.ends == whole.ends
    assert few.states < whole.states


ONE_OF_THREE = LONG["three seats, one step of one, one crash"]


@pytest.mark.full
def test_three_seats_come_to_the_same_ends_in_every_order() -> None:
    few, whole = search(*ONE_OF_THREE), Levels(AtOnce(*ONE_OF_THREE, whole=True)).run()
    assert few.ends == whole.ends
    assert 100 * few.states < whole.states


@pytest.mark.full
def test_an_order_that_matters_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else ends are lost: a search takes for settled what nothing has spoken against."""
    found = search(*ONE_OF_THREE)
    monkeypatch.setattr(Commuting, "refute", lambda _: 0)
    assert search(*ONE_OF_THREE).ends < found.ends


def test_a_choice_is_refuted_by_what_may_come_before_it() -> None:
    """A seat that is asked what it has answers with its entry, if that is written by then."""
    automaton = Automaton(2, [(0,)])
    there = frozenset([0, 1])
    start = automaton.meet(automaton.away(0, 0, Disk()), Input("start", there))
    (asked,) = [sent for to, sent in start.sent if to == 1 and sent[0] == HAVE.number]
    orders, asks = Commuting(automaton), Input("frame", there, 1, asked)
    orders.choose(start.state, asks)
    assert orders.refute() == 0
    automaton.meet(automaton.meet(start.state, asks).state, Input("write", there))
    assert orders.refute() == 1
    assert not orders.is_settled(start.state, asks)


def test_what_was_left_out_by_a_refuted_order_is_not_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In columns: what all seats meet at once is computed once, until an order is refuted."""
    ignored = [False]
    monkeypatch.setattr(Commuting, "ignores", lambda *_: ignored[0])
    asked_again, never_left_out = AtOnce(*CRASH), AtOnce(*CRASH)
    down, also_down = _after("crash", asked_again), _after("crash", never_left_out)
    ignored[0] = True
    assert _frames(asked_again, _after("return", asked_again, down)) == 0
    ignored[0] = False
    asked_again.refute()
    frames = _frames(never_left_out, _after("return", never_left_out, also_down))
    assert _frames(asked_again, _after("return", asked_again, down)) == frames > 0


def _after(what: str, table: AtOnce, rows: Rows | None = None) -> Rows:
    """The table after this has befallen a seat; at first nothing has happened."""
    leads = table.follow(table.first() if rows is None else rows)
    return next(lead.rows for lead in leads if lead.event.what == what and lead.at.size)


def _frames(table: AtOnce, rows: Rows) -> int:
    """How many links have frames that wait."""
    return int((rows[:, [*table._wires.values()]] > 0).sum())


FIRST, *LATER = APART


@pytest.mark.parametrize("name", [FIRST, *(seldom(pytest.param(name, id=name)) for name in LATER)])
def test_each_end_of_a_link_may_be_noticed_at_a_time_of_its_own(name: str) -> None:
    """Nothing wrong can happen, and what is left out leads to no other ends."""
    tables = apart.Tables(*APART[name])
    few = explore(tables)
    tables.thins_out = False
    whole = explore(tables)
    assert few.last == whole.last
    assert 0 < few.ends < few.states < whole.states


def _apart_by_columns(count: int, shape: Shape) -> Found:
    return Levels(Apart(count, shape)).run()


@pytest.mark.parametrize("whole", first_of([False, True]))
@pytest.mark.parametrize("name", first_of(APART))
def test_columns_lead_there_to_what_single_states_lead_to(name: str, whole: bool) -> None:
    many = Levels(Apart(*APART[name], whole=whole)).run()
    one = explore(apart.Tables(*APART[name], whole=whole))
    assert (many.states, many.steps, many.ends) == (one.states, one.steps, one.ends)


@pytest.mark.parametrize("search", [lambda *of: explore(apart.Tables(*of)), _apart_by_columns])
def test_a_seat_that_forgets_what_it_signed_is_found_there(
    search: Callable[[int, Shape], Found], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seat, "own_past", lambda chain, records: OwnPast())
    monkeypatch.setattr(Runner, "run", _without_asking(Runner.run))
    with pytest.raises(FoundError, match="two entries, or two histories"):
        search(*APART[FIRST])


@by_both
def test_what_others_would_see_at_once_is_noticed(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the order would matter, and no order may be left out."""
    monkeypatch.setattr(searching, "frames_at_once", lambda _: frozenset([RECORD.number]))
    with pytest.raises(LocalError, match="seen by another one at once"):
        search(*CRASH)


@pytest.mark.full
@pytest.mark.parametrize("steps", ["one step", "six steps of one each"])
def test_three_seats_are_searched_to_the_end(steps: str) -> None:
    found = Levels(AtOnce(*MANY[f"three seats, {steps}, one crash"])).run()
    assert found.ends > 100
    assert found.doubts > 0


def test_tables_of_many_states_are_begun() -> None:
    for table in MANY.values():
        assert Levels(AtOnce(*table)).run(most=1000).states >= 1000


CRASHES = [name for name, (*_, crashes) in LONG.items() if crashes]


@pytest.mark.parametrize("whole", first_of([False, True]))
@pytest.mark.parametrize(
    "name",
    ["two seats, one step, one crash", *(seldom(pytest.param(one, id=one)) for one in CRASHES)],
)
def test_columns_lead_to_what_single_states_lead_to(name: str, whole: bool) -> None:
    """Both choose which orders they leave out: how many states there are then may differ."""
    many = Levels(AtOnce(*(QUICK | LONG)[name], whole=whole)).run()
    one = search(*(QUICK | LONG)[name], whole=whole)
    assert many.ends == one.ends
    if whole:
        assert (many.states, many.steps) == (one.states, one.steps)
    assert many.doubts > 0


def test_states_that_differ_in_one_number_have_other_bits() -> None:
    rows = np.array([[one, two, 3] for one in range(300) for two in range(300)], np.int32)
    assert len(np.unique(bits_of(rows))) == len(rows)


def _seen_before_it_is_written(runner: Runner, machine: Machine, effect: Write) -> None:
    runner.desk.save(lambda files: files.write(effect))
    machine.wrote(effect.number)


def _without_asking(real: Callable[..., Reply[Any]]) -> Callable[..., Reply[Any]]:
    """It signs at once, whatever the others have of it."""

    def run(runner: Runner, machine: Machine) -> Reply[Any]:
        ended = real(runner, machine)
        machine.allow_signing()
        runner._carry_on()
        return ended

    return run


@by_both
def test_an_entry_that_leaves_before_it_is_written_is_found(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Runner, "_write", _seen_before_it_is_written)
    with pytest.raises(FoundError, match="sent what is not on its disk"):
        search(*CRASH)


@by_both
def test_a_seat_that_signs_before_it_has_asked_is_found(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has lost what it wrote, and asks nobody for its newest entries."""
    monkeypatch.setattr(seat, "own_past", lambda chain, records: OwnPast())
    monkeypatch.setattr(Runner, "run", _without_asking(Runner.run))
    with pytest.raises(FoundError, match="signed two entries for step 0"):
        search(*CRASH)


def _whole(count: int, shape: Shape, crashes: int) -> Found:
    return Levels(AtOnce(count, shape, crashes, whole=True)).run()


@pytest.mark.parametrize("search", [search, _whole])
def test_a_fork_is_found_by_what_is_finished(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same fault, if nobody counts what is signed.  In some orders a seat is accused first."""
    monkeypatch.setattr(seat, "own_past", lambda chain, records: OwnPast())
    monkeypatch.setattr(Runner, "run", _without_asking(Runner.run))
    for module in (searching, columns):
        monkeypatch.setattr(module, "signed_once", lambda _: None)
    with pytest.raises(FoundError, match="two histories"):
        search(*CRASH)


@by_both
def test_a_seat_that_answers_nobody_is_found(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes back waits for it, loses patience, and blames it."""
    monkeypatch.setattr(CatchingUp, "answer", lambda *_: None)
    with pytest.raises(FoundError, match="an honest seat loses its link"):
        search(*CRASH)


@pytest.mark.parametrize("search", first_of([search, _by_columns]))
def test_seats_that_talk_for_ever_are_found(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes back hears all that others have and asks again, but never signs."""
    monkeypatch.setattr(Machine, "allow_signing", lambda _: None)
    monkeypatch.setattr(Returning, "give_up_on_silence", lambda *_: False)
    with pytest.raises(FoundError, match="the table never ends"):
        search(*CRASH)


@by_both
def test_a_fingerprint_that_leaves_something_out_is_noticed(
    search: Search, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How long a seat has waited decides when it signs without those who are silent."""
    monkeypatch.setattr(seat.Place, "insists", lambda _: ())
    with pytest.raises(LocalError, match="a fingerprint leaves out"):
        search(*CRASH)
