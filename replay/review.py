"""Reviews a seat's decisions in a saved game: where `hard` would have decided better.

It knows what the seat knew then and nothing else, as far as the log tells it.  What was decided is
blamed only where another decision is surely better on the same deals (`engine.bots.trials`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from random import Random
from typing import Any, Final, NamedTuple

from engine.bots.judge import Judge, Judged
from engine.bots.tree import key_of, slots_of
from engine.course import Course
from engine.question import PASS, Question
from engine.sets import Lay
from engine.view import View
from engine.won import Won
from engine.wording import counted
from engine.wording.words import ALIKE
from engine.zone import Seat, Slot
from p2p.protocol.races.book import RaceResult
from replay.audit import Progress, unwatched
from replay.game import Position, SavedGame
from replay.reader import SavedStep

WORST: Final = 3
"""So many mistakes are told to people, the worst first."""
RUNNING: Final = "This game is not over, and other people play it: a review would be a hint."
LEAST: Final = 0.04
"""What costs less than this part of a fair share of the wins teaches a person nothing: it is no
mistake.  For two that are 2 of 100 games, for four 1."""


class Late(NamedTuple):
    """Who was first in a race, and by how much, in microseconds, before this seat.

    `by_us` is None if this seat claimed nothing in time for the race, or nobody agrees when.
    """

    first: Seat
    by_us: int | None


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision that was not the best: `gain` is the part of a win that the `better` one brings.

    The better one comes to `worth`, a part of a win too.  Both decisions, and what speaks for the
    better one and not for the other, are told in the game's words.  `missed` is a race in which
    nobody claimed anything: whoever was too slow and whoever did not want to cannot be told apart.
    `late` is a race that somebody else won: then `decided` is what that seat claimed, and `better`
    what this one would have been in time with.  Being late is no wrong decision.
    `alike`: all games that were tried came to the same, which is certain only of players as usual.
    """

    step: int
    decided: str
    better: str
    gain: float
    why: str
    worth: float
    missed: bool
    alike: bool
    late: Late | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """What came of it: the mistakes, the worst first.

    `judged` decisions had a choice; `raced` races were won by others where one usually claims
    something; of `unknown` decisions the log does not show what the seat knew, and `by_bot` were
    taken by a bot in the player's place, as far as this machine knows.
    """

    seat: Seat
    judged: int
    raced: int
    unknown: int
    by_bot: int
    mistakes: tuple[Mistake, ...]


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
    judge = judge or Judge(least=LEAST / len(game.names))
    looking = _Looking(game, seat, judge, ascii=ascii)
    for step in game.steps:
        progress(step.number, len(game.steps))
        looking.at(step)
    progress(len(game.steps), len(game.steps))
    return looking.found()


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
        self._judged = self._unknown = self._by_bot = self._raced = 0
        self._mistakes: Final[list[Mistake]] = []

    def found(self) -> Review:
        """What came of it."""
        worst = sorted(self._mistakes, key=attrgetter("gain"), reverse=True)
        counts = self._judged, self._raced, self._unknown, self._by_bot
        return Review(self._seat, *counts, tuple(worst))

    def at(self, step: SavedStep) -> None:
        """Look at what the seat did in this step, or what somebody else was first to do."""
        if step.question is None or not step.answers or self._seat not in step.question.deciders:
            return
        answer = self._game.answer(step)
        went = _decided(step.question, answer)
        late = None if self._seat in went else _late(step, answer, self._seat)
        if self._seat not in went and late is None:
            return
        if step.before in self._bots:
            self._by_bot += late is None
            return
        self._answers.extend(self._game.session.journal[len(self._answers) : step.before])
        position = self._game.before(step.number)
        view = self._view(position, self._seat)
        if position.pending is None or not _knew(view):
            self._unknown += late is None
            return
        moment = _Moment(step, position, view, position.pending)
        if late is None:
            self._decision(moment, went[self._seat])
        else:
            self._race(moment, went, late)

    def _view(self, position: Position, seat: Seat) -> View:
        return self._game.view(position, seat, course=self._course)

    def _decision(self, moment: _Moment, named: object) -> None:
        """Whether another decision would have been better."""
        step, view, question = moment.step, moment.view, moment.question
        after = self._game.view(moment.position, self._seat, known_after=step.number)
        decided = _as_it_lay(view, after, question, named)
        found = self._judge.judge(view, question, decided, Random(step.number))
        if found is not None:
            self._judged += 1
            self._note(moment, found, self._told(view, question, decided), decided is PASS)

    def _race(self, moment: _Moment, went: Mapping[Seat, object], late: Late) -> None:
        """What it cost that somebody else was first."""
        race, chance = moment.question, Random(moment.step.number)
        found = self._judge.late(moment.view, race, went, chance)
        if found is not None:
            self._raced += 1
            first = self._told(self._view(moment.position, late.first), race, went[late.first])
            self._note(moment, found, first, late=late)

    def _note(
        self,
        moment: _Moment,
        found: Judged,
        decided: str,
        passed: bool = False,
        late: Late | None = None,
    ) -> None:
        """Keep it as a mistake, if it cost enough."""
        view, question, game = moment.view, moment.question, self._game
        if found.gain * len(game.names) < LEAST:
            return
        better = self._told(view, question, found.best)
        why = game.wording.describe_why(found.why, game.names, ascii=self._ascii)
        much, missed = (found.gain, why, found.worth), passed and question.timed
        number = moment.step.number
        self._mistakes.append(Mistake(number, decided, better, *much, missed, found.alike, late))

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


