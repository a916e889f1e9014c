"""The games of one player, added up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Final

from engine.totals import Interval, wilson
from replay.audit import Progress, unwatched
from replay.history.record import Record, Unreadable, record_of
from replay.workers import ALONE, Workers

BOTS: Final = b""
"""All bots count as one opponent: they get a new key every evening."""


@dataclass(slots=True)
class Score:
    """How somebody fared in some games: won and lost by whom it is about, and the points."""

    name: str
    games: int = 0
    won: int = 0
    lost: int = 0
    points: int = 0

    @property
    def share(self) -> float:
        """The fraction of the games that was won."""
        return self.won / self.games

    @property
    def interval(self) -> Interval:
        """Where that fraction would lie after any number of games, 95 times in 100."""
        return wilson(self.share, self.games)


@dataclass(frozen=True, slots=True)
class Streaks:
    """Wins in a row: `now` up to the last game (below 0: games without one), and the longest."""

    now: int
    wins: int
    without: int


@dataclass(frozen=True, slots=True)
class Reactions:
    """Races in which several claimed, and the player too; medians in us, None if none is known.

    `others` is over all other claims in these races.
    """

    races: int
    first: int
    own: float | None
    others: float | None


@dataclass(slots=True)
class History:
    """`games` are over, in the order in which they were written; `unfinished` ones are not.

    Those of `by_bot` are over too, but a bot finished them in the player's place.

    A table counts once, however many logs of it there are.  `foreign` counts logs of tables at
    which the player did not sit.
    """

    games: list[Record] = field(default_factory=list)
    unfinished: list[Record] = field(default_factory=list)
    by_bot: list[Record] = field(default_factory=list)
    foreign: int = 0
    unreadable: list[Unreadable] = field(default_factory=list)

    def won(self) -> list[bool]:
        """Of each game whether the player won it."""
        return [one.won(one.seat) for one in self.games]

    def whole(self) -> Score:
        """All games together; their points are no sum of anything if they are of several kinds."""
        return _scored(self.games, lambda record: [(b"", "all games", record.seat)])[0]

    def by_game(self) -> list[Score]:
        """Each game that was played, the most frequent one first."""
        return _scored(self.games, lambda one: [(one.game.encode(), one.title, one.seat)])

    def by_opponent(self) -> list[Score]:
        """Each person that sat at the table, and all bots; `lost` are the games that they won."""
        return _scored(self.games, lambda record: [*_opponents(record)])

    def streaks(self) -> Streaks:
        """The runs of games that were won, and of those that were not."""
        longest, now = {True: 0, False: 0}, 0
        for won in self.won():
            step = 1 if won else -1
            now = now + step if now * step > 0 else step
            longest[won] = max(longest[won], abs(now))
        return Streaks(now, longest[True], longest[False])

    def reactions(self) -> Reactions:
        """How quick the player was in races, beside the others at the table."""
        contests = [one for record in self.games for one in record.contests]
        own = [one.own for one in contests if one.own is not None]
        others = [time for one in contests for time in one.others]
        return Reactions(
            len(contests),
            sum(one.first for one in contests),
            median(own) if own else None,
            median(others) if others else None,
        )


def history_of(
    logs: Sequence[Path], key: bytes, workers: Workers = ALONE, progress: Progress = unwatched
) -> History:
    """The history of the player with this key; `progress` is told of each log."""
    history, tables = History(), dict[bytes, Record]()
    found_in = workers.each(lambda log: workers.hand_out(record_of, log, key), logs)
    for done, found in enumerate(found_in, 1):
        if found is None:
            history.foreign += 1
        elif isinstance(found, Unreadable):
            history.unreadable.append(found)
        else:
            known = tables.setdefault(found.table, found)
            # Of two logs of one table the one that goes to the end counts, and the older one.
            kept = min(known, found, key=lambda one: (not one.over, one.when))
            tables[found.table] = replace(kept, by_bot=known.by_bot or found.by_bot)
        progress(done, len(logs))
    for record in sorted(tables.values(), key=lambda one: (one.when, one.table)):
        over = history.by_bot if record.by_bot else history.games
        (over if record.over else history.unfinished).append(record)
    return history


def _opponents(record: Record) -> Iterator[tuple[bytes, str, int]]:
    """The others at a table, once each: the key, the name, the seat."""
    bots = [seat for seat, player in enumerate(record.players) if player.bot]
    best = max(bots, key=lambda seat: (record.won(seat), seat), default=None)
    for seat, player in enumerate(record.players):
        if seat != record.seat and (not player.bot or seat == best):
            yield (BOTS, "bots", seat) if player.bot else (player.key, player.name, seat)


Named = Callable[[Record], Iterable[tuple[bytes, str, int]]]


def _scored(records: Sequence[Record], named: Named) -> list[Score]:
    """The scores by key, with the newest name of each; the most games first."""
    scores: dict[bytes, Score] = {}
    for record in records:
        for key, name, seat in named(record):
            score = scores.setdefault(key, Score(name))
            score.name = name
            score.games += 1
            score.won += record.won(record.seat)
            score.lost += seat != record.seat and record.won(seat)
            score.points += 0 if record.result is None else record.result[record.seat]
    return sorted(scores.values(), key=lambda one: -one.games)
