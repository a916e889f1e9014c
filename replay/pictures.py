"""A table as things to be drawn: sets of cards, piles and discs, as everybody could see them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from engine.cards import Card
from engine.wording import CardSet, Scene, Wording
from engine.zone import Zone

FANNED: Final = 4
"""How many cards of an open pile are drawn, the top one last."""
FACE_DOWN: Final = -1


def pictures(
    wording: Wording[Any], scene: Scene[Any], number: Callable[[str], int]
) -> dict[str, list[dict[str, Any]]]:
    """The sets and discs of a table in JSON's types; `number` stores a text once.

    A card is the number of its name, FACE_DOWN for one that not everybody knows.
    """
    drawn = wording.laid(scene) if wording.laid is not None else list(_sets(wording, scene))
    discs = wording.discs(scene) if wording.discs is not None else ()

    def face(card: Card | None) -> int:
        return FACE_DOWN if card is None else number(wording.describe_card(card).split()[0])

    return {
        "sets": [
            {
                "label": number(one.label),
                "seat": one.seat,
                "count": one.count,
                "cards": [face(card) for card in one.cards],
            }
            for one in drawn
        ],
        "tokens": [
            {
                "label": number(disc.label),
                "good": disc.good,
                "current": disc.current,
                "owner": disc.owner,
            }
            for disc in discs
        ],
    }


def _sets(wording: Wording[Any], scene: Scene[Any]) -> Iterator[CardSet]:
    """The piles in the middle and before the players, or the trick of a game that has tricks."""
    table, stock = scene.table, wording.stock(scene.table)
    held = {zone.id for seat in range(table.seats) for zone in wording.held(table, seat)}
    for zone in table.zones:
        if zone and zone.id not in held and (zone.owner is None or wording.trick is None):
            yield _pile(scene, zone, hidden=zone is stock)
    if wording.trick is not None:
        for seat, card in wording.trick(scene).cards:
            yield CardSet([card], seat=seat)


def _pile(scene: Scene[Any], zone: Zone, *, hidden: bool) -> CardSet:
    """Its top cards; of one whose top card lies face down only that."""
    faces = [None if hidden else scene.table.faces[slot] for slot in zone[-FANNED:]]
    cards = faces if faces[-1] is not None else faces[-1:]
    return CardSet(cards, zone.name, zone.owner, len(zone))
