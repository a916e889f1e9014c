"""A table with a clock: a decision that takes too long is made by the seat's own program."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from engine.dealer import TrustedDealer
from engine.games import load
from engine.question import PASS, Choose, Question, Race, Together
from engine.session import Session
from engine.view import View
from p2p.driver.driver import Driver
from p2p.player.events import Away, Event, Opened, TimeOver
from p2p.player.substitute import Substitute
from p2p.protocol.effects import Decide
from p2p.protocol.own_seat import OwnSeat
from p2p.protocol.races.book import Races
from p2p.protocol.races.timing import Timing
from p2p.protocol.races.window import Window
from p2p.protocol.table import open_table
from p2p.seat.absence import Absence
from p2p.seat.decision import Deciding
from p2p.seat.reply import Reply
from p2p.seat.runner import Runner
from p2p.seat.timing import microseconds, seat_timing
from tests.peer.desk_kit import NoDisk, Time, World, runner_at
from tests.protocol.kit import identities, make_header, seeded, table_secrets

CLOCK = 30
ME, BO, DUE = 0, 1, 2


def position(name: str, seed: int = 3, **options: Any) -> tuple[View, Question[Any]]:
    """What somebody is asked first in a game, and may know of it."""
    session, dealer = Session(load(name), 3, options), TrustedDealer(Random(seed))
    while (asked := session.pending) is not None and not asked.deciders:
        session.answer(dealer.answer(session.table, asked, {}))
    assert asked is not None
    return dealer.view(session.table, asked.deciders[0]), asked


class Late:
    """A seat whose person is asked, at a table with a clock."""

    def __init__(self, name: str, clock: int = CLOCK, stands: bool = True) -> None:
        self.world = World()
        self.view, self.question = position(name)
        self.left: list[tuple[object, float]] = []
        desk = self.world.desk
        self.deciding = Deciding(desk, Substitute(load(name), desk.entropy), clock)
        self.deciding.ask(self.view, Decide(0, self.question), self._leaves, lambda: stands)

    def _leaves(self, decision: object) -> None:
        self.left.append((decision, self.world.time.now()))

    @property
    def told(self) -> list[TimeOver]:
        return [event for event in self.world.told if isinstance(event, TimeOver)]


def test_a_decision_that_takes_too_long_is_made_by_the_own_program() -> None:
    """Flaps says that the card is picked up: a pass, whatever is in the hand."""
    seat = Late("flaps")
    seat.world.time.pass_(CLOCK - 0.1)
    assert seat.left == []
    seat.world.time.pass_(1.0)
    assert seat.left == [(PASS, CLOCK)]
    assert seat.told == [TimeOver(seat.view, seat.question, PASS)]


def test_the_person_is_asked_no_more_and_what_they_decide_then_counts_for_nothing() -> None:
    seat = Late("flaps")
    seat.world.time.pass_(CLOCK + 1.0)
    (card, *_) = [one for one in seat.question.decisions(seat.view) if one is not PASS] or [PASS]
    seat.world.decide(card)
    assert seat.left == [(PASS, CLOCK)]


def test_where_only_the_person_can_choose_the_bot_does() -> None:
    """A leader in Flip Over lays a card of a hidden hand."""
    seat = Late("flip-over")
    seat.world.time.pass_(CLOCK)
    ((decision, at),) = seat.left
    assert seat.question.allows(seat.view, decision)
    assert at == CLOCK
    assert seat.told[0].decision == decision


def test_who_decides_in_time_is_not_disturbed() -> None:
    seat = Late("flaps")
    seat.world.time.pass_(CLOCK - 1.0)
    seat.world.decide(PASS)
    seat.world.time.pass_(3.0 * CLOCK)
    assert seat.left == [(PASS, CLOCK - 1.0)]
    assert seat.told == []


def test_without_a_clock_nothing_ever_happens() -> None:
    seat = Late("flaps", clock=0)
    seat.world.time.pass_(100_000.0)
    assert seat.left == []
    assert seat.world.desk.wakes_at is None


def test_a_question_that_does_not_stand_any_more_is_decided_by_nobody() -> None:
    """Our own entry has come back from a peer: the table is past it, and the view shows that."""
    seat = Late("flip-over", stands=False)
    seat.world.time.pass_(CLOCK)
    assert seat.left == [(PASS, CLOCK)]
    assert seat.told == []


def test_a_table_that_is_over_stops_its_clocks() -> None:
    seat = Late("flaps")
    seat.deciding.stop()
    seat.world.time.pass_(2.0 * CLOCK)
    assert seat.left == []
    assert seat.told == []


# -- races --------------------------------------------------------------------------------------


class Racing:
    """A seat that is asked in a race of slaps, with a clock that is shorter than the window."""

    def __init__(self, window_ms: int | None, awaited: int | None) -> None:
        self.world = World()
        claims = [Choose(seat, ("slap",), "slap") for seat in range(3)]
        race = Race(claims, "slap", window_ms=window_ms, awaited=awaited)
        now = self.world.time.now
        timing = Timing(lambda: microseconds(now()), lambda _: None)
        timing.begin(7, automatic=False)
        races = Races(3, 20_000, 600_000, [[0] * 3] * 3, ME)
        length = None if window_ms is None else 1000 * window_ms
        window = Window(races, timing, 7, hidden=False, length=length, awaited=awaited)
        view, _ = position("you-fink")
        self.left: list[tuple[object, float]] = []
        desk = self.world.desk
        self.deciding = Deciding(desk, Substitute(load("you-fink"), desk.entropy), 5)
        self.deciding.ask(
            View(view.table, ME, view.face),
            Decide(0, race, window),
            lambda decision: self.left.append((decision, now())),
        )

    @property
    def told(self) -> list[Event]:
        return [event for event in self.world.told if isinstance(event, TimeOver)]


@pytest.mark.parametrize("awaited", [None, BO])
def test_no_clock_runs_in_a_race_for_the_turn_of_somebody_else(awaited: int | None) -> None:
    racing = Racing(None, awaited)
    racing.world.time.pass_(60.0)
    assert racing.told == []
    assert racing.left == []


def test_a_window_ends_by_itself_and_no_sooner() -> None:
    """Eight seconds to slap, and a clock of five: a slap after six seconds counts."""
    racing = Racing(8_000, None)
    racing.world.time.pass_(6.0)
    assert racing.told == []
    racing.world.decide(0)
    assert racing.left == [(0, 6.0)]


def test_whoever_is_awaited_in_a_race_passes_when_the_time_is_over() -> None:
    """Not a claim: it comes before nobody's slap."""
    racing = Racing(None, ME)
    racing.world.time.pass_(4.9)
    assert racing.left == []
    racing.world.time.pass_(1.0)
    assert racing.left == [(PASS, 5.0)]
    assert len(racing.told) == 1


