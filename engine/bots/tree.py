"""The tree of information-set Monte Carlo tree search: what was tried, and what came of it.

One tree from the eyes of the seat that decides (SO-ISMCTS with partially observable moves:
Cowling, Powley, Whitehouse 2012, IV.B and IV.C).  A node is what this seat has seen since the
decision; an arm is a decision by its faces, so that it is the same in every determinization.  Where
several seats decide at once, each has arms of its own (decoupled UCT).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log, sqrt
from random import Random
from typing import Any, Final

from engine.cards import Card
from engine.question import Question
from engine.sets import Lay
from engine.view import View
from engine.zone import Seat, Slot

EXPLORE: Final = 0.2
"""The constant of UCB1.  The paper has 0.7 for games that are won or lost (section V); here most
results are chances to win that differ little, and 0.7 came to trying all alike."""

DEVIATIONS: Final = sqrt(2)
"""The constant of UCB1 in standard deviations of the results: 0.7 for games that are won as often
as lost.  With 0.2 there, what lost the first time it was tried is hardly tried again, and five
searches of 6,000 games, with other chance each, said of a TRUMPS of Flaps that it is 6, 3, 5, 0 and
6 of 100 games ahead."""

USUAL: Final = 25
"""So often at a node what is likely is tried before anything else is.  Where some hundred games are
played from a position, all but the next few nodes are met so rarely that other decisions there are
noise: with 1 in place of 25 the same bot won 0.69 of Flip Over for three, without a tree 0.74."""

Key = object
"""A decision, or what was seen, as far as it is the same in every determinization."""
Offer = tuple[Key, object]
"""A decision with its key."""


class Spread:
    """How much some results differ."""

    __slots__ = ("_count", "_squares", "_total")

    def __init__(self) -> None:
        self._count = 0
        self._total = self._squares = 0.0

    def note(self, result: float) -> None:
        """This came of one more."""
        self._count += 1
        self._total += result
        self._squares += result * result

    @property
    def deviation(self) -> float:
        """Their standard deviation."""
        mean = self._total / self._count
        return sqrt(max(0.0, self._squares / self._count - mean * mean))


class Arm:
    """One decision of one seat at one node."""

    __slots__ = ("offered", "total", "visits")

    def __init__(self) -> None:
        self.offered = 0
        """How often it was allowed when this node was passed: n' of the paper."""
        self.visits = 0
        self.total = 0.0

    def note(self, worth: float) -> None:
        """It was tried, and this came of it."""
        self.visits += 1
        self.total += worth

    def bound(self, untried: float, explore: float) -> float:
        """The upper bound of its mean (equation 1, with n' in place of n as in section IV.B).

        Before it was tried it counts as tried once, with what came of the likely decision.
        """
        mean = self.total / self.visits if self.visits else untried
        return mean + explore * sqrt(log(self.offered) / max(1, self.visits))


class Node:
    """What can be decided where the seat has seen this much."""

    __slots__ = ("arms", "children")

    def __init__(self) -> None:
        self.arms: dict[Seat, dict[Key, Arm]] = {}
        self.children: dict[Key, Node] = {}

    def child(self, seen: Key) -> Node:
        """The node after this was seen; a new one if it is the first time."""
        node = self.children.get(seen)
        if node is None:
            node = self.children[seen] = Node()
        return node

    def usual(self, seat: Seat, likely: Key) -> Arm:
        """The arm of what the seat probably decides."""
        return self.arms.setdefault(seat, {}).setdefault(likely, Arm())

    def choose(
        self, seat: Seat, offers: Sequence[Offer], likely: Key, explore: float = EXPLORE
    ) -> tuple[Arm, object]:
        """One of these decisions by UCB1; `likely` is that which was tried most at first."""
        arms = self.arms.setdefault(seat, {})
        for key, _ in offers:
            arms.setdefault(key, Arm()).offered += 1
        usual = self.usual(seat, likely)
        untried = usual.total / usual.visits
        best, highest = offers[0], -inf
        for offer in offers:  # `max` with a key of our own takes twice as long in compiled code
            bound = arms[offer[0]].bound(untried, explore)
            if bound > highest:
                best, highest = offer, bound
        return arms[best[0]], best[1]


def keyed(
    view: View, asked: Question[Any], decisions: Sequence[object], eyes: Seat, rng: Random
) -> list[Offer]:
    """Decisions of the seat of `view`, each different one once, as the seat `eyes` sees them.

    What another seat lays face down is one decision for it; which cards these are is chance.
    """
    hides = view.seat != eyes
    found: dict[Key, list[object]] = {}
    for decision in decisions:
        found.setdefault(key_of(view, asked, decision, hides), []).append(decision)
    return [
        (key, alike[0] if len(alike) == 1 else alike[int(rng.random() * len(alike))])
        for key, alike in found.items()
    ]


def innermost(asked: Question[Any], seat: Seat, decision: Any) -> tuple[Question[Any], Any]:
    """The simple question that the seat's decision answers, and what the decision is there."""
    while (within := asked.within(seat, decision)) is not None:
        asked, decision = within
    return asked, decision


def key_of(view: View, asked: Question[Any], decision: object, hides: bool) -> Key:
    """What a decision is in every determinization: the faces of its cards, not their slots."""
    part, inner = innermost(asked, view.seat, decision)
    if inner is None or part.hand(view.seat) is None:
        return part.topic, inner
    down = part.face_down(inner)
    if hides and down:
        return (-down,)
    return (down, *sorted([view.face(slot).id for slot in slots_of(inner)]))


def slots_of(decision: Any) -> Sequence[Slot]:
    """The slots that a decision lays, which answers a simple question."""
    if isinstance(decision, Lay):
        return decision.slots
    return decision if isinstance(decision, tuple) else (decision,)


def plain(answer: Any) -> Key:
    """What an act of the dealer shows to all, in values that can be compared."""
    if isinstance(answer, Card):
        return answer.name
    return tuple(map(plain, answer)) if isinstance(answer, tuple) else answer
