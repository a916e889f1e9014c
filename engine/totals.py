"""What came of many games, in whole numbers: parts can be added in any order, to the same sum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import Final, NamedTuple

Z95: Final = 1.959963984540054
"""95 % of a normal distribution lie within so many standard deviations of its mean."""


class Played(NamedTuple):
    """One game: its answered questions, each seat's result, and how many players left."""

    steps: int
    returns: tuple[int, ...]
    left: int = 0


class Interval(NamedTuple):
    """Where a true value lies, 95 times in 100."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Totals:
    """What came of `games` games at tables of one size.

    `lengths` counts games by their number of answered questions.  By seat: `points` and `squares`
    are the sums of the results and of their squares, and `won[seat][k]` counts the games that the
    seat won together with k others.
    """

    games: int
    left: int
    lengths: Mapping[int, int]
    points: tuple[int, ...]
    squares: tuple[int, ...]
    won: tuple[tuple[int, ...], ...]

    @classmethod
    def none(cls, seats: int) -> Totals:
        """Those of no game yet."""
        zeros = (0,) * seats
        return cls(0, 0, {}, zeros, zeros, (zeros,) * seats)

    @classmethod
    def of(cls, seats: int, played: Iterable[Played]) -> Totals:
        """Those of these games."""
        games, left, lengths = 0, 0, Counter[int]()
        points, squares = [0] * seats, [0] * seats
        won = [[0] * seats for _ in range(seats)]
        for one in played:
            games, left = games + 1, left + one.left
            lengths[one.steps] += 1
            best = max(one.returns)
            others = one.returns.count(best) - 1
            for seat, own in enumerate(one.returns):
                points[seat] += own
                squares[seat] += own * own
                won[seat][others] += own == best
        return cls(games, left, lengths, (*points,), (*squares,), (*map(tuple, won),))

    def __add__(self, more: Totals) -> Totals:
        lengths = Counter(self.lengths)
        lengths.update(more.lengths)
        return Totals(
            self.games + more.games,
            self.left + more.left,
            lengths,
            _sums(self.points, more.points),
            _sums(self.squares, more.squares),
            tuple(_sums(*pair) for pair in zip(self.won, more.won, strict=True)),
        )

    @property
    def seats(self) -> int:
        """How many seats their tables have."""
        return len(self.points)

    @property
    def steps(self) -> int:
        """All answered questions."""
        return sum(steps * games for steps, games in self.lengths.items())

    def means(self) -> tuple[float, ...]:
        """The mean result of each seat; it takes a game, as all that follows does."""
        return tuple(points / self.games for points in self.points)

    def errors(self) -> tuple[float, ...]:
        """The standard error of each of the means; 0 after a single game."""
        return tuple(map(self._error, self.points, self.squares))

    def _error(self, points: int, squares: int) -> float:
        # In whole numbers up to the end: nothing is lost if the results are large.
        spread = self.games * squares - points * points
        return sqrt(spread / max(1, self.games - 1)) / self.games

    def shares(self) -> tuple[float, ...]:
        """The fraction of the games that each seat won; each winner of a shared win gets a part."""
        return tuple(map(self._share, self.won))

    def _share(self, won: Sequence[int]) -> float:
        return fsum(games / (others + 1) for others, games in enumerate(won)) / self.games

    def intervals(self) -> tuple[Interval, ...]:
        """Where the share of each seat would lie after any number of games, 95 times in 100."""
        return tuple(wilson(share, self.games) for share in self.shares())

    def length(self, fraction: float) -> int:
        """The least number of answered questions that this fraction of the games stays within."""
        seen = 0
        for steps in sorted(self.lengths):
            seen += self.lengths[steps]
            if seen >= fraction * self.games:
                return steps
        raise ValueError("there is no game")


def wilson(share: float, games: int) -> Interval:
    """Wilson's score interval for a probability (E. B. Wilson, JASA 22, 1927, p. 209-212).

    A shared win counts in parts, which only makes the truth closer than this.

    >>> [round(end, 3) for end in wilson(0.5, 10)]
    [0.237, 0.763]
    """
    weight = Z95 * Z95 / games
    middle = (share + weight / 2) / (1 + weight)
    half = Z95 * sqrt(share * (1 - share) / games + weight / (4 * games)) / (1 + weight)
    return Interval(max(0.0, middle - half), min(1.0, middle + half))


def _sums(left: Sequence[int], right: Sequence[int]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(left, right, strict=True))


def winners(returns: Sequence[int]) -> tuple[int, ...]:
    """The seats with the best result; nobody if all have the same.

    >>> winners([3, 5, 5]), winners([4, 4])
    ((1, 2), ())
    """
    best = max(returns)
    won = tuple(seat for seat, own in enumerate(returns) if own == best)
    return won if min(returns) < best else ()


def parts_of_win(returns: Sequence[int]) -> tuple[float, ...]:
    """What each seat has of the win of one game: those with the best result share it.

    >>> parts_of_win([3, 5, 5]), parts_of_win([1, 4])
    ((0.0, 0.5, 0.5), (0.0, 1.0))
    """
    best = max(returns)
    return tuple((own == best) / returns.count(best) for own in returns)
