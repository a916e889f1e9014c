"""Games as PettingZoo environments: its own tests, and what we promise besides."""

from __future__ import annotations

import builtins
import importlib
import sys
import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces.utils import flatten, flatten_space
from pettingzoo.test import api_test, seed_test

from engine.bots import sensible
from engine.bots.hard import Hard
from engine.bots.pace import PACES
from engine.errors import EngineError, IllegalAnswer, UsageError
from engine.game import Game, Options
from engine.view import View
from p2p.installation import to_add
from replay.env import GameEnv, bot_of, env, raw_env
from tests.engine.env.test_copies import COPIERS
from tests.engine.env.walk import IDS, TABLES
from tests.repo.test_docs import EXAMPLES
from tests.sixth_game import sixth

__all__ = ["sixth"]
OF_DICTS = ("Observation is not a NumPy array", "Observation space for each agent probably")
"""PettingZoo says so of all observations with a mask but those of its own games."""


def passes_the_tests_of_pettingzoo(make: Callable[[], Any], cycles: int) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(make(), num_cycles=cycles)
        seed_test(make, num_cycles=cycles)
    told = {str(one.message) for one in caught}
    assert {one for one in told if not one.startswith((*OF_DICTS, "Action mask numpy"))} == set()


@pytest.mark.parametrize(("name", "seats", "options"), TABLES, ids=IDS)
@pytest.mark.parametrize("text", [False, True])
def test_it_passes_the_tests_of_pettingzoo(
    name: str, seats: int, options: Options, text: bool
) -> None:
    passes_the_tests_of_pettingzoo(lambda: env(name, seats, options, text=text), 30)


@pytest.mark.full
@pytest.mark.parametrize(("name", "seats", "options"), TABLES, ids=IDS)
def test_it_does_with_as_many_cycles_as_usual(name: str, seats: int, options: Options) -> None:
    passes_the_tests_of_pettingzoo(lambda: env(name, seats, options), 1000)


def test_a_game_of_another_package_does_too(sixth: Game) -> None:
    passes_the_tests_of_pettingzoo(lambda: env(sixth.name, 3), 100)
    assert str(env(sixth.name)) == f"crazy_eights_v{sixth.rules_version}"


def played(
    made: Any,
    seed: int | np.int64 | None,
    bots: Random | None = None,
    points: dict[str, float] | None = None,
) -> dict[str, float]:
    """The rewards of a game of chance, or of our bots; and what its infos say at the end."""
    made.reset(seed=seed)
    chance, bot = Random(5), sensible(made.unwrapped.setting.game.name)
    rewards: dict[str, float] = dict.fromkeys(made.agents, 0.0)
    for agent in made.agent_iter():
        observation, reward, ended, cut, info = made.last()
        rewards[agent] += reward
        action: int | None = None
        if ended or cut:
            assert observation["action_mask"].sum() == 0
            if points is not None:
                points[agent] = info["points"]
        elif bots is None:
            action = chance.choice(np.flatnonzero(observation["action_mask"]).tolist())
        else:
            action = made.unwrapped.action_of(bot, bots)
        made.step(action)
    return rewards


@pytest.mark.parametrize(("name", "seats", "options"), TABLES, ids=IDS)
def test_the_win_is_shared_out_and_points_are_told(name: str, seats: int, options: Options) -> None:
    made = raw_env(name, seats, options)
    points: dict[str, float] = {}
    rewards = played(made, 3, points=points)
    returns = made.playing.session.returns
    best = [own == max(returns) for own in returns]
    assert [*rewards.values()] == [won / sum(best) for won in best]
    assert points == dict(zip(rewards, returns, strict=True))


def steps(made: Any, most: int = 9) -> list[str]:
    """What the agents observe and get in the next steps, by chance."""
    chance, found = Random(7), []
    for _ in made.agent_iter(most):
        seen, reward, ended, cut, info = made.last()
        found.append(repr((made.agent_selection, seen, reward, ended, cut, info)))
        legal = np.flatnonzero(seen["action_mask"]).tolist()
        made.step(chance.choice(legal) if legal else None)
    return found


@pytest.mark.parametrize("copier", COPIERS)
@pytest.mark.parametrize(("name", "seats", "options"), TABLES, ids=IDS)
def test_copied_environment_plays_on_equally_and_alone(
    name: str, seats: int, options: Options, copier: str
) -> None:
    copy = COPIERS[copier]
    made = copy(env(name, seats, options, text=True, max_steps=18, render_mode="ansi"))
    made.reset(seed=1)
    while made.agents:
        twins = copy(made), copy(copy(made))
        observed = made.render(), *map(repr, map(made.observe, made.agents))
        assert steps(twins[0]) == steps(twins[1])
        assert (made.render(), *map(repr, map(made.observe, made.agents))) == observed
        assert steps(copy(made)) == steps(made)
    over = copy(made)
    assert over.agents == []
    for one in (over, made):
        one.reset()  # the next game follows from the seed of the first
    assert steps(over) == steps(made)


def test_our_bots_can_sit_at_any_seat() -> None:
    made = raw_env("sneak", 5, {"target": 25})
    assert sum(played(made, 1, Random(2)).values()) == 1
    assert made.playing.session.over


def test_a_bot_that_looks_ahead_can_too() -> None:
    """The view of an agent has the course of its game."""
    made = raw_env("flip-over")
    made.reset(seed=1)
    assert made.action_of(Hard(6), Random(2)) in made.playing.legal()


def test_games_follow_from_the_seed_of_the_first() -> None:
    made, again = raw_env("flip-over"), raw_env("flip-over")
    first = [played(made, 4), played(made, None), played(made, None)]
    assert first == [played(again, 4), played(again, None), played(again, None)]
    assert len({str(one) for one in first}) > 1
    assert played(made, np.int64(4)) == first[0]


