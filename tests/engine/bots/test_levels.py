"""Levels: there is a bot of each for every game, and only of those."""

from __future__ import annotations

import pytest

from engine.bots import player
from engine.errors import UsageError
from engine.games import NAMES, load
from engine.levels import LEVELS
from engine.simulate import play_game


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("level", LEVELS[:-1])
def test_levels_without_a_search_play_each_game_legally(name: str, level: str) -> None:
    game = load(name)
    seats = game.seats[0]
    session = play_game(game, seats, {}, 3, [player(name, level)] * seats, check=True)
    assert len(session.returns) == seats


def test_another_level_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"easy, normal, hard \(not 'godlike'\)"):
        player("sneak", "godlike")


@pytest.mark.parametrize("level", LEVELS)
def test_no_level_plays_a_game_that_there_is_not(level: str) -> None:
    with pytest.raises(UsageError, match="there is no game 'chess'"):
        player("chess", level)
