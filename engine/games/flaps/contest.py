"""TRUMPS and SPOOF: everybody puts a card beside the pile, one seat takes them all (section 8)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import Card
from engine.games.flaps.calls import called_before_up, one_left
from engine.games.flaps.cards import NOT_LAST, strength
from engine.games.flaps.drawing import draw, hide_cards, reach
from engine.games.flaps.finish import win
from engine.games.flaps.table import FlapsTable
from engine.zone import Seat


async def put_aside(t: FlapsTable, layer: Seat) -> list[Seat]:
    """Each player puts one hand card face down, from the left of the layer on; the seats.

    A player who holds no card (nothing was left to draw after a last card) puts none.
    """
    players = [seat for seat in t.clockwise(layer) if t.hands[seat]]
    for seat in players:
        await hide_cards(t, seat)
        await t.lay_down(seat, t.hands[seat], 1, t.aside[seat])
        t.note("aside", seat)
    await called_before_up(t)
    return players


async def turn_up_aside(t: FlapsTable, players: Sequence[Seat]) -> list[Card]:
    """Turn up all cards beside the pile, in the order in which they were put there."""
    cards = await t.open([t.aside[seat][0] for seat in players])
    t.note("aside up", tuple(zip(players, cards, strict=True)))
    return list(cards)


async def cut_for_it(t: FlapsTable, tied: list[Seat], trump: int | None) -> Seat:
    """The tied players cut and the lowest loses; after two tied cuts lots are drawn (D15)."""
    for _ in range(2):
        if reach(t, len(tied)) < len(tied):
            break
        cards = await t.cut(t.stock, len(tied))
        t.note("cut", tuple(zip(tied, cards, strict=True)))
        tied = lowest(tied, cards, trump)
        if len(tied) == 1:
            return tied[0]
    (lot,) = await t.flip(len(tied))
    t.note("lot", tied[lot])
    return tied[lot]


def lowest(players: Sequence[Seat], cards: Sequence[Card], trump: int | None) -> list[Seat]:
    """Whose cards are lowest, in laying order."""
    values = [strength(card, trump) for card in cards]
    low = min(values)
    return [seat for seat, value in zip(players, values, strict=True) if value == low]


async def settle(
    t: FlapsTable, players: Sequence[Seat], cards: Sequence[Card], loser: Seat, contest: str
) -> None:
    """The loser takes all cards; then the first without a card wins, or picks one up (D16)."""
    for seat in players:
        t.move_all(t.aside[seat], t.hands[loser])
    t.effect = ""
    t.note("takes all", loser, len(players), contest)
    emptied = [(seat, card) for seat, card in zip(players, cards, strict=True) if not t.hands[seat]]
    for seat, card in emptied:
        if card.kind not in NOT_LAST and card.kind != "quack":
            win(t, seat, card)
            return
    for seat, _ in emptied:
        await draw(t, seat, 1)
    for seat in players:
        if seat != loser and all(seat != other for other, _ in emptied):
            await one_left(t, seat)
