"""The bot that looks ahead."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from random import Random
from typing import Any, Final, NamedTuple

from engine.bots.belief import POOL, Belief
from engine.bots.determinization import Determinizations
from engine.bots.following import Follower
from engine.bots.lookahead import Lookahead, lookahead
from engine.bots.reasons import Decided, Reason
from engine.bots.search import Budget, Claims, Search, Weighed, in_time
from engine.bots.trials import SURE
from engine.course import Course
from engine.errors import EngineError
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
ROUNDS: Final = ((1, HOPEFUL, inf), (4, SURE, CLEAR), (16, BLAMED, inf))
"""What seems better is compared in so many times as many games, and goes on if it is ahead by more
than the first and less than the second number of standard errors.  The last games alone count: of
11 mistakes of Flaps named by 8,000 games, after 2,000, three were none."""
SECONDS: Final = 0.9
"""So long it may think for a decision at the table, where others wait."""
LOOKED_AT: Final = 100
"""In so many deals a game looks for reasons."""


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


class Advice(NamedTuple):
    """What to decide, what that is worth and why; the worth of the next best, if there is one.

    Worth is the part of a win, from 0 to 1, if all go on as they usually play.  `alike` as in
    Judged.  `forced`: the rules allow nothing else.
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
    tries for a decision, in place of as many as the game says, in reviews too.  A review does not
    look for long at what is hardly better by `least`, a part of a win.
    """

    def __init__(
        self,
        playouts: int | None = None,
        clock: Callable[[], float] | None = None,
        least: float = 0.0,
    ) -> None:
        self._playouts: Final = playouts
        self._clock: Final = clock
        self._least: Final = least
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
        """What would have been better than this decision; None where there was no choice.

        The best of several that were tried looks better than it is: it is compared with the
        decision once more, alone and on other deals, and only what comes of that counts, if it is
        better by two standard errors.
        """
        if len(question.decisions(view)) == 1:
            return None
        options, leisure = self._options(view, question), _said(view).leisure
        tries = self._playouts or leisure.playouts
        budget = Budget(tries, leisure.steps, to_end=leisure.to_end, by_spread=True)
        found = self._search(view, question, options, decided, budget, rng)
        if (better := found.best(HOPEFUL)) != decided:
            tries = self._playouts or leisure.compared
            found = self._compare(view, question, decided, better, rng, tries)
        (best, *others), gain = found.ranked(BLAMED), found.gain(BLAMED)
        alike = best.alike and all(one.alike for one in others)
        why = _why(view, question, found.deals, best.decision, decided) if gain else ()
        return Judged(best.decision, gain, why, best.wins, alike)

    def late(
        self, view: View, race: Question[Any], happened: Mapping[Seat, object], rng: Random
    ) -> Judged | None:
        """What it cost that others were first in a race, with these claims by seat.

        It is compared with the same race in which the seat had claimed in time what it usually
        would.  None where that is nothing, or where the hands are hidden: what others claimed out
        of them was not known then.
        """
        seat, usual = view.seat, _said(view).habit(view, race, rng)
        if usual is PASS or any(race.hand(other) is not None for other in race.deciders):
            return None
        rest = happened
        if race.competes(usual):
            rest = {other: one for other, one in happened.items() if not race.competes(one)}
        went, might = Claims(tuple(happened.items())), Claims((*rest.items(), (seat, usual)))
        found = self._compare(view, race, went, might, rng, self._playouts or RACED)
        best, gain = found.ranked(BLAMED)[0], found.gain(BLAMED)
        why = _why(view, race, found.deals, usual) if gain else ()
        return Judged(usual, gain, why, best.wins)

    def _compare(
        self,
        view: View,
        question: Question[Any],
        went: object,
        might: object,
        rng: Random,
        tries: int,
    ) -> Search:
        """Both alone on deals of their own; as long as one may be better, on many more new ones.

        People are told what comes of it, so nothing but wins counts.
        """
        leisure = _said(view).leisure
        for times, sure, clear in ROUNDS:
            budget = Budget(
                times * tries,
                times * leisure.steps,
                win=1.0,
                to_end=leisure.to_end,
                by_spread=True,
            )
            pool = max(POOL, budget.playouts)
            found = self._search(view, question, [might], went, budget, rng, pool)
            ahead, error = found.lead()
            if ahead <= sure * error or ahead >= clear * error or ahead + error < self._least:
                break
        return found

    def advise(self, view: View, question: Question[Any], rng: Random) -> Advice:
        """What it would decide, and how much better that is than the next best."""
        options = self._options(view, question)
        if len(options) == 1:
            why = _why(view, question, self._deals(view, rng), options[0])
            forced = len(question.decisions(view)) == 1
            return Advice(options[0], 1.0, why=why, forced=forced)
        search = self._beyond_habit(view, question, options, rng)
        best, *others = search.ranked()
        why = _why(view, question, search.deals, best.decision)
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
        return _said(view).considered(view, question)

    def _beyond_habit(
        self, view: View, question: Question[Any], options: Sequence[object], rng: Random
    ) -> Search:
        """A search that leaves what the seat would do without it only for what is surely better."""
        said = _said(view)
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
        said, deals = _said(view), self._deals(view, rng, pool)
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
        return Belief(view, known, follower.witnessed, _said(view), rng, pool)

    def _beside(self, course: Course) -> Follower:
        """The session beside this game: the one from before, if it is still the same game."""
        if self._follower is None or self._follower.answers is not course.answers:
            self._follower = Follower(course)
        return self._follower


def _why(
    view: View, question: Question[Any], deals: Belief, decision: object, *others: object
) -> Sequence[Reason]:
    """What speaks for a decision and for none of the others, in deals that may be.

    They are drawn by chance of its own, and a hundred of them: a search may try fewer.
    """
    said, rng = _said(view), Random(0)
    drawn = [deals.draw(rng) for _ in range(LOOKED_AT)]
    known = [why for one in others for why in said.why(Decided(view, question, one, drawn))]
    found = said.why(Decided(view, question, decision, drawn, others))
    return tuple(why for why in found if why not in known)


def _said(view: View) -> Lookahead:
    """How the game of this view is looked ahead in."""
    return lookahead(_course(view).game)


def _course(view: View) -> Course:
    if view.course is None:
        raise EngineError("who looks ahead has to know how the game came here")
    return view.course
