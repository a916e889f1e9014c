"""The bot that looks ahead."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

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
        return (
            options[0] if len(options) == 1 else self._search(view, question, options, rng).best()
        )

    def weigh(self, view: View, question: Question[Any], rng: Random) -> list[Weighed]:
        """All decisions worth a thought, with what was found about each."""
        options = self._options(view, question)
        if len(options) == 1:
            return [Weighed(options[0], 0, 0.0)]
        return self._search(view, question, options, rng).weighed()

    def _options(self, view: View, question: Question[Any]) -> Sequence[object]:
        return lookahead(_course(view).game).considered(view, question)

    def _search(
        self, view: View, question: Question[Any], options: Sequence[object], rng: Random
    ) -> Search:
        course = _course(view)
        follower, said = self._beside(course), lookahead(course.game)
        session = follower.catch_up()
        deals = Belief(view, Determinizations(view, follower.oaths), follower.witnessed, said, rng)
        search = Search(session, view, question, options, deals, said, rng)
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
