"""Level 2: TRUMPS.  OL' MAIDS do nothing; duties.py says where they may lie."""

from __future__ import annotations

from typing import Final

from engine.cards import Card
from engine.games.flaps.contest import (
    call_before_up,
    contestants,
    loser_of,
    lowest,
    put_aside,
    settle,
    turn_up_aside,
)
from engine.games.flaps.laying import ALL_SUITS, Effect
from engine.games.flaps.table import FlapsTable
from engine.zone import Seat

DECLARE: Final = "declare a trump suit"
UNDECLARED: Final = -1


async def trumps(t: FlapsTable, seat: Seat, card: Card) -> None:
    """The layer declares trumps, each lays a card face down, the lowest takes all (section 8.1)."""
    t.trump = UNDECLARED
    declared = await t.choose(seat, ALL_SUITS, DECLARE)
    t.trump = ALL_SUITS[declared]
    t.note("trumps", seat, t.trump)
    await put_aside(t, seat)
    await settle_trumps(t, seat)


async def settle_trumps(t: FlapsTable, layer: Seat) -> None:
    """All cards are put aside: the lowest one loses."""
    players = contestants(t, layer)
    if players:
        await call_before_up(t, players)
        cards = await turn_up_aside(t, players)
        loser = await loser_of(t, lowest(players, cards, t.trump), t.trump)
        await settle(t, players, cards, loser, "TRUMPS")


EFFECTS: Final[dict[str, Effect]] = {"trumps": trumps}
