"""The clock of a table on the full screen: a countdown, and keys that come too late."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from cli.kit.canvas import plain_text
from cli.kit.clock import AWAY
from cli.options.settings import Settings
from cli.screen.countdown import countdown
from cli.screen.keys import press
from cli.screen.layout import render
from cli.screen.model import Model
from cli.screen.others_time import TICK_SECONDS
from cli.screen.player import ScreenPlayer
from engine.question import PASS, Choose, Question, Race
from engine.table_state import GONE, LEAVES
from engine.view import View
from p2p.net.seat_links import SeatLink, Way
from p2p.player.events import Away, LinkNews, Noted, Opened, Seated, TimeOver
from p2p.protocol.terms import Terms
from tests.screen.boards import NAMES, Position, position

CLOCK = 30


def sit(
    at: Position, clock: int = CLOCK, time_left: Any = lambda: None
) -> tuple[ScreenPlayer, Model]:
    model = Model("test", trio.current_time)
    player = ScreenPlayer(model, Settings())
    names = NAMES[: len(at.presenter.names)]
    words = tuple(f"lime-{seat}" for seat in range(len(names)))
    name = at.session.game.name
    player.tell(Seated(names, words, 0, Terms.of(name, clock=clock), 80_000))
    player.tell(Opened(at.view, lambda: at.session.pending, time_left))
    return player, model


@asynccontextmanager
async def asked(
    player: ScreenPlayer, view: View, question: Question[Any]
) -> AsyncIterator[list[object]]:
    """The player is asked; what it decides."""
    found: list[object] = []

    async def decide() -> None:
        found.append(await player.decide(view, question))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(decide)
        await trio.testing.wait_all_tasks_blocked()
        yield found
        nursery.cancel_scope.cancel()


async def test_the_one_who_decides_sees_the_time_run_out(autojump_clock: MockClock) -> None:
    at = position("flip-over")
    player, model = sit(at)
    async with asked(player, at.view, at.question):
        assert model.board().prompt.endswith("  (30 s)")
        await trio.sleep(12.2)
        assert model.board().prompt.endswith("  (18 s)")
        picture = plain_text(render(model.board(), 80, 24))
        assert "(18 s)" in picture
        await trio.sleep(16.0)
        assert model.board().prompt.endswith("  (2 s)")


async def test_it_is_drawn_while_nobody_does_anything(autojump_clock: MockClock) -> None:
    at = position("flip-over")
    player, model = sit(at)
    drawn: list[float] = []
    model.changed = lambda: drawn.append(trio.current_time())
    async with asked(player, at.view, at.question):
        drawn.clear()
        await trio.sleep(10 * TICK_SECONDS)
    assert len(drawn) >= 9


async def test_no_clock_no_countdown_and_none_in_a_race_for_others(
    autojump_clock: MockClock,
) -> None:
    at = position("flip-over")
    player, model = sit(at, clock=0)
    async with asked(player, at.view, at.question):
        assert "s)" not in model.board().prompt
    fink = position("you-fink")
    text, view = fink.presenter.text, fink.view
    race = Race([Choose(0, ("slap",), "slap or go on")], "slap or go on", awaited=1)
    assert countdown(view, race, text, 0.0, CLOCK) is None
    own = Race([Choose(0, ("turn",), "slap or go on")], "slap or go on", awaited=0)
    ends = countdown(view, own, text, 0.0, CLOCK)
    assert ends is not None
    assert ends.until == CLOCK
    window = Race([Choose(0, ("slap",), "slap or go on")], "slap or go on", window_ms=8_000)
    ends = countdown(view, window, text, 0.0, CLOCK)
    assert ends is not None
    assert ends.until == 8.0


async def test_the_others_see_the_time_of_whom_they_wait_for(autojump_clock: MockClock) -> None:
    at = position("flip-over")
    ends = trio.current_time() + 20.0
    _, model = sit(at, time_left=lambda: ends - trio.current_time())
    assert model.board().prompt.endswith("  (20 s)")
    assert model.next_look() == TICK_SECONDS
    await trio.sleep(13.4)
    assert model.board().prompt.endswith("  (7 s)")
    _, without = sit(at)
    assert "s)" not in without.board().prompt
    assert without.next_look() == 0.0


async def test_who_may_slap_sees_the_time_of_whose_turn_it_is(autojump_clock: MockClock) -> None:
    at = position("you-fink")
    player, model = sit(at, time_left=lambda: 12.0)
    race = Race([Choose(0, ("slap",), "slap or go on")], "slap or go on", awaited=1)
    async with asked(player, at.view, race):
        assert model.board().prompt.endswith("  (12 s)")
        assert model.next_look() == TICK_SECONDS
    window = Race([Choose(0, ("slap",), "slap or go on")], "slap or go on", window_ms=8_000)
    async with asked(player, at.view, window):
        assert model.board().prompt.endswith("  (8 s)")


async def test_a_question_of_one_s_own_shows_one_s_own_time_alone(
    autojump_clock: MockClock,
) -> None:
    at = position("flip-over")
    player, model = sit(at, time_left=lambda: 3.0)
    async with asked(player, at.view, at.question):
        assert model.board().prompt.endswith("  (30 s)")
        assert model.board().prompt.count("s)") == 1
        assert model.next_look() == 0.0


@pytest.mark.parametrize("key", ["enter", "space", "1"])
async def test_a_key_that_comes_after_the_clock_acts_on_nothing(
    key: str, autojump_clock: MockClock
) -> None:
    """The same question comes again at once, and the person still means the first one."""
    at = position("flip-over")
    player, model = sit(at)
    (first, *_) = at.question.decisions(at.view)
    async with asked(player, at.view, at.question) as found:
        await trio.sleep(CLOCK)
        player.tell(TimeOver(at.view, at.question, first))
        assert model.asking is None
        assert "Your time is over" in model.notice
        press(model, key)
        press(model, "enter")
        assert found == []
    async with asked(player, at.view, at.question) as found:
        press(model, "enter")
        await trio.testing.wait_all_tasks_blocked()
        assert found == [], "nobody has seen this question yet"
        assert model.asking is not None
        assert model.asking.typed == ("1" if key == "1" else ""), "typed early, and seen"


async def test_what_was_being_typed_is_gone_with_its_question(autojump_clock: MockClock) -> None:
    at = position("flaps")
    player, model = sit(at)
    question = Choose(0, ("Last Card", "say nothing"), "you have one card left")
    async with asked(player, at.view, question):
        await trio.sleep(2.0)
        press(model, "2")
        assert model.asking is not None
        assert model.asking.typed == "2"
        player.tell(TimeOver(at.view, question, 0))
    async with asked(player, at.view, question) as found:
        assert model.asking is not None
        assert model.asking.typed == ""
        await trio.sleep(2.0)
        press(model, "1")
        press(model, "enter")
        await trio.testing.wait_all_tasks_blocked()
        assert found == [0]


async def test_what_the_clock_decided_is_told(autojump_clock: MockClock) -> None:
    at = position("flaps")
    player, model = sit(at)
    player.tell(TimeOver(at.view, at.question, PASS))
    assert model.events.told()[-1].startswith(
        "*** Your time is over. The clock has decided for you:"
    )
    assert plain_text(render(model.board(), 80, 24)).count("Your time is over") >= 1


async def test_a_seat_that_leaves_all_to_the_clock_is_marked(autojump_clock: MockClock) -> None:
    player, model = sit(position("flip-over"))
    player.tell(Away(1, "Ada", away=True, own=False))
    assert model.board().seats[1].link == AWAY
    assert "Ada is away: the clock has decided 3 times in a row" in model.events.told()[-1]
    assert AWAY in plain_text(render(model.board(), 100, 30))
    player.tell(LinkNews((SeatLink(1, "Ada", Way.LOST),)))
    assert model.board().seats[1].link == "lost, retrying", "that is worse"
    player.tell(LinkNews((SeatLink(1, "Ada", Way.DIRECT, rtt_ms=12),)))
    assert model.board().seats[1].link == AWAY
    player.tell(Away(1, "Ada", away=False, own=False))
    assert model.board().seats[1].link == ""
    assert "Ada is there again" in model.events.told()[-1]


async def test_who_leaves_for_good_is_away_no_more(autojump_clock: MockClock) -> None:
    player, model = sit(position("flip-over"))
    player.tell(Away(1, "Ada", away=True, own=False))
    player.tell(Noted((LEAVES, 1)))
    player.tell(Noted((GONE, 2)))
    assert [model.board().seats[seat].link for seat in (1, 2)] == ["", ""]
    press(model, "f8")
    assert model.page is not None
    assert [line.split()[1] for line in model.page.lines[-3:-1]] == ["left", "lost"]


async def test_one_s_own_absence_is_told_and_stands_at_nobody_s_seat(
    autojump_clock: MockClock,
) -> None:
    player, model = sit(position("flip-over"))
    player.tell(Away(0, NAMES[0], away=True, own=True))
    assert model.events.told()[-1].startswith("*** You are away")
    assert 0 not in model.states


async def test_who_tells_of_the_clock(autojump_clock: MockClock) -> None:
    player, model = sit(position("flip-over"))
    player.tell(Away(2, NAMES[2], away=True, own=False))
    press(model, "f8")
    assert model.page is not None
    assert "Clock: 30 s for a decision." in " ".join(model.page.lines)
    assert [line.endswith(AWAY) for line in model.page.lines[-3:]] == [False, True, False]
