"""The players against which bots are measured: legal in every game, and true to their names."""

from __future__ import annotations

from random import Random

import pytest

from engine.bots.reference import REFERENCES, always_call, always_draw, greedy
from engine.game import Value
from engine.games import NAMES, load
from engine.games.flaps.calls import SILENT
from engine.games.flaps.cards import DECKS
from engine.question import said
from engine.simulate import play_game
from engine.view import View
from tests.engine.flaps.scene import Scene as FlapsScene
from tests.engine.sneak.scene import Scene

OPTIONS: dict[str, dict[str, Value]] = {
    "flip-over": {"rounds": 1},
    "flaps": {"level": 2, "turn-limit": 250},
    "you-fink": {"cardLimit": "50"},
    "flop-a": {"hands": 2},
    "sneak": {"target": 25},
}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("reference", sorted(REFERENCES))
def test_a_reference_plays_every_game_to_its_end(name: str, reference: str) -> None:
    game = load(name)
    options = {**game.defaults(), **OPTIONS[name]}
    players = [REFERENCES[reference]] * game.seats[0]
    assert play_game(game, game.seats[0], options, 5, players, check=True).over


def view_of(scene: Scene, seat: int) -> View:
    return scene.dealer.view(scene.table, seat)


def test_who_always_draws_draws_and_who_is_greedy_lays_the_most_and_highest() -> None:
    scene = Scene(["AC AD 3H", "9S 8C 2D", "7D 5C"])
    asked, view = scene.session.pending, view_of(scene, 0)
    assert asked is not None
    assert always_draw(view, asked, Random(1)) is None
    assert always_call(view, asked, Random(1)) is None
    laid = greedy(view, asked, Random(1))
    assert len(laid.slots) == 3  # type: ignore[attr-defined]


def test_a_call_weighs_nothing_beside_a_card() -> None:
    """Whatever lies in the last place of the table: the number of a call is no place."""
    last = DECKS[7].cards[-1].name
    hands = ["5D 9H", "8D 9D 7C", f"9H 8C {last}"]
    scene = FlapsScene(hands, "5H", stock="KC", silent=True, last_card="catch")
    scene.lay("5D").say(SILENT).flap(1, "8D")
    view = scene.view(2)
    assert scene.asked.claims[2].allows(view, said(0))
    assert greedy(view, scene.asked, Random(1)) in view.table.hands[2]


def test_who_always_calls_meets_a_challenge_with_the_highest_cards() -> None:
    scene = Scene(["QH 2C", "4S KS 3C"]).flaunt("QH")
    asked, view = scene.session.pending, view_of(scene, 1)
    assert asked is not None
    laid = always_call(view, asked, Random(1))
    assert [card.name for card in view.cards(laid.slots)] == ["KS"]  # type: ignore[attr-defined]
    assert always_draw(view, asked, Random(1)) is None