def review_lines(game: SavedGame, found: Review) -> list[str]:
    """The review for people: how much was looked at, and the worst mistakes."""
    name = game.names[found.seat]
    lines = [f"{name}: {counted(found.judged, 'decision')} with a choice."]
    if found.unknown:
        lines.append(
            f"Of {counted(found.unknown, 'decision')} the log does not show what {name} held:"
            " the player's own log does."
        )
    if found.by_bot:
        decisions = counted(found.by_bot, "decision")
        lines.append(f"Not looked at: {decisions} that a bot took in {name}'s place.")
    if not found.mistakes:
        return [*lines, "The hard bot found none that was surely better."]
    late = sum(one.late is not None for one in found.mistakes)
    wrong = len(found.mistakes) - late
    kinds = [f"better decisions in {wrong}"] * bool(wrong)
    kinds += [f"{counted(late, 'race')} that {name} was late for"] * bool(late)
    worst = f", the {WORST} worst" if len(found.mistakes) > WORST else ""
    lines.append(
        f"The hard bot found {' and '.join(kinds)}{worst}; by how much, in wins of 100 games"
        " played on from there:"
    )
    return lines + [_sentence(one, game.names, name) for one in found.mistakes[:WORST]]


def _sentence(mistake: Mistake, names: Sequence[str], name: str) -> str:
    """What was decided, the better decision and what it comes to, and why."""
    wins, gain = round(100 * mistake.worth), max(1, round(100 * mistake.gain))
    why = f": {mistake.why}" if mistake.why else ""
    alike = f" {ALIKE}" if mistake.alike else ""
    better = f"{mistake.better}, which wins {wins}, {gain} more{why}.{alike}"
    if mistake.late is not None:
        first, by_us = mistake.late
        before = "" if by_us is None else f", {round(by_us / 1000)} ms before {name}"
        was_first = f"{names[first]} was first: {mistake.decided}{before}"
        return f"Step {mistake.step}: {was_first}. In time: {better}"
    nobody = " (nobody was in time)" if mistake.missed else ""
    return f"Step {mistake.step}: {mistake.decided}{nobody}. Better: {better}"


def review_json(game: SavedGame, found: Review) -> dict[str, object]:
    """The review for programs: every mistake, the worst first."""
    return {
        "seat": found.seat,
        "player": game.names[found.seat],
        "judged": found.judged,
        "raced": found.raced,
        "unknown": found.unknown,
        "by_bot": found.by_bot,
        "mistakes": [
            {
                "step": one.step,
                "decided": one.decided,
                "better": one.better,
                "gain": round(one.gain, 4),
                "worth": round(one.worth, 4),
                "why": one.why,
                "missed": one.missed,
                "alike": one.alike,
                "late": None if one.late is None else one.late._asdict(),
            }
            for one in found.mistakes
        ],
    }
