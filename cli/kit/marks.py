"""What stands beside a player's name."""

from __future__ import annotations


def mark(*, you: bool = False, bot: bool = False) -> str:
    """What stands beside a name: that it is the reader, or a bot of the reader's.

    Of others' bots nobody can know it: a bot is a peer like any other.
    """
    return " (you)" if you else " (bot)" if bot else ""
