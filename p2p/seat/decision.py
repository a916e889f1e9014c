"""Gets decisions from the player: at leisure, or in a race before the window ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple

from engine.question import PASS, Question
from engine.time_out import is_under_clock
from engine.view import View
from p2p.errors import LocalError
from p2p.player.events import Claimed, TimeOver
from p2p.player.substitute import Substitute
from p2p.protocol.clock import NO_CLOCK
from p2p.protocol.effects import Decide
from p2p.protocol.races.window import Window
from p2p.protocol.step import LEAVE
from p2p.seat.desk import Desk
from p2p.seat.timer import Timer
from p2p.seat.timing import microseconds, seconds

Decided = Callable[[object], None]


class Deciding:
    """Asks the player of one seat, and watches the window of a race meanwhile.

    With a `clock` the player has so many seconds, and then `substitute` decides.
    """

    def __init__(self, desk: Desk, substitute: Substitute, clock: int = NO_CLOCK) -> None:
        self._desk: Final = desk
        self._substitute: Final = substitute
        self._clock: Final = clock
        self._races: Final[list[_Race]] = []
        self._asked: Final[dict[int, _Asked]] = {}

    def ask(
        self,
        view: View,
        asked: Decide,
        then: Decided,
        stands: Callable[[], bool] = lambda: True,
    ) -> None:
        """Have a decision made that the question allows, and hand it to `then`.

        If it may be, that is `LEAVE`.

        Once the question does not stand any more, since our own entry has come back from a peer or
        the others have gone on without somebody, it is taken back, and nobody looks at the
        decision.
        """

        def decided(decision: object) -> None:
            self._asked.pop(number).clock.stop()
            allowed = asked.may_leave if decision is LEAVE else question.allows(view, decision)
            if stands() and not allowed:
                raise LocalError("a player decided what the question does not allow")
            then(decision)

        question, window = asked.question, asked.window
        number, reply = self._desk.ask(view, question)
        self._asked[number] = _Asked(stands, Timer(self._desk))
        take: Decided = decided
        if window is not None:
            ended = partial(self._end, view, decided)
            race = _Race(self._desk, number, question, window, ended)
            self._races.append(race)
            take = race.say

        def answered(decision: object) -> None:
            self._asked[number].clock.stop()
            take(decision)

        reply.then(answered)
        if self._clock and is_under_clock(question, view.seat):
            late = partial(self._too_late, number, take, stands, TimeOver(view, question, PASS))
            self._asked[number].clock.after(self._clock, late)
        if window is not None:
            race.look()

    def _too_late(
        self, number: int, take: Decided, stands: Callable[[], bool], over: TimeOver
    ) -> None:
        """The time of the player is over: what is asked is taken back and decided here."""
        self._desk.unask(number)
        if stands():
            decision = self._substitute.decide(over.view, over.question)
            over = replace(over, decision=decision)
            self._desk.tell(over)
        take(over.decision)

    def _end(self, view: View, decided: Decided, race: _Race) -> None:
        self._races.remove(race)
        if race.claims and race.decision is not LEAVE and race.question.for_others(view.seat):
            now = microseconds(self._desk.now())
            self._desk.tell(Claimed(race.question.topic, now - race.began))
        decided(race.decision)

    def stir(self) -> None:
        """An entry came: a pass may have to leave sooner, and a question may not stand any more."""
        for number in [number for number, asked in self._asked.items() if not asked.stands()]:
            self._take_back(number)
        for race in list(self._races):
            race.look()

    def stop(self) -> None:
        """Nothing is to be decided any more."""
        for number in list(self._asked):
            self._take_back(number)

    def _take_back(self, number: int) -> None:
        for race in [race for race in self._races if race.number == number]:
            race.stop()
            self._races.remove(race)
        self._asked.pop(number).clock.stop()
        self._desk.unask(number)


class _Asked(NamedTuple):
    """What the player is asked: whether the question stands, and the clock that ends it."""

    stands: Callable[[], bool]
    clock: Timer


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
        self.number: Final = number
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
            self._desk.unask(self.number)
            self._ended(self)
        else:
            self._timer.at(seconds(leaves), self.look)

    def stop(self) -> None:
        """Do not look again."""
        self._timer.stop()
