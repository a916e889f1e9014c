"""How fast whole games are played with the trusted dealer: one thread, random bots."""

from __future__ import annotations

import time
from typing import Final

from cli.bench.row import Row
from engine.games import load
from engine.simulate import simulate

GAMES: Final = 3000
# design: engine, last paragraph (a match of two rounds, four seats)
FLIP_OVER_GAMES_PER_S: Final = 3000.0


def measure() -> list[Row]:
    """Matches of Flip Over a second; the best of three, as the machine may be busy."""
    game = load("flip-over")
    runs = [simulate(game, 4, {}, GAMES, seed, clock=time.perf_counter) for seed in range(3)]
    best = max(run.games_per_s for run in runs)
    return [Row("flip-over games", round(best, 1), "games/s", FLIP_OVER_GAMES_PER_S)]
