"""The sensible bot of Sneak."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from engine.bots import random_bot
from engine.games.sneak.bot import _part_below as part_below
from engine.games.sneak.bot import candidates, sensible_bot, weaker_share
from engine.games.sneak.cards import FACES
from engine.games.sneak.combos import AUTHOR, Kind, kind_of, strength
from engine.games.sneak.rules import GAME
from engine.sets import Lay
from engine.simulate import play_game, simulate
from engine.zone import Seat
from tests.engine.sneak.scene import Scene, cards


def chosen(scene: Scene, seat: Seat = 0, seed: int = 1) -> str:
    """What the bot does, in a word and the names of its cards."""
    asked, view = scene.session.pending, scene.dealer.view(scene.table, seat)
    assert asked is not None
    decision = sensible_bot(view, asked, Random(seed))
    if decision is None:
        return "pass"
    assert isinstance(decision, Lay)
    names = sorted(card.name for card in view.cards(decision.slots))
    return " ".join(["down" if decision.down else "up", *names])


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
def test_one_sensible_bot_beats_random_ones(seats: int) -> None:
    bots = [sensible_bot, *[random_bot] * (seats - 1)]
    result = simulate(GAME, seats, {}, 30, 1, bots, clock=lambda: 0.0)
    assert result.shares()[0] > 0.9


def test_it_challenges_a_flaunt_with_what_beats_it_or_not_at_all() -> None:
    scene = Scene(["QH 2C", "KS 3C"]).flaunt("QH")
    assert chosen(scene, 1) == "up KS"
    scene = Scene(["QH 2C", "JS 3C"]).flaunt("QH")
    assert chosen(scene, 1) == "pass"


def test_it_knows_the_exceptions_of_flaunts() -> None:
    scene = Scene(["AH KH 9C", "2S 2D 3C"]).flaunt("AH KH")
    assert chosen(scene, 1) == "pass"
    scene = Scene(["AH KH 9C", "2S 2D 3C"]).sneak("AH KH")
    assert chosen(scene, 1) == "up 2D 2S"


def test_it_sneaks_what_is_strong_and_draws_with_what_is_weak() -> None:
    assert chosen(Scene(["AC AD 3H", "9S 8C", "7D 5C"])) == "down AC AD"
    assert chosen(Scene(["3H", "9S 8C", "7D 5C"])) == "pass"


def test_it_bluffs_now_and_then() -> None:
    """With its lowest card, at no fixed time."""
    scene = Scene(["3H 5C", "9S 8C", "7D 5D"])
    said = [chosen(scene, seed=seed) for seed in range(200)]
    assert 2 <= said.count("down 3H") <= 40
    assert said.count("pass") > 150


def test_after_the_stock_it_flaunts() -> None:
    assert chosen(Scene(["AC 2D", "9S 8C"], stock=0)).startswith("up")


def test_it_knows_only_its_view() -> None:
    """The decision is the same whatever the others hold in secret."""
    decisions = set()
    for others in (("9S 8C", "7D 5C"), ("AS KC", "AD QC"), ("2S 2C", "4D 4C")):
        decisions.add(chosen(Scene(["JC JD 3H", *others])))
    assert len(decisions) == 1


def test_its_estimate_of_a_set_is_near_the_count() -> None:
    """Compared with all sets of two cards of a pack."""
    every = sorted(strength(pair, AUTHOR) for pair in combinations(FACES, 2))
    for names, top in (("2S 2H", 2), ("AS AH", 14), ("7S 8H", 8), ("QS KS", 13), ("9S 3S", 9)):
        pair = cards(names)
        exact = sum(one < strength(pair, AUTHOR) for one in every) / len(every)
        assert weaker_share(kind_of(pair), 2, top, 1, False) == pytest.approx(exact, abs=0.1)


def test_the_part_of_flushes_below_an_ace() -> None:
    """Those of five of the twelve lower ranks: 792 of 1287."""
    assert part_below(Kind.FLUSH, 5, 14) == pytest.approx(8 / 13)
    assert part_below(Kind.NOTHING, 5, 6) == 0


def test_it_thinks_of_every_kind_of_set() -> None:
    scene = Scene(["7S 7H 8S 8H 9S 2S 10D JC", "AS AH AC AD"])
    view = scene.dealer.view(scene.table, 0)
    hand = scene.table.hands[0]
    for size in (2, 3):
        kinds = {
            kind_of(view.cards(one)).value for one in candidates(view, hand, size, combos=True)
        }
        assert {"straight flush", "straight", "flush"} <= kinds


@pytest.mark.slow
def test_a_whole_game_of_sensible_bots() -> None:
    for seats in (2, 5):
        session = play_game(GAME, seats, {}, 9, [sensible_bot] * seats, check=True)
        assert session.over


@pytest.mark.full
def test_the_win_rate_over_two_thousand_games() -> None:
    """Seat by seat, against three random bots: won or shared in at least 95 of 100."""
    shares = 0.0
    for seat in range(4):
        bots = [sensible_bot if other == seat else random_bot for other in range(4)]
        result = simulate(GAME, 4, {}, 500, seat, bots, clock=lambda: 0.0)
        shares += result.shares()[seat] / 4
    assert shares > 0.95
