"""Reviews a seat's decisions in a saved game: where `hard` would have decided better.

It knows what the seat knew then and nothing else, as far as the log tells it.  What was decided is
blamed only where another decision is surely better on the same deals (`engine.bots.trials`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from engine.bots.judge import Judge, Judged
from engine.bots.tree import key_of, slots_of
from engine.course import Course
from engine.question import PASS, Question
from engine.sets import Lay
from engine.view import View
from engine.won import Won
from engine.zone import Seat, Slot
from p2p.protocol.races.book import RaceResult
from replay.audit import Progress, unwatched
from replay.game import Position, SavedGame, open_game
from replay.reader import SavedStep
from replay.reviewed import Late, Mistake, Review, summed
from replay.workers import Workers

RUNNING: Final = "This game is not over, and other people play it: a review would be a hint."
LEAST: Final = 0.04
"""What costs less than this part of a fair share of the wins teaches a person nothing: it is no
mistake.  For two that are 2 of 100 games, for four 1."""


def refused(game: SavedGame) -> str:
    """Why nothing of this game is reviewed; "" if it is.

    A review knows the cards of one seat and says what others probably hold, as a hint does, and
    nobody gets a hint where other people play.
    """
    people = {*range(len(game.names))} - game.beside.keys()
    return RUNNING if game.result is None and len(people) > 1 else ""


def review(
    game: SavedGame,
    seat: Seat,
    progress: Progress = unwatched,
    *,
    ascii: bool = False,  # noqa: A002
    judge: Judge | None = None,
) -> Review:
    """Look at every decision of this seat; `progress` hears how many steps are done.

    The same log gives the same review.
    """
    looking = _Looking(game, seat, judge or _judge(game), ascii=ascii)
    found = list[Review]()
    for step in game.steps:
        progress(step.number, len(game.steps))
        if _asks(step, seat):
            found.append(looking.at(step))
    progress(len(game.steps), len(game.steps))
    return summed(seat, found)


def review_by(
    crowd: Workers,
    log: Path,
    seat: Seat,
    progress: Progress = unwatched,
    *,
    ascii: bool = False,  # noqa: A002
) -> Review:
    """The same, by workers who each read the log."""
    game = open_game(log)
    asked = [step.number for step in game.steps if _asks(step, seat)]
    found, look = list[Review](), partial(crowd.hand_out, _look, log, seat, ascii)
    progress(0, len(game.steps))
    for number, one in zip(asked, crowd.each(look, asked), strict=True):
        found.append(one)
        progress(number, len(game.steps))
    progress(len(game.steps), len(game.steps))
    return summed(seat, found)


def _look(log: Path, seat: Seat, ascii: bool, step: int) -> Review:  # noqa: A002
    """One step; a worker is given later ones only."""
    looking, game = _looking(log, seat, ascii)
    return looking.at(game.steps[step])


@lru_cache(1)
def _looking(log: Path, seat: Seat, ascii: bool) -> tuple[_Looking, SavedGame]:  # noqa: A002
    """A worker reads the log once."""
    game = open_game(log)
    return _Looking(game, seat, _judge(game), ascii=ascii), game


def _judge(game: SavedGame) -> Judge:
    return Judge(least=LEAST / len(game.names))


def _asks(step: SavedStep, seat: Seat) -> bool:
    """Whether the seat might have decided something in this step."""
    return step.question is not None and bool(step.answers) and seat in step.question.deciders


class _Moment(NamedTuple):
    """A question before it was answered, and the seat that is looked at.

    The question of a step has the zones as they are at the end of the log, that of the position
    before it has them as they were.
    """

    step: SavedStep
    position: Position
    view: View
    question: Question[Any]


class _Looking:
    """Looks at the steps of a game, one after the other."""

    def __init__(
        self,
        game: SavedGame,
        seat: Seat,
        judge: Judge,
        *,
        ascii: bool,  # noqa: A002
    ) -> None:
        self._game: Final = game
        self._seat: Final = seat
        self._judge: Final = judge
        self._ascii: Final = ascii
        self._answers: Final[list[object]] = []
        session = game.session
        self._course: Final = Course(
            session.game.name, len(game.names), session.options, self._answers
        )
        self._bots: Final = game.by_bot.decided if seat == game.own else frozenset()

    def at(self, step: SavedStep) -> Review:
        """Look at what the seat did in this step, or what somebody else was first to do."""
        nothing = Review(self._seat)
        if step.question is None:
            return nothing
        answer = self._game.answer(step)
        went = _decided(step.question, answer)
        late = None if self._seat in went else _late(step, answer, self._seat)
        if self._seat not in went and late is None:
            return nothing
        if step.before in self._bots:
            return Review(self._seat, by_bot=int(late is None))
        self._answers.extend(self._game.session.journal[len(self._answers) : step.before])
        position = self._game.before(step.number)
        view = self._view(position, self._seat)
        if position.pending is None or not _knew(view):
            return Review(self._seat, unknown=int(late is None))
        moment = _Moment(step, position, view, position.pending)
        if late is None:
            return self._decision(moment, went[self._seat])
        return self._race(moment, went, late)

    def _view(self, position: Position, seat: Seat) -> View:
        return self._game.view(position, seat, course=self._course)

    def _decision(self, moment: _Moment, named: object) -> Review:
        """Whether another decision would have been better."""
        step, view, question = moment.step, moment.view, moment.question
        after = self._game.view(moment.position, self._seat, known_after=step.number)
        decided = _as_it_lay(view, after, question, named)
        found = self._judge.judge(view, question, decided, Random(step.number))
        if found is None:
            return Review(self._seat)
        told = self._told(view, question, decided)
        mistakes = self._mistakes(moment, found, told, decided is PASS)
        return Review(self._seat, judged=1, mistakes=mistakes)

    def _race(self, moment: _Moment, went: Mapping[Seat, object], late: Late) -> Review:
        """What it cost that somebody else was first."""
        race, chance = moment.question, Random(moment.step.number)
        found = self._judge.late(moment.view, race, went, chance)
        if found is None:
            return Review(self._seat)
        first = self._told(self._view(moment.position, late.first), race, went[late.first])
        mistakes = self._mistakes(moment, found, first, late=late)
        return Review(self._seat, raced=1, mistakes=mistakes)

    def _mistakes(
        self,
        moment: _Moment,
        found: Judged,
        decided: str,
        passed: bool = False,
        late: Late | None = None,
    ) -> tuple[Mistake, ...]:
        """That it was a mistake, if it cost enough."""
        view, question, game = moment.view, moment.question, self._game
        if found.gain * len(game.names) < LEAST:
            return ()
        better = self._told(view, question, found.best)
        why = game.wording.describe_why(found.why, game.names, ascii=self._ascii)
        much, missed = (found.gain, why, found.worth), passed and question.timed
        number = moment.step.number
        return (Mistake(number, decided, better, *much, missed, found.alike, late),)

    def _told(self, view: View, question: Question[Any], decision: object) -> str:
        wording, names = self._game.wording, self._game.names
        return wording.describe_decision(view, question, decision, names, ascii=self._ascii)


def _decided(question: Question[Any], answer: object) -> Mapping[Seat, object]:
    """What each seat decided: in a race in which nobody claimed anything, all of them passed.

    Of a race that somebody else won it is known that this seat was not first, and no more.
    """
    if question.timed and answer is None:
        return dict.fromkeys(question.deciders, PASS)
    return question.decided(answer)


def _late(step: SavedStep, answer: object, seat: Seat) -> Late | None:
    """Who was first in a race in which this seat was not; None if chance said so, or if no race."""
    if not isinstance(answer, Won):
        return None
    times = dict(step.race.times) if step.race is not None else {}
    if seat in times and step.race is not None and step.race.outcome is not RaceResult.FIRST:
        return None
    own, first = times.get(seat), times.get(answer.seat)
    return Late(answer.seat, None if own is None or first is None else own - first)


def _as_it_lay(view: View, after: View, question: Question[Any], decided: object) -> object:
    """The decision in the slots as they were when it was taken, before the step.

    An entry that lays cards may reshuffle its hand first (protocol section 5), and names the slots
    as they are then: what stays the same are the faces.
    """
    if key_of(view, question, decided, False) == key_of(after, question, decided, False):
        return decided
    hand = [*(question.hand(view.seat) or ())]
    found: list[Slot] = []
    for slot in slots_of(decided):
        card = after.face(slot)
        found.append(next(one for one in hand if one not in found and view.face(one) is card))
    lay = tuple([slot for slot in hand if slot in found])
    if isinstance(decided, Lay):
        return Lay(lay, decided.down)
    return lay if isinstance(decided, tuple) else lay[0]


def _knew(view: View) -> bool:
    """Whether the log tells all that the seat could read then."""
    locks = view.table.locks
    return all(view.knows(slot) for slot, lock in enumerate(locks) if lock == view.seat)
