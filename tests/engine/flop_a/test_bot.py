"""The sensible bot of Flop-A."""

from __future__ import annotations

from random import Random

import pytest

from engine import question as ask
from engine.bots import random_bot
from engine.games.flop_a.bot import declared, flop_out_chance, sensible_bot, win_chances
from engine.games.flop_a.rules import GAME
from engine.games.flop_a.table import Stage
from engine.simulate import simulate
from tests.engine.flop_a.scene import A, B, Scene, showdown

IDLE = ["2C 4D 6C", "8S 10H QD"]


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "games"), [(2, 200), (4, 100), (8, 40)])
def test_one_sensible_bot_beats_random_ones(seats: int, games: int) -> None:
    bots = [sensible_bot, *[random_bot] * (seats - 1)]
    result = simulate(GAME, seats, {}, games, 1, bots, clock=lambda: 0.0)
    assert result.shares()[0] > 0.8
    assert result.means()[0] > 20


def decided(scene: Scene, seat: int, seed: int = 0) -> object:
    view = scene.dealer.view(scene.table, seat)
    return sensible_bot(view, scene.asked, Random(seed))


@pytest.mark.parametrize(
    ("hand", "way"),
    [("KC QC JC", "high"), ("2C", "low"), ("AC 2C 3C", "low"), ("AC KC QC", "high")],
)
def test_it_declares_the_better_way(hand: str, way: str) -> None:
    scene = showdown([hand, "7C 2D"])
    assert declared(scene.dealer.view(scene.table, A), scene.table) == way


def test_it_swings_when_it_is_sure_of_both() -> None:
    """An ace against a card of at most 10 is the highest and the lowest, except against aces."""
    scene = showdown(["AC", "7C"])
    view = scene.dealer.view(scene.table, A)
    assert min(win_chances(view.cards(scene.table.hands[A]), scene.table, A)) > 0.8
    assert declared(view, scene.table) == "swing"
    assert decided(scene, A) == 2


def test_the_chance_to_flop_out_is_that_of_the_ranks_to_come() -> None:
    scene = Scene(["7C 7D 7H", "2C 3C 4C"])
    view = scene.dealer.view(scene.table, A)
    one_rank = flop_out_chance(view.cards(scene.table.hands[A]), scene.table)
    assert one_rank == pytest.approx(5 / 13)
    three = flop_out_chance(
        scene.dealer.view(scene.table, B).cards(scene.table.hands[B]), scene.table
    )
    assert three == pytest.approx(5 * 4 * 3 / (13 * 12 * 11))
    late = Scene(["7C 8D", "2C 3C 4C"], board="KC QC JC 10C")
    cards = late.dealer.view(late.table, A).cards(late.table.hands[A])
    assert flop_out_chance(cards, late.table) == 0


def test_it_bets_on_a_good_hand_and_folds_a_bad_one() -> None:
    board = "4C 5C 6C 8C 9C"
    good = Scene(["2C 7D KD", "AC KC QC"], Stage.BETTING, board=board, pot=4)
    decision = decided(good, B, seed=1)
    assert isinstance(decision, int)
    assert good.asked.options[decision].verb == "bet"
    bad = Scene(["2S 7D", "2D", "10S JD QS", "10H JS QH"], Stage.BETTING, board=board, pot=4)
    bad.act("bet 4", "call", "call")
    folded = decided(bad, A, seed=1)
    assert isinstance(folded, int)
    assert bad.asked.options[folded].verb == "fold"


def test_it_knows_only_its_view() -> None:
    """The decision is the same whatever the others hold in secret."""
    decisions = set()
    for other in ("AC KC QC", "2C 2D 3C", "7C 7D 7S"):
        scene = Scene([other, "JC 10C 9C"], Stage.BETTING, board="4C 5C", pot=10)
        decisions.add(decided(scene, B))
    assert len(decisions) == 1


def test_a_question_of_another_game_is_answered_at_random() -> None:
    scene = Scene(IDLE)
    play = ask.Play(A, scene.table.hands[A], lambda card: True)
    chosen = sensible_bot(scene.dealer.view(scene.table, A), play, Random(1))
    assert chosen in scene.table.hands[A]
