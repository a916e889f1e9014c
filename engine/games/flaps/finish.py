"""How a game ends: a last card, or a table where nothing moves any more (sections 5 and 11)."""

from __future__ import annotations

from engine.game import Options
from engine.games.flaps.table import FlapsTable
from engine.zone import Seat


def win(t: FlapsTable, seat: Seat, kind: str) -> None:
    """`seat` got rid of its last card; SIX OF THE BEST counts double."""
    count = 2 if kind == "six" else 1
    t.wins[seat] += count
    t.note("win", seat, count)
    end_game(t)


def end_by_ranking(t: FlapsTable, reason: str) -> None:
    """Nobody gets rid of the last card: fewest cards win, ties share (D4)."""
    fewest = min(map(len, t.hands))
    winners = [seat for seat, hand in enumerate(t.hands) if len(hand) == fewest]
    for seat in winners:
        t.wins[seat] += 1
    t.note("ranking", reason, tuple(winners))
    end_game(t)


def end_game(t: FlapsTable) -> None:
    """Begin the next game, unless somebody has enough wins."""
    t.playing = False
    if max(t.wins) >= t.wins_needed:
        t.over = True
        t.note("over", tuple(t.wins))


def returns(t: FlapsTable) -> tuple[int, ...]:
    """The wins of each seat."""
    return tuple(t.wins)


def bounds(seats: int, options: Options) -> tuple[int, int]:
    """The game that brings enough wins may bring one too many."""
    return 0, int(options["wins"]) + 1


async def stall(t: FlapsTable) -> None:
    """After all passed with nothing to draw: the piles become the stack, or the game ends (D4)."""
    piles = [slot for zone in (*t.mystery, *t.down) for slot in zone]
    t.passes = 0
    if not piles:
        end_by_ranking(t, "nothing is left to draw")
        return
    await t.put_back(piles, t.stock)
    t.known_by.clear()
    t.face_up.clear()
    await t.shuffle(t.stock)
    t.note("gather", len(piles))
