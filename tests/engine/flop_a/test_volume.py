"""Many random sessions: no engine error, no stall, no lost card, no lost chip."""

from __future__ import annotations

import pytest

from engine.bots import random_bot
from engine.game import Value
from engine.games.flop_a.rules import GAME
from engine.simulate import game_seed, play_game

TABLES: list[tuple[int, dict[str, Value]]] = [
    (2, {}),
    (3, {"foldersPay": True}),
    (4, {}),
    (4, {"stack": 20, "hands": 30}),
    (5, {"raises": 0, "bet": 1}),
    (6, {}),
    (7, {"stack": 50}),
    (8, {"ante": 0, "bet": 10, "raises": 10}),
]
MOST_ANSWERS_A_HAND = 6 * 8 * (2 + 3) + 17 + 5 + 3 + 2
"""Six rounds, 17 flips, five flops, the deal, the declaration and the showdown."""


def play_many(games: int) -> None:
    for number in range(games):
        seats, options = TABLES[number % len(TABLES)]
        players = [random_bot] * seats
        done = play_game(GAME, seats, options, game_seed(4, number), players, check=True)
        low, high = GAME.bounds(seats, done.options)
        assert sum(done.returns) == 0
        assert low <= min(done.returns) <= max(done.returns) <= high
        if options.get("raises", 3) == 3:
            assert len(done.journal) <= MOST_ANSWERS_A_HAND * int(done.options["hands"] or 16)


@pytest.mark.slow
def test_two_hundred_random_sessions_end() -> None:
    play_many(200)


@pytest.mark.full
def test_ten_thousand_random_sessions_end() -> None:
    play_many(10_000)
