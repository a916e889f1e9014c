"""Several cards typed at once: "flaunt 7c 8c".

A big hand has more sets than anybody can list, so a set is read card by card.  Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from engine.cards import SUIT_LETTERS, SUITS
from engine.question import Question
from engine.sets import Laid, Lay, LaySet, LayTogether
from engine.view import View
from engine.zone import Slot

Describe = Callable[[View, Question[Any], object], str]
_LETTERS: Final = str.maketrans({**dict(zip(SUITS, SUIT_LETTERS, strict=True)), "\ufe0f": ""})


def read_set(
    typed: str, view: View, question: Question[Any], describe: Describe
) -> Lay | str | None:
    """The set that somebody typed, or why it is none; None where none was typed.

    The first word may say how it is laid, as the game calls it ("sneak", "flaunt"); without
    it the set has to be possible in one way only.
    """
    if not isinstance(question, LaySet | LayTogether):
        return None
    claim = question if isinstance(question, LaySet) else question.claims[view.seat]
    words = typed.translate(_LETTERS).lower().split()
    slots = _slots(view, claim.zone, words)
    verb = None
    if slots is None and len(words) > 1:
        verb, slots = words[0], _slots(view, claim.zone, words[1:])
    if slots is None:
        return None
    ways = [Lay(slots, down) for down in (True, False)]
    if verb is not None:
        ways = [way for way in ways if describe(view, question, way).split()[0] == verb]
    legal = [way for way in ways if _why_not(view, claim, way) is None]
    if len(legal) == 1:
        return legal[0]
    if legal:
        return f"Say how: {' or '.join(describe(view, question, way) for way in legal)}."
    if not ways:
        return f"{verb!r} is not something that you can do with cards now."
    return f"Not now: {_why_not(view, claim, ways[-1])}."


def _why_not(view: View, claim: LaySet, way: Lay) -> str | None:
    cards = None if way.down else tuple(view.cards(way.slots))
    return claim.why_not(view.table, Laid(way.slots, cards))


def _slots(view: View, zone: Sequence[Slot], names: Sequence[str]) -> tuple[Slot, ...] | None:
    """The slots of these cards, None when one of them is not there."""
    free, found = list(zone), []
    for name in names:
        slot = next((one for one in free if view.face(one).name.lower() == name), None)
        if slot is None:
            return None
        free.remove(slot)
        found.append(slot)
    return tuple(found) if found else None
