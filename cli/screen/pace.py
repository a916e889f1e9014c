"""Pictures that stay until they could be read, and the pictures that wait behind them.

Pure: whoever asks says what time it is.  Times are in seconds.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import Final

from cli.options.table_pace import TablePace
from cli.screen.board import Board

READ_SECONDS: Final = 1.2
CARD_SECONDS: Final = 0.25
"""How long what has ended stays: this long, and this long more for each card that is shown."""
UNASKED_SECONDS: Final = 0.8
"""How long a turn is seen in which its player had nothing to decide: as long as bots think."""
PASSING_SECONDS: Final = 0.35
"""How long what happened behind it is seen, one thing after another."""
MOST_BEHIND: Final = 8.0
MOST_WHEN_ASKED: Final = 5.0
"""How far the screen may lag behind the game, and how long one's own question may wait."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A table as it was; `ends` if it stays, and otherwise it only passes by."""

    board: Board
    seconds: float
    ends: bool


class Pictures:
    """What is still to be looked at, in order; the first of them is on the screen."""

    def __init__(self, pace: TablePace) -> None:
        self.pace: Final = pace
        self._queue: deque[Picture] = deque()
        self._since = 0.0

    def stay(self, board: Board, cards: int, now: float, least: float = READ_SECONDS) -> None:
        """What ended here stays, with so many cards to look at that were not shown before.

        What ends while the table does not change is one picture.  `least` is for its words.
        """
        seconds = self.pace.stretched(least + CARD_SECONDS * cards)
        if not seconds:
            return
        last = self._queue[-1] if self.look(now) is not None else None
        if last is not None and last.ends and _table(last.board) == _table(board):
            self._queue.pop()
            said = f"{last.board.prompt} {board.prompt}"
            fresh = last.board.fresh + board.fresh
            board = replace(board, prompt=said, fresh=fresh)
            seconds = max(last.seconds, seconds)
        self._add(Picture(board, seconds, ends=True), now)

    def pass_by(self, board: Board, now: float) -> None:
        """Show this in its turn, if anything is held that it has to wait for."""
        if self.look(now) is not None:
            self._add(Picture(board, self.pace.stretched(PASSING_SECONDS), ends=False), now)

    def look(self, now: float) -> Picture | None:
        """What is to be seen at this time; None: the table as it is."""
        queue = self._queue
        while queue and now >= self._since + queue[0].seconds:
            self._since += queue.popleft().seconds
        return queue[0] if queue else None

    def waiting(self) -> int:
        """How many more there are behind the one that is seen."""
        return max(0, len(self._queue) - 1)

    def shown_for(self, now: float) -> float:
        """How long the present picture has been there."""
        return now - self._since

    def left(self, now: float) -> float:
        """When the next picture is due."""
        return self._since + self._queue[0].seconds - now if self._queue else 0.0

    def go_on(self, now: float) -> None:
        """Go on to the next that stays; what only passes by has been waited for long enough."""
        queue = self._queue
        if queue:
            queue.popleft()
        while queue and not queue[0].ends:
            queue.popleft()
        self._since = now

    def clear(self) -> None:
        """Nothing is held any more."""
        self._queue.clear()

    def shorten(self, most: float, now: float) -> None:
        """Be through with all of them in this time: first at the cost of what only passes by."""
        gone = self.shown_for(now) if self._queue else 0.0
        passing = sum(one.seconds for one in self._queue if not one.ends)
        staying = sum(one.seconds for one in self._queue if one.ends)
        spare = passing + staying - gone - self.pace.stretched(most)
        if spare <= 0:
            return
        thin = _share(passing, spare)
        thinner = _share(staying, spare - (1 - thin) * passing)
        for place, one in enumerate(self._queue):
            by = thinner if one.ends else thin
            self._queue[place] = replace(one, seconds=one.seconds * by)

    def _add(self, picture: Picture, now: float) -> None:
        if not self._queue:
            self._since = now
        self._queue.append(picture)
        self.shorten(MOST_BEHIND, now)


def _share(seconds: float, spare: float) -> float:
    """What is left of these seconds, as a part of them, if so many are to be spared."""
    return max(0.0, 1 - spare / seconds) if seconds else 1.0


def _table(board: Board) -> Board:
    """What of a picture is the table, and not what is said about it."""
    return replace(board, prompt="", events=(), fresh=0)
