"""Reviews a seat's decisions in a saved game: where `hard` would have decided better.

It knows what the seat knew then and nothing else, as far as the log tells it.  What was decided is
blamed only where another decision is surely better on the same deals (`engine.bots.trials`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from random import Random
from typing import Any, Final

from engine.bots.hard import Hard
from engine.bots.tree import key_of, slots_of
from engine.course import Course
from engine.question import PASS, Question
from engine.sets import Lay
from engine.view import View
from engine.wording import counted
from engine.wording.words import ALIKE
from engine.zone import Seat, Slot
from replay.audit import Progress, unwatched
from replay.game import Position, SavedGame
from replay.reader import SavedStep

WORST: Final = 3
"""So many mistakes are told to people, the worst first."""
LEAST: Final = 0.02
"""What costs fewer than 2 of 100 games teaches a person nothing: it is no mistake."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A decision that was not the best: `gain` is the part of a win that the `better` one brings.

    The better one comes to `worth`, a part of a win too.  Both decisions, and what speaks for the
    better one and not for the other, are told in the game's words.  `missed` is a race in which
    nobody claimed anything: whoever was too slow and whoever did not want to cannot be told apart.
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


@dataclass(frozen=True, slots=True)
class Review:
    """What came of it: the mistakes, the worst first.

    `judged` decisions had a choice; of `unknown` ones the log does not show what the seat knew, and
    `by_bot` were taken by a bot in the player's place, as far as this machine knows.
    """

    seat: Seat
    judged: int
    unknown: int
    by_bot: int
    mistakes: tuple[Mistake, ...]


def review(
    game: SavedGame,
    seat: Seat,
    progress: Progress = unwatched,
    *,
    ascii: bool = False,  # noqa: A002
    hard: Hard | None = None,
) -> Review:
    """Look at every decision of this seat; `progress` hears how many steps are done.

    The same log gives the same review.
    """
    hard, answers = hard or Hard(), list[object]()
    course = Course(game.session.game.name, len(game.names), game.session.options, answers)
    bots = game.by_bot.decided if seat == game.own else frozenset()
    judged = unknown = by_bot = 0
    mistakes = []
    for step, position, named in _decisions(game, seat):
        progress(step.number, len(game.steps))
        if step.before in bots:
            by_bot += 1
            continue
        answers += game.session.journal[len(answers) : step.before]
        question, view = position.pending, game.view(position, seat, course=course)
        if question is None or not _knew(view):
            unknown += 1
            continue
        after = game.view(position, seat, known_after=step.number)
        decided = _as_it_lay(view, after, question, named)
        found = hard.judge(view, question, decided, Random(step.number))
        if found is None:
            continue
        judged += 1
        if found.gain >= LEAST:
            told = partial(game.wording.describe_decision, view, question, names=game.names)
            done, better = told(decided, ascii=ascii), told(found.best, ascii=ascii)
            why = game.wording.describe_why(found.why, game.names, ascii=ascii)
            missed = question.timed and decided is PASS
            much = found.gain, why, found.worth
            mistakes.append(Mistake(step.number, done, better, *much, missed, found.alike))
    progress(len(game.steps), len(game.steps))
    worst = sorted(mistakes, key=attrgetter("gain"), reverse=True)
    return Review(seat, judged, unknown, by_bot, tuple(worst))


def _decisions(game: SavedGame, seat: Seat) -> Iterator[tuple[SavedStep, Position, object]]:
    """The steps in which this seat decided something, as far as everybody knows it.

    The question of a step has the zones as they are at the end of the log; that of the position
    before it has them as they were.
    """
    for step in game.steps:
        if step.question is None or not step.answers:
            continue
        decided = _decided(step.question, game.answer(step))
        if seat in decided:
            yield step, game.before(step.number), decided[seat]


def _decided(question: Question[Any], answer: object) -> Mapping[Seat, object]:
    """What each seat decided: in a race in which nobody claimed anything, all of them passed.

    Who passed in a race that somebody won is not known: the claim may have been sent too late.
    """
    if question.timed and answer is None:
        return dict.fromkeys(question.deciders, PASS)
    return question.decided(answer)


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
    worst = f", the {WORST} worst" if len(found.mistakes) > WORST else ""
    lines.append(
        f"The hard bot found a better one in {len(found.mistakes)}{worst}; by how much, in wins of"
        " 100 games played on from there:"
    )
    return lines + [_told(one) for one in found.mistakes[:WORST]]


def _told(mistake: Mistake) -> str:
    """What was decided, the better decision and what it comes to, and why."""
    wins, gain = round(100 * mistake.worth), max(1, round(100 * mistake.gain))
    better = f"Better: {mistake.better}, which wins {wins}, {gain} more"
    why = f": {mistake.why}" if mistake.why else ""
    nobody = " (nobody claimed)" if mistake.missed else ""
    alike = f" {ALIKE}" if mistake.alike else ""
    return f"Step {mistake.step}: {mistake.decided}{nobody}. {better}{why}.{alike}"


def review_json(game: SavedGame, found: Review) -> dict[str, object]:
    """The review for programs: every mistake, the worst first."""
    return {
        "seat": found.seat,
        "player": game.names[found.seat],
        "judged": found.judged,
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
            }
            for one in found.mistakes
        ],
    }
