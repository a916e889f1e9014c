"""What the screen says about crazy eights; what is not worded here says itself."""

from __future__ import annotations

from crazy_eights.cards import SUITS
from crazy_eights.rules import EightsTable
from engine.wording import Scene, Wording


def suit_to_follow(scene: Scene[EightsTable]) -> str:
    suit = scene.table.suit
    return "Crazy Eights" if suit < 0 else f"Crazy Eights   follow {SUITS[suit]}"


TEXT = Wording(
    title="Crazy Eights",
    table=EightsTable,
    brief="Lay a card of the suit or the rank that lies there; an eight always fits.",
    notes={
        "begin": "The first card is {0:card}.",
        "play": "{0:who} lays {1:card}.",
        "suit": "{0:who} names {1}.",
        "draw": "{0:who} draws a card.",
        "score": "Points lost so far: {0:each}.",
    },
    headline=suit_to_follow,
    turn=lambda table: table.seat,
)
