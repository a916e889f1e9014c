"""Level 4: SPOOF.  The LOW OL' MAID does nothing; duties.py says where it may lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.cards import Card
from engine.games.flaps.cards import spoof_value
from engine.games.flaps.contest import (
    call_before_up,
    contestants,
    loser_of,
    put_aside,
    settle,
    turn_up_aside,
)
from engine.games.flaps.laying import Effect
from engine.games.flaps.table import NO_GUESS, FlapsTable
from engine.zone import Seat

GUESS: Final = "call the sum of all cards put aside, a number nobody has called"
MOST_EACH: Final = 20


async def spoof(t: FlapsTable, seat: Seat, card: Card) -> None:
    """Each puts a card aside and calls a sum; the player furthest off takes all (section 8.3)."""
    await put_aside(t, seat)
    await settle_spoof(t, seat)


async def settle_spoof(t: FlapsTable, layer: Seat) -> None:
    """All cards are put aside: the players call, and the furthest call loses."""
    players = contestants(t, layer)
    if players:
        await call_before_up(t, players)
        await call_sums(t, players)
    called = {seat: t.guesses[seat] for seat in players if t.guesses[seat] != NO_GUESS}
    if not called:
        return  # the only player with a card has left without a call
    cards = await turn_up_aside(t, players)
    total = sum(map(spoof_value, cards))
    t.note("sum", total)
    loser = await loser_of(t, furthest(list(called), called, total), None)
    await settle(t, players, cards, loser, "SPOOF")


async def call_sums(t: FlapsTable, players: Sequence[Seat]) -> None:
    """Each player calls a number that nobody has called; a seat that is lost calls none."""
    for player in players:
        if player not in t.lost and t.guesses[player] == NO_GUESS:
            free = [number for number in sums(t.seats) if number not in t.guesses]
            t.guesses[player] = free[await t.choose(player, free, GUESS)]
            t.note("sum called", player, t.guesses[player])


def sums(seats: int) -> range:
    """The numbers that may be called (D18)."""
    return range(MOST_EACH * seats + 1)


def furthest(players: Sequence[Seat], called: Mapping[Seat, int], total: int) -> list[Seat]:
    """Whose calls are furthest from the sum, in laying order."""
    most = max(abs(called[seat] - total) for seat in players)
    return [seat for seat in players if abs(called[seat] - total) == most]


EFFECTS: Final[dict[str, Effect]] = {"spoof": spoof}
