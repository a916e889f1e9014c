"""A hard bot thinks beside the table: in a process of its own, which ends with the table."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing.context import SpawnContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio
import trio.testing

from engine.bots.hard import Hard
from engine.bots.lookahead import lookahead
from engine.bots.pace import Pace
from engine.course import Course
from engine.errors import EngineError
from engine.question import Question
from engine.view import View
from p2p.player.beside import Beside, ProcessGoneError
from p2p.player.bots import BotPlayer
from p2p.player.events import Finished
from tests.engine.bots.test_search import Played
from tests.patience import NEVER, PATIENCE
from tests.peer.kit import play_table

Children = Callable[[], list[BaseProcess]]
CLOCK = "p2p.player.beside.monotonic"
"""What the process takes the time from.  It is sent there: only what can be pickled may stand in
its place."""


@pytest.fixture
def children() -> Iterator[Children]:
    """The processes that this test has started and that live; those of other tests may too."""
    others = multiprocessing.active_children()

    def started() -> list[BaseProcess]:
        return [child for child in multiprocessing.active_children() if child not in others]

    yield started
    for child in started():
        child.kill()
        child.join()


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, the process thinks to the end, and is waited for."""
    monkeypatch.setattr(CLOCK, float)  # always 0.0: it stands still
    monkeypatch.setattr("p2p.player.bots.LONGEST_SECONDS", NEVER)


def a_choice() -> tuple[View, Question[Any]]:
    """A decision of Flip Over, as its seat sees it."""
    played = Played("flip-over", 5)
    asked, seat = next(played.positions(1))
    return played.dealer.view(played.session.table, seat, played.session.course), asked


async def plays_on_and_thinks_again(
    bot: BotPlayer,
    view: View,
    asked: Question[Any],
    children: Children,
    then: Callable[[], None] = lambda: None,
) -> None:
    """A bot without an answer takes its habit; `then` the next decision has a process again."""
    habit = lookahead("flip-over").habit
    assert await bot.decide(view, asked) == habit(view, asked, Random(0))
    assert not children()
    then()
    bot._rng.seed(7)
    thought = await bot.decide(view, asked)
    assert thought == Hard()(view, asked, Random(Random(7).getrandbits(64)))


