"""What there is to see and to do when a game is over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cli.screen.board import ResultShown


@dataclass(slots=True)
class Afterwards:
    """Filled in while the screen stays after a game; empty during one."""

    result: ResultShown | None = None
    """How the game ended, once that is known."""
    play_again: Callable[[], None] | None = None
    """Plays another game with the same people, if they can be asked."""
    look_back: Callable[[], None] | None = None
    """Shows the game once more, step by step."""
    export: Callable[[], None] | None = None
    """Writes a page that shows and checks the game, for others."""

    def keys(self, *, watching: bool) -> str:
        """The keys of this moment; those that a narrow window may not show come last."""
        again = ["r again"] if self.play_again is not None else []
        back = ["v replay"] if self.look_back is not None else []
        page = ["x page"] if self.export is not None else []
        talk = [] if watching else ["h hail!  c chat"]
        return "  ".join([*again, *back, *page, "l events  Enter, q leave", *talk])

    def press(self, key: str) -> None:
        """r, v and x."""
        act = {"r": self.play_again, "v": self.look_back, "x": self.export}.get(key)
        if act is not None:
            act()

    def clear(self) -> None:
        """Another game begins, or the person leaves."""
        self.result = self.play_again = self.look_back = self.export = None
