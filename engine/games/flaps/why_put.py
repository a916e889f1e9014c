"""Why cards are put face down in Flaps, into TRUMPS, SPOOF, a pile or before another player."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.games.flaps.cards import NOT_LAST
from engine.games.flaps.why_deals import Fact, Look, kin, stays_up
from engine.games.flaps.why_spared import spent
from engine.zone import Slot

GOES_AWAY: Final = frozenset({"pick", "1-swap"})
"""After these a card that is put down does not come back."""


def brings(look: Look, slots: Sequence[Slot]) -> Sequence[Fact]:
    """Whether it loses, and whether one is well rid of it."""
    top = look.table.face(look.table.discard[-1]).kind
    return [*_trumps(look, top, slots), *_shed(look, top, slots)]


def _trumps(look: Look, top: str, slots: Sequence[Slot]) -> Iterator[Fact]:
    """How often it loses at TRUMPS."""
    if top == "trumps":
        card = look.view.face(slots[0])
        yield stays_up(card, look.lowest(card, look.table.trump))


def _shed(look: Look, top: str, slots: Sequence[Slot]) -> Iterator[Fact]:
    """Cards that are better gone."""
    cards, rest = look.view.cards(slots), look.rest(slots)
    never = sum(card.kind in NOT_LAST for card in cards)
    if never and rest:
        yield Fact(
            "not last", never, ("not last",) if len(cards) == 1 else ("some not last", never)
        )
    if top in GOES_AWAY and rest and not any(kin(card, rest) for card in cards):
        yield Fact("alone", 1, ("alone",))


def costs(look: Look, slots: Sequence[Slot]) -> Sequence[Fact]:
    """Useful cards that would be gone, or might."""
    return [*spent(look, look.view.cards(slots), look.rest(slots))]