# -- a driven player --------------------------------------------------------------------------


class Sleeper:
    """Somebody who never decides, and takes a moment to notice that they are asked no more."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.told: list[Event] = []

    async def decide(self, view: View, question: Question[Any]) -> object:
        self.asked.append("asked")
        try:
            await trio.sleep_forever()
        finally:
            with trio.CancelScope(shield=True):
                await trio.sleep(0.1)
            self.asked.append("let go")

    def tell(self, event: Event) -> None:
        self.told.append(event)


class _NoMesh:
    async def drain(self) -> None:
        await trio.lowlevel.checkpoint()


async def test_a_sleeper_is_let_go_before_the_next_question(autojump_clock: MockClock) -> None:
    """Two questions at once, one after the other: a screen would forget the second one."""
    player = Sleeper()
    driver, began = Driver(_NoMesh(), player, NoDisk()), trio.current_time()  # type: ignore[arg-type]
    view, question = position("flip-over")
    deciding = Deciding(driver.desk, Substitute(load("flip-over"), driver.desk.entropy), CLOCK)
    ended = Reply[object]()

    def again(_: object) -> None:
        deciding.ask(view, Decide(0, question), ended.give)

    async def seat() -> object:
        deciding.ask(view, Decide(0, question), again)
        return await ended

    decision = await driver.run(seat())
    assert question.allows(view, decision)
    assert trio.current_time() - began == pytest.approx(2 * CLOCK, abs=0.5)
    assert player.asked == ["asked", "let go", "asked", "let go"]
    assert [type(event) for event in player.told] == [TimeOver, TimeOver]


# -- who seems to be away ---------------------------------------------------------------------


class Watched:
    """A machine that sees decisions come, each so many seconds after its question."""

    def __init__(self, clock: int = CLOCK) -> None:
        self.world = World()
        self.timing = Timing(lambda: microseconds(self.world.time.now()), lambda _: None)
        self.absence = Absence(self.world.desk, ("Ana", "Bo", "Cleo"), ME, clock)
        self._step = 0

    def decided(self, question: Question[Any], **after: float) -> None:
        """Seats "s0", "s1", ... decide; one that is not named has not been asked."""
        self._step += 1
        self.timing.begin(self._step, automatic=False)
        passed = 0.0
        for name, seconds in sorted(after.items(), key=lambda one: one[1]):
            self.world.time.pass_(seconds - passed)
            passed = seconds
            self.timing.note(self._step, int(name[1:]))
        self.absence.look(question, self._step, self.timing)

    @property
    def told(self) -> list[Event]:
        return [event for event in self.world.told if isinstance(event, Away)]


def turn_of(seat: int) -> Choose:
    return Choose(seat, ("one", "two"), "choose")


def test_three_decisions_of_the_clock_in_a_row_and_a_seat_is_away() -> None:
    at = Watched()
    for seconds in (30.1, 30.0):
        at.decided(turn_of(BO), s1=seconds)
        at.decided(turn_of(DUE), s2=2.0)
    assert at.told == []
    at.decided(turn_of(BO), s1=30.2)
    assert at.told == [Away(BO, "Bo", True, False)]
    at.decided(turn_of(BO), s1=30.2)
    assert len(at.told) == 1
    at.decided(turn_of(BO), s1=3.0)
    assert at.told[1:] == [Away(BO, "Bo", False, False)]


@pytest.mark.parametrize("seconds", [1.0, 28.9, 31.5, 400.0])
def test_one_decision_of_their_own_and_the_count_begins_again(seconds: float) -> None:
    """Too late for a clock is one's own too: a program that does not keep to it, or a long way."""
    at = Watched()
    for after in (30.0, 30.0, seconds, 30.0, 30.0):
        at.decided(turn_of(BO), s1=after)
    assert at.told == []


