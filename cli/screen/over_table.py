"""A menu over the table: the games from which a host chooses the next one, the bots of a lobby."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cli.menu.model import Menu


class OverTable:
    """Shown over everything else while there is something to ask."""

    def __init__(self) -> None:
        self.menu: Menu | None = None
        self._chosen: Callable[[Sequence[str]], None] | None = None

    def open(self, menu: Menu, chosen: Callable[[Sequence[str]], None]) -> None:
        """Ask by this menu; `chosen` gets what it ends with, if that is not nothing."""
        self.menu, self._chosen = menu, chosen

    def press(self, menu: Menu, key: str) -> None:
        """A key for the menu that is shown; it goes when there is nothing more to ask."""
        menu.press(key)
        if menu.done:
            chosen = self._chosen
            self.close()
            if menu.argv is not None and chosen is not None:
                chosen(menu.argv)

    def close(self) -> None:
        """Nothing is asked any more."""
        self.menu = self._chosen = None
