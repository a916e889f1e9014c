"""Headings of the story: what is told of one trick, one contest, one round of betting.  Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from cli.screen.board import Heading
from engine.view import View
from engine.wording import MarkKind, Wording
from engine.wording.roles import mark_kind

ENDING: Final = (MarkKind.TRICK, MarkKind.ROUND, MarkKind.END)
"""After what is marked so, the next chapter begins."""


class Chapters:
    """Puts headings before what is told of one game."""

    def __init__(self) -> None:
        self._ended = True
        self._last = ""

    def headed(
        self,
        lines: Sequence[str],
        word: str,
        text: Wording[Any],
        view: View,
        names: Sequence[str],
    ) -> list[str]:
        """The lines of a note (`word` is its first), after a heading if a chapter begins."""
        told = list(lines)
        heading = text.chapter(text.scene(view, names)) if self._ended else ""
        if heading and heading != self._last:
            self._last = heading
            told.insert(0, Heading(heading))
        self._ended = mark_kind(text.marks, word) in ENDING
        return told
