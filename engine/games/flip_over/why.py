"""Why a card is laid in Flip Over: who takes the disc with it, and who can still beat it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from engine.bots.reasons import Cards, Decided, Reason
from engine.cards import Card
from engine.games.flip_over.table import FlipTable, winner
from engine.question import Play
from engine.wording.words import PROBABLY
from engine.zone import Seat


def why(decided: Decided) -> Sequence[Reason]:
    """What becomes of the disc; where that speaks against the card, what it saves."""
    table = decided.view.table
    if not isinstance(table, FlipTable) or not isinstance(decided.asked, Play):
        return (("exchange",),)
    fate, for_it = _fate(decided, table, decided.decision)
    if not for_it:
        return _saved(decided)
    others = [_fate(decided, table, one)[0] for one in decided.compared]
    return [] if any(_as_good(fate, one, table.blue[table.disc - 1]) for one in others) else [fate]


def _as_good(fate: Reason, other: Reason, blue: bool) -> bool:
    """Whether another card may be beaten as well, and that speaks no less for it.

    In a review: that 70 of 100 deals beat a card was true of 98 for the one that was laid.
    """
    if fate[0] != "may be beaten" or other[0] != fate[0]:
        return False
    return bool(other[-1] <= fate[-1] if blue else other[-1] >= fate[-1])


def _fate(decided: Decided, table: FlipTable, slot: Any) -> tuple[Reason, bool]:
    """What becomes of the disc after this card, and whether that is what one wants of it."""
    blue = table.blue[table.disc - 1]
    disc, laid = (table.disc, blue), [*table.trick, decided.view.face(slot)]
    order = table.order(table.leader)
    later = order[len(laid) :]
    best = winner(laid, table.disc, table.trumps)
    if best != len(laid) - 1:
        seat = order[best]
        return ("leaves", disc, seat, bool(later)), not blue
    if not later:
        return ("takes", disc), blue
    able = {seat: decided.of_100(partial(_beats, table, seat, laid)) for seat in later}
    seat = max(later, key=able.__getitem__)
    return ("may be beaten", seat, able[seat]), (able[seat] <= PROBABLY) == blue


def _saved(decided: Decided) -> Sequence[Reason]:
    """The best card that could be laid instead, if it is better than this one."""
    view = decided.view
    best = max(view.cards(decided.others), key=lambda card: card.rank)
    laid = view.face(decided.decision)
    return [("saves", (best.name, best.suit, best.rank))] if best.rank > laid.rank else []


def _beats(table: FlipTable, seat: Seat, laid: Sequence[Card], cards: Cards) -> bool:
    """Whether this seat holds a card that it may lay and that beats the last one laid."""
    hand = [cards[slot] for slot in table.hands[seat]]
    replies = [card for card in hand if card.suit == laid[0].suit] or hand
    return any(winner([*laid, reply], table.disc, table.trumps) == len(laid) for reply in replies)
