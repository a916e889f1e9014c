"""What a card of Flaps costs, or to lay none: it speaks for another one that costs less."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.cards import Card
from engine.games.flaps.bot import FEW
from engine.games.flaps.cards import ACES, FLAPS
from engine.games.flaps.duties import EIGHT, FIVE, FLAP
from engine.games.flaps.flapping import may_flap
from engine.games.flaps.why_deals import Fact, Look
from engine.games.flaps.why_laid import OPENS, PASSES_ON, at_once, nearer, own_turn, wins
from engine.question import PASS, Play
from engine.zone import Seat, Slot

LIKELY: Final = 40
"""So many more of 100 deals in which somebody could lay a FLAP are a reason against laying one."""
ANSWERS: Final = PASSES_ON | {"9"}


def costs(look: Look, play: Play, slot: Slot | None) -> Sequence[Fact]:
    """What a card costs, or to lay none: cards to pick up, what others can do, a useful card."""
    if slot is PASS:
        return [*_drawn(_declining(look, play)), *_flapped(look, None, _still_flapping(look))]
    card, rest = look.view.face(slot), look.rest((slot,))
    if wins(look, play, card):
        return []
    return [
        *_drawn(_taking(look, card, rest)),
        *_flapped(look, card.id, _let_flap(look, card)),
        *nearer(look, card, -1),
        *_let_out(look, card),
        *spent(look, [card], rest, answers=look.table.owed == 0),
    ]


def _drawn(count: int) -> Sequence[Fact]:
    return [Fact("spares", count, ("spares", count))] if count else []


def _declining(look: Look, play: Play) -> int:
    """How many cards come into the hand if nothing is laid."""
    table = look.table
    if play.why in (FIVE.why, FLAP.why, EIGHT.why):
        return 0
    count = table.owed if own_turn(look, play) and table.owed else 1
    return min(count, len(table.stock) + len(table.discard) - 1)


def _taking(look: Look, card: Card, rest: Sequence[Card]) -> int:
    """How many cards come into the hand if this one is laid."""
    if card.kind == "solve":
        return len(look.table.mystery[0]) + (not rest)
    if not rest:
        return 1
    if card.kind == "pick":
        return int(len(rest) == 1)
    if card.kind not in ("ace'n'lay", "king'n'lay"):
        return 0
    return int(at_once(look, card, rest) == 1)


def _still_flapping(look: Look) -> Sequence[Seat]:
    """Who else may lay a FLAP as it lies."""
    table = look.table
    return [seat for seat in look.others if table.flapping and may_flap(table, seat)]


def _let_flap(look: Look, card: Card) -> Sequence[Seat]:
    """Who else may lay a FLAP on this card."""
    ended = look.table.flapping and look.table.stopped
    return look.others if card.kind in OPENS and not ended else ()


def _flapped(look: Look, card: int | None, able: Sequence[Seat]) -> Sequence[Fact]:
    """That one of these may lay a FLAP, on this card or where none is laid."""
    if not able:
        return []
    never, seat = min((look.without(seat, FLAP.fits), seat) for seat in able)
    return [Fact("no flap", 100 - never, ("no flap", card, seat, 100 - never), LIKELY)]


def _let_out(look: Look, card: Card) -> Sequence[Fact]:
    """That somebody may get rid of the last card in TRUMPS or SPOOF."""
    nearest = min(look.others, key=look.held)
    if card.kind not in ("trumps", "spoof") or look.held(nearest) > 1:
        return []
    return [Fact("lets out", 1, ("lets out", card.id, nearest))]


def spent(
    look: Look, gone: Sequence[Card], rest: Sequence[Card], *, answers: bool = True
) -> Iterator[Fact]:
    """Cards that would be of use later, one for each use."""
    for use, card in {_use(look, card, rest): card for card in gone}.items():
        if use and (answers or use != "keeps answer"):
            yield Fact(use, 1, (use, card.id))


def _use(look: Look, card: Card, rest: Sequence[Card]) -> str:
    """What a card is good for later; "" for nothing."""
    if not rest:
        return ""
    if card.kind == "ace'n'end":
        return "keeps end"
    if card.kind in ACES:
        return "keeps ace" if len(rest) > FEW else ""
    if card.kind == "six":
        return "keeps six" if look.table.wins_needed > 1 else ""
    if card.kind in FLAPS:
        return "keeps flap"
    if card.kind in ANSWERS:
        return "keeps answer"
    if card.kind == "8":
        return "keeps eight"
    return "keeps doofer" if card.kind == "hoofers-doofers" else ""
