"""A player of Flaps with some sense: keeps defences, sheds what cannot be a last card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from random import Random
from typing import Any, Final

from engine.bots import random_bot
from engine.cards import Card
from engine.games.flaps.calls import ONE_LEFT
from engine.games.flaps.cards import ACES, MAIDS, NOT_LAST, spoof_value, strength
from engine.games.flaps.laying import CALL, CALL_COLOUR
from engine.games.flaps.level1 import TARGET
from engine.games.flaps.level2 import DECLARE, UNDECLARED
from engine.games.flaps.level4 import GUESS
from engine.games.flaps.level5 import WHOSE
from engine.games.flaps.level6 import LOOK, LOOK_HAND, PLACE, SWAP, UP
from engine.games.flaps.level7 import WHO
from engine.games.flaps.table import FlapsTable
from engine.games.flaps.time_out import MIDDLE, nearest
from engine.question import PASS, Choose, LayDown, Play, Question, Race
from engine.view import View

URGE: Final = {
    "up-jacks": 4.0, "full monty": 4.0, "pick": 3.0, "dump": 3.0, "8": 1.5, "10": 1.5,
    "2": 0.5, "3": 1.0, "7": -1.0, "9": -1.5, "trumps": 2.0, "spoof": 1.0, "jack": 0.5,
    "hoofers-doofers": -1.0, "solve": -6.0, "stop": -0.5, "six": -2.0,
}  # fmt: skip
"""How much sooner (or later) than a plain card each kind is laid."""
SHED: Final = 6.0
"""How much sooner a card is laid that cannot be the last, when few are left."""
FEW: Final = 3
SLIP: Final = 0.15
"""How often attention slips: with so many cards it happens to people too.

With this the normal level stands about midway between the others; without, the hard one, which has
to guess the same hidden cards, was hardly ahead of it (docs/explanation/bots.md)."""


def sensible_bot(view: View, question: Question[Any], rng: Random) -> object:
    """A careful player who now and then takes any decision that the rules allow."""
    return (random_bot if rng.random() < SLIP else careful_bot)(view, question, rng)


def careful_bot(view: View, question: Question[Any], rng: Random) -> object:
    """Decide for the seat of `view`, looking at nothing else."""
    decisions = question.decisions(view)
    table = view.table
    if len(decisions) == 1 or not isinstance(table, FlapsTable):
        return decisions[0]
    match question:
        case Race():
            return _race(view, table, question.claims[view.seat], decisions)
        case Play():
            return _lay(view, table, decisions)
        case LayDown():
            return _put(view, table, question)
        case Choose() if question.topic in _CHOICES:
            return _CHOICES[question.topic](view, table, question.options)
    return random_bot(view, question, rng)


def _race(view: View, table: FlapsTable, claim: Question[Any], decisions: Sequence[Any]) -> object:
    """Call if there is something to call; otherwise lay."""
    if isinstance(claim, Choose):
        return 0
    calls = [choice for choice in decisions if choice is not PASS and choice < 0]
    if calls:
        return calls[0]
    return _lay(view, table, decisions)


def _lay(view: View, table: FlapsTable, decisions: Sequence[Any]) -> object:
    """The best card; never pick up with a card that could be laid."""
    slots = [choice for choice in decisions if choice is not PASS]
    if not slots:
        return PASS
    hand, best, most = view.cards(table.hands[view.seat]), slots[0], -inf
    for slot in slots:  # `max` with a key of our own takes three times as long in compiled code
        urge = _urge(view, table, view.face(slot), hand)
        if urge > most:
            best, most = slot, urge
    return best


def _urge(view: View, table: FlapsTable, card: Card, hand: list[Card]) -> float:
    """How good it is to lay this card of the hand."""
    urge, left = URGE.get(card.kind, 0.0), len(hand) - 1
    if card.kind in MAIDS:
        urge += SHED
    elif card.kind in NOT_LAST:
        urge += SHED if left <= FEW else -SHED / 2
    if card.kind in ("2", "3") and len(table.hands[_next(view, table)]) <= FEW:
        urge += 2.0
    if card.kind == "solve" and not table.mystery[0]:
        urge += SHED
    if card.kind not in ACES:
        kin = -1  # without the card itself
        for other in hand:
            if other.suit == card.suit or other.rank == card.rank:
                kin += 1
        urge += kin / max(1, left)
    return urge


def _next(view: View, table: FlapsTable) -> int:
    return table.neighbour(view.seat, table.direction)


def _put(view: View, table: FlapsTable, question: LayDown) -> object:
    """High cards into TRUMPS, the worst away into a pile or to another player."""
    slots, top = tuple(question.zone), table.face(table.discard[-1]).kind
    high, trump = top in ("trumps", "spoof"), table.trump if top == "trumps" else UNDECLARED
    value: dict[int, float] = {}
    for slot in slots:
        card = view.face(slot)
        value[slot] = -strength(card, trump) if high else -_burden(card)
    chosen = sorted(slots, key=value.__getitem__)[: question.count]
    return tuple([slot for slot in slots if slot in chosen])


def _burden(card: Card) -> float:
    if card.kind in MAIDS or card.kind == "solve":
        return 3.0
    return 2.0 if card.kind in NOT_LAST else -URGE.get(card.kind, 0.0) / 10


def _best_suit(view: View, table: FlapsTable, suits: Sequence[Any]) -> int:
    """The suit with the most cards in hand."""
    held = [card.suit for card in view.cards(table.hands[view.seat]) if card.kind not in ACES]
    cards = [held.count(suit) for suit in suits]
    return cards.index(max(cards))


def _fewest(view: View, table: FlapsTable, players: Sequence[Any]) -> int:
    """The opponent nearest to the end."""
    others = [choice for choice, player in enumerate(players) if player not in (view.seat, -1)]
    if not others:
        return 0
    held = [len(table.hands[players[choice]]) for choice in others]
    return others[held.index(min(held))]


def _most(view: View, table: FlapsTable, players: Sequence[Any]) -> int:
    """The player farthest from the end."""
    held = [len(table.hands[player]) for player in players]
    return held.index(max(held))


def _sum(view: View, table: FlapsTable, free: Sequence[Any]) -> int:
    """The free number nearest to what the cards probably add up to."""
    aside = [slot for zone in table.aside for slot in zone]
    known = [spoof_value(view.face(slot)) for slot in aside if view.knows(slot)]
    return nearest(free, sum(known) + MIDDLE * (len(aside) - len(known)))


def _first(view: View, table: FlapsTable, options: Sequence[Any]) -> int:
    return 0


_CHOICES: Final[dict[str, Callable[[View, FlapsTable, Sequence[Any]], int]]] = {
    ONE_LEFT: _first,
    LOOK: _first,
    LOOK_HAND: _first,
    SWAP: _first,
    CALL: _best_suit,
    CALL_COLOUR: _best_suit,
    DECLARE: _best_suit,
    TARGET: _fewest,
    PLACE: _fewest,
    UP: _fewest,
    WHO: _fewest,
    WHOSE: _most,
    GUESS: _sum,
}
