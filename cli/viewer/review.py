"""The review of a seat's decisions in the game on the screen, in a thread beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Event, Thread
from typing import Final

from engine.zone import Seat
from replay.game import SavedGame, open_game
from replay.review import refused, review
from replay.reviewed import review_lines

BEGUN: Final = "Reviewing the decisions of this seat; step about meanwhile"
STOPS_SECONDS: Final = 0.5
"""One decision may be looked at for much longer than anybody waits who wants to leave."""


class _StoppedError(Exception):
    """Nobody looks any more."""


class Reviewing:
    """Reviews one seat after the other, each once.

    It reads the log for itself: a saved game keeps its last position, and the screen moves about.
    """

    def __init__(self, log: Path, *, ascii: bool = False) -> None:  # noqa: A002
        self._log: Final = log
        self._ascii: Final = ascii
        self._stop: Final = Event()
        self._threads: Final[dict[Seat, Thread]] = {}
        self._lines: Final[dict[Seat, Sequence[str]]] = {}
        self._said = BEGUN
        self._broken = False

    def review(self, seat: Seat) -> str | Sequence[str]:
        """What came of the review of this seat, for people; until it is there, how far it is.

        RuntimeError if the thread has failed: it is our mistake, and has to be seen.
        """
        if seat not in self._threads:
            self._said = BEGUN
            self._threads[seat] = Thread(target=self._run, args=(seat,), name="review", daemon=True)
            self._threads[seat].start()
        if self._broken:
            raise RuntimeError("the review has failed: see above")
        return self._lines.get(seat, self._said)

    def stop(self) -> None:
        """Stop, and wait a moment for it; a thread that still thinks ends with the program."""
        self._stop.set()
        for thread in self._threads.values():
            thread.join(STOPS_SECONDS)

    def _run(self, seat: Seat) -> None:
        try:
            self._lines[seat] = self._found(open_game(self._log), seat)
        except _StoppedError:
            return
        except BaseException:
            self._broken = True
            raise

    def _found(self, game: SavedGame, seat: Seat) -> Sequence[str]:
        if why := refused(game):
            return [why]
        return review_lines(game, review(game, seat, self._progress, ascii=self._ascii))

    def _progress(self, done: int, of: int) -> None:
        if self._stop.is_set():
            raise _StoppedError
        self._said = f"{BEGUN}: {100 * done // of} %"
