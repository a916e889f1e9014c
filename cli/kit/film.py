"""Screens one after the other as one SVG that moves by itself, without a script.  Pure.

A row is drawn once for each thing that ever stands in it, and shown while it does (CSS
animations, which browsers also play in an image of a page).  Who asked the system for less motion
sees the last screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from cli.kit.canvas import Line
from cli.kit.svg import Paper, columns_of
from engine.cloths import HOUSE

STILL: Final = """\
@media (prefers-reduced-motion: reduce) {
g { animation: none !important }
.e { visibility: visible }
}"""


class Frame(NamedTuple):
    """A screen, and for how many seconds it is seen."""

    lines: Sequence[Line]
    seconds: float


class _Shown(NamedTuple):
    """What stands in a row in these frames."""

    row: int
    line: tuple[tuple[str, str], ...]


def film(frames: Sequence[Frame], theme: str, title: str, cloth: str = HOUSE) -> Iterator[str]:
    """The lines of the picture; ValueError without frames.

    `title` is for people who cannot see it.  At its end it begins again.
    """
    if not frames:
        raise ValueError("a film has a frame or more")
    rows = max(len(frame.lines) for frame in frames)
    paper = Paper(theme, cloth, max(columns_of(frame.lines) for frame in frames), rows)
    seen = _seen(frames)
    names = {shots: f"f{number}" for number, shots in enumerate(dict.fromkeys(seen.values()))}
    yield from paper.head(title)
    yield "<style>"
    yield from _rules(frames, names)
    yield f"{STILL}</style>"
    for (row, line), shots in seen.items():
        last = " e" if shots[-1] == len(frames) - 1 else ""
        yield f'<g class="{names[shots]}{last}">'
        yield from paper.row(list(line), row)
        yield "</g>"
    yield "</svg>"


def _seen(frames: Sequence[Frame]) -> dict[_Shown, tuple[int, ...]]:
    """The frames in which each thing stands in its row."""
    seen: dict[_Shown, list[int]] = {}
    for number, frame in enumerate(frames):
        for row, line in enumerate(frame.lines):
            if any(text.strip() or style for style, text in line):
                seen.setdefault(_Shown(row, tuple(line)), []).append(number)
    return {shown: tuple(numbers) for shown, numbers in seen.items()}


def _rules(frames: Sequence[Frame], names: dict[tuple[int, ...], str]) -> Iterator[str]:
    """When rows with the same times come and go."""
    ends = list(accumulate(frame.seconds for frame in frames))
    begins, whole = [0.0, *ends[:-1]], ends[-1]
    yield "g { visibility: hidden }"
    for shots, name in names.items():
        turns = ""
        for first, last in _runs(shots):
            turns += f"{100 * begins[first] / whole:.4g}%{{visibility:visible}}"
            if ends[last] < whole:
                turns += f"{100 * ends[last] / whole:.4g}%{{visibility:hidden}}"
        yield f".{name}{{animation:{name} {whole:.4g}s step-end infinite}}"
        yield f"@keyframes {name}{{0%{{visibility:hidden}}{turns}}}"


def _runs(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The first and the last of numbers that follow each other."""
    first = last = None
    for number in numbers:
        if first is None or last is None:
            first = number
        elif number != last + 1:
            yield first, last
            first = number
        last = number
    if first is not None and last is not None:
        yield first, last