def test_a_game_is_cut_after_so_many_actions() -> None:
    made = raw_env("flip-over", 3, max_steps=10)
    made.reset(seed=1)
    steps = 0
    while not any(made.truncations.values()):
        made.step(made.playing.legal()[0])
        steps += 1
    assert steps == 10
    assert set(made.truncations.values()) == {True}
    assert set(made.terminations.values()) == {False}
    assert set(made.rewards.values()) == {0.0}


def test_what_is_masked_ends_the_game_or_is_refused() -> None:
    bare = raw_env("sneak", 2)
    bare.reset(seed=1)
    masked = int(np.flatnonzero(bare.observe(bare.agent_selection)["action_mask"] == 0)[0])
    before = bare.playing.session.digest()
    with pytest.raises(IllegalAnswer):
        bare.step(masked)
    assert bare.playing.session.digest() == before
    with pytest.raises(UsageError, match="still plays"):
        bare.step(None)
    wrapped = env("sneak", 2)
    wrapped.reset(seed=1)
    agent = wrapped.agent_selection
    wrapped.step(masked)
    assert wrapped.rewards[agent] == -1
    assert set(wrapped.terminations.values()) == {True}


def test_only_who_is_asked_has_actions() -> None:
    made = raw_env("flip-over", 3)
    made.reset(seed=1)
    for agent in made.agents:
        asked = agent == made.agent_selection
        assert bool(made.observe(agent)["action_mask"].any()) == asked
        assert made.observe(agent)["observation"]["seat"] == made.agents.index(agent)


def test_an_observation_is_one_row_of_numbers_if_one_wants_it() -> None:
    made = raw_env("flop-a", 2)
    made.reset(seed=1)
    space = made.observation_space("player_0")["observation"]
    row = flatten(space, made.observe("player_0")["observation"])
    assert row.shape == flatten_space(space).shape
    assert row.dtype == np.int32


def test_a_table_in_words() -> None:
    made = env("flop-a", 2, render_mode="ansi")
    made.reset(seed=1)
    told = made.render()
    assert told.startswith("Hand 1: player_0 deals.")
    legal = made.unwrapped.playing.legal()
    assert told.splitlines()[-3:] == [f"{legal[0]}: fold", f"{legal[1]}: check", f"{legal[2]}: bet"]
    made.step(legal[2])
    assert made.render().endswith(": bet 4")
    made.close()
    bare = raw_env("flop-a")
    bare.reset(seed=1)
    assert bare.render() is None
    with pytest.raises(UsageError, match="ansi"):
        raw_env("flop-a", render_mode="human")


def test_a_table_that_cannot_be() -> None:
    for wrong in (
        lambda: raw_env("flop-b"),
        lambda: raw_env("flip-over", 2),
        lambda: raw_env("flip-over", 3, {"rounds": 0}),
        lambda: raw_env("flip-over", 3, paces=[PACES["hard"]]),
    ):
        with pytest.raises(UsageError):
            wrong()


def test_without_the_extra_one_sentence_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = builtins.__import__

    def lacking(name: str, *args: Any) -> Any:
        if name.partition(".")[0] == "pettingzoo":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *args)

    for module in [name for name in sys.modules if name.startswith("replay.env")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(builtins, "__import__", lacking)
    with pytest.raises(ModuleNotFoundError) as told:
        importlib.import_module("replay.env")
    assert str(told.value) == f"An environment needs PettingZoo; {to_add('env')} adds it."


def test_raw_and_wrapped_are_the_same_environment() -> None:
    assert isinstance(env("flop-a").unwrapped, GameEnv)
    assert isinstance(raw_env("flop-a"), GameEnv)


@pytest.mark.full
def test_the_example_of_the_documents_plays_a_thousand_games() -> None:
    (example,) = [one for one in EXAMPLES if "def play(games)" in one.text]
    assert example.path.name == "train-a-bot.md"
    space: dict[str, Any] = {}
    exec(compile(example.text, str(example.path), "exec"), space)
    wins = space["play"](games=1000)
    assert sum(wins.values()) == pytest.approx(1)
    assert wins["player_0"] < min(wins["player_1"], wins["player_2"])


@pytest.mark.parametrize(("name", "seats", "options"), TABLES, ids=IDS)
def test_what_was_learned_plays_as_a_bot_and_observes_the_same(
    name: str, seats: int, options: Options
) -> None:
    """A policy that writes down what it observes, in the environment and as a bot in it."""
    observations: dict[str, list[str]] = {"env": [], "bot": []}

    def policy(seen: dict[str, Any], rng: Random, where: str = "bot") -> int:
        observations[where].append(repr(seen))
        return int(rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))

    made, bot = raw_env(name, seats, options), bot_of(policy)
    for where in observations:
        made.reset(seed=2)
        rng = Random(3)
        for _ in range(40):
            seen, _, ended, cut, _ = made.last()
            if ended or cut:
                break
            acts = made.action_of(bot, rng) if where == "bot" else policy(seen, rng, "env")
            made.step(acts)
    both = [len(found) for found in observations.values()]
    least = min(both)
    assert least >= 20
    assert observations["env"][:least] == observations["bot"][:least]


def test_what_was_learned_is_bound_by_the_rules() -> None:
    made = raw_env("flop-a", 2)
    made.reset(seed=1)
    with pytest.raises(IllegalAnswer):
        made.action_of(bot_of(lambda seen, rng: int(seen["action_mask"].argmin())), Random(1))
    blind = View(made.playing.session.table, 0, made.playing.dealer.truth.cards.__getitem__)
    assert made.playing.turn is not None
    with pytest.raises(EngineError, match="course"):
        bot_of(lambda seen, rng: 0)(blind, made.playing.turn.asked, Random(1))
