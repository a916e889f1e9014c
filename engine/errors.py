"""What can go wrong in the engine, and whose fault it is."""

from __future__ import annotations

from collections.abc import Iterable
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


def perhaps(typed: str, known: Iterable[str]) -> str:
    """What somebody who mistyped a word may have meant, as a part of a sentence; or nothing.

    >>> perhaps("Flip_Ovr", ["flip-over", "sneak"])
    " (did you mean 'flip-over'?)"
    """
    from difflib import get_close_matches  # noqa: PLC0415 (after a mistake)

    spelled = typed.lower().replace("_", "-").replace(" ", "-")
    found = get_close_matches(spelled, list(known), n=1)
    return f" (did you mean {found[0]!r}?)" if found else ""
