"""What can go wrong in the engine, and whose fault it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

NOT_THERE: Final = "that card is not there to be laid"
"""Said by whoever notices first: a question, a set, the trusted dealer, or a peer's."""
DOES_NOT_FIT: Final = "a card is laid that does not fit"
NO_DECK: Final = "a fresh deck without a deck"


class EngineError(RuntimeError):
    """The rules or their driver are wrong: our bug, never a player's doing."""


class AsksLostError(EngineError):
    """The rules put a question to a seat whose player has left."""

    def __init__(self, sentence: str, asked: Any, seat: int) -> None:
        super().__init__(sentence)
        self.asked = asked
        self.seat = seat


class IllegalAnswer(ValueError):  # noqa: N818 (what it is, not only that it is wrong)
    """A decision or an answer that the rules refuse; the text is a sentence for the player."""


class UsageError(ValueError):
    """A user asked for an impossible table; the text is one sentence that says what is possible."""


SUGGESTED: Final = 3
"""At most this many names are suggested: the list of all follows in most sentences."""


def perhaps(typed: str, known: Iterable[str]) -> str:
    """Suggest the names that a mistyped word may mean, as a part of a sentence; or nothing.

    A beginning counts first, then the beginning of a later word, then the nearest spelling.

    >>> perhaps("Flip", ["flip-over", "flaps"]), perhaps("over", ["flip-over", "flaps"])
    (" (did you mean 'flip-over'?)", " (did you mean 'flip-over'?)")
    >>> perhaps("rep", ["play", "replay", "report"])
    " (did you mean 'replay' or 'report'?)"
    """
    spelled = {_spelled(name): name for name in known}
    found = [repr(spelled[name]) for name in _meant(_spelled(typed), [*spelled])]
    if not found:
        return ""
    *others, last = found
    return f" (did you mean {', '.join(others)}{' or ' if others else ''}{last}?)"


def _spelled(name: str) -> str:
    """Without the differences that mean nothing; the dashes of an option make none alike."""
    return name.lower().replace("_", "-").replace(" ", "-").lstrip("-")


def _meant(typed: str, known: Sequence[str]) -> list[str]:
    """The names that begin so, or a later word of which does, or the one nearest to it."""
    from difflib import get_close_matches  # noqa: PLC0415 (after a mistake)

    begins = [name for name in known if name.startswith(typed)]
    begins = begins or [name for name in known if f"-{typed}" in name]
    if typed and 0 < len(begins) <= SUGGESTED:
        return begins
    return get_close_matches(typed, known, n=1)
