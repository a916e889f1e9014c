"""Looks for what would have been better than a decision that was taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from random import Random
from typing import Any, Final, NamedTuple

from engine.bots.belief import POOL
from engine.bots.hard import Hard, reasons_for, said_of
from engine.bots.reasons import Reason
from engine.bots.search import Budget, Claims, Search
from engine.bots.trials import SURE
from engine.question import PASS, Question
from engine.view import View
from engine.zone import Seat

BLAMED: Final = 2.0
"""Who blames a decision has to be surer than who takes another one: by so many standard errors.

One decision in six that is as good as another one looks worse by one standard error, one in 44
by two; a game has some dozens of decisions."""
HOPEFUL: Final = 0.5
"""What is ahead by so many standard errors is looked at again.

With 1, half of what costs 3 of 100 games of Flaps was given up before it was compared."""
RACED: Final = 250
"""So many games are tried of a lost race and of the same race won: a pile is worth much."""
CLEAR: Final = 4.0
"""What is ahead by so many standard errors in more than the first games needs no third round.

In the first ones the others have not met it often enough to answer it: after 2,000 games a card of
Flaps was 20 of 100 games ahead, and after 32,000 it was 6."""
SCREENED: Final = (1, 4)
"""In so many times as many games all decisions are tried that may still be better by enough.

With the first games alone a suit of Flaps that is 3 of 100 games better was given up in three of
six reviews, as another one that is no better than what was called looked best."""
ROUNDS: Final = ((4, SURE, CLEAR), (16, BLAMED, inf))
"""What seems best is compared in so many times as many games, and goes on if it is ahead by more
than the first and less than the second number of standard errors.  The last games alone count: of
11 mistakes of Flaps named by 8,000 games, after 2,000, three were none."""


class Judged(NamedTuple):
    """The best decision that was found, by how much it is better than another one, and why.

    `gain` is the part of a win, from 0 (it is the same decision, or none is surely better) to 1,
    `worth` the part of a win that the best one comes to, if all go on as they usually play.
    `why` says nothing that is true of the other decision as well.  `alike`: each came to the same
    whenever it was tried, so all these games prove no more than one.
    """

    best: object
    gain: float
    why: Sequence[Reason] = ()
    worth: float = 0.0
    alike: bool = False


class Case(NamedTuple):
    """What is judged: who was asked what, and what was decided, or all that was claimed."""

    view: View
    question: Question[Any]
    went: object


class Judge(Hard):
    """Says of what was decided what would have been better, and has time for that.

    `playouts` is how many games it tries in its first round, in place of as many as the game says.
    It does not look for long at what is hardly better by `least`, a part of a win.
    """

    def __init__(self, playouts: int | None = None, least: float = 0.0) -> None:
        super().__init__(playouts)
        self._least: Final = least

    def judge(
        self, view: View, question: Question[Any], decided: object, rng: Random
    ) -> Judged | None:
        """What would have been better than this decision; None where there was no choice.

        The best of several that were tried looks better than it is: it is compared with the
        decision once more, alone and on other deals, and only what comes of that counts, if it is
        better by two standard errors.
        """
        if len(question.decisions(view)) == 1:
            return None
        options, leisure = self._options(view, question), said_of(view).leisure
        tries = leisure.playouts, leisure.compared
        found = self._compare(Case(view, question, decided), options, rng, tries)
        (best, *others), gain = found.ranked(BLAMED), found.gain(BLAMED)
        alike = best.alike and all(one.alike for one in others)
        why = reasons_for(view, question, found.deals, best.decision, decided) if gain else ()
        return Judged(best.decision, gain, why, best.wins, alike)

    def late(
        self, view: View, race: Question[Any], happened: Mapping[Seat, object], rng: Random
    ) -> Judged | None:
        """What it cost that others were first in a race, with these claims by seat.

        It is compared with the same race in which the seat had claimed in time what it usually
        would.  None where that is nothing, or where the hands are hidden: what others claimed out
        of them was not known then.
        """
        seat, usual = view.seat, said_of(view).habit(view, race, rng)
        if usual is PASS or any(race.hand(other) is not None for other in race.deciders):
            return None
        rest = happened
        if race.competes(usual):
            rest = {other: one for other, one in happened.items() if not race.competes(one)}
        went, might = Claims(tuple(happened.items())), Claims((*rest.items(), (seat, usual)))
        found = self._compare(Case(view, race, went), [might], rng, (RACED, RACED))
        best, gain = found.ranked(BLAMED)[0], found.gain(BLAMED)
        why = reasons_for(view, race, found.deals, usual) if gain else ()
        return Judged(usual, gain, why, best.wins)

    def _compare(
        self, case: Case, options: Sequence[object], rng: Random, tries: tuple[int, int]
    ) -> Search:
        """All that may be better, and then what seems best alone, each time on deals of their own.

        `tries` are the games of all in the first round, and a part of those of the best alone.
        """
        steps = said_of(case.view).leisure.steps
        first, alone = (self._playouts or games for games in tries)
        for times in SCREENED:
            found = self._at_leisure(case, options, rng, times * first, times * steps)
            if not (options := found.in_doubt(self._least)):
                return found
        if (best := found.best(HOPEFUL)) == case.went:
            return found
        for times, sure, clear in ROUNDS:
            found = self._at_leisure(case, [best], rng, times * alone, times * steps)
            ahead, error = found.lead()
            if ahead <= sure * error or ahead >= clear * error or ahead + error < self._least:
                break
        return found

    def _at_leisure(
        self, case: Case, options: Sequence[object], rng: Random, tries: int, steps: int
    ) -> Search:
        """People are told what comes of it, so nothing but wins counts."""
        view, question, went = case
        to_end = said_of(view).leisure.to_end
        budget = Budget(tries, steps, win=1.0, to_end=to_end, by_spread=True)
        return self._search(view, question, options, went, budget, rng, max(POOL, tries))
