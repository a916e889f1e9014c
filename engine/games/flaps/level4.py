"""Level 4: SPOOF.  The LOW OL' MAID does nothing; duties.py says where it may lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.cards import Card
from engine.games.flaps.cards import spoof_value
from engine.games.flaps.contest import cut_for_it, put_aside, settle, turn_up_aside
from engine.games.flaps.laying import Effect
from engine.games.flaps.table import FlapsTable
from engine.zone import Seat

GUESS: Final = "call the sum of all cards put aside, a number nobody has called"
MOST_EACH: Final = 20


async def spoof(t: FlapsTable, seat: Seat, card: Card) -> None:
    """Each puts a card aside and calls a sum; the player furthest off takes all (section 8.3)."""
    players = await put_aside(t, seat)
    if not players:
        return
    called: dict[Seat, int] = {}
    free = [*sums(t.seats)]
    for player in players:
        place = await t.choose(player, free, GUESS)
        called[player] = free[place]
        t.note("sum called", player, called[player])
        free = free[:place] + free[place + 1 :]
    cards = await turn_up_aside(t, players)
    total = sum(map(spoof_value, cards))
    t.note("sum", total)
    tied = furthest(players, called, total)
    loser = tied[0] if len(tied) == 1 else await cut_for_it(t, tied, None)
    await settle(t, players, cards, loser, "SPOOF")


def sums(seats: int) -> range:
    """The numbers that may be called (D18)."""
    return range(MOST_EACH * seats + 1)


def furthest(players: Sequence[Seat], called: Mapping[Seat, int], total: int) -> list[Seat]:
    """Whose calls are furthest from the sum, in laying order."""
    most = max(abs(called[seat] - total) for seat in players)
    return [seat for seat in players if abs(called[seat] - total) == most]


EFFECTS: Final[dict[str, Effect]] = {"spoof": spoof}
