"""How a game came to where it is.  All of it is public, and the game can be rebuilt from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Course(NamedTuple):
    """A game by its name, its table, and every answer so far (`Lost` where a seat left).

    `answers` may be the growing list of a game that is being played: read it, and change nothing.
    """

    game: str
    seats: int
    options: Mapping[str, bool | int | str]
    answers: Sequence[object]
