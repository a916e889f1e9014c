"""The sensible bot of Flip Over."""

from __future__ import annotations

from random import Random

import pytest

from engine import question as ask
from engine.bots import random_bot
from engine.games.flip_over.bot import sensible_bot, worth
from engine.games.flip_over.rules import GAME
from engine.games.flip_over.table import FlipTable
from engine.session import Session
from engine.simulate import play_game, simulate
from tests.engine.flip_over.scene import Scene, playing
from tests.engine.play import step


def chosen(scene: Scene) -> str:
    asked = scene.session.pending
    assert isinstance(asked, ask.Play)
    view = scene.dealer.view(scene.table, asked.seat)
    decision = sensible_bot(view, asked, Random(0))
    assert isinstance(decision, int)
    return view.face(decision).name


@pytest.mark.slow
def test_one_of_four_sensible_bots_beats_three_random_ones() -> None:
    bots = [sensible_bot, random_bot, random_bot, random_bot]
    result = simulate(GAME, 4, {}, 200, 1, bots, clock=lambda: 0.0)
    assert result.shares()[0] > 0.75
    assert result.means()[0] > 10


@pytest.mark.parametrize(("seats", "teams"), [(3, False), (5, False), (4, True)])
def test_it_is_better_at_every_size_of_table(seats: int, teams: bool) -> None:
    bots = [sensible_bot if seat in (0, 2 if teams else 0) else random_bot for seat in range(seats)]
    result = simulate(GAME, seats, {"teams": teams}, 60, 1, bots, clock=lambda: 0.0)
    assert result.means()[0] > 5 > max(result.means()[1], result.means()[3 if teams else 1])


def test_the_last_player_takes_a_blue_disc_and_leaves_a_red_one() -> None:
    for blue, card in (("BBBRRRRR", "8H"), ("BBRBBBBB", "2H")):
        scene = Scene(["7H 1C", "6H 2C", "8H 2H"], disc=3, blue=blue).lay("7H", "6H")
        assert chosen(scene) == card


def test_it_knows_only_its_view() -> None:
    """The decision is the same whatever the others hold in secret."""
    decisions = set()
    for others in (("6H 5C", "4H 3H"), ("1C 2C", "5S 6S"), ("6H 1H", "5H 4H")):
        scene = Scene(["7H 8C", *others], disc=7, blue="BBBBRRBB")
        decisions.add(chosen(scene))
    assert len(decisions) == 1


def test_in_an_exchange_the_opponents_get_what_is_worth_least() -> None:
    session, table, dealer, rng = playing(4, 3, teams=True)
    while not isinstance(session.pending, ask.Together):
        step(session, dealer, rng)
    view = dealer.view(table, 0)
    choice = sensible_bot(view, session.pending, rng)
    assert isinstance(choice, int)
    by_worth = sorted(table.hands[0], key=lambda slot: worth(table, view.face(slot)))
    gifts = session.pending.options[0][choice]
    assert {slot for slot, to in gifts if to != 2} == set(by_worth[:2])


def test_a_whole_match_of_sensible_bots() -> None:
    session = play_game(GAME, 4, {"rounds": 4}, 9, [sensible_bot] * 4, check=True)
    assert isinstance(session, Session)
    assert isinstance(session.table, FlipTable)
    assert len(session.table.scores) == 4


@pytest.mark.full
def test_the_win_rate_over_two_thousand_deals() -> None:
    """Seat by seat, 500 deals each: won or shared in at least 85 of 100."""
    shares, means = 0.0, 0.0
    for seat in range(4):
        bots = [sensible_bot if other == seat else random_bot for other in range(4)]
        result = simulate(GAME, 4, {}, 500, seat, bots, clock=lambda: 0.0)
        shares, means = shares + result.shares()[seat] / 4, means + result.means()[seat] / 4
    assert shares > 0.85
    assert means > 18
