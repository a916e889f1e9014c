"""News of a table, as told to everybody who plays or watches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from engine.totals import winners_without
from engine.view import View
from engine.zone import Seat
from p2p.errors import PeerError
from p2p.identity.keys import words
from p2p.player.events import Event, Noted, Opened, Raced, Seated, Stopped
from p2p.protocol.genesis import Header
from p2p.protocol.table import GameTable

Note = tuple[object, ...]


def seated(header: Header, seat: Seat) -> Seated:
    """Who sits at the table of this header; `seat` is one's own, or `SPECTATOR`."""
    proposal = header.proposal
    return Seated(
        proposal.names,
        tuple(words(key) for key in proposal.identities),
        seat,
        proposal.terms,
        header.race_cap_us,
        proposal.bots,
        header.unlinked,
        proposal.game.lose is not None,
    )


def stopped(names: Sequence[str], error: PeerError, state: Path | None = None) -> Stopped:
    """A seat at the table of these people is caught; `state` is the file that shows ours."""
    name = "" if error.seat is None else names[error.seat]
    return Stopped(error.verdict, error.reason, error.seat, error.evidence, name, state)


class News:
    """What the rules of one game note, and how its races end, each told once to `tell`.

    A note is told while the rules make it: the view that was opened then shows the table as it
    was when it happened, and not what the rules have done since.
    """

    def __init__(self, table: GameTable, tell: Callable[[Event], None]) -> None:
        self._table: Final = table.session.table
        self._session: Final = table.session
        self._races: Final = table.cards.races
        self._tell: Final = tell
        self._raced = 0
        self._fault: OSError | None = None

    def open(
        self,
        view: View,
        time_left: Callable[[], float | None] = lambda: None,
        missing: Callable[[], tuple[Seat, ...]] = tuple,
    ) -> None:
        """The game begins or goes on, and this is what may be known of it (see `Opened`).

        What happened before a restart is told first: nobody looks at the table of that time.
        """
        past = self._session.take_notes()
        self.tell()
        for note in past:
            self._tell(Noted(note))
        if self._table.notes is not None:
            self._table.notes = _Heard(self._note)
        session = self._session
        without = partial(winners_without, session, view.seat)
        self._tell(Opened(view, lambda: session.pending, time_left, missing, without))

    def _note(self, note: Note) -> None:
        # A closed pipe of the player is none of the rules: it waits until they are done.
        if self._fault is None:
            try:
                self.tell()
                self._tell(Noted(note))
            except OSError as fault:
                self._fault = fault

    def tell(self) -> None:
        """Tell how races ended since the last time; raise what a player raised meanwhile."""
        if self._fault is not None:
            raise self._fault
        reports = self._races.reports
        raced, self._raced = self._raced, len(reports)
        for report in reports[raced:]:
            self._tell(Raced(report))


class _Heard(list[Note]):
    """Notes that are told and not kept."""

    def __init__(self, tell: Callable[[Note], None]) -> None:
        super().__init__()
        self._tell: Final = tell

    def append(self, note: Note) -> None:
        """Tell the note."""
        self._tell(note)
