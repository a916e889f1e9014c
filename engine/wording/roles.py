"""What zones, notes and claims mean to a screen, and what they mean where a game does not say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum, auto
from typing import Any, Final, NamedTuple

from engine.cards import Card
from engine.zone import Seat, Zone

SPACE: Final = " "


def first_own_zones(table: Any, seat: Seat) -> Sequence[Zone]:
    """What a seat holds in its hand: what lies in the zone that was made for it first."""
    own = [zone for zone in table.zones if zone.owner == seat]
    return [zone for zone in own if zone.name == own[0].name]


def nothing_beside(table: Any, seat: Seat) -> Sequence[Zone]:
    """Where a seat's own cards lie beside it: nowhere, unless the game says so."""
    return ()


def whole_deck(table: Any) -> Zone | None:
    """The zone that is not looked at: the one in which the whole deck lies, to be shuffled."""
    if table.deck is None:
        return None
    return next((zone for zone in table.zones if len(zone) == len(table.deck)), None)


class MarkKind(StrEnum):
    """What people look for in a saved game, the widest first."""

    END = auto()
    ROUND = auto()
    TRICK = auto()
    EFFECT = auto()
    RACE = auto()


Marks = Mapping[str, MarkKind] | None
_OF_THE_TABLE: Final[Mapping[str, MarkKind | None]] = {
    "play": None,
    "pick blind": None,
    "forfeit": MarkKind.EFFECT,
    "leaves": MarkKind.EFFECT,
    "gone": MarkKind.EFFECT,
}
"""Notes that the table itself makes, whatever the game."""


def mark_kind(marks: Marks, word: str) -> MarkKind | None:
    """What a note of this word marks, if anything; an effect in a game that does not say."""
    if word in _OF_THE_TABLE:
        return _OF_THE_TABLE[word]
    return MarkKind.EFFECT if marks is None else marks.get(word)


class ShownSet(NamedTuple):
    """Cards that a seat shows, all at once; `said` is what they are: a pair, a declaration."""

    seat: Seat
    cards: Sequence[Card]
    said: str = ""


Shows = Mapping[str, Callable[..., Sequence[ShownSet]]]
"""By the first word of a note, a function of its other values."""


def one_card(seat: Seat, card: Card) -> Sequence[ShownSet]:
    """The card that a note says is laid: ("play", seat, card)."""
    return (ShownSet(seat, (card,)),)


def one_card_each(pairs: Sequence[tuple[Seat, Card]], said: str = "") -> Sequence[ShownSet]:
    """Cards that are turned up together; `said` is what they are."""
    return [ShownSet(seat, (card,), said) for seat, card in pairs]


class ClaimKey(NamedTuple):
    """The key that makes a claim of a race at once; SPACE makes it before all others.

    `does` is said in the help, and `instead` where Space finds nothing but this.  Where the claim
    cannot be made now, the question itself says why.
    """

    key: str
    does: str = ""
    instead: str = ""
