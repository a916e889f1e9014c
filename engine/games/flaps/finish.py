"""How a game ends: a last card, or a table at which nothing moves (sections 5 and 11)."""

from __future__ import annotations

from typing import Final

from engine.cards import Card
from engine.game import Options
from engine.games.flaps.drawing import forget
from engine.games.flaps.table import FlapsTable
from engine.totals import winners
from engine.zone import Seat

LONGEST: Final = 10_000
"""Turns after which every game ends, even with `turn-limit=0`."""


def end_turn(t: FlapsTable) -> None:
    """Go on to the neighbour in the direction of play, unless the turn limit is reached."""
    t.turn = (t.after + t.direction) % t.seats
    if t.lost:
        t.turn = t.neighbour(t.after, t.direction)
    if t.turns >= (t.turn_limit or LONGEST):
        end_by_ranking(t, "the turn limit is reached")


def win(t: FlapsTable, seat: Seat, card: Card) -> None:
    """`seat` got rid of `card`, its last one; SIX OF THE BEST counts double."""
    count = 2 if card.kind == "six" else 1
    t.wins[seat] += count
    t.note("win", seat, count, card)
    end_game(t)


def end_by_ranking(t: FlapsTable, reason: str) -> None:
    """Nobody gets rid of the last card: fewest cards win, ties share (D4)."""
    players = t.present()
    fewest = min([len(t.hands[seat]) for seat in players])
    first = [seat for seat in players if len(t.hands[seat]) == fewest]
    for seat in first:
        t.wins[seat] += 1
    t.note("ranking", reason, tuple(first))
    end_game(t)


def alone(t: FlapsTable) -> None:
    """All others have left: the last player wins, and there is nobody to play on with."""
    (last,) = t.present()
    t.wins[last] += 1
    t.playing = t.flapping = False
    t.over = True
    t.note("alone", last)
    t.note("over", tuple(t.wins), winners(t.wins, t.lost))


def end_game(t: FlapsTable) -> None:
    """Begin the next game, unless somebody has enough wins."""
    t.playing = False
    if max(t.wins) >= t.wins_needed:
        t.over = True
        t.note("over", tuple(t.wins), winners(t.wins, t.lost))


def returns(t: FlapsTable) -> tuple[int, ...]:
    """The wins of each seat."""
    return tuple(t.wins)


def bounds(seats: int, options: Options) -> tuple[int, int]:
    """The game that brings enough wins may bring one too many."""
    return 0, int(options["wins"]) + 1


async def stall(t: FlapsTable) -> None:
    """After all passed with nothing to draw: the piles become the stock, or the game ends (D4)."""
    piles = [slot for zone in (*t.mystery, *t.down) for slot in zone]
    t.passes = 0
    if not piles:
        end_by_ranking(t, "nothing is left to draw")
        return
    await t.put_back(piles, t.stock)
    t.face_up.clear()
    await t.shuffle(t.stock)
    forget(t, t.stock)
    t.note("gather", len(piles))
