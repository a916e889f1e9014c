"""The bots of Flop-A: the careful one, and the sensible one, whose attention slips."""

from __future__ import annotations

from random import Random

import pytest

from engine.bots import random_bot
from engine.games.flop_a.betting import CHECK
from engine.games.flop_a.bot import (
    LEAD,
    bot_by_score,
    careful_bot,
    declared,
    flop_out_chance,
    prospect,
    sensible_bot,
    win_chances,
)
from engine.games.flop_a.cards import DECK
from engine.games.flop_a.rules import GAME
from engine.games.flop_a.table import FLIPS, Stage
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
    return careful_bot(view, scene.asked, Random(seed))


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
    other = scene.dealer.view(scene.table, B)
    hands = [view.cards(scene.table.hands[A]), other.cards(scene.table.hands[B])]
    rng = Random(1)
    for hand in hands:
        out = [card for card in DECK.faces if card not in hand]
        ranks = {card.rank for card in hand}
        flopped = 0
        for _ in range(4000):
            rng.shuffle(out)
            flopped += ranks <= set(list(dict.fromkeys(card.rank for card in out))[:FLIPS])
        assert flop_out_chance(hand, scene.table) == pytest.approx(flopped / 4000, abs=0.015)


@pytest.mark.parametrize("seats", [3, 4])
def test_by_the_score_one_bets_on_weaker_hands_behind_and_on_stronger_ones_ahead(
    seats: int,
) -> None:
    hands = ["QC JC 9D", "7C 5D 4H", "2S 8D JH", "3C 8C JS"][:seats]
    scene = Scene(hands, Stage.BETTING)
    table, seat = scene.table, scene.table.turn_of
    view, lot = scene.dealer.view(table, seat), round(LEAD * seats)
    usual = careful_bot(view, scene.asked, Random(1))
    assert isinstance(usual, int)
    share = prospect(view, table) * sum(table.still_in)
    assert 0.1 < abs(share - 1.0) < 0.9, "one that the score changes, and not the least lead"

    def acted(lead: int) -> int:
        table.tally[:] = [0] * seats
        table.tally[seat] = lead
        act = bot_by_score(view, scene.asked, Random(1))
        assert isinstance(act, int)
        return act

    assert acted(0) == usual
    ahead, behind = acted(lot), acted(-lot)
    assert ahead <= CHECK < behind
    assert acted(9 * lot) == ahead
    assert acted(-9 * lot) == behind


def test_of_two_the_score_changes_nothing() -> None:
    scene = Scene(["QC JC 9D", "7C 5D 4H"], Stage.BETTING)
    table, seat = scene.table, scene.table.turn_of
    view = scene.dealer.view(table, seat)
    acts = set[object]()
    for lead in (-200, 0, 200):
        table.tally[seat] = lead
        acts.add(bot_by_score(view, scene.asked, Random(1)))
    assert acts == {careful_bot(view, scene.asked, Random(1))}


def test_the_sensible_one_calls_out_of_habit_at_times() -> None:
    scene = Scene(["QC QD 9D", "7C 5D 4H"], Stage.BETTING)
    view, rng = scene.dealer.view(scene.table, scene.table.turn_of), Random(1)
    usual = {careful_bot(view, scene.asked, rng) for _ in range(20)}
    assert CHECK not in usual
    slips = sum(sensible_bot(view, scene.asked, rng) == CHECK for _ in range(2000))
    assert 250 <= slips <= 350
