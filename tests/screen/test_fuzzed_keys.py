"""Whatever bytes come from a keyboard, the screen lives, and a fault in a key ends nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

import pytest
from prompt_toolkit.application.current import set_app
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.input.base import PipeInput
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from cli.kit import window
from cli.kit.window import FAILED, FullScreen, typed
from cli.menu.app import MenuScreen
from cli.menu.shelf import HomeShelf
from cli.options.settings import Settings
from cli.screen.app import Screen
from cli.screen.functions import ask_how
from cli.screen.lobby import Gathered
from cli.screen.model import Model
from cli.viewer.app import Page
from tests.cli.test_menu import menu
from tests.cli.test_viewer import viewer_of
from tests.replay.saved import saved
from tests.screen.fuzzed import sequences
from tests.screen.test_app import Window
from tests.screen.test_keys import table

Run = Callable[[Coroutine[Any, Any, None]], None]
FEW, MANY = 150, 20_000
LOOKS = 10
"""Every so many sequences the screen is drawn."""


def lobby() -> Model:
    model = Model("test", lambda: 0.0)
    gathered = Gathered(("1  Ana",), "1 of 2 seated", ready=False, full=False, signing="")
    model.lobby.set_ready = lambda ready: None
    model.gather(gathered)
    return model


def at_table() -> Model:
    at = table("sneak")
    at.ask()
    at.model.send_chat = lambda said: None
    return at.model


def race() -> Model:
    at = table("you-fink")
    at.ask()
    return at.model


def helping() -> Model:
    model = at_table()
    model.show_help("Help", ["line"] * 60)
    return model


def leaving() -> Model:
    model = at_table()
    ask_how(model, "sure")
    return model


def over() -> Model:
    model = at_table()
    model.ended = "The game is over."
    return model


TABLES: dict[str, Callable[[], Model]] = {
    "lobby": lobby,
    "table": at_table,
    "race": race,
    "help": helping,
    "leave": leaving,
    "over": over,
}
SCREENS = [*TABLES, "menu", "viewer"]


def screen_of(name: str, pipe: PipeInput) -> FullScreen:
    """A screen that reads this pipe; whoever leaves it stays."""
    if name in TABLES:
        made = Screen(TABLES[name](), Settings(), 8, source=pipe, output=Window())
        made.model.leave = made.model.part = lambda: None
        made.model.print_plainly = lambda lines: None
        return made
    if name == "menu":
        asking = MenuScreen(menu(), HomeShelf(), Settings(), 8, source=pipe, output=Window())
        asking._looking = Thread()  # as if it listened to the network already
        return asking
    return Page(viewer_of(saved("flip-over")), 8, source=pipe, output=Window())


@contextmanager
def opened(name: str) -> Iterator[tuple[FullScreen, PipeInput, Run]]:
    """The screen, its keyboard, and what runs something on its loop."""
    with create_pipe_input() as pipe:
        made = screen_of(name, pipe)
        if isinstance(made, Screen):
            with made:
                yield made, pipe, made._loop.run_until_complete
        else:
            made.end = lambda: None  # type: ignore[method-assign]
            yield made, pipe, asyncio.run


def model_of(screen: FullScreen) -> Model:
    assert isinstance(screen, Screen)
    return screen.model


async def feed(screen: FullScreen, pipe: PipeInput, text: str) -> None:
    """Hand the bytes to the keys as the running application does."""
    keys = screen.app.key_processor
    with set_app(screen.app):
        pipe.send_text(text)
        keys.feed_multiple([*screen.app.input.read_keys(), *screen.app.input.flush_keys()])
        keys.process_keys()
    await asyncio.sleep(0)
    if isinstance(screen, MenuScreen) and screen._menu.done:
        screen.__dict__["_menu"] = menu()


@pytest.mark.parametrize("name", SCREENS)
@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.full)])
def test_no_escape_sequence_ends_a_screen(
    name: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed: list[str] = []

    async def type_all() -> None:
        for number, sequence in enumerate(sequences(count, seed=1)):
            await feed(screen, pipe, sequence)
            if number % LOOKS == 0:
                screen.lines(80, 24)

    with opened(name) as (screen, pipe, run):
        monkeypatch.setattr(screen, "suspend", lambda: None)
        monkeypatch.setattr(screen, "remark", failed.append)
        run(type_all())
    assert failed == []


def test_five_bytes_do_nothing() -> None:
    """prompt_toolkit took `ESC [ 3 1 m` for its mouse, and raised."""
    with opened("table") as (screen, pipe, run):
        run(feed(screen, pipe, "\x1b[31m\x1b[<1m\x1b[M !!"))
        run(feed(screen, pipe, "9d"))
        assert model_of(screen).line.text == "9d"


def test_fault_in_a_key_is_a_remark_and_a_line_in_the_log(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(key: str) -> None:
        raise ZeroDivisionError("in a key")

    with opened("table") as (screen, pipe, run), caplog.at_level(logging.ERROR, "nodealer"):
        monkeypatch.setattr(screen, "press", broken)
        run(feed(screen, pipe, "9"))
        assert model_of(screen).board().notice == FAILED
    assert "a key failed" in caplog.text
    assert "ZeroDivisionError" in caplog.text


def test_paste_without_an_end_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every key after it was swallowed, Ctrl-C too."""
    monkeypatch.setattr(window, "PASTE_SECONDS", 0)

    async def type_all() -> None:
        await feed(screen, pipe, "\x1b[200~9")
        while screen._pasting is not None:
            await asyncio.sleep(0)
        await feed(screen, pipe, "d")

    with opened("table") as (screen, pipe, run):
        run(type_all())
        assert model_of(screen).line.text == "9d"


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("\x1b[99;5uq", "q"),
        ("\x1b[12", ""),
        ("\x1bOzq", "q"),
        ("\x1bq", "\x1bq"),
        ("\x1b", "\x1b"),
        ("\x1b[1\x1b", "\x1b"),
    ],
)
def test_characters_of_an_unknown_sequence_are_dropped(sent: str, kept: str) -> None:
    pressed = [KeyPress(Keys.Escape if one == "\x1b" else one, one) for one in sent]
    assert "".join(one.data for one in typed(pressed)) == kept
