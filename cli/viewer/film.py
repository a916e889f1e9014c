"""A saved game as a film: every step as the viewer shows it, as one picture that moves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cli.kit.film import Frame, film
from cli.kit.svg import DEPTH
from cli.kit.themes import is_solid
from cli.screen.layout import render
from cli.viewer.audit import verdict
from cli.viewer.model import QUIET_SECONDS, SECONDS, Viewer
from engine.zone import Seat
from replay.audit import Progress, Report
from replay.game import START, SavedGame

COLUMNS: Final = 84
ROWS: Final = 26
END_SECONDS: Final = 5.0
"""How long the last picture stays."""


def film_of(
    game: SavedGame,
    report: Report,
    seat: Seat,
    theme: str,
    *,
    ascii: bool = False,  # noqa: A002
    progress: Progress,
) -> Iterator[str]:
    """The lines of an SVG; `report` is the audit's, of the same log."""
    said = verdict(report)
    viewer = Viewer(game, START, seat, lambda: 0.0, checked=lambda: said, ascii=ascii)
    frames = []
    for step in range(START, viewer.last + 1):
        viewer.go(step)
        progress(step + 1, viewer.last + 1)
        frames.append(_frame(viewer, is_solid(theme, DEPTH)))
    title = f"{game.wording.title}, played by {', '.join(game.names)}. {said}"
    yield from film(frames, theme, title, game.wording.cloth)


def _frame(viewer: Viewer, solid: bool) -> Frame:
    """What a person decided stays long enough to be read, whatever the pace of the game was."""
    board = viewer.board()
    asked = viewer.game.steps[viewer.step].question if viewer.step >= 0 else None
    least = SECONDS if asked is not None and asked.deciders else QUIET_SECONDS
    seconds = max(viewer.pause(), least)
    *lines, _keys = render(board, COLUMNS, ROWS, ascii=viewer.ascii, solid=solid)
    return Frame(lines, END_SECONDS if viewer.step == viewer.last else seconds)