@pytest.mark.slow
async def test_the_loop_goes_on_while_a_bot_thinks_and_its_process_ends_with_the_table(
    children: Children, unhurried: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, asked = a_choice()
    bot = BotPlayer("flip-over", Random(4), level="hard")
    may_think = multiprocessing.get_context("spawn").Event()
    monkeypatch.setattr(CLOCK, may_think.wait)  # from then on it stands still, at True
    decided = list[object]()

    async def think() -> None:
        decided.append(await bot.decide(view, asked))

    held_up = threading.Timer(PATIENCE, may_think.set)
    held_up.daemon = True
    held_up.start()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(think)
        while not children():
            await trio.sleep(0.001)
        for _ in range(20):
            await trio.sleep(0.001)
        assert not decided
        may_think.set()
    held_up.cancel()
    seed = Random(4).getrandbits(64)
    assert decided == [Hard()(view, asked, Random(seed))]
    assert len(children()) == 1
    bot.tell(Finished((1, 0, 0), Path("game.ndlog")))
    assert not children()


@pytest.mark.slow
async def test_a_thought_that_nobody_waits_for_holds_up_none_that_follows(
    children: Children, unhurried: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    (view, asked), beside = a_choice(), Beside()
    rng = Random(4)
    may_think = multiprocessing.get_context("spawn").Event()
    monkeypatch.setattr(CLOCK, may_think.wait)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(beside.decide, view, rng)
        while not children():
            await trio.sleep(0.001)
        nursery.cancel_scope.cancel()
    may_think.set()
    decision = await beside.decide(view, rng)
    seeds = Random(4)
    seeds.getrandbits(64)
    assert decision == Hard()(view, asked, Random(seeds.getrandbits(64)))
    beside.close()
    assert not children()


async def test_no_process_starts_after_the_end(
    children: Children, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that had been asked for just before lived on, and thought for nobody."""
    (view, _), beside = a_choice(), Beside()
    asked_for, closed = threading.Event(), threading.Event()
    spawn = multiprocessing.get_context("spawn")

    def starts_late(method: str) -> SpawnContext:
        asked_for.set()
        assert method == "spawn"
        assert closed.wait(PATIENCE)
        return spawn

    async def close() -> None:
        while not asked_for.is_set():
            await trio.sleep(0.001)
        beside.close()
        closed.set()

    monkeypatch.setattr("p2p.player.beside.get_context", starts_late)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(close)
        with pytest.raises(ProcessGoneError):
            await beside.decide(view, Random(4))
    assert not children()


@pytest.mark.slow
async def test_a_bot_whose_process_is_killed_plays_on_and_thinks_again_the_next_time(
    children: Children, unhurried: None
) -> None:
    """The table stopped, without a word."""
    view, asked = a_choice()
    bot = BotPlayer("flip-over", Random(4), level="hard")
    await bot.decide(view, asked)
    for _ in range(2):
        (process,) = children()
        process.kill()
        process.join()
        await plays_on_and_thinks_again(bot, view, asked, children)
    bot.tell(Finished((1, 0, 0), Path("game.ndlog")))
    assert not children()


@pytest.mark.slow
async def test_a_bot_that_is_killed_while_it_thinks_is_not_waited_for(
    children: Children, monkeypatch: pytest.MonkeyPatch
) -> None:
    (view, _), beside = a_choice(), Beside()
    # Its thought begins with a look at the clock.
    monkeypatch.setattr(CLOCK, partial(signal.raise_signal, signal.SIGKILL))
    with pytest.raises(ProcessGoneError):
        await beside.decide(view, Random(4))
    assert not children()


@pytest.mark.slow
async def test_a_bot_whose_process_hangs_plays_on_and_thinks_again_the_next_time(
    children: Children, unhurried: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table waited for it for ever."""
    view, asked = a_choice()
    bot = BotPlayer("flip-over", Random(4), level="hard")
    await bot.decide(view, asked)
    (process,) = children()
    assert process.pid is not None
    os.kill(process.pid, signal.SIGSTOP)
    with monkeypatch.context() as hurried:
        hurried.setattr("p2p.player.bots.LONGEST_SECONDS", 0.1)
        await plays_on_and_thinks_again(bot, view, asked, children, hurried.undo)
    bot.tell(Finished((1, 0, 0), Path("game.ndlog")))
    assert not children()


@pytest.mark.slow
async def test_a_bot_that_fails_is_our_mistake_and_loud(children: Children) -> None:
    played, beside = Played("flip-over", 5), Beside()
    table = played.session.table
    view = View(table, 0, lambda _: None, lambda _: None, Course("no-game", 3, {}, []))
    with pytest.raises(EngineError, match="failed"):
        await beside.decide(view, Random(4))
    beside.close()
    assert not children()


@pytest.mark.parametrize("name", ["you-fink", "flaps"])
async def test_a_claim_comes_when_it_was_drawn_to_come_however_long_it_is_thought_about(
    name: str, autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A late one would tell that there was much to think about.

    What decides in its place is the careful habit, not the normal bot, whose attention slips.
    """

    async def thinks_long(self: Beside, view: View, rng: Random) -> object:
        await trio.sleep(5)
        return "too late"

    monkeypatch.setattr(Beside, "decide", thinks_long)
    played = Played(name, 5)
    asked, seat = next((asked, seat) for asked, seat in played.positions(1) if asked.timed)
    view = played.dealer.view(played.session.table, seat, played.session.course)
    habit = lookahead(name).habit(view, asked, Random(4))
    for seed in range(20):
        begun = trio.current_time()
        bot = BotPlayer(name, Random(seed), pace=Pace(600, 0), level="hard")
        assert await bot.decide(view, asked) == habit
        assert trio.current_time() == pytest.approx(begun + 0.6)


@pytest.mark.slow
async def test_hard_bots_play_between_peers(tmp_path: Path, children: Children) -> None:
    """Each from what its own seat knows: the course of its machine and the cards of its key."""
    bots = [BotPlayer("flop-a", Random(seed), level="hard") for seed in range(2)]
    results = await play_table(tmp_path, bots, game="flop-a", hands=1, bet=1, raises=0)
    assert [result.returns for result in results] == [results[0].returns] * 2
    assert not children()
