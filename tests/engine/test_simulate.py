"""Simulations: reproducible game by game, and they say which game went wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from random import Random

import pytest

from engine.bots import Bot, random_bot, sensible
from engine.bots.easy import easy
from engine.bots.pace import PACES, Pace
from engine.bots.reactions import ReactingDealer
from engine.dealer import TrustedDealer
from engine.errors import EngineError, UsageError
from engine.game import Game, Options
from engine.games import NAMES, load
from engine.question import Question
from engine.session import Session
from engine.simulate import each_game, game_seed, play_game, play_on, simulate
from engine.totals import Played
from engine.view import View
from tests.engine.play import step
from tests.engine.tiny import GAME, TinyTable, turn

CARDS: Options = {"cardLimit": "50"}


def ticks() -> Callable[[], float]:
    """A clock that goes on by 2 seconds at every look."""
    return count(0.0, 2.0).__next__


def test_figures_add_up() -> None:
    result = simulate(GAME, 3, {"rounds": 2}, 10, 7, clock=ticks())
    assert (result.game, result.games, result.seconds) == ("tiny", 10, 2.0)
    assert result.games_per_s == 5.0
    assert result.steps_per_s == result.totals.steps / 2
    assert len(result.returns) == 10
    assert result.means()[0] == sum(game[0] for game in result.returns) / 10
    assert sum(result.shares()) == pytest.approx(1.0)


def test_one_game_of_a_simulation_can_be_played_again() -> None:
    result = simulate(GAME, 2, {}, 5, 3, clock=ticks())
    again = play_game(GAME, 2, {}, game_seed(3, 4), [random_bot] * 2, check=True)
    assert again.returns == result.returns[4]
    assert len({game_seed(seed, number) for seed in range(5) for number in range(5)}) == 25


def test_the_sums_of_one_game_are_that_game() -> None:
    result = simulate(GAME, 2, {}, 1, 3, clock=ticks())
    assert result.totals.steps == result.played[0].steps
    assert result.means() == result.returns[0]


def test_a_failure_names_the_seed_that_shows_it() -> None:
    async def sometimes(t: TinyTable) -> None:
        await turn(t)
        if t.points[0] % 2:
            raise ValueError("odd")

    with pytest.raises(EngineError, match=r"seed \d+.*odd") as caught:
        simulate(replace(GAME, turn=sometimes), 2, {}, 50, 1, clock=ticks())
    seed = int(str(caught.value).split("seed ")[1].split(")")[0])
    with pytest.raises(EngineError, match="odd"):
        play_game(replace(GAME, turn=sometimes), 2, {}, seed, [random_bot] * 2)


def leaving(leave: float, game: Game = GAME) -> list[Played]:
    return [*each_game(game, 3, {}, range(20), 5, "random", leave=leave)]


def test_players_leave_by_the_seed_and_nobody_at_probability_0() -> None:
    stayed = simulate(GAME, 3, {}, 20, 5, clock=ticks())
    assert tuple(leaving(0)) == stayed.played
    assert stayed.totals.left == 0
    assert leaving(0.1) == leaving(0.1)
    assert 0 < sum(len(one.lost) for one in leaving(0.1)) <= 40
    all_leave = sum(len(one.lost) for one in leaving(1))
    assert all_leave == 40, "the last one who is left has nobody to leave"


def test_nobody_leaves_a_game_that_cannot_go_on() -> None:
    with pytest.raises(UsageError, match="Tiny cannot go on without a player"):
        leaving(0.5, replace(GAME, lose=None))
    for wrong in (-0.1, 1.1, float("nan")):
        with pytest.raises(UsageError, match="0 to 1"):
            leaving(wrong)


def test_wrong_use_is_one_sentence() -> None:
    with pytest.raises(UsageError, match="random, sensible"):
        simulate(GAME, 2, {}, 1, 1, "clever", clock=ticks())
    with pytest.raises(UsageError, match="at least 1"):
        simulate(GAME, 2, {}, 0, 1, clock=ticks())
    with pytest.raises(UsageError, match="2 bots"):
        simulate(GAME, 2, {}, 1, 1, [random_bot], clock=ticks())
    with pytest.raises(UsageError, match="no game"):
        sensible("poker")
    with pytest.raises(UsageError, match="flip-over"):
        load("poker")


def test_the_random_bot_takes_every_decision_equally_often() -> None:
    rng = Random(1)
    session, dealer = Session(GAME, 2, {}), TrustedDealer(rng)
    while session.pending is not None and session.pending.kind != "lay-down":
        step(session, dealer, rng)
    assert session.pending is not None
    view = dealer.view(session.table, 1)
    taken = [random_bot(view, session.pending, rng) for _ in range(3000)]
    for decision in session.pending.decisions(view):
        assert taken.count(decision) == pytest.approx(3000 / len(set(taken)), rel=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_sensible_bot_decides_alike_on_equal_views(name: str) -> None:
    """It takes a View and chance that is handed in, and nothing else decides."""
    game, bot = load(name), sensible(name)
    seats = game.seats[-1]

    def twice(view: View, question: Question[object], rng: Random) -> object:
        state = rng.getstate()
        first = bot(view, question, rng)
        rng.setstate(state)
        assert bot(view, question, rng) == first
        return first

    assert play_game(game, seats, {}, 5, [twice] * seats, check=True).over


def races(bots: str, seed: int) -> tuple[int, Sequence[int]]:
    """How a game full of races went: how many steps it took, and to what results."""
    session = play_game(load("you-fink"), 2, CARDS, seed, bots)
    return len(session.journal), session.returns


def by_pace(bots: Sequence[Bot], paces: Sequence[Pace], seed: int) -> tuple[int, Sequence[int]]:
    """The same with these bots, as fast as that."""
    rng, session = Random(seed), Session(load("you-fink"), 2, CARDS)
    play_on(session, ReactingDealer(rng, paces), bots, rng)
    return len(session.journal), session.returns


def test_in_a_race_the_quicker_is_first_where_bots_have_levels() -> None:
    """Chance decided, so an easy bot won as many races as a hard one."""
    normal, hasty = sensible("you-fink"), easy("you-fink")
    for seed in range(4):
        told = by_pace([hasty, normal], [PACES["easy"], PACES["normal"]], seed)
        assert races("easy,normal", seed) == races("easy,sensible", seed) == told
        told = by_pace([normal, random_bot], [PACES["normal"]] * 2, seed)
        assert races("normal,random", seed) == told


def test_in_a_race_among_random_bots_chance_decides() -> None:
    for seed in range(4):
        session = play_game(load("you-fink"), 2, CARDS, seed, [random_bot] * 2)
        assert races("random", seed) == (len(session.journal), session.returns)
