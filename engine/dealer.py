"""The dealer of tests, simulations and look-ahead: it knows every card and cheats nobody."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from engine.compiling import mypyc_attr
from engine.course import Course
from engine.question import Question
from engine.table import Table
from engine.truth import Truth
from engine.view import View
from engine.zone import Seat

NOBODY_DECIDES: Final[Mapping[Seat, object]] = {}


@mypyc_attr(allow_interpreted_subclasses=True)
class TrustedDealer:
    """Does from memory what peers do with keys and proofs.  `rng` is its only source of chance.

    How, each kind of question knows (`Question.resolve`).  A subclass hands in a `truth` of its
    own: what is set once and then once more in making an object is never freed in compiled code.
    """

    __slots__ = ("truth",)

    def __init__(self, rng: Random, truth: Truth | None = None) -> None:
        self.truth = truth or Truth(rng)

    def act(self, table: Table, question: Question[Any]) -> object:
        """The answer to a question that no seat decides."""
        return question.resolve(self.truth, table, NOBODY_DECIDES)

    def answer(
        self, table: Table, question: Question[Any], decisions: Mapping[Seat, object]
    ) -> object:
        """The public answer that follows from the decisions of `question.deciders`.

        IllegalAnswer for a decision that names no card, and for a card laid under a false oath.
        `Session.answer` refuses everything else.
        """
        return question.resolve(self.truth, table, decisions)

    def view(self, table: Table, seat: Seat, course: Course | None = None) -> View:
        """What a seat of that table may know, for as long as the table lives.

        The dealer keeps no account of what a seat read before: such a view recalls nothing older.
        With the `course` of the game, the seat can try out how it may go on.
        """
        read = self.truth.cards.__getitem__
        return View(table, seat, read) if course is None else View(table, seat, read, course=course)

    def copy(self, rng: Random | None = None) -> TrustedDealer:
        """A dealer with the same cards, and the same luck unless another `rng` is given."""
        if rng is None:
            rng = Random()
            rng.setstate(self.truth.rng.getstate())
        twin = TrustedDealer(rng)
        twin.truth.cards[:] = self.truth.cards
        return twin
