"""A long text full screen, from its beginning; arrows scroll it, as a page over the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from cli.home.preferences import THEME, setting
from cli.kit.canvas import Line
from cli.kit.window import FullScreen
from cli.options.settings import Settings
from cli.screen.board import Board, Overlay
from cli.screen.keys import SCROLLS
from cli.screen.layout import WindowShown, render, scrolled

FOOT: Final = "Up and Down scroll; any other key goes back"


class Reader(FullScreen):
    """A full screen around a page; `source` and `output` are for tests."""

    def __init__(
        self,
        title: str,
        lines: Sequence[str],
        settings: Settings,
        depth: int,
        *,
        source: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self._page = Overlay(title, tuple(lines), foot=FOOT)
        self._ascii: Final = settings.ascii
        self._window = WindowShown()
        super().__init__(depth, source=source, output=output)

    def lines(self, columns: int, rows: int) -> list[Line]:
        """The rows of the page that are seen now."""
        self._window = WindowShown(columns, rows, self.solid)
        board = Board(self._page.title, overlay=self._page)
        return render(board, columns, rows, ascii=self._ascii, solid=self.solid)

    @property
    def theme(self) -> str:
        """The theme that this person likes."""
        return setting(THEME)

    def press(self, key: str) -> None:
        """Scroll, or go back."""
        if key not in SCROLLS:
            self.end()
            return
        self._page = scrolled(self._page, SCROLLS[key], self._window)
        self.redraw()

    def paste(self, text: str) -> None:
        """There is nothing to type here."""

    def remark(self, said: str) -> None:
        """Show this sentence in place of the keys."""
        self._page = replace(self._page, foot=said)
