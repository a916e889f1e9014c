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
"""How far the screen may lag behind the game, and how long one's own question waits for cards.

It lags further only for words: what ended is never shorter than it takes to read.
"""
MOST_UNREAD: Final = 12.0
"""How far it may lag for words: ten endings, one right after another."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A table as it was; `ends` if it stays, and otherwise it only passes by.

    `words` is how much of its `seconds` is for reading what is said.
    """

    board: Board
    seconds: float
    ends: bool
    words: float = 0.0


class Pictures:
    """What is still to be looked at, in order; the first of them is on the screen.

    The time of what has ended begins when it is drawn, however busy the machine is: see `drawn`.
    """

    def __init__(self, pace: TablePace) -> None:
        self.pace: Final = pace
        self._queue: deque[Picture] = deque()
        self._since: float | None = None
        """Since when the first of them is to be seen; None: it has to be drawn first."""

    def stay(self, board: Board, cards: int, now: float, least: float = READ_SECONDS) -> None:
        """What ended here stays, with so many cards to look at that were not shown before.

        What ends while the table does not change is one picture.  `least` is for its words.
        """
        words = self.pace.reads(least)
        seconds = words + self.pace.stretched(CARD_SECONDS * cards)
        if not seconds:
            return
        last = self._queue[-1] if self.look(now) is not None else None
        if last is not None and last.ends and _table(last.board) == _table(board):
            self._queue.pop()
            said = f"{last.board.prompt} {board.prompt}"
            fresh = last.board.fresh + board.fresh
            board = replace(board, prompt=said, fresh=fresh)
            seconds, words = max(last.seconds, seconds), max(last.words, words)
        self._add(Picture(board, seconds, ends=True, words=words), now)

    def pass_by(self, board: Board, now: float) -> None:
        """Show this in its turn, if anything is held that it has to wait for."""
        if self.look(now) is not None:
            self._add(Picture(board, self.pace.stretched(PASSING_SECONDS), ends=False), now)

    def look(self, now: float) -> Picture | None:
        """What is to be seen at this time; None: the table as it is."""
        queue = self._queue
        while queue and self._since is not None and now >= self._since + queue[0].seconds:
            self._since += queue.popleft().seconds
            if queue and queue[0].ends:
                self._since = None
        return queue[0] if queue else None

    def drawn(self, now: float) -> None:
        """The first of them is on the screen."""
        if self._since is None:
            self._since = now

    def waiting(self) -> int:
        """How many more there are behind the one that is seen."""
        return max(0, len(self._queue) - 1)

    def shown_for(self, now: float) -> float:
        """How long the present picture has been there."""
        return 0.0 if self._since is None else now - self._since

    def left(self, now: float) -> float:
        """When the next picture is due."""
        return self._queue[0].seconds - self.shown_for(now) if self._queue else 0.0

    def go_on(self) -> None:
        """Go on to the next that stays; what only passes by has been waited for long enough."""
        queue = self._queue
        if queue:
            queue.popleft()
        while queue and not queue[0].ends:
            queue.popleft()
        self._since = None

    def clear(self) -> None:
        """Nothing is held any more."""
        self._queue.clear()
        self._since = None

    def shorten(self, most: float, now: float, *, words: bool = False) -> None:
        """Be through with all of them in this time: first at the cost of what only passes by.

        Then of the time for cards; and, if `words` may become too short to be read, of that too.
        """
        gone = self.shown_for(now) if self._queue else 0.0
        most = self.pace.reads(most) if words else self.pace.stretched(most)
        spare = sum(one.seconds for one in self._queue) - gone - most
        if spare <= 0:
            return
        passing = sum(one.seconds for one in self._queue if not one.ends)
        read = sum(one.words for one in self._queue)
        cards = sum(one.seconds for one in self._queue if one.ends) - read
        kept = []
        for there, may in ((passing, True), (cards, True), (read, words)):
            kept.append(_share(there, spare) if may else 1.0)
            spare = max(0.0, spare - (1 - kept[-1]) * there)
        for place, one in enumerate(self._queue):
            self._queue[place] = _cut(one, *kept)

    def _add(self, picture: Picture, now: float) -> None:
        if not self._queue:
            self._since = None
        self._queue.append(picture)
        self.shorten(MOST_BEHIND, now)
        self.shorten(MOST_UNREAD, now, words=True)


def _cut(one: Picture, passing: float, cards: float, words: float) -> Picture:
    """The picture with these parts of its time."""
    if not one.ends:
        return replace(one, seconds=one.seconds * passing)
    read = one.words * words
    return replace(one, seconds=(one.seconds - one.words) * cards + read, words=read)


def _share(seconds: float, spare: float) -> float:
    """What is left of these seconds, as a part of them, if so many are to be spared."""
    return max(0.0, 1 - spare / seconds) if seconds else 1.0


def _table(board: Board) -> Board:
    """What of a picture is the table, and not what is said about it."""
    return replace(board, prompt="", events=(), fresh=0)
