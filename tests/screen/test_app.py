"""The application on a pipe instead of a terminal: keys in, pictures out, trio as its guest."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random

import pytest
import trio
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.input.base import PipeInput
from prompt_toolkit.output import DummyOutput

from cli.failures import LeftTableError, NotFinishedError
from cli.kit import window
from cli.kit.bindings import TABLE
from cli.kit.canvas import plain_text
from cli.options.asked_table import ask_for_table
from cli.options.settings import Settings
from cli.screen import keys
from cli.screen.app import Screen, now
from cli.screen.board import Board
from cli.screen.layout import render
from cli.screen.model import Model
from cli.screen.player import ScreenPlayer
from cli.tables.bots import bot_player
from cli.tables.loopback import bot_sitter, play_here
from cli.words.hints import REFUSED
from p2p.identity.keys import Identity
from p2p.peer import Sitter
from p2p.player.events import Seated
from p2p.protocol.terms import Terms
from replay.audit import audit
from tests.patience import PATIENCE
from tests.screen.boards import NAMES, Position, position


class Window(DummyOutput):
    """An output of a size that a test changes."""

    def __init__(self) -> None:
        self.size = Size(24, 80)
        self.alternate: list[str] = []

    def get_size(self) -> Size:
        return self.size

    def enter_alternate_screen(self) -> None:
        self.alternate.append("enter")

    def quit_alternate_screen(self) -> None:
        self.alternate.append("quit")


@contextmanager
def opened(clock: Callable[[], float] = now) -> Iterator[tuple[Screen, PipeInput, Window]]:
    with create_pipe_input() as pipe:
        window = Window()
        screen = Screen(Model("test", clock), Settings(), 8, source=pipe, output=window)
        with screen:
            yield screen, pipe, window
        assert window.alternate == ["enter", "quit"]


async def until(true: Callable[[], bool]) -> None:
    with trio.fail_after(PATIENCE):
        while not true():
            await trio.sleep(0.002)


def sit(screen: Screen, at: Position) -> ScreenPlayer:
    player = ScreenPlayer(screen.model, Settings())
    seats = len(at.presenter.names)
    words = tuple("a-b" for _ in range(seats))
    player.tell(Seated(NAMES[:seats], words, 0, Terms.of(at.session.game.name), 1_000))
    return player


def shown(screen: Screen, window: Window) -> str:
    return plain_text(render(screen.model.board(), window.size.columns, window.size.rows))


def test_a_question_is_answered_by_keys() -> None:
    at = position("flip-over")

    async def ask() -> object:
        async with trio.open_nursery() as nursery:

            async def type_it() -> None:
                await until(lambda: screen.model.asking is not None)
                pipe.send_text("9h")
                await until(lambda: screen.model.board().typed == "9h")
                await trio.sleep(0.2)
                pipe.send_text("\r")

            nursery.start_soon(type_it)
            return await player.decide(at.view, at.question)

    with opened() as (screen, pipe, _):
        player = sit(screen, at)
        slot = screen.run(ask)
    assert isinstance(slot, int)
    assert at.view.face(slot).name == "9H"


def test_arrows_and_escape_are_told_apart() -> None:
    at = position("flip-over")

    async def ask() -> tuple[str, int]:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(player.decide, at.view, at.question)
            await until(lambda: screen.model.asking is not None)
            asking = screen.model.asking
            assert asking is not None
            pipe.send_text("9")
            await until(lambda: asking.typed == "9")
            pipe.send_text("\x1b")
            await until(lambda: asking.typed == "")
            asking.cursor = 0
            pipe.send_text("\x1b[C\x1b[C")
            await until(lambda: asking.cursor == 2)
            nursery.cancel_scope.cancel()
        return asking.typed, asking.cursor

    with opened() as (screen, pipe, _):
        player = sit(screen, at)
        assert screen.run(ask) == ("", 2)
    assert screen.model.asking is None


def test_every_key_that_has_a_name_comes_from_a_terminal() -> None:
    """Otherwise help would tell of a key that does nothing."""
    named = {key for one in TABLE for key in one.keys} | {*keys._MOVES, *keys.SCROLLS}
    assert {key for key in named if len(key) > 1} <= set(window._NAMED.values())

    async def press() -> None:
        pipe.send_text("\x1b[17~")
        await until(lambda: screen.model.notice == REFUSED)

    with opened() as (screen, pipe, _):
        screen.run(press)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_leaves_and_restores_the_terminal(number: signal.Signals) -> None:
    async def wait() -> None:
        os.kill(os.getpid(), number)
        await trio.sleep_forever()

    with opened() as (screen, _, _), pytest.raises(LeftTableError):
        screen.run(wait)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_program_that_was_stopped_draws_its_screen_anew() -> None:
    """`fg` after Ctrl-Z, or SIGCONT after SIGSTOP: the shell has written on the terminal."""

    async def go_on() -> None:
        before = screen.app.render_counter
        os.kill(os.getpid(), signal.SIGCONT)
        await until(lambda: screen.app.render_counter > before)
        assert window.alternate == ["enter", "quit", "enter"]
        window.alternate[1:] = []

    with opened() as (screen, _, window):
        screen.run(go_on)
    assert signal.getsignal(signal.SIGCONT) is signal.SIG_DFL


def test_whoever_has_the_terminal_meanwhile_is_not_drawn_over() -> None:
    """Lines on the bare terminal, or a replay that was started from the table."""
    goes_on = threading.Event()

    async def lent() -> None:
        waits = screen._loop.create_task(screen.lend(goes_on.wait))
        await until(lambda: screen._lent)
        before = screen.app.render_counter
        os.kill(os.getpid(), signal.SIGCONT)
        await trio.sleep(0.05)
        assert screen.app.render_counter == before
        goes_on.set()
        await until(waits.done)
        window.alternate[1:] = []

    with opened() as (screen, _, window):
        screen.run(lent)


def test_control_z_stops_the_whole_job(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = list[tuple[int, int]]()
    monkeypatch.setattr(os, "kill", lambda *job: stopped.append(job))

    async def press() -> None:
        pipe.send_text("\x1a")
        await until(lambda: bool(stopped))
        await until(lambda: window.alternate == ["enter", "quit", "enter"])
        window.alternate[1:] = []

    with opened() as (screen, pipe, window):
        screen.run(press)
    assert stopped == [(0, signal.SIGTSTP)]


def test_leaving_is_asked_and_cancels_what_runs() -> None:
    cleaned = []

    async def wait() -> None:
        try:
            pipe.send_text("\x03")
            await until(lambda: screen.model.mode == "sure")
            await until(lambda: screen.model.eyes.sees_leaving)
            pipe.send_text("y")
            await trio.sleep_forever()
        finally:
            cleaned.append(True)

    with opened() as (screen, pipe, _), pytest.raises(LeftTableError):
        screen.run(wait)
    assert cleaned == [True]
    assert issubclass(LeftTableError, NotFinishedError)


def test_an_error_of_the_table_goes_through_as_with_trio_run() -> None:
    async def fail() -> None:
        await trio.sleep(0)
        raise KeyError("ours")

    async def group() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(fail)

    with opened() as (screen, _, _):
        with pytest.raises(KeyError):
            screen.run(fail)
        with pytest.raises(ExceptionGroup):
            screen.run(group)
        assert screen.run(trio.sleep, 0) is None


def test_a_fault_in_drawing_ends_the_table_and_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    async def wait() -> None:
        def broken() -> Board:
            raise ZeroDivisionError("in a picture")

        monkeypatch.setattr(screen.model, "board", broken)
        screen.app.invalidate()
        await trio.sleep_forever()

    with opened() as (screen, _, _), pytest.raises(ZeroDivisionError):
        screen.run(wait)


def test_the_window_shrinks_to_20_x_5_and_the_table_is_back_when_it_grows() -> None:
    at = position("flaps")

    async def resize() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(player.decide, at.view, at.question)
            await until(lambda: screen.model.asking is not None)
            for size, text in ((Size(5, 20), "too small"), (Size(24, 80), "Bartholomew")):
                window.size = size
                before = screen.app.render_counter
                screen.app._on_resize()
                await until(lambda was=before: screen.app.render_counter > was)  # type: ignore[misc]
                assert text in shown(screen, window).replace("\n", " ") or "20 x 5" in shown(
                    screen, window
                )
            nursery.cancel_scope.cancel()

    with opened() as (screen, _, window):
        player = sit(screen, at)
        screen.run(resize)


def test_bracketed_paste_presses_no_key() -> None:
    at = position("flip-over")

    async def paste() -> str:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(player.decide, at.view, at.question)
            await until(lambda: screen.model.asking is not None)
            await trio.sleep(0.2)
            pipe.send_text("\x1b[200~9h\rq\r\n\x1b[201~")
            await until(lambda: screen.model.board().typed != "")
            typed = screen.model.board().typed
            assert screen.model.mode == ""
            nursery.cancel_scope.cancel()
        return typed

    with opened() as (screen, pipe, _):
        player = sit(screen, at)
        assert screen.run(paste) == "9hq"


@pytest.mark.slow
def test_a_whole_match_of_peers_by_keys(tmp_path: Path) -> None:
    """The person holds Enter down: every card is the one that the screen has marked."""
    asked = ask_for_table("flip-over", 3, ["rounds=1"])

    seconds = count()  # each look at the clock is a second later: nothing has to be waited for
    with opened(lambda: float(next(seconds))) as (screen, pipe, _):
        player = ScreenPlayer(screen.model, Settings())
        decide = player.decide

        async def decide_by_key(view: object, question: object) -> object:
            async with trio.open_nursery() as nursery:

                async def press() -> None:
                    while True:
                        await trio.sleep(0.02)
                        pipe.send_text("\r")

                nursery.start_soon(press)
                decision = await decide(view, question)  # type: ignore[arg-type]
                nursery.cancel_scope.cancel()
            return decision

        player.decide = decide_by_key  # type: ignore[method-assign]
        you = Sitter(Identity.generate(os.urandom, "Zoe"), player)
        bots = [bot_sitter(name, bot_player("flip-over", 2, 1)) for name in ("Ada", "Bo")]
        log = play_here(asked, you, bots, tmp_path, run=screen.run).log
        picture = plain_text(render(screen.model.board(), 80, 24))
    assert audit(log).verdict == "complete"
    assert "game over" in picture
    assert sum("Zoe lays" in line for line in screen.model.events.told()) == 8


@pytest.mark.slow
def test_any_position_of_any_seat_is_drawn_while_the_others_play() -> None:
    """The view stays true between the player's own questions: every step of a game can be drawn."""
    at = Position("flaps", 4, {"level": "7"}, 1)
    session, dealer, rng = at.session, at.dealer, Random(3)
    view, drawn = at.view, 0
    while not session.over and drawn < 400:
        asked = session.pending
        assert asked is not None
        board = at.presenter.board(view, question=asked)
        assert len(render(board, 80, 24)) == 24
        drawn += 1
        if asked.deciders:
            decisions = {
                seat: rng.choice(asked.decisions(dealer.view(session.table, seat)))
                for seat in asked.deciders
            }
            session.answer(dealer.answer(session.table, asked, decisions))
        else:
            session.answer(dealer.act(session.table, asked))
    assert drawn > 100


def test_a_fault_while_the_person_looks_on_is_raised_too(monkeypatch: pytest.MonkeyPatch) -> None:
    with opened() as (screen, _, _):
        assert screen.run(trio.sleep, 0) is None

        def broken() -> Board:
            raise ZeroDivisionError("in a picture")

        monkeypatch.setattr(screen.model, "board", broken)
        with pytest.raises(ZeroDivisionError):
            screen.linger("It is over.")


def test_after_the_end_one_looks_on_until_q() -> None:
    seconds = count()  # each look at the clock is a second later: no key is hasty
    with opened(lambda: float(next(seconds))) as (screen, pipe, _):
        pipe.send_text("x\rq")
        screen.linger("It is over.")
        assert screen.model.board().prompt == "It is over."
        with pytest.raises(LeftTableError):
            screen.run(trio.sleep_forever)
