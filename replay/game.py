"""A saved game to look at: any step, from any seat, with what can be told about it.

Opening one checks no proof (`replay.reader`); the audit says whether it is true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from engine.course import Course
from engine.games import load_text
from engine.question import Question
from engine.session import Session
from engine.table import Table
from engine.totals import winners_of
from engine.view import SPECTATOR
from engine.wording import Wording, listed
from engine.zone import Seat
from p2p.errors import PeerError
from p2p.protocol.genesis import Header, decode_header
from p2p.protocol.logfile import Log, split_saved
from p2p.text.names import BOT, called
from replay.audit import Progress, UnreadableError, read_file, unwatched
from replay.by_bot import ByBot, by_bot
from replay.faces import SavedView
from replay.own import OwnSight, own_sight
from replay.reader import Reading, SavedStep, read_log
from replay.times import read_times

START: Final = -1
"""The position before the first step."""


@dataclass(frozen=True, slots=True)
class Position:
    """The table after a step: `pending` is what the rules ask next, None at the end."""

    step: int
    table: Table
    pending: Question[Any] | None


class SavedGame:
    """A log that was opened.  `own` is the reader's seat, if the log is the reader's own.

    `times` are milliseconds since the beginning by step, empty if they were not kept; `by_bot` is
    what a bot decided in the reader's seat.
    """

    def __init__(
        self,
        header: Header,
        log: Log,
        own: OwnSight | None = None,
        times: dict[int, int] | None = None,
        by_bot: ByBot | None = None,
        progress: Progress = unwatched,
    ) -> None:
        self.header: Final = header
        self.own: Final = own.seat if own else None
        self.times: Final = times or {}
        self.by_bot: Final = by_bot or ByBot()
        self.names: Final = tuple(map(called, header.proposal.names))
        """As they stand in sentences; what was signed is in the header."""
        self.beside: Final = dict.fromkeys(header.proposal.bots, BOT)
        """What stands beside the names: who says of itself that it is a bot."""
        self.wording: Final[Wording[Any]] = load_text(header.proposal.game.name)
        sight = own.sight if own else None
        self._reading: Final[Reading] = read_log(header, log.records, self.own, sight, progress)
        self._last: Position | None = None

    @property
    def steps(self) -> list[SavedStep]:
        """All whole steps of the log, in order: `steps[k].number == k`."""
        return self._reading.steps

    @property
    def trouble(self) -> str:
        """Why nothing can be shown beyond the last step, "" if the log was read to its end."""
        return self._reading.trouble

    @property
    def opening(self) -> tuple[tuple[object, ...], ...]:
        """Notes from before the first step."""
        return self._reading.began

    @property
    def session(self) -> Session:
        """The rules at the end of the log, with every answer that it holds; not to be changed."""
        return self._reading.session

    @cached_property
    def result(self) -> tuple[int, ...] | None:
        """The result of each seat; None if the game is not over in this log."""
        session = self._reading.session
        return session.returns if session.over else None

    @cached_property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that won; none if the game is not over in this log."""
        session = self._reading.session
        return winners_of(session) if session.over else ()

    @property
    def ending(self) -> str:
        """How the log ends, in words; the audit says whether it is true."""
        steps, reading = self.steps, self._reading
        if self.trouble:
            after = f" after step {len(steps) - 1}" if steps else ""
            return f"nothing can be shown{after}: {self.trouble}"
        if reading.closed:
            return self._signed(steps[-1].seats)
        if reading.ballots:
            return self._signed(reading.begun)
        where = "in" if reading.begun else "before"
        return f"unfinished: the log ends {where} step {len(steps)}"

    def _signed(self, seats: Sequence[Seat]) -> str:
        """Who signed the result, and who did not although they were still at the table."""
        if len(seats) == len(self.names):
            return "all seats signed the result"
        missing = [seat for seat in self.session.table.present() if seat not in seats]
        lacks = f", without {self._listed(missing)}" if missing else ""
        return f"{self._listed(seats) if seats else 'nobody'} signed the result{lacks}"

    def _listed(self, seats: Sequence[Seat]) -> str:
        return listed(self.names[seat] for seat in seats)

    def after(self, step: int) -> Position:
        """The table after a step; START is before the first.  IndexError beyond the last."""
        if step == START:
            answers = self.steps[0].before if self.steps else len(self._reading.session.journal)
        elif step < 0:
            raise IndexError("there is no such step")
        else:
            answers = self.steps[step].after
        if self._last is None or self._last.step != step:
            twin = self._reading.session.fork(answers)
            self._last = Position(step, twin.table, twin.pending)
        return self._last

    def before(self, step: int) -> Position:
        """The table at the beginning of a step."""
        return self.after(step - 1)

    def view(
        self,
        position: Position,
        seat: Seat = SPECTATOR,
        *,
        known_after: int | None = None,
        course: Course | None = None,
    ) -> SavedView:
        """What a seat could see in this position, as far as the log tells.

        `known_after` is another step: the faces that it left are read.  `course` is for whoever
        looks ahead.
        """
        step, left = (position.step, False) if known_after is None else (known_after, True)
        return SavedView(position.table, seat, self._reading.faces, step + 1, course, left=left)

    def answer(self, step: SavedStep) -> object:
        """The answer that the rules got in this step; LookupError if they got none."""
        if not step.answers:
            raise LookupError("this step did not answer the question")
        return self._reading.session.journal[step.before]

    def said(self, step: SavedStep, *, ascii: bool = False) -> list[str]:  # noqa: A002
        """The notes of a step as sentences."""
        return self.tell(step.notes, ascii=ascii)

    def tell(self, notes: tuple[tuple[object, ...], ...], *, ascii: bool = False) -> list[str]:  # noqa: A002
        """Notes as sentences."""
        return [self.wording.describe_note(note, self.names, ascii=ascii) for note in notes]


def open_game(path: Path, progress: Progress = unwatched) -> SavedGame:
    """The saved game in a log or an evidence file.  UnreadableError with one sentence."""
    data = read_file(path)
    try:
        log, _ = split_saved(data)
        header = decode_header(log.header)
    except PeerError as error:
        raise UnreadableError(f"{path} cannot be replayed: {error.reason}") from error
    own, times = own_sight(path, header), read_times(path)
    return SavedGame(header, log, own, times, by_bot(path), progress)
