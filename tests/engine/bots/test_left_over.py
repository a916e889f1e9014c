"""What a look ahead leaves behind in memory: nothing that grows with every game that is tried."""

from __future__ import annotations

import gc
from random import Random

import pytest

from engine.bots.hard import Hard
from engine.games import NAMES
from tests.engine.bots.test_search import Played


@pytest.mark.parametrize("name", NAMES)
def test_of_the_games_that_were_tried_no_dealer_is_left(name: str) -> None:
    """Each has a source of chance of its own; compiled code could keep it."""
    played = Played(name, 3)
    asked, seat = next(played.positions(5))
    view = played.dealer.view(played.session.table, seat, played.session.course)
    gc.collect()
    before = _sources_of_chance()
    Hard(40)(view, asked, Random(1))
    gc.collect()
    assert _sources_of_chance() <= before + 1, "but for that of the decision"


def _sources_of_chance() -> int:
    return sum(isinstance(one, Random) for one in gc.get_objects())