def test_a_question_that_reached_us_late_counts_but_not_at_a_short_clock() -> None:
    """It seems then as if the clock had been early."""
    at, short = Watched(), Watched(clock=5)
    for _ in range(3):
        at.decided(turn_of(BO), s1=29.2)
        short.decided(turn_of(BO), s1=4.3)
    assert at.told == [Away(BO, "Bo", True, False)]
    assert short.told == []


def test_we_know_exactly_what_our_own_clock_has_decided() -> None:
    """A decision of our own in the last moment is our own; others cannot tell."""
    at = Watched()
    for _ in range(4):
        at.decided(turn_of(ME), s0=29.9)
        at.decided(turn_of(BO), s1=29.9)
    assert at.told == [Away(BO, "Bo", True, False)]
    for _ in range(3):
        at.decided(turn_of(ME), s0=29.999_999_6)
    assert at.told[1:] == [Away(ME, "Ana", True, True)]


def test_where_several_decide_each_counts_for_itself() -> None:
    at = Watched()
    question = Together((0, 1, 2), (("a", "b"),) * 3, "choose")
    for _ in range(3):
        at.decided(question, s0=2.0, s2=7.0, s1=30.1)
    assert at.told == [Away(BO, "Bo", True, False)]


def test_races_for_the_turn_of_others_and_tables_without_a_clock_do_not_count() -> None:
    claims = [Choose(seat, ("slap",), "slap") for seat in range(3)]
    race = Race(claims, "slap", awaited=ME)
    at, without = Watched(), Watched(clock=0)
    for _ in range(5):
        at.decided(race, s0=1.0, s1=30.0, s2=30.0)
        without.decided(turn_of(BO), s1=30.0)
    assert at.told == []
    assert without.told == []


