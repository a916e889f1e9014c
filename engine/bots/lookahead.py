"""What a game tells the search about itself, in its module `lookahead`; all of it may be left out.

The search itself knows questions, sessions and views, and no game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, fsum
from typing import Any, Final, NamedTuple

from engine.bots.bot import Bot, careful, random_bot
from engine.bots.reasons import Decided, Reason, silent
from engine.games import load_part
from engine.question import Question
from engine.table import Table
from engine.view import View
from engine.zone import Seat, Zone

STEPS: Final = 40_000
"""More than most games need for all that they try."""


def any_decision(view: View, question: Question[Any]) -> Sequence[object]:
    """All that the rules allow."""
    return question.decisions(view)


def never(then: Table, now: Table) -> bool:
    """Look ahead to the end of the game."""
    return False


def alike(table: Table) -> Sequence[float]:
    """An unfinished game is as good for one as for another; a lost seat cannot win."""
    return chances([0.0] * table.seats, 1.0, table.lost)


def chances(points: Sequence[float], a_lot: float, lost: Sequence[Seat] = ()) -> Sequence[float]:
    """How likely each seat wins who has these points; `a_lot` more are e times as likely.

    Lost seats have no chance.
    """
    weights = [exp((own - max(points)) / a_lot) for own in points]
    for seat in lost:
        weights[seat] = 0.0
    return [weight / fsum(weights) for weight in weights]


class PutDown(NamedTuple):
    """The cards that a seat chose from its hand to lie face down, and what it has kept."""

    seat: Seat
    laid: Zone
    hand: Zone


def none_put_down(table: Table) -> Sequence[PutDown]:
    """Nobody has put cards down that a game has to do with."""
    return ()


@dataclass(frozen=True, slots=True)
class Leisure:
    """How a review looks ahead, which has time.

    `playouts` is how many games are tried for a decision, and `steps` how many answered questions
    they may cost.  What seems better is compared with what was decided in `compared` games more.
    `to_end`: all games are played to their end, where `enough` says what nobody can be sure of.
    """

    playouts: int = 400
    steps: int = STEPS
    compared: int = 1000
    to_end: bool = False


@dataclass(frozen=True, slots=True)
class Lookahead:
    """How a game is looked ahead in.

    `habit` is how a seat probably decides, and `plays` how all do once the tree is left (a quick
    bot sees more games).  `considered` are the decisions worth a thought, where there are too many.
    A look ahead that began at the table `then` may stop at `now` when `enough(then, now)`; what
    each seat has there, from 0 (lost) to 1 (won), says `worth(now)`.  `playouts` is how many games
    are tried for a decision at the table, where others wait, and `steps` how many answered
    questions they may cost; `leisure` is that in a review.  `tells` is how likely a seat follows
    its habit, so that what it says tells what it holds; 0 if nothing is concluded from it.
    `put_down` are the cards that lie face down now and that seats chose by habit.  `why`
    says what speaks for a decision: a note that the game's words have a sentence for
    (`Wording.why`).  `own` is how the seat that looks ahead decides where it finds nothing surely
    better, if not by habit: small gains, of which a search of some hundred games is never sure.
    """

    habit: Bot = random_bot
    plays: Bot = random_bot
    considered: Callable[[View, Question[Any]], Sequence[object]] = any_decision
    enough: Callable[[Any, Any], bool] = never
    worth: Callable[[Any], Sequence[float]] = alike
    playouts: int = 200
    steps: int = STEPS
    leisure: Leisure = Leisure()
    tells: float = 0.0
    put_down: Callable[[Any], Sequence[PutDown]] = none_put_down
    why: Callable[[Decided], Sequence[Reason]] = silent
    own: Bot | None = None


def lookahead(name: str) -> Lookahead:
    """What this game says; UsageError for a game that does not exist."""
    module = load_part(name, "lookahead")
    if module is None:
        habit = careful(name)
        return Lookahead(habit, habit)
    said: Lookahead = module.LOOKAHEAD
    return said
