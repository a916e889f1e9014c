"""What stands beside a player's name."""

from __future__ import annotations

from p2p.text.names import BOT


def mark(*, you: bool = False, bot: bool = False) -> str:
    """What stands beside a name: that it is the reader, or a bot.

    A bot is what its own program says is one: a bot is a peer like any other, and nobody can
    prove that somebody else is one, or is none.
    """
    return " (you)" if you else BOT if bot else ""
