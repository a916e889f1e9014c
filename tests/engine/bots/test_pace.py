"""Chance in races is drawn as the library draws it, so bots play as they did before."""

from __future__ import annotations

from random import Random

import pytest

from engine.bots.pace import SECOND_PRESS_MS, Normals, Pace, second_press
from engine.errors import EngineError
from engine.truth import below

SEEDS = range(5)


@pytest.mark.parametrize("seed", SEEDS)
def test_normal_numbers_are_those_of_the_library(seed: int) -> None:
    normals, library = Normals(Random(seed)), Random(seed)
    assert [normals.draw() for _ in range(101)] == [library.gauss(0, 1) for _ in range(101)]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_pace_is_a_mean_and_a_spread_and_never_too_quick(seed: int) -> None:
    pace, normals, library = Pace(400, 90), Normals(Random(seed)), Random(seed)
    drawn = [pace.draw(normals) for _ in range(200)]
    assert drawn == [max(300, library.gauss(400, 90)) / 1000 for _ in range(200)]
    assert min(drawn) == 0.3


@pytest.mark.parametrize("choices", [1, 2, 3, 101, 1 << 70])
def test_whole_numbers_are_those_of_the_library(choices: int) -> None:
    ours, library = Random(choices), Random(choices)
    assert [below(choices, ours) for _ in range(50)] == [
        library.randrange(choices) for _ in range(50)
    ]
    assert ours.getstate() == library.getstate()


@pytest.mark.parametrize("choices", [0, -2])
def test_nothing_is_drawn_from_nothing(choices: int) -> None:
    with pytest.raises(EngineError, match="from nothing"):
        below(choices, Random(1))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_second_press_is_drawn_from_its_whole_milliseconds(seed: int) -> None:
    ours, library = Random(seed), Random(seed)
    expected = [library.randint(*SECOND_PRESS_MS) / 1000 for _ in range(200)]
    assert [second_press(ours) for _ in range(200)] == expected
