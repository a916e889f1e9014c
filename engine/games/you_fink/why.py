"""Why somebody slaps, touches or turns in You Fink!, or takes a power."""

from __future__ import annotations

from collections.abc import Sequence

from engine.bots.reasons import Decided, Reason
from engine.games.you_fink.acts import FOREHEAD, INTEL, MAGIC, SLAP, TURN
from engine.games.you_fink.cards import POWER_NAMES, POWERS
from engine.games.you_fink.table import FinkTable, powers_left, slappable


def why(decided: Decided) -> Sequence[Reason]:
    """What the act is good for, as the pile lies."""
    table, act = decided.view.table, decided.decision
    if not isinstance(table, FinkTable):
        return ()
    if act is None:
        return (("waits",),)
    if INTEL <= act <= MAGIC:
        return _lowest(table, act - INTEL)
    can_win = slappable(table)
    if act == SLAP:
        return (("slap",),) if can_win else ()
    words = {FOREHEAD: "forehead", TURN: "turn"}
    return ((words[act], can_win),) if act in words else ()


def _lowest(table: FinkTable, power: int) -> Sequence[Reason]:
    """That no power of the card is lower, of those that are left."""
    card = table.face(table.pile[-1])
    values = POWERS[card.id]
    if values[power] > min(values[one] for one in powers_left(table, card)):
        return ()
    return (("power", POWER_NAMES[power], values[power]),)
