"""The application around the viewer: prompt_toolkit draws and reads keys."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import Final

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from cli.home.preferences import THEME, card_lines, remembering, setting
from cli.kit.canvas import Line
from cli.kit.window import FullScreen, colour_depth
from cli.options.settings import Settings
from cli.screen.layout import WindowShown, render
from cli.viewer.audit import Checking
from cli.viewer.keys import press
from cli.viewer.model import Viewer
from cli.viewer.review import Reviewing
from engine.zone import Seat
from replay.game import SavedGame


def view_game(game: SavedGame, log: Path, step: int, seat: Seat, settings: Settings) -> int:
    """Show a saved game until the user leaves; the exit code.

    It is 1 if the audit in the background found a fault in the meantime.
    """
    checking, reviewing = Checking(log), Reviewing(log, ascii=settings.ascii)
    viewer = Viewer(
        game,
        step,
        seat,
        time.monotonic,
        checked=lambda: checking.said,
        ascii=settings.ascii,
    )
    viewer.theme, viewer.card_size = setting(THEME), card_lines()
    viewer.review = reviewing.review
    viewer.remember = remembering(viewer.notify)
    app = Page(viewer, colour_depth(os.environ))
    checking.changed = app.redraw
    checking.start()
    try:
        app.run()
    finally:
        checking.stop()
        reviewing.stop()
    return int(checking.failed)


class Page(FullScreen):
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
        super().__init__(depth, source=source, output=output)

    def run(self) -> None:
        """Show it until the user leaves; an ExceptionGroup if something fails beside the keys."""
        asyncio.run(self._run())

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as beside:
            playing = beside.create_task(self._play())
            await self.run_alone()
            playing.cancel()

    async def _play(self) -> None:
        while True:
            await asyncio.sleep(self._viewer.wait)
            if self._viewer.tick():
                self.app.invalidate()

    def lines(self, columns: int, rows: int) -> list[Line]:
        """The table at the step that is looked at."""
        viewer = self._viewer
        letters, size = viewer.ascii, viewer.card_size
        viewer.window = WindowShown(columns, rows, self.solid)
        board = viewer.board()
        return render(board, columns, rows, ascii=letters, card_size=size, solid=self.solid)

    @property
    def theme(self) -> str:
        """The theme that was chosen by key."""
        return self._viewer.theme

    @property
    def cloth(self) -> str:
        """That of the game."""
        return self._viewer.game.wording.cloth

    def press(self, key: str) -> None:
        """One key of the viewer."""
        press(self._viewer, key)
        if self._viewer.left:
            self.end()

    def remark(self, said: str) -> None:
        """Show this sentence until the next key."""
        self._viewer.notify(said)

    def paste(self, text: str) -> None:
        """Take a text to search for, or a number to go to."""
        for letter in text if self._viewer.mode else "":
            if letter.isprintable():
                press(self._viewer, letter)
