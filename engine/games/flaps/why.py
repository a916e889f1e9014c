"""Why a card is laid in Flaps, or a suit or a player is named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.bots.reasons import Decided, Reason
from engine.games.flaps.bot import FEW
from engine.games.flaps.cards import ACES, NOT_LAST
from engine.games.flaps.laying import CALL, CALL_COLOUR
from engine.games.flaps.level1 import TARGET
from engine.games.flaps.level2 import DECLARE
from engine.games.flaps.level5 import WHOSE
from engine.games.flaps.level6 import PLACE, UP
from engine.games.flaps.level7 import WHO
from engine.games.flaps.table import FlapsTable
from engine.question import PASS, Choose, Play
from engine.zone import Slot


def why(decided: Decided) -> Sequence[Reason]:
    """What fits the cards that stay, who is near to the end, how many of a suit there are."""
    table, asked = decided.view.table, decided.asked
    if isinstance(table, FlapsTable) and isinstance(asked, Play):
        return _laid(decided, table)
    if isinstance(table, FlapsTable) and isinstance(asked, Choose):
        return _chosen(decided, table, asked.topic, asked.options[decided.decision])
    return ()


def _laid(decided: Decided, table: FlapsTable) -> Sequence[Reason]:
    view, slot = decided.view, decided.decision
    if slot is PASS:
        return (("keeps",),)
    card, hand = view.face(slot), table.hands[view.seat]
    fitting = _fitting(decided, hand, slot)
    found: list[Reason] = []
    allowed = decided.asked.decisions(view)
    most = max(_fitting(decided, hand, one) for one in allowed)
    if len(hand) == 1 or 0 < most == fitting:
        found.append(("left", len(hand) - 1, fitting))
    following = table.neighbour(view.seat, table.direction)
    held = len(table.hands[following])
    if card.kind in NOT_LAST and card.kind not in ACES:
        found.append(("not last",))
    elif card.kind in ("2", "3") and held <= FEW:
        found.append(("attacks", following, held))
    return found


def _fitting(decided: Decided, hand: Sequence[Slot], slot: Any) -> int:
    """How many cards that stay in the hand could follow this one."""
    if slot is PASS:
        return 0
    view, card = decided.view, decided.view.face(slot)
    rest = [view.face(other) for other in hand if other != slot]
    return sum(other.suit == card.suit or other.rank == card.rank for other in rest)


def _chosen(decided: Decided, table: FlapsTable, topic: str, option: Any) -> Sequence[Reason]:
    view = decided.view
    if topic in (CALL, CALL_COLOUR, DECLARE):
        held = view.cards(table.hands[view.seat])
        return (("suit", sum(card.suit == option for card in held)),)
    if topic in (TARGET, PLACE, UP, WHO, WHOSE) and option >= 0:
        return (("holds", option, len(table.hands[option])),)
    return ()
