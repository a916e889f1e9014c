"""What came of many games, in whole numbers: parts can be added in any order, to the same sum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.zone import Seat

if TYPE_CHECKING:
    from engine.game import Sides
    from engine.session import Session

Z95: Final = 1.959963984540054
"""95 % of a normal distribution lie within so many standard deviations of its mean."""


class Played(NamedTuple):
    """One game: its answered questions, each seat's result, the lost seats, and the sides."""

    steps: int
    returns: tuple[int, ...]
    lost: tuple[Seat, ...] = ()
    sides: Sides = ()


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
            games, left = games + 1, left + len(one.lost)
            lengths[one.steps] += 1
            best = _best(one.returns, one.lost, one.sides)
            for seat, own in enumerate(one.returns):
                points[seat] += own
                squares[seat] += own * own
            for seat in best:
                won[seat][len(best) - 1] += 1
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


def winners(
    returns: Sequence[int], lost: Sequence[Seat] = (), sides: Sides = ()
) -> tuple[Seat, ...]:
    """Return the seats that win: those of the best sides that have lost no member.

    A seat that left, or was voted out, has resigned, and its side with it.  Nobody wins if several
    sides are left and all have the same result; the only side left wins with any result.

    >>> winners([3, 5, 5]), winners([4, 4]), winners([9, 5, 7], lost=[0]), winners([9, 5], [0])
    ((1, 2), (), (2,), (1,))
    >>> winners([9, 5, 9, 5], [0], [(0, 2), (1, 3)])
    (1, 3)
    """
    left = _sides_left(returns, lost, sides)
    same = len({returns[side[0]] for side in left}) == 1
    return () if same and len(left) > 1 else _best(returns, lost, sides)


def parts_of_win(
    returns: Sequence[int], lost: Sequence[Seat] = (), sides: Sides = ()
) -> tuple[float, ...]:
    """Return the part of one win that each seat has: the winners share it equally.

    If all that are left have the same, they share it too.

    >>> parts_of_win([3, 5, 5]), parts_of_win([1, 4]), parts_of_win([9, 4, 4], lost=[0])
    ((0.0, 0.5, 0.5), (0.0, 1.0), (0.0, 0.5, 0.5))
    """
    best = _best(returns, lost, sides)
    return tuple([1 / len(best) if seat in best else 0.0 for seat in range(len(returns))])


def winners_of(session: Session) -> tuple[Seat, ...]:
    """Return the winners of a finished game; EngineError while the game is played."""
    return winners(*ending_of(session))


def ending_of(session: Session) -> tuple[tuple[int, ...], tuple[Seat, ...], Sides]:
    """Return the results of a finished game, its lost seats and its sides."""
    table = session.table
    sides = session.game.sides(table.seats, session.options)
    return session.returns, tuple(table.lost), sides


def winners_without(session: Session, seat: Seat) -> tuple[Seat, ...] | None:
    """Return the winners of the game that ends if this seat is lost now.

    None if the others can continue without it.  The session does not change.
    """
    twin = session.without(seat)
    return winners_of(twin) if twin is not None and twin.over else None


def _best(returns: Sequence[int], lost: Sequence[Seat], sides: Sides) -> tuple[Seat, ...]:
    """Return the seats of the best sides that are left, in seat order."""
    left = _sides_left(returns, lost, sides)
    best = max([returns[side[0]] for side in left], default=0)
    return tuple(sorted([seat for side in left if returns[side[0]] == best for seat in side]))


def _sides_left(returns: Sequence[int], lost: Sequence[Seat], sides: Sides) -> Sides:
    """Return the sides that have lost no seat."""
    each = sides or [(seat,) for seat in range(len(returns))]
    return [side for side in each if not any(seat in lost for seat in side)]
