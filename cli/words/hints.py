"""What a hint says: what the hard bot would do, and how much better that is than the next best."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from engine.bots.hard import Advice

REFUSED: Final = "Hints are for games against bots only, where it is your turn and nobody races."
THINKS: Final = "The hard bot looks ahead ..."


def hint(advice: Advice, told: Callable[[object], str]) -> str:
    """One sentence; `told` says a decision in the words of the game."""
    best = told(advice.best)
    if advice.other_worth is None:
        return f"Hint: {best}; nothing else is worth a thought."
    other, of_100 = told(advice.other), f"{100 * advice.worth:.0f}"
    of_other = f"{100 * advice.other_worth:.0f}"
    # It leaves the usual decision only for what is surely better: the other may seem so by chance.
    close = of_100 == of_other or advice.other_worth > advice.worth
    than = f"{other} about as many" if close else f"{other} {of_other}"
    return f"Hint: {best}. It wins {of_100} of 100 games played on from here, {than}."
