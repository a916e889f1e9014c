"""A full screen of given lines: what the table, the viewer and the menu have in common.

prompt_toolkit draws and reads keys; a subclass says what the lines are and what a key does.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, TypeVar

from prompt_toolkit.application import Application, run_in_terminal
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import DynamicStyle, Style

from cli.kit.canvas import Line, pad
from cli.kit.full_screen import full_screen
from cli.kit.signs import FOCUS_IN, FOCUS_OUT
from cli.kit.terminal import whole_output
from cli.kit.themes import DEFAULT, is_solid, style_rules
from engine.cloths import HOUSE
from p2p.text.names import printable

DEPTHS: Final = {
    1: ColorDepth.DEPTH_1_BIT,
    4: ColorDepth.DEPTH_4_BIT,
    8: ColorDepth.DEPTH_8_BIT,
    24: ColorDepth.DEPTH_24_BIT,
}
ESCAPE_SECONDS: Final = 0.05
"""How long after Esc the rest of a key may come; too short to be noticed."""
# Loops of Windows take no signals; Ctrl-C comes as a key there too.
LEAVING: Final = () if sys.platform == "win32" else (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
"""Signals that close the screen and leave the terminal as it was."""
CONTINUES: Final = () if sys.platform == "win32" else (signal.SIGCONT,)
"""The signal after which a program that was stopped goes on."""
Result = TypeVar("Result")
_NAMED: Final = {
    **{key: key.value for key in (Keys.Left, Keys.Right, Keys.Up, Keys.Down)},
    **{key: key.value for key in (Keys.PageUp, Keys.PageDown, Keys.Home, Keys.End)},
    **{key: key.value for key in Keys if re.fullmatch(r"f\d+", key.value)},
    Keys.ControlC: "c-c",
    Keys.ControlD: "c-c",
    Keys.ControlM: "enter",
    Keys.ControlJ: "enter",
    Keys.ControlI: "tab",
    Keys.ControlH: "backspace",
    Keys.Escape: "escape",
}
# prompt_toolkit does not know what terminals say about their focus, and would make keys of it.
ANSI_SEQUENCES.update({FOCUS_IN: Keys.Ignore, FOCUS_OUT: Keys.Ignore})


class FullScreen(ABC):
    """An application that shows `lines` and hands each key to `press`, by its name.

    `depth` is 1, 4, 8 or 24 bits of colour.  `source` and `output` are for tests.
    """

    def __init__(
        self, depth: int, *, source: Input | None = None, output: Output | None = None
    ) -> None:
        self._depth: Final = depth
        self._styles: dict[tuple[str, str], Style] = {}
        self.drawn: Final = asyncio.Event()
        """Set once there is something to look at."""
        self.focused: Callable[[bool], None] = lambda front: None
        """Told that the terminal came to the front, or left it, if it was asked to say so."""
        self.app: Final[Application[None]] = self._application(source, output)
        self._lent = False
        """Whether something else has the terminal now."""

    @abstractmethod
    def lines(self, columns: int, rows: int) -> list[Line]:
        """The picture, in exactly this many columns and rows."""

    @abstractmethod
    def press(self, key: str) -> None:
        """One key: a character, or a name ("left", "enter", "c-c")."""

    @property
    def theme(self) -> str:
        """The theme of the next picture."""
        return DEFAULT

    @property
    def cloth(self) -> str:
        """What the next picture lies on (`engine.cloths`)."""
        return HOUSE

    @property
    def solid(self) -> bool:
        """Whether the next picture is drawn as a table with solid cards."""
        return is_solid(self.theme, self._depth)

    @abstractmethod
    def paste(self, text: str) -> None:
        """Take pasted text: it is typed if something can be typed, and never obeyed."""

    def redraw(self) -> None:
        """Draw again, because there is news; from any thread."""
        self.app.invalidate()

    def end(self) -> None:
        """Let the application return, if it has not."""
        if self.app.is_running and not self.app.is_done:
            self.app.exit()

    async def run_alone(self) -> None:
        """Show it until `end` or a signal; the whole of a program without a table."""
        with self.heeding(asyncio.get_running_loop(), self.end), full_screen():
            await self.app.run_async(handle_sigint=False)

    @contextmanager
    def heeding(self, loop: asyncio.AbstractEventLoop, leave: Callable[[], None]) -> Iterator[None]:
        """In this block signals call `leave`, and a program that was stopped draws again."""
        heard = dict.fromkeys(LEAVING, leave)
        heard |= dict.fromkeys(CONTINUES, self._continued)
        for number, heed in heard.items():
            loop.add_signal_handler(number, heed)
        try:
            yield
        finally:
            for number in heard:
                loop.remove_signal_handler(number)

    async def lend(self, show: Callable[[], Result]) -> Result:
        """Call `show` in a thread while it has the bare terminal; then draw again."""
        self._lent = True
        try:
            return await run_in_terminal(show, in_executor=True)
        finally:
            self._lent = False

    def suspend(self) -> None:
        """Ctrl-Z: this program stops until the shell continues it, with all that it has started."""
        if CONTINUES:
            self.app.create_background_task(self._suspend())

    async def _suspend(self) -> None:
        await self.lend(stop)

    def _continued(self) -> None:
        """Whoever had the terminal meanwhile has left it in another mode, with other text on it."""
        if self._lent or not self.app.is_running:
            return
        # The application knows the mode to go back to in the end; this one is not left by itself.
        self.app.input.raw_mode().__enter__()
        self.app.renderer.reset()
        self.redraw()

    def _application(self, source: Input | None, output: Output | None) -> Application[None]:
        control = FormattedTextControl(self._picture, show_cursor=False)
        app: Application[None] = Application(
            layout=Layout(Window(control, style="class:page", wrap_lines=False)),
            key_bindings=self._bindings(),
            style=DynamicStyle(self._style),
            include_default_pygments_style=False,
            full_screen=True,
            color_depth=DEPTHS[self._depth],
            mouse_support=False,
            input=source,
            output=output or whole_output(),
            after_render=lambda _app: self.drawn.set(),
        )
        app.ttimeoutlen = app.timeoutlen = ESCAPE_SECONDS
        return app

    def _picture(self) -> StyleAndTextTuples:
        size = self.app.output.get_size()
        fragments: StyleAndTextTuples = []
        for number, line in enumerate(self.lines(size.columns, size.rows)):
            fragments += [("", "\n")] if number else []
            # All that a game, a peer or a file's name brought here becomes letters with a width.
            fragments.extend(pad([(style, printable(text)) for style, text in line], size.columns))
        return fragments

    def _style(self) -> Style:
        look = self.theme, self.cloth
        if look not in self._styles:
            rules = style_rules(self.theme, self._depth, self.cloth)
            self._styles[look] = Style(list(rules.items()))
        return self._styles[look]

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        for key, name in _NAMED.items():
            bindings.add(key)(self._named(name))
        bindings.add(Keys.BracketedPaste)(lambda event: self.paste(event.data))
        bindings.add(Keys.Ignore)(self._reported)
        bindings.add(Keys.ControlZ)(lambda event: self.suspend())
        bindings.add(Keys.Any)(self._any)
        return bindings

    def _named(self, name: str) -> Callable[[KeyPressEvent], None]:
        return lambda event: self.press(name)

    def _reported(self, event: KeyPressEvent) -> None:
        if event.data in (FOCUS_IN, FOCUS_OUT):
            self.focused(event.data == FOCUS_IN)

    def _any(self, event: KeyPressEvent) -> None:
        if len(event.data) == 1 and event.data.isprintable():
            self.press(event.data)


def stop() -> None:
    """Stop all processes of this job, as a terminal does at Ctrl-Z."""
    os.kill(0, signal.SIGTSTP)


def colour_depth(environment: Mapping[str, str]) -> int:
    """1, 4, 8 or 24 bits of colour.

    NO_COLOR (https://no-color.org) means 1 whenever it is not empty; PROMPT_TOOLKIT_COLOR_DEPTH as
    that library documents it; otherwise what COLORTERM and TERM say.
    """
    if environment.get("NO_COLOR"):
        return 1
    asked = environment.get("PROMPT_TOOLKIT_COLOR_DEPTH", "")
    named = {"DEPTH_1_BIT": 1, "DEPTH_4_BIT": 4, "DEPTH_8_BIT": 8, "DEPTH_24_BIT": 24}
    if asked in named:
        return named[asked]
    if environment.get("COLORTERM", "") in ("truecolor", "24bit") or sys.platform == "win32":
        return 24
    term = environment.get("TERM", "")
    if "256color" in term or "direct" in term:
        return 8
    return 1 if term in ("", "dumb", "vt100", "vt102", "vt220") else 4
