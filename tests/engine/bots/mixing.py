"""Whether `hard` should mix its decisions: regret matching at the root, and who would exploit it.

`matched` tries every decision on the same deals, as `plain` does, and decides by chance, each as
often as regret matching took it on average (Hart, Mas-Colell: "A Simple Adaptive Procedure Leading
to Correlated Equilibrium", Econometrica 68(5), 2000; at the root of a search over determinizations
as in Lisy et al., "Convergence of Monte Carlo Tree Search in Simultaneous Move Games", 2013).  The
others are careful players who do one thing more than is good, to gain by what somebody always
does.  They are measured as bots of one's own, by interpreted rules, for instance
`nodealer bots flop-a --seats 2 --players tests.engine.bots.mixing:matched,normal`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest.mock import patch

from engine import games
from engine.bots import Bot, search
from engine.bots.hard import Hard
from engine.bots.search import Search
from engine.bots.trials import SURE, Trials, Try

TRIES: Final = 200
"""So many games both try for a decision."""


class Matching(Trials):
    """Takes each decision as often as its positive regret is a part of all, on average."""

    def __init__(self, count: int, habit: int, rng: Random) -> None:
        super().__init__(count, habit)
        self._first: Final = [float(number == habit) for number in range(count)]
        self._regret: Final = [0.0] * count
        self._rng: Final = rng
        self.taken: Final = [0.0] * count

    def run(
        self, tries: int, attempt: Try, spent: Callable[[], bool], late: Callable[[], bool]
    ) -> None:
        """Try all of them on each deal, until the tries are used up or time is over."""
        for deal in range(max(1, tries // len(self.found))):
            self._learn([attempt(number, deal) for number in range(len(self.found))])
            if spent() or late():
                return

    def best(self, sure: float = SURE) -> int:
        """One of them, by chance; nothing has to be surely better."""
        return self._rng.choices(range(len(self.taken)), self.taken)[0]

    def _learn(self, worth: Sequence[float]) -> None:
        mixture = self._mixture()
        mean = sum(part * one for part, one in zip(mixture, worth, strict=True))
        for number, (part, one) in enumerate(zip(mixture, worth, strict=True)):
            self.found[number].append(one)
            self._regret[number] += one - mean
            self.taken[number] += part

    def _mixture(self) -> list[float]:
        regretted = [max(0.0, regret) for regret in self._regret]
        total = sum(regretted)
        return [one / total for one in regretted] if total else self._first


class Mixing(Hard):
    """Looks ahead as `hard` does, and decides by regret matching."""

    def _search(self, *asked: Any) -> Search:
        rng: Random = asked[5]
        with patch.object(search, "Trials", partial(Matching, rng=rng)):
            return super()._search(*asked)


def altered(game: str, **numbers: float) -> Bot:
    """A careful player of this game with other numbers: a copy of its module `bot`."""
    path = Path(games.__path__[0], game, "bot.py")
    spec = spec_from_file_location(f"altered {game} {numbers}", path)
    if spec is None or spec.loader is None:
        raise ImportError(path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, number in numbers.items():
        getattr(module, name)  # AttributeError if there is no such number
        setattr(module, name, number)
    bot: Bot = getattr(module, "careful_bot", module.sensible_bot)
    return bot


plain: Final = Hard(TRIES)
matched: Final = Mixing(TRIES)

sneaks_low: Final = altered("sneak", SNEAKS=1.0, SNEAKS_LAST=1.0, TRAPS=0.0, PAIRS=0.0)
sneaks_high: Final = altered("sneak", SNEAKS=1.0, SNEAKS_LAST=1.0, TRAPS=1.0, PAIRS=0.0)
sceptic: Final = altered("sneak", SUSPECTS=1.0)
credulous: Final = altered("sneak", SUSPECTS=0.0)

loose: Final = altered("flop_a", EAGER=0.6)
tight: Final = altered("flop_a", EAGER=1.6)
bluffer: Final = altered("flop_a", BLUFF=0.4)
