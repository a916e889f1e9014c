"""Level 2: TRUMPS.  OL' MAIDS do nothing; duties.py says where they may lie."""

from __future__ import annotations

from typing import Final

from engine.cards import Card
from engine.games.flaps.contest import cut_for_it, lowest, put_aside, settle, turn_up_aside
from engine.games.flaps.laying import ALL_SUITS, Effect
from engine.games.flaps.table import FlapsTable
from engine.zone import Seat

DECLARE: Final = "declare a trump suit"
UNDECLARED: Final = -1


async def trumps(t: FlapsTable, seat: Seat, card: Card) -> None:
    """The layer declares trumps, each lays a card face down, the lowest takes all (section 8.1)."""
    t.trump = UNDECLARED
    declared = await t.choose(seat, ALL_SUITS, DECLARE)
    t.trump = trump = ALL_SUITS[declared]
    t.note("trumps", seat, trump)
    players = await put_aside(t, seat)
    if players:
        cards = await turn_up_aside(t, players)
        tied = lowest(players, cards, trump)
        loser = tied[0] if len(tied) == 1 else await cut_for_it(t, tied, trump)
        await settle(t, players, cards, loser, "TRUMPS")


EFFECTS: Final[dict[str, Effect]] = {"trumps": trumps}
