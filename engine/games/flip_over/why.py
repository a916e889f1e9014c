"""Why a card is laid in Flip Over: who takes the disc with it, and who can still beat it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from engine.bots.reasons import Cards, Decided, Reason
from engine.cards import Card
from engine.games.flip_over.table import FlipTable, winner
from engine.question import Play
from engine.zone import Seat


def why(decided: Decided) -> Sequence[Reason]:
    """Whether the card follows suit, and what becomes of the disc."""
    table = decided.view.table
    if not isinstance(table, FlipTable) or not isinstance(decided.asked, Play):
        return (("exchange",),)
    card = decided.view.face(decided.decision)
    number, disc = table.disc, (table.disc, table.blue[table.disc - 1])
    laid = [*table.trick, card]
    first = [("follows",)] if table.trick and card.suit == table.trick[0].suit else []
    later = [(decided.view.seat + step) % table.seats for step in range(1, _due(table))]
    best = winner(laid, number, table.trumps)
    if best != len(laid) - 1:
        return [*first, ("leaves", disc, (table.leader + best) % table.seats, bool(later))]
    if not later:
        return [*first, ("takes", disc)]
    able = {seat: decided.of_100(partial(_beats, table, seat, laid)) for seat in later}
    seat = max(later, key=able.__getitem__)
    return [*first, ("may be beaten", seat, able[seat])]


def _due(table: FlipTable) -> int:
    """How many cards are still to be laid to this trick."""
    return table.seats - len(table.trick)


def _beats(table: FlipTable, seat: Seat, laid: Sequence[Card], cards: Cards) -> bool:
    """Whether this seat holds a card that it may lay and that beats the last one laid."""
    hand = [cards[slot] for slot in table.hands[seat]]
    replies = [card for card in hand if card.suit == laid[0].suit] or hand
    return any(winner([*laid, reply], table.disc, table.trumps) == len(laid) for reply in replies)
