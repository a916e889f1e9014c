"""Plays a study in pieces: all settings come along equally, whoever does the work.

How many games a piece has is decided while they are played, so that it takes a fraction of a
second with any game.  Towards the end they become smaller, so that no process waits for another's
last one.  That changes nothing: the sums are the same however the games are divided.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.study import Study
from engine.totals import Totals
from replay.workers import Promise, Workers

PIECE_SECONDS: Final = 0.25
"""How long a piece should take: handing one out takes less than a thousandth of that."""
PIECE_MAX: Final = 1000
SMALLEST_PART: Final = 16
"""What part of such a piece the last ones are: with smaller ones, processes wait for the next."""
GROWTH: Final = 4
"""How much larger than the last one a piece may be: one game says little about the next."""


class Piece(NamedTuple):
    """Some games of one setting of a study."""

    setting: int
    games: range


@dataclass(frozen=True, slots=True)
class PlayedPiece:
    """What came of a piece, and how many seconds it took."""

    piece: Piece
    totals: Totals
    seconds: float


def play(study: Study, workers: Workers, done: Sequence[int]) -> Iterator[PlayedPiece]:
    """Play what is left: of setting k the games from number `done[k]` on.

    The pieces of one setting come in order.
    """
    hand = _Hand(study, done, workers.ahead)
    for played in workers.each(
        lambda piece: _handed_out(study, piece, workers), iter(hand.take, None)
    ):
        hand.learn(played)
        yield played


def _handed_out(study: Study, piece: Piece, workers: Workers) -> Promise[PlayedPiece]:
    promise: Promise[PlayedPiece] = workers.hand_out(play_piece, study, piece)
    return promise


def play_piece(study: Study, piece: Piece) -> PlayedPiece:
    """Play one piece, wherever this is run."""
    begun = time.perf_counter()
    totals = study.played(*piece)
    return PlayedPiece(piece, totals, time.perf_counter() - begun)


class _Hand:
    """The pieces that are to be handed out, the one of the setting that has come least far next."""

    def __init__(self, study: Study, done: Sequence[int], ahead: int) -> None:
        self._games: Final = study.games
        self._ahead: Final = ahead
        self._left = sum(max(0, study.games - number) for number in done)
        self._next: Final = list(done)
        self._size: Final = [1] * len(done)

    def take(self) -> Piece | None:
        """The next piece, None if there is none."""
        setting = min(range(len(self._next)), key=self._next.__getitem__)
        first = self._next[setting]
        if first >= self._games:
            return None
        usual = self._size[setting]
        last = max(1, usual // SMALLEST_PART, self._left // self._ahead)
        size = min(usual, last, self._games - first)
        self._left -= size
        end = self._next[setting] = first + size
        return Piece(setting, range(first, end))

    def learn(self, played: PlayedPiece) -> None:
        """Choose the size of the next pieces of this setting by how long this one took."""
        setting, games = played.piece.setting, len(played.piece.games)
        wanted = PIECE_MAX
        if played.seconds:
            wanted = min(PIECE_MAX, round(PIECE_SECONDS / played.seconds * games))
        # A piece that was small because the end is near says nothing against what is usual.
        most = max(GROWTH * games, self._size[setting])
        self._size[setting] = max(1, min(wanted, most))
