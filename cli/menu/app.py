"""The menu on the full screen; a thread looks for tables on the network."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from threading import Event, Thread
from typing import Final

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from cli.home.preferences import THEME, setting
from cli.kit.canvas import Line
from cli.kit.window import FullScreen, colour_depth
from cli.menu.asked import Choice
from cli.menu.model import Menu
from cli.menu.picture import picture
from cli.menu.shelf import HomeShelf
from cli.options.settings import Settings

LOOKS_SECONDS: Final = 0.5
"""Seconds between two times of listening to the network."""


def ask_at_the_screen(settings: Settings, extra: tuple[str, ...], done: str) -> list[str] | None:
    """What is to be run, by its arguments; None for nothing.  `done` is marked first."""
    shelf = HomeShelf()
    menu = Menu(shelf, extra, theme=setting(THEME))
    menu.mark(done)
    screen = MenuScreen(menu, shelf, settings, colour_depth(os.environ))
    asyncio.run(screen.run())
    return None if menu.left else menu.argv


class MenuScreen(FullScreen):
    """A full screen around a menu; `source` and `output` are for tests."""

    def __init__(
        self,
        menu: Menu,
        shelf: HomeShelf,
        settings: Settings,
        depth: int,
        *,
        source: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self._menu: Final = menu
        self._shelf: Final = shelf
        self._settings: Final = settings
        self._looking: Thread | None = None
        self._over: Final = Event()
        super().__init__(depth, source=source, output=output)

    async def run(self) -> None:
        """Show it until it is clear what is to be run, if anything."""
        foreseeing = asyncio.create_task(self._foresee())
        try:
            await self.run_alone()
        finally:
            self._over.set()
            foreseeing.cancel()

    async def _foresee(self) -> None:
        """Show what would be run; it needs the games, for which the first picture does not wait."""
        await self.drawn.wait()
        self._menu.foresees = True
        self.redraw()

    def lines(self, columns: int, rows: int) -> list[Line]:
        """The question."""
        letters = self._settings.ascii
        return picture(self._menu, columns, rows, ascii=letters, solid=self.solid)

    @property
    def theme(self) -> str:
        """The theme that this person likes."""
        return self._menu.theme

    def press(self, key: str) -> None:
        """One key of the menu."""
        self._menu.press(key)
        if self._menu.done:
            self.end()
        elif self._menu.looks_around and self._looking is None:
            loop = asyncio.get_running_loop()
            # A daemon: a user who leaves does not wait for the end of listening.
            self._looking = Thread(target=self._look, args=(loop,), name="nearby", daemon=True)
            self._looking.start()

    def remark(self, said: str) -> None:
        """Show this sentence until the next key."""
        self._menu.notice = said

    def paste(self, text: str) -> None:
        """Take pasted text if a line can be typed."""
        self._menu.paste(text)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._over.is_set():
            heard = self._shelf.listen()
            if self._over.is_set():
                return
            loop.call_soon_threadsafe(self._hear, heard)
            self._over.wait(LOOKS_SECONDS)

    def _hear(self, heard: Sequence[Choice]) -> None:
        self._shelf.heard = heard
        self._menu.refresh()
        self.redraw()
