"""Who won a game, in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.totals import winners
from engine.wording import listed

NOBODY: Final = "Nobody wins: all have the same"
BY_BOT: Final = "a bot finished it"
"""What is said of a game that somebody left to a bot, and did not take back."""


def who_won(names: Sequence[str], result: Sequence[int], *, by_bot: bool = False) -> str:
    """Who won; `by_bot`: a bot decided in the reader's seat to the end."""
    won = [names[seat] for seat in winners(result)]
    said = f"{listed(won)} win{'s' if len(won) == 1 else ''}" if won else NOBODY
    return f"{said} ({BY_BOT})" if by_bot else said
