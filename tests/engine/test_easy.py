"""The easy level: sensible, with lapses."""

from __future__ import annotations

from random import Random

import pytest

from engine.bots import careful, player, sensible
from engine.bots.lookahead import lookahead
from engine.errors import UsageError
from engine.games import NAMES, load
from engine.simulate import play_game
from tests.engine.test_reference import OPTIONS


@pytest.mark.parametrize("name", NAMES)
def test_the_easy_bot_plays_every_game_to_its_end_and_not_as_the_normal_one(name: str) -> None:
    game = load(name)
    seats, options = game.seats[0], {**game.defaults(), **OPTIONS[name]}
    made: list[tuple[object, object]] = []
    easy, normal = player(name, "easy"), sensible(name)

    def both(view, question, rng):  # type: ignore[no-untyped-def]
        seed = rng.random()
        made.append((easy(view, question, Random(seed)), normal(view, question, Random(seed))))
        return made[-1][0]

    assert play_game(game, seats, options, 5, [both] * seats, check=True).over
    errs = sum(a != b for a, b in made)
    assert 0 < errs < 0.6 * len(made)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["flop-a", "you-fink"])
def test_normal_beats_easy_two_by_two(name: str) -> None:
    """60 of 100 at least; the same cards for both seats."""
    game, easy, normal = load(name), player(name, "easy"), player(name, "normal")
    won = 0.0
    for seed in range(60):
        for seat, players in enumerate(([normal, easy], [easy, normal])):
            returns = play_game(game, 2, game.defaults(), seed, players).returns
            won += (returns[seat] > returns[1 - seat]) + (returns[0] == returns[1]) / 2
    assert won / 120 > 0.6


def test_a_level_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(UsageError, match=r"one of: easy, normal, hard \(not 'tough'\)"):
        player("sneak", "tough")


@pytest.mark.parametrize("name", NAMES)
def test_the_careful_bot_is_the_habit_of_whoever_looks_ahead(name: str) -> None:
    assert careful(name) is lookahead(name).habit
    slips = name in ("flaps", "flop-a", "you-fink")
    assert (careful(name) is not sensible(name)) == slips
