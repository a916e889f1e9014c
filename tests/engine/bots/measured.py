"""Who won how often, as it was measured: one line of `measured.txt` for each cell.

A line is the game, its seats, the one and those among whom it sat, the games and the wins of the
one, and the digests of how both played then (`tests.engine.bots.plays`; `-` for a reference).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from engine.bots.contest import Outcome, Pairing

FILE: Final = Path(__file__).with_name("measured.txt")
NO_LEVEL: Final = "-"
Digests = Mapping[tuple[str, str], str]
"""How each level plays each game, by game and level."""


class Cell(NamedTuple):
    """What is measured: one among others at a table of a game."""

    game: str
    seats: int
    pair: Pairing

    def __str__(self) -> str:
        return f"{self.game}:{self.seats}:{self.pair.one}:{self.pair.rest}"

    def digests(self, now: Digests) -> tuple[str, ...]:
        """How the one and the others play."""
        return tuple(now.get((self.game, kind), NO_LEVEL) for kind in self.pair)


class Measured(NamedTuple):
    """What came of it, and how both played then."""

    games: int
    won: float
    digests: tuple[str, ...]

    @property
    def outcome(self) -> Outcome:
        """As contests have it."""
        return Outcome(self.games, self.won, {})


def load(text: str) -> dict[Cell, Measured]:
    """The cells of a file."""
    found = {}
    for line in text.splitlines():
        game, seats, one, rest, games, won, *digests = line.split()
        cell = Cell(game, int(seats), Pairing(one, rest))
        found[cell] = Measured(int(games), float(won), tuple(digests))
    return found


def text_of(found: Mapping[Cell, Measured], order: Iterable[Cell]) -> str:
    """The file of these cells, in this order."""
    lines = [
        f"{cell.game} {cell.seats} {cell.pair.one} {cell.pair.rest} {one.games} {one.won:.9g} "
        f"{' '.join(one.digests)}\n"
        for cell in order
        if (one := found.get(cell)) is not None
    ]
    return "".join(lines)
