"""News of a table, as told to everybody who plays or watches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from engine.view import View
from engine.zone import Seat
from p2p.errors import PeerError
from p2p.identity.keys import words
from p2p.player.events import Event, Noted, Opened, Raced, Seated, Stopped
from p2p.protocol.genesis import Header
from p2p.protocol.table import GameTable


def seated(header: Header, seat: Seat) -> Seated:
    """Who sits at the table of this header; `seat` is one's own, or `SPECTATOR`."""
    proposal = header.proposal
    return Seated(
        proposal.names,
        tuple(words(key) for key in proposal.identities),
        seat,
        proposal.game.name,
        proposal.options,
        header.race_cap_us,
        proposal.race.hold_us,
        header.unlinked,
    )


def stopped(names: Sequence[str], error: PeerError, state: Path | None = None) -> Stopped:
    """A seat at the table of these people is caught; `state` is the file that shows ours."""
    name = "" if error.seat is None else names[error.seat]
    return Stopped(error.verdict, error.reason, error.seat, error.evidence, name, state)


class News:
    """What the rules of one game note, and how its races end, each told once to `tell`."""

    def __init__(self, table: GameTable, tell: Callable[[Event], None]) -> None:
        self._session: Final = table.session
        self._races: Final = table.cards.races
        self._tell: Final = tell
        self._raced = 0

    def open(self, view: View) -> None:
        """The game begins or goes on, and this is what may be known of it."""
        self._tell(Opened(view, lambda: self._session.pending))

    def tell(self) -> None:
        """Tell what has happened since the last time."""
        reports = self._races.reports
        for report in reports[self._raced :]:
            self._tell(Raced(report))
        self._raced = len(reports)
        for note in self._session.take_notes():
            self._tell(Noted(note))
