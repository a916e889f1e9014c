"""The bot that looks ahead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from engine.bots.belief import POOL, Belief
from engine.bots.determinization import Determinizations
from engine.bots.following import Follower
from engine.bots.lookahead import Lookahead, lookahead
from engine.bots.reasons import Decided, Reason
from engine.bots.search import Budget, Search, Weighed, in_time
from engine.course import Course
from engine.errors import EngineError
from engine.question import Question
from engine.view import View

SECONDS: Final = 0.9
"""So long it may think for a decision at the table, where others wait."""
LOOKED_AT: Final = 100
"""In so many deals a game looks for reasons."""


class Advice(NamedTuple):
    """What to decide, what that is worth and why; the worth of the next best, if there is one.

    Worth is the part of a win, from 0 to 1, if all go on as they usually play.  `alike`: each came
    to the same whenever it was tried, so all these games prove no more than one.  `forced`: the
    rules allow nothing else.
    """

    best: object
    worth: float
    other: object = None
    other_worth: float | None = None
    why: Sequence[Reason] = ()
    alike: bool = False
    forced: bool = False


class Hard:
    """Plays any game by looking ahead from its view.

    Between decisions it keeps nothing but a session beside the game, which saves time and changes
    no decision: that follows from view, `rng` and budget alone.  With a `clock`, of seconds, it
    thinks no longer than SECONDS, however slow the machine is.  `playouts` is how many games it
    tries for a decision, in place of as many as the game says.
    """

    def __init__(
        self, playouts: int | None = None, clock: Callable[[], float] | None = None
    ) -> None:
        self._playouts: Final = playouts
        self._clock: Final = clock
        self._follower: Follower | None = None

    def __call__(self, view: View, question: Question[Any], rng: Random) -> object:
        """The best decision that was found.  EngineError for a view without its course."""
        options = self._options(view, question)
        if len(options) == 1:
            return options[0]
        return self._beyond_habit(view, question, options, rng).best()

    def advise(self, view: View, question: Question[Any], rng: Random) -> Advice:
        """What it would decide, and how much better that is than the next best."""
        options = self._options(view, question)
        if len(options) == 1:
            why = reasons_for(view, question, self._deals(view, rng), options[0])
            forced = len(question.decisions(view)) == 1
            return Advice(options[0], 1.0, why=why, forced=forced)
        search = self._beyond_habit(view, question, options, rng)
        best, *others = search.ranked()
        why = reasons_for(view, question, search.deals, best.decision)
        if not others:
            return Advice(best.decision, best.wins, why=why)
        other, alike = others[0], best.alike and others[0].alike
        return Advice(best.decision, best.wins, other.decision, other.wins, why, alike)

    def weigh(self, view: View, question: Question[Any], rng: Random) -> list[Weighed]:
        """All decisions worth a thought, with what was found about each."""
        options = self._options(view, question)
        if len(options) == 1:
            return [Weighed(options[0], 0, 0.0)]
        return self._beyond_habit(view, question, options, rng).weighed()

    def _options(self, view: View, question: Question[Any]) -> Sequence[object]:
        return said_of(view).considered(view, question)

    def _beyond_habit(
        self, view: View, question: Question[Any], options: Sequence[object], rng: Random
    ) -> Search:
        """A search that leaves what the seat would do without it only for what is surely better."""
        said = said_of(view)
        usual = (said.own or said.habit)(view, question, rng)
        budget = Budget(self._playouts or said.playouts, said.steps, self._limit())
        return self._search(view, question, options, usual, budget, rng)

    def _search(
        self,
        view: View,
        question: Question[Any],
        options: Sequence[object],
        usual: object,
        budget: Budget,
        rng: Random,
        pool: int = POOL,
    ) -> Search:
        said, deals = said_of(view), self._deals(view, rng, pool)
        session = self._beside(_course(view)).session
        search = Search(session, view, question, [usual, *options], deals, said, rng)
        search.run(budget)
        return search

    def _limit(self) -> Callable[[], bool]:
        """What says that it has thought long enough, from now on."""
        clock = self._clock
        if clock is None:
            return in_time
        until = clock() + SECONDS
        return lambda: clock() >= until

    def _deals(self, view: View, rng: Random, pool: int = POOL) -> Belief:
        """The deals that may be, after the session beside the game has caught up with it."""
        follower = self._beside(_course(view))
        follower.catch_up()
        known = Determinizations(view, follower.oaths)
        return Belief(view, known, follower.witnessed, said_of(view), rng, pool)

    def _beside(self, course: Course) -> Follower:
        """The session beside this game: the one from before, if it is still the same game."""
        if self._follower is None or self._follower.answers is not course.answers:
            self._follower = Follower(course)
        return self._follower


def reasons_for(
    view: View, question: Question[Any], deals: Belief, decision: object, *others: object
) -> Sequence[Reason]:
    """What speaks for a decision and for none of the others, in deals that may be.

    They are drawn by chance of its own, and a hundred of them: a search may try fewer.
    """
    said, rng = said_of(view), Random(0)
    drawn = [deals.draw(rng) for _ in range(LOOKED_AT)]
    known = [why for one in others for why in said.why(Decided(view, question, one, drawn))]
    found = said.why(Decided(view, question, decision, drawn, others))
    return tuple(why for why in found if why not in known)


def said_of(view: View) -> Lookahead:
    """How the game of this view is looked ahead in."""
    return lookahead(_course(view).game)


def _course(view: View) -> Course:
    if view.course is None:
        raise EngineError("who looks ahead has to know how the game came here")
    return view.course
