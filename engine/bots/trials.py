"""Which of some decisions is best, if each can be tried on the same deals: sequential halving.

Karnin, Koren, Somekh: "Almost Optimal Exploration in Multi-Armed Bandits", ICML 2013, algorithm 1.
At the root of a tree it loses less than UCB1, which tries what is bad too often (Pepels et al.,
"Minimizing Simple Regret in Monte-Carlo Tree Search", 2014).  All that are left are tried on the
same deals with the same luck, so that what differs is the decision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, fsum, inf, log2, sqrt
from typing import Final

SURE: Final = 1.0
"""Another decision has to be better than the habit by so many standard errors.

Of two decisions that are equally good the one that looks better is 0.8 standard errors above what
it is worth on average; of ten, 1.5.  With 1.5 in place of 1 the bot hardly left its habit."""

Try = Callable[[int, int], float]
"""What the decision of that number is worth on the deal of that number."""


class Trials:
    """What came of `count` decisions; that with the number `habit` is taken without reasons."""

    def __init__(self, count: int, habit: int) -> None:
        self.found: Final[list[list[float]]] = [[] for _ in range(count)]
        self._habit: Final = habit

    def run(
        self, tries: int, attempt: Try, spent: Callable[[], bool], late: Callable[[], bool]
    ) -> None:
        """Try them so often in all, fewer in each round; each is tried once at least.

        It ends after a deal when `spent()` says so, and in the middle of one, which then counts
        for nothing, when it is `late()`.
        """
        left = [*range(len(self.found))]
        rounds = max(1, ceil(log2(len(left))))
        for _ in range(rounds):
            for _ in range(max(1, tries // (rounds * len(left)))):
                deal = len(self.found[self._habit])
                for number in left:
                    if deal and late():
                        self._keep(deal)
                        return
                    self.found[number].append(attempt(number, deal))
                if spent():
                    return
            left = self._better_half(left)

    def _keep(self, deals: int) -> None:
        """Forget what came of later deals."""
        for found in self.found:
            del found[deals:]

    def best(self, sure: float = SURE) -> int:
        """The number of the best; the habit, unless it is worse by `sure` standard errors."""
        most = max(map(len, self.found))
        last = [number for number, found in enumerate(self.found) if len(found) == most]
        best = max(last, key=self.mean)
        return best if self._lead(best, sure) > 0 else self._habit

    def in_doubt(self, least: float) -> list[int]:
        """Those that may be better than the habit by `least`, up to one standard error.

        What was given up early has few trials, and so a large error.
        """
        others = [number for number in range(len(self.found)) if number != self._habit]
        return [one for one in others if self.ahead(one) + self.error(one) >= least]

    def ahead(self, number: int) -> float:
        """How much better it is than the habit, on the same deals."""
        pairs = self._pairs(number)
        return fsum(pairs) / len(pairs)

    def error(self, number: int) -> float:
        """The standard error of that; infinite after one deal, which proves nothing."""
        ahead, mean = self._pairs(number), self.ahead(number)
        if len(ahead) < 2:
            return inf
        spread = fsum((one - mean) ** 2 for one in ahead) / (len(ahead) - 1)
        return sqrt(spread / len(ahead))

    def mean(self, number: int) -> float:
        """What a decision is worth, by all its trials."""
        found = self.found[number]
        return fsum(found) / len(found) if found else 0.0

    def alike(self, number: int) -> bool:
        """Whether all its trials came to the same, which no chance explains: it is one game."""
        found = self.found[number]
        return len(found) > 1 and min(found) == max(found)

    def _better_half(self, left: Sequence[int]) -> list[int]:
        """Those that go on: half of them, the habit always."""
        ranked = sorted(left, key=self.mean, reverse=True)
        kept = ranked[: ceil(len(ranked) / 2)]
        return kept if self._habit in kept else [*kept, self._habit]

    def _lead(self, number: int, sure: float) -> float:
        """How much better it is than the habit on the same deals, less what may be chance."""
        return self.ahead(number) - sure * self.error(number)

    def _pairs(self, number: int) -> list[float]:
        pairs = zip(self.found[number], self.found[self._habit], strict=False)
        return [own - other for own, other in pairs]
