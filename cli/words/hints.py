"""What a hint says: what the hard bot would do, and how much better that is than the next best."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from engine.wording.words import ALIKE

if TYPE_CHECKING:
    from engine.bots.hard import Advice

REFUSED: Final = "Hints are for games against bots only, and only while it is your turn."
THINKS: Final = "The hard bot looks ahead ..."
NO_HINT: Final = "No hint this time: the process of the hard bot has ended. Ask again."


def hint(advice: Advice, told: Callable[[object], str], why: str) -> str:
    """What to do and why, and how much better that is; `told` says a decision in the game's words.

    Where the other decision is worth as much, the habit of the bot decides: then no numbers are
    compared that chance has made.
    """
    best = f"Hint: {told(advice.best)}{': ' if why else ''}{why}."
    if advice.forced:
        return f"{best} Nothing else is allowed."
    if advice.other_worth is None:
        return f"{best} It does not look further: everything else seems clearly worse."
    other, of_100 = told(advice.other), round(100 * advice.worth)
    less = round(100 * advice.other_worth)
    wins = f"{best} It wins the game in {of_100} of 100 games played on from here"
    if less >= of_100:
        return f"{wins}; {other} is about as good."
    return f"{wins}, {other} in {less}.{f' {ALIKE}' if advice.alike else ''}"
