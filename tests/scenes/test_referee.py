"""Every claim is about ciphers, never about handles: held by a referee who can read all cards.

Over random games in which all seats but one lie whenever their program finds a way to: they decide
at random among all cards, take oaths for given and merges for not owed, use factors and parts
again.  What is refused ends the game; of what is accepted the referee finds after every question
that no slot holds a face that was sworn not to be there, that whoever was bound to hold no fitting
card holds none, that open faces, the honest seat's own cards and the deck are what they are taken
for, and that of each point no share is out, all but one, or all.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

import pytest

from tests.scenes.odd import DECIDING, Cheats
from tests.scenes.playing import known_games, sit_down
from tests.scenes.referee import Referee, UntrueError

FEW: Final = 40
SHARE: Final = 300
SHARES: Final = 10
MOST_LIES: Final = 50


def _watched(seed: int) -> Counter[str]:
    """One game of liars and its outcome; a failure names its seed."""
    hub = sit_down(seed, 1)
    referee = Referee(hub)
    liars, rng = range(1, len(hub.seats)), Random(f"liars {seed}")
    often, ways = (0.2, None) if rng.random() < 0.4 else (0.9, dict.fromkeys(DECIDING, 1))
    cheats = Cheats(hub, rng, often, liars, MOST_LIES, ways)
    try:
        hub.run()
    except UntrueError as untrue:
        raise AssertionError(f"table {seed}, {untrue}; {_told(cheats)}") from untrue
    except Exception as crash:
        raise AssertionError(f"table {seed}: {crash!r}; {_told(cheats)}") from crash
    assert {fault.error.seat for fault in hub.faults.values()} <= {*liars, None}, f"table {seed}"
    ended = "caught" if 0 in hub.faults else "ended" if hub.seats[0].machine.ended else "stopped"
    return Counter(
        {ended: 1, "lies": len(cheats.lived), "looks": referee.looks, "claims": referee.claims}
    )


def _told(cheats: Cheats) -> str:
    """What the liars did."""
    lies = [f"{lie.what} of seat {lie.seat} at step {lie.step}" for lie in cheats.lived]
    return f"lies: {', '.join(lies) or 'none'}"


def _all_true(first: int, step: int, many: int) -> None:
    with known_games():
        seen = sum((_watched(first + step * i) for i in range(many)), Counter[str]())
    assert seen["lies"] > many / 2, seen
    assert seen["looks"] > 2 * many, seen
    assert seen["claims"] > many / 4, seen
    assert seen["caught"], seen
    assert seen["ended"], seen


@pytest.mark.slow
def test_what_is_believed_is_true_in_a_few_short_games() -> None:
    _all_true(1, 2, FEW)


@pytest.mark.full
@pytest.mark.parametrize("share", range(SHARES))
def test_what_is_believed_is_true_in_many_games(share: int) -> None:
    _all_true(SHARE * (share + 1), 1, SHARE)
