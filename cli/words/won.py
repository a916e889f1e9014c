"""The winners of a game, in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.words.going import CONTINUE, ENDS
from engine.wording import say_winners
from engine.wording.words import clip
from engine.zone import Seat

ALL_SAME: Final = ": all have the same"
BY_BOT: Final = "a bot finished it"
"""The remark about a game that a player left to a bot, and did not take back."""


SHORT_NAME: Final = 16
"""The columns that a winner's name gets in a question."""


def who_won(
    names: Sequence[str], result: Sequence[int], winners: Sequence[Seat], *, by_bot: bool = False
) -> str:
    """Say who won; `by_bot`: a bot decided in the reader's seat to the end."""
    said = say_winners([names[seat] for seat in winners])
    why = ALL_SAME if not winners and len({*result}) == 1 else ""
    return f"{said}{why} ({BY_BOT})" if by_bot else f"{said}{why}"


def without_you(winners: Sequence[str] | None) -> str:
    """Say what becomes of a game that one leaves: these win, or with None the others continue.

    >>> without_you(["Bo"]), without_you([])
    ('the game ends, and Bo wins', 'the game ends, and nobody wins')
    >>> without_you(None)
    'the others continue and can win'
    """
    if winners is None:
        return CONTINUE
    names = [clip(name, SHORT_NAME) for name in winners]
    return ENDS.format(say_winners(names) if names else "nobody wins")
