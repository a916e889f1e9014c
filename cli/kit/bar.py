"""How far something has come that takes longer: a bar on stderr, in a terminal only.

A plain or dumb terminal gets a line at the end instead.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from cli.kit.flags import MANNER, is_dumb
from cli.kit.output import say

if TYPE_CHECKING:
    from rich.progress import Progress


class Bar:
    """Call it with how many are done and how many there are; without a `progress` it is silent.

    It may be called a thousand times a second: that takes a microsecond, and what is drawn ten
    times a second is always the last of it, also where the next takes a minute.
    """

    def __init__(self, progress: Progress | None) -> None:
        self._progress: Final = progress
        self._task = None if progress is None else progress.add_task("", total=None)
        self.last: tuple[int, int] | None = None

    def __call__(self, done: int, of: int) -> None:
        self.last = done, of
        if self._progress is None or self._task is None:
            return
        self._progress.update(self._task, completed=done, total=of)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Take the bar away while something is printed, which may go to the same terminal."""
        if self._progress is None:
            yield
            return
        self._progress.stop()
        try:
            yield
            sys.stdout.flush()
        finally:
            self._progress.start()


@contextmanager
def bar_for(what: str, doing: str = "Checking", *, counted: bool = True) -> Iterator[Bar]:
    """A bar on a terminal's stderr; nothing anywhere else.

    With the time that is left; where nothing can be `counted` it moves to and fro, with the time
    that has gone by.
    """
    title = f"{doing} {what}"
    if not (sys.stderr and sys.stderr.isatty()):
        yield Bar(None)
    elif MANNER.plain or is_dumb():
        bar = Bar(None)
        yield bar
        say(f"{title}: {_count(bar)}", err=True)
    else:
        with _drawn(title, counted=counted) as progress:
            yield Bar(progress)


def _count(bar: Bar) -> str:
    return "done" if bar.last is None else f"{bar.last[0]} of {bar.last[1]}"


def _drawn(title: str, *, counted: bool) -> Progress:
    # Not at the top: rich takes as long to import as a short audit.
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    class Ascii(Console):
        """A console that draws as if its terminal had no other letters."""

        @property
        def encoding(self) -> str:
            return "ascii"

    console = (Ascii if MANNER.ascii else Console)(stderr=True)
    how_far = [MofNCompleteColumn(), TimeRemainingColumn()] if counted else [TimeElapsedColumn()]
    return Progress(TextColumn(title), BarColumn(), *how_far, console=console, transient=True)
