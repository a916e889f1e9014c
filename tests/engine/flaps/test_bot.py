"""The bots of Flaps: the careful one, and the sensible one, whose attention slips."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.bots import random_bot
from engine.game import Value
from engine.games.flaps.bot import careful_bot, sensible_bot
from engine.games.flaps.rules import GAME
from engine.question import Question, said
from engine.simulate import simulate
from engine.testing import play_out
from engine.view import View
from tests.engine.flaps.scene import Scene

A, B = range(2)


def share(level: int, games: int) -> float:
    """The part of the games that one sensible bot wins against three random ones."""
    won = 0.0
    for seat in range(4):
        bots = [sensible_bot if other == seat else random_bot for other in range(4)]
        options = {"level": level}
        result = simulate(GAME, 4, options, games // 4, seat, bots, clock=lambda: 0.0)
        won += result.shares()[seat] / 4
    return won


@pytest.mark.parametrize("level", [1, 4, 7])
def test_it_beats_three_of_chance(level: int) -> None:
    assert share(level, 40) > 0.6


@pytest.mark.full
@pytest.mark.parametrize("level", [1, 4, 7])
def test_the_win_rate_over_two_thousand_games(level: int) -> None:
    assert share(level, 2000) > 0.85


def choice(scene: Scene, seat: int = A) -> object:
    return careful_bot(scene.view(seat), scene.asked, Random(0))


@pytest.mark.slow
@pytest.mark.parametrize("last_card", ["auto", "catch"])
def test_it_decides_what_is_offered(last_card: str) -> None:
    """Among random bots, so that every question comes up."""

    def checked(view: View, question: Question[Any], rng: Random) -> object:
        decision = careful_bot(view, question, rng)
        assert decision in question.decisions(view)
        return decision if rng.random() < 0.6 else random_bot(view, question, rng)

    for seed in range(25):
        options: dict[str, Value] = {"last-card": last_card, "turn-limit": 150}
        assert play_out(GAME, 4, options, seed, checked).over


def test_it_says_last_card_and_calls_what_it_holds() -> None:
    assert choice(Scene(["5C 9H", "8C"], "5D", silent=True).lay("5C")) == 0
    assert choice(Scene(["AC 9H 8H 7D", "8C"], "5D").lay("AC")) == 2


@pytest.mark.parametrize(("trump", "card"), [(2, "7H"), (0, "9C"), (3, "KS")])
def test_it_puts_the_highest_card_down_as_trumps_have_it(trump: int, card: str) -> None:
    scene = Scene(["TRC KS 9C 7H", "8D 5D"], "5C").lay("TRC").say(trump).put("8D")
    assert choice(scene) == (scene.slot(A, card),)


def test_it_puts_the_highest_card_down_for_spoof_whatever_was_trumps_before() -> None:
    scene = Scene(["SPC KS 9C 7H", "8D 5D"], "5C")
    scene.table.trump = 2
    scene.lay("SPC").put("8D")
    assert choice(scene) == (scene.slot(A, "KS"),)


def test_it_gets_rid_of_what_cannot_be_the_last_card() -> None:
    scene = Scene(["OM1 KH 9H", "8C 8D"], "KC")
    assert choice(scene) == scene.slot(A, "OM1")


@pytest.mark.parametrize(("others", "card"), [("5H 7H 8H", "2C"), ("5H 7H 8H 7D", "8C")])
def test_it_makes_the_next_player_draw_who_has_three_cards_left(others: str, card: str) -> None:
    scene = Scene(["2C 8C 5D", others], "9C")
    assert choice(scene) == scene.slot(A, card)


@pytest.mark.parametrize(("more", "card"), [("", "KLC"), (" 7D", "5C")])
def test_it_keeps_what_cannot_be_the_last_card_until_three_are_left(more: str, card: str) -> None:
    scene = Scene(["KLC 5C 7H 8H" + more, "5H 3D"], "9C")
    assert choice(scene) == scene.slot(A, card)


def test_it_catches_a_slip() -> None:
    scene = Scene(["5C 9H", "8C 8D 8H", "9S 9D"], "5D", silent=True, last_card="catch")
    scene.lay("5C").say("say nothing").flap(B, "8C")
    assert choice(scene, 2) == said(0)


def test_the_attention_of_the_sensible_one_slips_at_times() -> None:
    """Of three decisions two are not the careful one: two of three slips are seen."""
    scene = Scene(["OM1 KH 9H", "8C 8D"], "KC")
    view, rng = scene.view(A), Random(1)
    assert len(scene.asked.decisions(view)) == 3
    slips = sum(sensible_bot(view, scene.asked, rng) != choice(scene) for _ in range(2000))
    assert 150 <= slips <= 250


def test_it_knows_only_its_view() -> None:
    choices = {choice(Scene(["4C 9H 2C 5C", other], "5C")) for other in ("8C 8D", "AH KD")}
    assert len(choices) == 1
