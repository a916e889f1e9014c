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
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, TypeVar

from prompt_toolkit.application import Application, run_in_terminal
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.key_binding import KeyBindings, KeyBindingsBase, KeyPressEvent
from prompt_toolkit.key_binding.key_processor import KeyPress, KeyProcessor
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
FAILED: Final = "That key failed, and did nothing more. The log file says why (--log-file)."
PASTE_SECONDS: Final = 2.0
"""A paste whose next bytes take longer has lost its end; keys must not become part of it."""
ESCAPE_SECONDS: Final = 0.05
"""How long after Esc the rest of a key may come; too short to be noticed."""
# Loops of Windows take no signals; Ctrl-C comes as a key there too.
LEAVING: Final = () if sys.platform == "win32" else (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
"""Signals that close the screen and leave the terminal as it was."""
PASTE_END: Final = "\x1b[201~"
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
        self._pasting: asyncio.TimerHandle | None = None

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

    @abstractmethod
    def remark(self, said: str) -> None:
        """Show this sentence until the next key."""

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
        # The application's own processor also obeys the bindings of an editor: its mouse, its vi.
        app.key_processor = OwnKeys(app.key_bindings or KeyBindings(), self._watch_paste)
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
        bindings.add(Keys.BracketedPaste)(lambda event: self._heed(partial(self.paste, event.data)))
        bindings.add(Keys.Ignore)(self._reported)
        bindings.add(Keys.ControlZ)(lambda event: self.suspend())
        bindings.add(Keys.Any)(self._any)
        return bindings

    def _named(self, name: str) -> Callable[[KeyPressEvent], None]:
        return lambda event: self._heed(partial(self.press, name))

    def _heed(self, act: Callable[[], None]) -> None:
        """Do what a key means; a fault in that is told, and ends nothing."""
        try:
            act()
        except Exception:  # noqa: BLE001 (whatever a key does wrong, the seat stays)
            from p2p.logs import logger  # noqa: PLC0415 (not needed for the first picture)

            logger("cli").exception("a key failed")
            self.remark(FAILED)
            self.redraw()

    def _reported(self, event: KeyPressEvent) -> None:
        if event.data in (FOCUS_IN, FOCUS_OUT):
            self.focused(event.data == FOCUS_IN)

    def _any(self, event: KeyPressEvent) -> None:
        if len(event.data) == 1 and event.data.isprintable():
            self._heed(partial(self.press, event.data))

    def _watch_paste(self) -> None:
        """Bytes came: if they are part of a paste, its end has to come soon."""
        if self._pasting is not None:
            self._pasting.cancel()
        pastes = self._parser is not None and self._parser._in_bracketed_paste
        loop = asyncio.get_running_loop()
        self._pasting = loop.call_later(PASTE_SECONDS, self._end_paste) if pastes else None

    @property
    def _parser(self) -> Any:
        """What reads the sequences of this terminal; None where the system does that."""
        return getattr(self.app.input, "vt100_parser", None)

    def _end_paste(self) -> None:
        self._pasting = None
        self._parser.feed(PASTE_END)
        self.app.key_processor.feed_multiple(self.app.input.flush_keys())
        self.app.key_processor.process_keys()


class OwnKeys(KeyProcessor):
    """Keys for no bindings but these; `heard` is called for all that the terminal sends.

    A sequence that prompt_toolkit does not know comes as Esc and its characters; none of them was
    typed by a person.
    """

    def __init__(self, bindings: KeyBindingsBase, heard: Callable[[], None]) -> None:
        super().__init__(bindings)
        self._heard: Final = heard

    def feed_multiple(self, key_presses: list[KeyPress], first: bool = False) -> None:
        self._heard()
        super().feed_multiple(typed(key_presses), first)


def typed(pressed: Sequence[KeyPress]) -> list[KeyPress]:
    """The keys without the characters of unknown sequences (ECMA-48, 5.4)."""
    kept, at = list[KeyPress](), 0
    while at < len(pressed):
        length = _unknown(pressed[at:])
        kept += [] if length else [pressed[at]]
        at += length or 1
    return kept


def _unknown(pressed: Sequence[KeyPress]) -> int:
    """How many keys are the characters of an unknown sequence that begins here; 0 if none does."""
    if len(pressed) < 2 or pressed[0].key is not Keys.Escape:
        return 0
    if pressed[1].data == "O":
        return min(len(pressed), 3)
    if pressed[1].data != "[":
        return 0
    for at, key in enumerate(pressed[2:], 2):
        if not " " <= key.data <= "?":
            return at + ("@" <= key.data <= "~")
    return len(pressed)


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