# -- a whole table ----------------------------------------------------------------------------


class Three:
    """Three seats in one time, whose frames arrive at once; nobody decides anything by itself."""

    def __init__(self, clock: int) -> None:
        header = make_header(load("flip-over"), 3, rounds=1)
        self.header = replace(
            header,
            proposal=replace(header.proposal, terms=replace(header.proposal.terms, clock=clock)),
        )
        self.time = Time()
        self.keys = header.proposal.identities
        self.worlds: list[World] = []
        self.runners: list[Runner] = []
        self._read = [0, 0, 0]
        for seat, own in enumerate(identities(3)):
            world = World([key for key in self.keys if key != own.public], time=self.time)
            runner = runner_at(world, self.header.proposal, seat)
            sits = OwnSeat(seat, own, table_secrets(3, 1)[seat])
            timing = seat_timing(world.desk, self.keys)
            table = open_table(self.header, seeded(seat), sits, notes=True, timing=timing)
            runner.open(table)
            runner.run(table.machine)
            self.worlds.append(world)
            self.runners.append(runner)
        self.deliver()

    def deliver(self) -> None:
        """Until nothing is on its way."""
        while any(map(self._take, range(3))):
            pass

    def _take(self, sender: int) -> bool:
        left = self.worlds[sender].left[self._read[sender] :]
        self._read[sender] += len(left)
        for one in left:
            for seat, runner in enumerate(self.runners):
                key = self.keys[seat]
                if seat != sender and (one.to == key or (one.to is None and one.skip != key)):
                    runner.receive(self.keys[sender], one.frame)
        return bool(left)

    def pass_(self, seconds: float) -> None:
        """Time goes by in small steps, and what is sent arrives."""
        for _ in range(round(10 * seconds)):
            self.time.pass_(0.1)
            self.deliver()

    def left(self) -> list[float | None]:
        """The time that each seat shows for whom all wait for."""
        opened = [next(e for e in world.told if isinstance(e, Opened)) for world in self.worlds]
        return [one.time_left() for one in opened]

    @property
    def asked(self) -> list[int]:
        return [seat for seat, world in enumerate(self.worlds) if world.asked]


def test_everybody_sees_the_time_of_the_one_who_is_waited_for() -> None:
    three = Three(clock=5)
    (leader,) = three.asked
    assert three.left() == pytest.approx([5.0] * 3)
    three.pass_(2.0)
    assert three.left() == pytest.approx([3.0] * 3)
    (ask,) = three.worlds[leader].asked
    three.worlds[leader].decide(ask.question.decisions(ask.view)[0])
    three.deliver()
    assert three.asked != [leader]
    assert three.left() == pytest.approx([5.0] * 3), "it is the turn of the next"


def test_without_a_clock_there_is_no_time_to_see() -> None:
    three = Three(clock=0)
    three.pass_(2.0)
    assert three.left() == [None] * 3
    assert len(three.asked) == 1


def test_a_table_at_which_all_sleep_plays_on_and_knows_it() -> None:
    three = Three(clock=5)
    three.pass_(24 * 5.5)
    tables = [runner.table for runner in three.runners]
    assert [table is not None and table.machine.ended for table in tables] == [True] * 3
    for seat, world in enumerate(three.worlds):
        away = [event for event in world.told if isinstance(event, Away)]
        assert {(one.seat, one.away, one.own) for one in away} == {
            (other, True, other == seat) for other in range(3)
        }
        assert sum(isinstance(event, TimeOver) for event in world.told) == 8
    assert three.left() == [None] * 3
