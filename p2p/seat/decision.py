"""Gets decisions from the player: at leisure, or in a race before the window ends."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from engine.question import PASS, Question
from engine.view import View
from p2p.errors import LocalError
from p2p.player.events import Claimed
from p2p.protocol.effects import Decide
from p2p.protocol.races.window import Window
from p2p.protocol.step import LEAVE
from p2p.seat.desk import Desk
from p2p.seat.timer import Timer
from p2p.seat.timing import microseconds, seconds

Decided = Callable[[object], None]


class Deciding:
    """Asks the player of one seat, and watches the window of a race meanwhile."""

    def __init__(self, desk: Desk) -> None:
        self._desk: Final = desk
        self._races: Final[list[_Race]] = []
        self._asked: Final[set[int]] = set()

    def ask(
        self,
        view: View,
        asked: Decide,
        then: Decided,
        stands: Callable[[], bool] = lambda: True,
    ) -> None:
        """Have a decision made that the question allows, and hand it to `then`.

        If it may be, that is `LEAVE`.

        Once the question does not stand any more, since our own entry has come back from a peer,
        the view shows another state, and nobody looks at the decision.
        """

        def decided(decision: object) -> None:
            self._asked.discard(number)
            allowed = asked.may_leave if decision is LEAVE else question.allows(view, decision)
            if stands() and not allowed:
                raise LocalError("a player decided what the question does not allow")
            then(decision)

        question, window = asked.question, asked.window
        number, reply = self._desk.ask(view, question)
        self._asked.add(number)
        if window is None:
            reply.then(decided)
            return
        race = _Race(self._desk, number, question, window, partial(self._end, view, decided))
        self._races.append(race)
        reply.then(race.say)
        race.look()

    def _end(self, view: View, decided: Decided, race: _Race) -> None:
        self._races.remove(race)
        if race.claims and race.decision is not LEAVE and race.question.for_others(view.seat):
            now = microseconds(self._desk.now())
            self._desk.tell(Claimed(race.question.topic, now - race.began))
        decided(race.decision)

    def stir(self) -> None:
        """An entry of another seat came: a pass may have to leave sooner."""
        for race in list(self._races):
            race.look()

    def stop(self) -> None:
        """Nothing is to be decided any more."""
        for race in self._races:
            race.stop()
        self._races.clear()
        for number in self._asked:
            self._desk.unask(number)
        self._asked.clear()


class _Race:
    """A claim leaves as soon as it is made; a pass when the window lets it."""

    def __init__(
        self,
        desk: Desk,
        number: int,
        question: Question[Any],
        window: Window,
        ended: Callable[[_Race], None],
    ) -> None:
        self.question: Final = question
        self.began: Final = microseconds(desk.now())
        self.decision: object = PASS
        self._desk: Final = desk
        self._number: Final = number
        self._window: Final = window
        self._ended: Final = ended
        self._said = False
        self._timer: Final = Timer(desk)

    @property
    def claims(self) -> bool:
        return self.decision is not PASS

    def say(self, decision: object) -> None:
        """This is what the player has decided."""
        self.decision, self._said = decision, True
        self.look()

    def look(self) -> None:
        """Whether the decision may leave by now; if not, when to look again."""
        self.stop()
        if self.claims:
            self._ended(self)
            return
        leaves = self._window.pass_at(wants=not self._said)
        if leaves is None:
            return
        if seconds(leaves) <= self._desk.now():
            self._desk.unask(self._number)
            self._ended(self)
        else:
            self._timer.at(seconds(leaves), self.look)

    def stop(self) -> None:
        """Do not look again."""
        self._timer.stop()
