"""Several cards typed at once: "flaunt 7c 8c".

A big hand has more sets than anybody can list, so a set is read card by card.  Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from cli.line.forms import Decided, Form, Refused, Tell
from engine.cards import SUIT_LETTERS, SUITS
from engine.sets import Laid, Lay
from engine.view import View
from engine.zone import Slot

_LETTERS: Final = str.maketrans({**dict(zip(SUITS, SUIT_LETTERS, strict=True)), "\ufe0f": ""})
THOUGHT_OF: Final = 300
"""If there are more sets, only this many are looked at; others are read card by card."""


class SetForm(Form):
    """A set of cards of the hand, open or face down; the cards are picked from the hand."""

    picks = True

    def offered(self) -> Sequence[object]:
        return super().offered()[:THOUGHT_OF]

    def cards(self, decision: Any) -> list[Slot]:
        return [] if decision is None else list(decision.slots)

    def ways(self, slots: tuple[Slot, ...]) -> Sequence[object]:
        return [Lay(slots, down) for down in (True, False)]

    def read(self, typed: str, tell: Tell) -> Decided | Refused | None:
        """The set that somebody typed, or why it is not one; None if none was typed.

        The first word may say how it is laid, as the game calls it ("sneak", "flaunt"); without
        it, the set must be possible in one way only.
        """
        words = typed.translate(_LETTERS).lower().split()
        zone = self.question.zone
        slots = _slots(self.view, zone, words)
        verb = None
        if slots is None and len(words) > 1:
            verb, slots = words[0], _slots(self.view, zone, words[1:])
        if slots is None:
            return self._unclear(words)
        ways = [Lay(slots, down) for down in (True, False)]
        if verb is not None:
            ways = [way for way in ways if tell(way).split()[0] == verb]
        legal = [way for way in ways if self._why_not(way) is None]
        if len(legal) == 1:
            return Decided(legal[0])
        if legal:
            return Refused(f"Say how: {' or '.join(map(tell, legal))}.")
        if not ways:
            return Refused(f"{verb!r} is not something that you can do with cards now.")
        return Refused(f"Not now: {self._why_not(ways[-1])}.")

    def _unclear(self, words: Sequence[str]) -> Refused | None:
        """Which cards the last word could be, if that is what is missing."""
        meant = _meant(self.view, self.question.zone, words[-1]) if words else []
        names = sorted({self.view.face(slot).name for slot in meant})
        if len(names) < 2:
            return None
        return Refused(f"{words[-1]!r} could be {', '.join(names)}: type more of it.")

    def _why_not(self, way: Lay) -> str | None:
        cards = None if way.down else tuple(self.view.cards(way.slots))
        why: str | None = self.question.why_not(self.view.table, Laid(way.slots, cards))
        return why


def _slots(view: View, zone: Sequence[Slot], names: Sequence[str]) -> tuple[Slot, ...] | None:
    """The slots of these cards, of which a beginning is enough; None if one is not there, or could
    be several.
    """
    free, found = list(zone), []
    for name in names:
        meant = _meant(view, free, name)
        if len({view.face(one).name for one in meant}) != 1:
            return None
        free.remove(meant[0])
        found.append(meant[0])
    return tuple(found) if found else None


def _meant(view: View, zone: Sequence[Slot], name: str) -> list[Slot]:
    """The cards of this name, or else those whose names begin so."""
    named = {slot: view.face(slot).name.lower() for slot in zone}
    exact = [slot for slot in zone if named[slot] == name]
    return exact or [slot for slot in zone if named[slot].startswith(name)]
