"""Why somebody slaps, touches or turns in You Fink!, or takes a power."""

from __future__ import annotations

from collections.abc import Sequence

from engine.bots.reasons import Decided, Reason
from engine.games.you_fink.acts import FOREHEAD, INTEL, MAGIC, SLAP, TURN
from engine.games.you_fink.cards import POWER_NAMES, POWERS
from engine.games.you_fink.table import FinkTable, slappable


def why(decided: Decided) -> Sequence[Reason]:
    """What the act is good for, as the pile lies."""
    table, act = decided.view.table, decided.decision
    if not isinstance(table, FinkTable):
        return ()
    if act is None:
        return (("waits",),)
    if INTEL <= act <= MAGIC:
        power = act - INTEL
        return (("power", POWER_NAMES[power], POWERS[table.face(table.pile[-1]).id][power]),)
    words = {SLAP: "slap", FOREHEAD: "forehead", TURN: "turn"}
    return ((words[act], slappable(table)),) if act in words else ()
