"""The winners of a game, in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.wording.words import clip, say_winners
from engine.zone import Seat

ALL_SAME: Final = ": all have the same"
BY_BOT: Final = "a bot finished it"
"""The remark about a game that a player left to a bot, and did not take back."""


def who_won(
    names: Sequence[str], result: Sequence[int], winners: Sequence[Seat], *, by_bot: bool = False
) -> str:
    """Say who won; `by_bot`: a bot decided in the reader's seat to the end."""
    said = say_winners([names[seat] for seat in winners])
    why = ALL_SAME if not winners and len({*result}) == 1 else ""
    return f"{said}{why} ({BY_BOT})" if by_bot else f"{said}{why}"


def win_without_you(winners: Sequence[str], room: int) -> str:
    """Say who wins if the reader leaves; names are cut to `room` columns.

    >>> win_without_you(["Bo"], 8), win_without_you([], 8)
    ('Bo wins', 'nobody wins')
    """
    return say_winners([clip(name, room) for name in winners]) if winners else "nobody wins"
