"""How long a game may take, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the menu asks before the peers are imported
    from engine.game import Options
    from engine.wording import Wording


def length(text: Wording[Any], seats: int, values: Options) -> str:
    """The sentence, or "" for a game that says nothing of it."""
    return "" if text.lasts is None else f"It lasts: {text.lasts(seats, values)}."
