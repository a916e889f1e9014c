"""A game whose questions may be races says so: the table then tells people about the cap."""

from __future__ import annotations

from random import Random

import pytest

from engine.dealer import TrustedDealer
from engine.games import NAMES, load
from engine.question import Race
from engine.session import Session
from tests.engine.play import step


@pytest.mark.parametrize("name", NAMES)
def test_a_game_with_races_says_so(name: str) -> None:
    game, rng = load(name), Random(1)
    session = Session(game, 4, game.defaults())
    dealer = TrustedDealer(rng)
    raced = any(
        isinstance(step(session, dealer, rng), Race) for _ in range(300) if not session.over
    )
    assert raced == game.races
