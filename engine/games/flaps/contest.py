"""TRUMPS and SPOOF: everybody puts a card beside the pile, one seat takes them all (section 8).

Once all cards are put aside, all else follows from the table: so a contest that a player leaves is
settled from where it stands (section "Lost player").
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.cards import Card
from engine.games.flaps.calls import called_before_up, one_left
from engine.games.flaps.cards import NOT_LAST, strength
from engine.games.flaps.drawing import draw, hide_cards, reach
from engine.games.flaps.finish import win
from engine.games.flaps.table import NO_GUESS, FlapsTable
from engine.table_state import OPEN
from engine.zone import Seat

CUTS: Final = 2
"""The number of tied cuts after which lots are drawn (D15)."""


async def put_aside(t: FlapsTable, layer: Seat) -> None:
    """Each player puts one hand card face down, from the left of the layer on.

    A player who holds no card (nothing was left to draw after a last card) puts none.
    """
    t.guesses = [NO_GUESS] * t.seats
    t.tied, t.cuts = [], 0
    for seat in [seat for seat in t.clockwise(layer) if t.hands[seat]]:
        await hide_cards(t, seat)
        await t.lay_down(seat, t.hands[seat], 1, t.aside[seat])
        t.note("aside", seat)


def is_put_aside(t: FlapsTable) -> bool:
    """Whether every player with cards has put one aside, and no seat has taken them yet."""
    put = [bool(aside) for aside in t.aside]
    return any(put) and all(done or not hand for done, hand in zip(put, t.hands, strict=True))


def contestants(t: FlapsTable, layer: Seat) -> list[Seat]:
    """Return the seats that have put a card aside, in that order, lost ones among them."""
    order = [(layer + step) % t.seats for step in range(1, t.seats + 1)]
    return [seat for seat in order if t.aside[seat]]


async def call_before_up(t: FlapsTable, players: Sequence[Seat]) -> None:
    """Let others call "Caught!" as long as the cards lie face down."""
    if any(t.locks[t.aside[seat][0]] != OPEN for seat in players):
        await called_before_up(t)


async def turn_up_aside(t: FlapsTable, players: Sequence[Seat]) -> list[Card]:
    """Turn up all cards beside the pile, in the order in which they were put there."""
    slots = [t.aside[seat][0] for seat in players]
    if any(t.locks[slot] != OPEN for slot in slots):
        cards = await t.open(slots)
        t.note("aside up", tuple(zip(players, cards, strict=True)))
    return [t.face(slot) for slot in slots]


async def loser_of(t: FlapsTable, tied: list[Seat], trump: int | None) -> Seat:
    """The tied players cut and the lowest loses; after two tied cuts lots are drawn (D15)."""
    if not t.cuts:
        t.tied = tied
    while len(t.tied) > 1 and t.cuts < CUTS and reach(t, len(t.tied)) == len(t.tied):
        cards = await t.cut(t.stock, len(t.tied))
        t.note("cut", tuple(zip(t.tied, cards, strict=True)))
        t.tied, t.cuts = lowest(t.tied, cards, trump), t.cuts + 1
    if len(t.tied) > 1:
        (lot,) = await t.flip(len(t.tied))
        t.tied = [t.tied[lot]]
        t.note("lot", t.tied[0])
    return t.tied[0]


def lowest(players: Sequence[Seat], cards: Sequence[Card], trump: int | None) -> list[Seat]:
    """Whose cards are lowest, in laying order."""
    values = [strength(card, trump) for card in cards]
    low = min(values)
    return [seat for seat, value in zip(players, values, strict=True) if value == low]


async def settle(
    t: FlapsTable, players: Sequence[Seat], cards: Sequence[Card], loser: Seat, contest: str
) -> None:
    """The loser takes all cards; then the first without a card wins, or picks one up (D16).

    A seat that is lost by now neither wins nor picks up.
    """
    for seat in players:
        t.move_all(t.aside[seat], t.hands[loser])
    t.effect = ""
    t.note("takes all", loser, len(players), contest)
    emptied = [
        (seat, card)
        for seat, card in zip(players, cards, strict=True)
        if not t.hands[seat] and seat not in t.lost
    ]
    for seat, card in emptied:
        if card.kind not in NOT_LAST and card.kind != "quack":
            win(t, seat, card)
            return
    for seat, _ in emptied:
        await draw(t, seat, 1)
    for seat in players:
        if seat not in (loser, *t.lost) and all(seat != other for other, _ in emptied):
            await one_left(t, seat)
