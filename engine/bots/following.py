"""A session of one's own beside a game that others play: what bots look ahead from.

It is rebuilt from the public course of the game, and keeps what was sworn on the way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from engine.bots.tree import innermost
from engine.cards import Fits
from engine.course import Course
from engine.games import load
from engine.lost import Lost
from engine.question import PASS, Question
from engine.session import Session
from engine.table import Table
from engine.zone import Seat, Slot

REMEMBERED: Final = 40
"""So many decisions are remembered: older ones tell less, and each takes time to be explained."""

Hand = tuple[Seat, Sequence[Slot]]
"""Some hidden cards of a seat."""


class Witnessed(NamedTuple):
    """A decision of a seat that all have seen, with the table that it was asked at.

    Both are of a session of their own: the zones of the question are those of this table.
    """

    table: Table
    asked: Question[Any]
    seat: Seat
    decision: Any


class Merged(NamedTuple):
    """Hidden cards of a hand changed places under their slots, and not all came from one place.

    Which of them lay in which slot before, nobody can tell.
    """

    slots: Sequence[Slot]


class Follower:
    """Goes to where a game has come, and on with it each time it is asked to catch up."""

    def __init__(self, course: Course) -> None:
        self.answers: Final = course.answers
        self.session: Final = Session(load(course.game), course.seats, course.options, every=1)
        self.oaths: Final = Oaths()
        self.witnessed: Final[deque[Witnessed | Merged]] = deque(maxlen=REMEMBERED)
        """What was decided since the deck was shuffled, the oldest first, and which hands were
        reshuffled in between."""

    def catch_up(self) -> Session:
        """Give the session the answers that the game has had since; the session, between answers.

        EngineError or IllegalAnswer if this is no course of that game.
        """
        session = self.session
        for answer in self.answers[len(session.journal) :]:
            if session.pending is not None and type(answer) is not Lost:
                merged = [*merged_hands(session.table, session.pending, answer)]
                self.oaths.hear(session.table, session.pending, answer, merged)
                self._witness(session.pending, answer, merged)
            session.answer(answer)
        return session

    def _witness(self, asked: Question[Any], answer: object, merged: Sequence[Hand]) -> None:
        if asked.mixes:
            self.witnessed.clear()
        self.witnessed.extend(Merged(hidden) for _, hidden in merged if self._came_apart(hidden))
        decided = asked.decided(answer)
        then = self.session.fork(marks=False) if decided else self.session
        if (again := then.pending) is not None:
            self.witnessed.extend(Witnessed(then.table, again, *one) for one in decided.items())

    def _came_apart(self, hidden: Sequence[Slot]) -> bool:
        """Whether these cards did not all lie in one place at some decision before."""
        return any(
            len({one.table.locks[slot] for slot in hidden}) > 1
            for one in self.witnessed
            if isinstance(one, Witnessed)
        )


def merged_hands(table: Table, asked: Question[Any], answer: object) -> Iterator[Hand]:
    """The hidden slots of each hand from which cards were laid: they may have changed places.

    The entry that lays them merges their histories first (protocol section 5).
    """
    decided = asked.decided(answer)
    for seat, zone in asked.read():
        if seat is None or (asked.for_seats and not _lays(asked, seat, decided.get(seat))):
            continue
        yield seat, [slot for slot in zone if table.locks[slot] == seat]


def _lays(asked: Question[Any], seat: Seat, decision: object) -> bool:
    part, inner = innermost(asked, seat, decision)
    return inner is not PASS and part.hand(seat) is not None


class Oaths:
    """What was sworn of hidden cards and still holds.

    When cards change places under their slots, only what was sworn of all of them stays (the peers
    keep it likewise: `p2p.protocol.slots`).
    """

    def __init__(self) -> None:
        self._sworn: Final[dict[Slot, list[Fits]]] = {}

    def hear(
        self, table: Table, asked: Question[Any], answer: object, merged: Sequence[Hand]
    ) -> None:
        """Take in an answer before the rules do; the cards of each `merged` hand change places."""
        if asked.mixes:
            self._mix(asked.about() or range(len(table.faces)))
        for _, hidden in merged:
            self._mix(hidden)
        for slots, fits in asked.sworn(table, answer):
            for slot in slots:
                known = self._sworn.setdefault(slot, [])
                if fits not in known:
                    known.append(fits)

    def of(self, slot: Slot) -> Sequence[Fits]:
        """The predicates that the card of this slot does not fit."""
        return self._sworn.get(slot, ())

    def _mix(self, slots: Sequence[Slot]) -> None:
        each = [self._sworn.get(slot, []) for slot in slots]
        common = [fits for fits in each[0] if all(fits in other for other in each)] if each else []
        for slot in slots:
            self._sworn[slot] = [*common]
