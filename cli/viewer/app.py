"""The application around the viewer: prompt_toolkit draws and reads keys."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import Output
from prompt_toolkit.styles import DynamicStyle, Style

from cli.screen.app import DEPTHS, ESCAPE_SECONDS
from cli.screen.layout import render
from cli.screen.place import colour_depth
from cli.screen.themes import style_rules
from cli.settings import Settings
from cli.viewer.checking import Checking
from cli.viewer.keys import press
from cli.viewer.model import Viewer
from engine.question import Seat
from replay.game import SavedGame

_NAMED: Final = {
    **{key: key.value for key in (Keys.Left, Keys.Right, Keys.Up, Keys.Down)},
    **{key: key.value for key in (Keys.PageUp, Keys.PageDown, Keys.Home, Keys.End)},
    Keys.ControlC: "c-c",
    Keys.ControlD: "c-c",
    Keys.Escape: "escape",
    Keys.ControlM: "enter",
    Keys.ControlJ: "enter",
    Keys.ControlH: "backspace",
}


def view_game(game: SavedGame, log: Path, step: int, seat: Seat, settings: Settings) -> int:
    """Look at a saved game until the person leaves; the exit code.

    1 where the audit in the background found a fault in the meantime.
    """
    checking = Checking(log)
    viewer = Viewer(
        game, step, seat, time.monotonic, checked=lambda: checking.said, ascii=settings.ascii
    )
    app = Page(viewer, colour_depth(os.environ))
    checking.changed = app.redraw
    checking.start()
    try:
        app.run()
    finally:
        checking.stop()
    return int(checking.failed)


class Page:
    """A full screen around a viewer; `source` and `output` are for tests."""

    def __init__(
        self,
        viewer: Viewer,
        depth: int,
        *,
        source: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self._viewer: Final = viewer
        self._depth: Final = depth
        self._styles: dict[str, Style] = {}
        control = FormattedTextControl(self._picture, show_cursor=False)
        self._app: Final[Application[None]] = Application(
            layout=Layout(Window(control, style="class:page", wrap_lines=False)),
            key_bindings=self._bindings(),
            style=DynamicStyle(self._style),
            full_screen=True,
            color_depth=DEPTHS[depth],
            mouse_support=False,
            input=source,
            output=output,
        )
        self._app.ttimeoutlen = self._app.timeoutlen = ESCAPE_SECONDS

    def run(self) -> None:
        """Until the person leaves."""
        asyncio.run(self._run())

    def redraw(self) -> None:
        """There is news; from any thread."""
        self._app.invalidate()

    async def _run(self) -> None:
        playing = asyncio.create_task(self._play())
        try:
            await self._app.run_async()
        finally:
            playing.cancel()

    async def _play(self) -> None:
        while True:
            await asyncio.sleep(self._viewer.wait)
            if self._viewer.tick():
                self._app.invalidate()

    def _picture(self) -> StyleAndTextTuples:
        size = self._app.output.get_size()
        lines = render(
            self._viewer.board(),
            size.columns,
            size.rows,
            ascii=self._viewer.ascii,
            card_size=self._viewer.card_size,
        )
        fragments: StyleAndTextTuples = []
        for number, line in enumerate(lines):
            fragments += [("", "\n")] if number else []
            fragments.extend(line)
        return fragments

    def _style(self) -> Style:
        theme = self._viewer.theme
        if theme not in self._styles:
            self._styles[theme] = Style(list(style_rules(theme, self._depth).items()))
        return self._styles[theme]

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        for key, name in _NAMED.items():
            bindings.add(key)(self._named(name))
        bindings.add(Keys.Any)(self._any)
        return bindings

    def _named(self, name: str) -> Callable[[KeyPressEvent], None]:
        return lambda event: self._press(name)

    def _any(self, event: KeyPressEvent) -> None:
        if len(event.data) == 1 and event.data.isprintable():
            self._press(event.data)

    def _press(self, key: str) -> None:
        press(self._viewer, key)
        if self._viewer.left and not self._app.is_done:
            self._app.exit()
