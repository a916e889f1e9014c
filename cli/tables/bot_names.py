"""What the bots at a table are called."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from p2p.text.names import folded

NAMES: Final = ("Ada", "Bo", "Cleo", "Dara", "Eli", "Fay", "Gus", "Hana", "Ivo", "Juno")


def bot_names(count: int, taken: Collection[str] = ()) -> list[str]:
    """`count` names that nobody in `taken` goes by."""
    used = set(map(folded, taken))
    free = [name for name in NAMES if folded(name) not in used]
    return free[:count]
