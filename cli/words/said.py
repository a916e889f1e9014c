"""Sentences that are said in more than one place."""

from __future__ import annotations

from typing import Final

COMPARE: Final = "Read the words to each other: if they match, nobody is in between."
LOOKING: Final = "Looking for tables on this network ..."
UNHEARD: Final = "Nobody at this table would hear you."


def mark(*, you: bool = False, bot: bool = False) -> str:
    """What stands beside a name: that it is the reader, or a bot of the reader's.

    Of others' bots nobody can know it: a bot is a peer like any other.
    """
    return " (you)" if you else " (bot)" if bot else ""
