"""The kit that decides by regret matching does, and its other players are not the careful one."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from engine.bots import careful
from engine.bots.hard import Hard
from engine.bots.trials import Trials
from engine.compiling import is_compiled
from tests.engine.bots import mixing
from tests.engine.bots.mixing import Matching, Mixing
from tests.engine.bots.thoughts import TABLES, places

PLAYERS = {
    "sneak": (mixing.sneaks_low, mixing.sneaks_high, mixing.sceptic, mixing.credulous),
    "flop-a": (mixing.loose, mixing.tight, mixing.bluffer),
}
INTERPRETED = pytest.mark.skipif(
    is_compiled(Trials), reason="a compiled class takes no other method"
)


def never() -> bool:
    return False


def learned(*worth: tuple[float, ...]) -> Matching:
    """What is matched if these are the worths on each deal, again and again."""
    trials = Matching(len(worth[0]), 0, Random(7))
    trials.run(900, lambda number, deal: worth[deal % len(worth)][number], never, never)
    return trials


@INTERPRETED
def test_what_is_best_on_every_deal_is_taken_alone() -> None:
    trials = learned((0.2, 0.9, 0.1))
    assert trials.taken[1] / sum(trials.taken) > 0.99
    assert {trials.best() for _ in range(20)} == {1}


@INTERPRETED
def test_what_is_best_on_every_other_deal_is_taken_now_and_then() -> None:
    trials = learned((0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    assert trials.taken[0] / sum(trials.taken) < 0.01
    assert min(trials.taken[1:]) / sum(trials.taken) > 0.4
    assert {trials.best() for _ in range(50)} == {1, 2}


@pytest.mark.parametrize("game", PLAYERS)
def test_who_does_too_much_of_something_is_not_the_careful_player(game: str) -> None:
    usual, others = careful(game), dict.fromkeys(PLAYERS[game], 0)
    for view, asked in places(game, 2, TABLES[game][0][1], each=1):
        for seed in range(8):
            decision = usual(view, asked, Random(seed))
            for bot in others:
                others[bot] += bot(view, asked, Random(seed)) != decision
    assert min(others.values()) > 0


@INTERPRETED
def test_a_bot_that_mixes_takes_what_the_other_would_not() -> None:
    # Before that one decision is far better than the others, and both bots take it.
    view, asked = next(islice(places("flop-a", 2, {"hands": 6}), 9, None))
    mixed = {Mixing(40)(view, asked, Random(seed)) for seed in range(12)}
    assert len(mixed) > len({Hard(40)(view, asked, Random(seed)) for seed in range(12)})
