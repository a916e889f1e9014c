"""The environment: a game whose seats are agents, asked one after the other (PettingZoo's AEC).

Terry et al., "PettingZoo: Gym for Multi-Agent Reinforcement Learning", NeurIPS 2021, section 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

from engine.bots import Bot
from engine.bots.pace import PACES, Pace
from engine.env.playing import Playing, Setting
from engine.env.told import Telling
from engine.errors import UsageError
from engine.game import Options
from engine.games import load
from engine.levels import NORMAL
from engine.totals import ending_of, parts_of_win
from engine.zone import Seat
from replay.env.arrays import observation_space, observed

RENDERED: Final = ("ansi",)


class GameEnv(AECEnv):  # type: ignore[misc]  # (any type where PettingZoo is not installed)
    """A game with a trusted dealer; agent `player_K` sits at seat K.

    What an agent observes is `engine.env.seen`, what its actions mean `engine.env.actions`.  Nobody
    is rewarded before the end; then the winners share a reward of 1, and the info of each agent
    holds its `points`, as the game counts them.  After `max_steps` actions a game is truncated,
    without a reward (None: never).  `paces` says how fast each seat is in races, by default as the
    bots of the level `normal`.  With `text` an observation holds a text as well.

    UsageError for a game, seats, options, a number of paces or a way to render that there is not.
    """

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        options: Options | None = None,
        *,
        max_steps: int | None = None,
        paces: Sequence[Pace] | None = None,
        text: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        rules = load(game)
        self.setting: Final = Setting(
            rules, rules.seats[0] if seats is None else seats, options or {}
        )
        if render_mode not in (None, *RENDERED):
            raise UsageError(f"render_mode is one of: {', '.join(RENDERED)} (not {render_mode!r})")
        self._max_steps: Final = max_steps
        self._paces: Final = [PACES[NORMAL]] * self.setting.seats if paces is None else paces
        if len(self._paces) != self.setting.seats:
            raise UsageError("say a pace for each of the seats, or leave paces out")
        self._text: Final = text
        self._words: Final = text or render_mode is not None
        self.render_mode = render_mode
        self.metadata = {
            "name": f"{game.replace('-', '_')}_v{rules.rules_version}",
            "render_modes": [*RENDERED],
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.setting.seats)]
        self._observation_spaces = {
            agent: observation_space(self.setting, text) for agent in self.possible_agents
        }
        self._action_spaces = {
            agent: spaces.Discrete(self.setting.actions.count) for agent in self.possible_agents
        }
        self._chance = Random()

    # -- what PettingZoo asks for ---------------------------------------------------------------

    def observation_space(self, agent: str) -> Any:
        """What this agent observes."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """What this agent may do."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game, which follows from the seed; without one, from the game before.

        `options` are nobody's: those of a game are given when its environment is made.
        """
        if seed is not None:
            self._chance = Random(int(seed))  # NumPy's integers too
        chance = Random(self._chance.getrandbits(64))
        self.playing = Playing(self.setting, chance, self._paces, notes=self._words)
        self._telling = Telling(self.playing, self.possible_agents) if self._words else None
        self._steps = 0
        self._planned: list[int] = []
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_on()

    def step(self, action: int | None) -> None:
        """Take an action of the agent that is asked; IllegalAnswer for one that is masked."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise UsageError(f"{agent} still plays: choose an action for it")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.playing.say(int(action))
        self._steps += 1
        if self._telling is not None and not self.playing.said:
            self._telling.decided(self._seat(agent))
        self._go_on()
        self._accumulate_rewards()
        if self._over():
            self._deads_step_first()

    def observe(self, agent: str) -> dict[str, Any]:
        """What this agent observes now; only the one that is asked may act."""
        seat, playing = self._seat(agent), self.playing
        acts = agent == self.agent_selection and not self._over()
        said, legal = (playing.said, playing.legal()) if acts else ((), ())
        asked = None if playing.turn is None else playing.turn.asked
        found = observed(self.setting, playing.views[seat], asked, said, legal)
        if self._text and self._telling is not None:
            found["text"] = self._telling.text(seat)
        return found

    def render(self) -> str | None:
        """The table of the agent that is asked, in words; None without the mode `ansi`."""
        if self._telling is None or self.render_mode is None:
            return None
        return self._telling.text(self._seat(self.agent_selection))

    def close(self) -> None:
        """Nothing is open."""

    # -- beyond that ------------------------------------------------------------------------------

    def action_of(self, bot: Bot, rng: Random) -> int:
        """The next action by which the agent that is asked does what a bot decides for it."""
        if not self.playing.said:
            self._planned = self.playing.actions_of(bot, rng)
        return self._planned[len(self.playing.said)]

    def _seat(self, agent: str) -> Seat:
        return self.possible_agents.index(agent)

    def _over(self) -> bool:
        return any(self.terminations.values()) or any(self.truncations.values())

    def _go_on(self) -> None:
        """Say who is asked now, or that the game is over."""
        if self._telling is not None:
            self._telling.hear()
        seat = self.playing.seat
        if seat is None:
            returns = self.playing.session.returns
            self.rewards = dict(
                zip(self.agents, parts_of_win(*ending_of(self.playing.session)), strict=True)
            )
            self.infos = {
                agent: {"points": own} for agent, own in zip(self.agents, returns, strict=True)
            }
            self.terminations = dict.fromkeys(self.agents, True)
            return
        self.agent_selection = self.possible_agents[seat]
        if self._steps == self._max_steps:
            self.truncations = dict.fromkeys(self.agents, True)


def raw_env(game: str, *args: Any, **named: Any) -> GameEnv:
    """The environment without PettingZoo's wrappers: an illegal action raises IllegalAnswer."""
    return GameEnv(game, *args, **named)


def env(game: str, *args: Any, **named: Any) -> Any:
    """The environment of a game as PettingZoo wraps its own; arguments as for `GameEnv`.

    An illegal action ends the game: its agent gets -1, the others nothing.
    """
    made = TerminateIllegalWrapper(GameEnv(game, *args, **named), illegal_reward=-1)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(made))
