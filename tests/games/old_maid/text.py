"""What the screen says about old maid."""

from __future__ import annotations

from engine.wording import Wording
from old_maid.rules import MaidTable

TEXT = Wording(
    title="Old Maid",
    table=MaidTable,
    brief="Lay pairs. In turn you get a card of the next player, by lot. What is left costs you.",
    notes={
        "pair": "{0:who} lays the pair {1:cards}.",
        "take": "{0:who} gets a card of {1:who}.",
        "left": "{0:who} is left with {1:cards}.",
    },
    turn=lambda table: table.seat,
)
