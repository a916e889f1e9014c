"""The bot that looks ahead."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final, NamedTuple

from engine.bots.belief import Belief
from engine.bots.determinization import Determinizations
from engine.bots.following import Follower
from engine.bots.lookahead import lookahead
from engine.bots.search import Budget, Search, Weighed
from engine.course import Course
from engine.errors import EngineError
from engine.question import Question
from engine.view import View

PLAYOUTS: Final = 200


class Judged(NamedTuple):
    """The best decision that was found, and by how much it is better than another one.

    That is the part of a win, from 0 (it is the same decision, or none is surely better) to 1.
    """

    best: object
    gain: float


class Advice(NamedTuple):
    """What to decide, and what that is worth; the same of the next best, if there is another.

    Worth is the part of a win, from 0 to 1, if all go on as they usually play.
    """

    best: object
    worth: float
    other: object = None
    other_worth: float | None = None


class Hard:
    """Plays any game by looking ahead from its view.

    Between decisions it keeps nothing but a session beside the game, which saves time and changes
    no decision: that follows from view, `rng` and budget alone.
    """

    def __init__(self, playouts: int = PLAYOUTS) -> None:
        self._playouts: Final = playouts
        self._follower: Follower | None = None

    def __call__(self, view: View, question: Question[Any], rng: Random) -> object:
        """The best decision that was found.  EngineError for a view without its course."""
        options = self._options(view, question)
        if len(options) == 1:
            return options[0]
        return self._beyond_habit(view, question, options, rng).best()

    def judge(
        self, view: View, question: Question[Any], decided: object, rng: Random
    ) -> Judged | None:
        """What would have been better than this decision; None where there was no choice."""
        if len(question.decisions(view)) == 1:
            return None
        search = self._search(view, question, self._options(view, question), decided, rng)
        return Judged(search.best(), search.gain())

    def advise(self, view: View, question: Question[Any], rng: Random) -> Advice:
        """What it would decide, and how much better that is than the next best."""
        options = self._options(view, question)
        if len(options) == 1:
            return Advice(options[0], 1.0)
        best, *others = self._beyond_habit(view, question, options, rng).ranked()
        if not others:
            return Advice(best.decision, best.worth)
        return Advice(best.decision, best.worth, others[0].decision, others[0].worth)

    def weigh(self, view: View, question: Question[Any], rng: Random) -> list[Weighed]:
        """All decisions worth a thought, with what was found about each."""
        options = self._options(view, question)
        if len(options) == 1:
            return [Weighed(options[0], 0, 0.0)]
        return self._beyond_habit(view, question, options, rng).weighed()

    def _options(self, view: View, question: Question[Any]) -> Sequence[object]:
        return lookahead(_course(view).game).considered(view, question)

    def _beyond_habit(
        self, view: View, question: Question[Any], options: Sequence[object], rng: Random
    ) -> Search:
        """A search that leaves the seat's habit only for what is surely better."""
        usual = lookahead(_course(view).game).habit(view, question, rng)
        return self._search(view, question, options, usual, rng)

    def _search(
        self,
        view: View,
        question: Question[Any],
        options: Sequence[object],
        usual: object,
        rng: Random,
    ) -> Search:
        course = _course(view)
        follower, said = self._beside(course), lookahead(course.game)
        session = follower.catch_up()
        deals = Belief(view, Determinizations(view, follower.oaths), follower.witnessed, said, rng)
        search = Search(session, view, question, [usual, *options], deals, said, rng)
        search.run(Budget(self._playouts, said.steps))
        return search

    def _beside(self, course: Course) -> Follower:
        """The session beside this game: the one from before, if it is still the same game."""
        if self._follower is None or self._follower.answers is not course.answers:
            self._follower = Follower(course)
        return self._follower


def _course(view: View) -> Course:
    if view.course is None:
        raise EngineError("who looks ahead has to know how the game came here")
    return view.course
