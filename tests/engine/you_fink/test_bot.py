"""The sensible bot of You Fink!."""

from __future__ import annotations

from random import Random

import pytest

from engine.bots import random_bot
from engine.games.you_fink.bot import sensible_bot
from engine.games.you_fink.rules import GAME
from engine.question import Choose
from engine.simulate import simulate
from engine.won import Won
from tests.engine.you_fink.scene import (
    FOREHEAD,
    MAGIC,
    MIGHT,
    SLAP,
    TURN,
    A,
    B,
    C,
    Scene,
)


def decided(scene: Scene, seat: int) -> object:
    return sensible_bot(scene.dealer.view(scene.table, seat), scene.race, Random(0))


def test_it_beats_random_bots() -> None:
    result = simulate(GAME, 4, {}, 50, 1, [sensible_bot, *[random_bot] * 3], clock=lambda: 0.0)
    assert result.shares()[0] > 0.9
    result = simulate(GAME, 2, {}, 50, 1, [random_bot, sensible_bot], clock=lambda: 0.0)
    assert result.shares()[1] > 0.9


def test_it_touches_and_slaps_a_match_and_nothing_else() -> None:
    scene = Scene(["7C", "7D", "4H"], rest=A).turn(A)
    assert decided(scene, C) is None
    scene.turn(B)
    assert decided(scene, A) == FOREHEAD
    assert decided(scene.act(A, FOREHEAD), A) == SLAP


def test_it_covers_a_match_that_another_is_about_to_slap() -> None:
    scene = Scene(["7C", "7D", "4H"], rest=A).turn(A).turn(B)
    assert decided(scene, C) == FOREHEAD
    assert decided(scene.act(A, FOREHEAD), C) == TURN


def test_it_gets_ready_for_the_last_card_of_an_answer() -> None:
    scene = Scene(["KD", "4C 5C", "4H"], rest=A).turn(A).act(A, MIGHT)
    assert decided(scene, C) == FOREHEAD
    assert decided(scene, B) == TURN


def test_it_chooses_the_lowest_power() -> None:
    assert decided(Scene(["KC", "4C"], rest=B).turn(A), A) == MAGIC
    assert decided(Scene(["KD", "4C"], rest=B).turn(A), A) == MIGHT


def test_the_choice_without_a_choice_is_taken() -> None:
    scene = Scene(["9S", ""], rest=A, claimed=["", "2C 3C"]).turn(A)
    session = scene.session
    session.answer(Won(B, TURN, ()))
    while not isinstance(session.pending, Choose):
        session.answer(scene.dealer.act(scene.table, session.pending))  # type: ignore[arg-type]
    assert sensible_bot(scene.dealer.view(scene.table, B), session.pending, Random(0)) == 0


@pytest.mark.full
def test_the_win_rate_over_two_thousand_games() -> None:
    """Against one random bot, from both seats, and against three."""
    shares = [
        simulate(
            GAME,
            seats,
            {},
            2_000 // seats,
            place,
            [sensible_bot if seat == place else random_bot for seat in range(seats)],
            clock=lambda: 0.0,
        ).shares()[place]
        for seats in (2, 4)
        for place in range(seats)
    ]
    assert min(shares) > 0.98


def test_its_hand_slips_at_times() -> None:
    scene = Scene(["7C", "9D", "4H"], rest=A).turn(A).act(C, FOREHEAD).turn(B)
    view, rng = scene.dealer.view(scene.table, C), Random(1)
    slips = sum(sensible_bot(view, scene.race, rng) == SLAP for _ in range(2000))
    assert 10 <= slips <= 35
