"""Information-set Monte Carlo tree search, for every game.

Cowling, Powley, Whitehouse: "Information Set Monte Carlo Tree Search", IEEE Transactions on
Computational Intelligence and AI in Games 4(2), 2012, algorithm 1.  Each iteration deals the hidden
cards in a way that fits what the seat knows, walks down the tree as far as it goes, adds a node and
plays on from there; what each seat has then is noted along the way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from engine.bots.determinization import Determinizations
from engine.bots.lookahead import Lookahead
from engine.bots.tree import Arm, Key, Node, key_of, keyed, plain
from engine.cards import Card
from engine.dealer import TrustedDealer
from engine.question import Question
from engine.session import Session
from engine.view import View
from engine.zone import Seat

Path = list[tuple[Seat, Arm]]
"""What was decided in the tree, and by whom."""


def _never() -> bool:
    return False


class Budget(NamedTuple):
    """When to stop: after so many iterations or answered questions, or once `spent()` says so.

    There is always one iteration.
    """

    playouts: int
    steps: int
    spent: Callable[[], bool] = _never


class Weighed(NamedTuple):
    """A decision, how often it was tried, and what it is worth to the seat, from 0 to 1."""

    decision: object
    visits: int
    worth: float


class Search:
    """Looks ahead from `root` for one seat.  `deals` are the deals that may be, `said` is what the
    game says about itself.  The same `rng` finds the same.
    """

    def __init__(
        self, root: Session, seat: Seat, deals: Determinizations, said: Lookahead, rng: Random
    ) -> None:
        self._root: Final = root
        self._seat: Final = seat
        self._deals: Final = deals
        self._said: Final = said
        self._rng: Final = rng
        self._tree: Final = Node()
        self._steps = 0

    def run(self, budget: Budget) -> None:
        """Iterate until the budget is spent."""
        for _ in range(budget.playouts):
            self._iterate()
            if self._steps >= budget.steps or budget.spent():
                return

    def weighed(self, view: View, asked: Question[Any], options: Sequence[object]) -> list[Weighed]:
        """What was found about these decisions; of several that come to the same, the first."""
        arms = self._tree.arms[self._seat]
        found = []
        for key, decision in keyed(view, asked, options, self._seat, self._rng):
            arm = arms[key]
            found.append(Weighed(decision, arm.visits, arm.mean))
        return found

    def _iterate(self) -> None:
        walk = _Walk(self._root.fork(), self._deals.draw(self._rng), self._rng)
        path = self._descend(walk)
        self._play_on(walk)
        worth = self._worth(walk.session)
        for seat, arm in path:
            arm.visits += 1
            arm.total += worth[seat]
        self._steps += walk.steps

    def _descend(self, walk: _Walk) -> Path:
        """Walk down the tree, and one node beyond it."""
        node, path, seen = self._tree, Path(), list[Key]()
        while (asked := walk.session.pending) is not None and not self._enough(walk):
            if not asked.deciders:
                seen.append(walk.act(asked, self._seat))
                continue
            offers = {seat: self._offers(walk, asked, seat) for seat in asked.deciders}
            if all(len(offered) == 1 for offered in offers.values()):
                decisions = {seat: offered[0][1] for seat, offered in offers.items()}
                seen.append(walk.answer(asked, decisions, self._seat))
                continue
            if seen:
                node, seen = node.child(tuple(seen)), []
            arms = {seat: node.choose(seat, offers[seat], self._rng) for seat in offers}
            path += arms.items()
            decided = {seat: arm.decision for seat, arm in arms.items()}
            seen.append(walk.answer(asked, decided, self._seat))
            if not all(arm.visits for arm in arms.values()):
                break
        return path

    def _offers(self, walk: _Walk, asked: Question[Any], seat: Seat) -> list[tuple[Key, object]]:
        view = walk.views[seat]
        return keyed(view, asked, self._said.considered(view, asked), self._seat, self._rng)

    def _play_on(self, walk: _Walk) -> None:
        """Go on without a tree, as the game says that is played."""
        plays, rng, views = self._said.plays, self._rng, walk.views
        session, respond = walk.session, walk.dealer.answer
        while (asked := session.pending) is not None and not self._enough(walk):
            decisions = {seat: plays(views[seat], asked, rng) for seat in asked.deciders}
            session.answer(respond(session.table, asked, decisions))
            walk.steps += 1

    def _enough(self, walk: _Walk) -> bool:
        return self._said.enough(self._root.table, walk.session.table)

    def _worth(self, session: Session) -> Sequence[float]:
        """What each seat has: a share in the win when the game is over."""
        if not session.over:
            return self._said.worth(session.table)
        returns = session.returns
        best = max(returns)
        won = 1 / returns.count(best)
        return [won * (own == best) for own in returns]


class _Walk:
    """One determinization, played on by a trusted dealer."""

    def __init__(self, session: Session, cards: Sequence[Card], rng: Random) -> None:
        self.session = session
        self.steps = 0
        self.dealer = TrustedDealer(rng)
        self.dealer.truth.cards[:] = cards
        seats = range(session.table.seats)
        self.views = [self.dealer.view(session.table, seat) for seat in seats]

    def act(self, asked: Question[Any], eyes: Seat) -> Key:
        """Let the dealer answer; what the seat `eyes` sees of it."""
        table = self.session.table
        answer = self.dealer.act(table, asked)
        self._give(answer)
        cards = self.dealer.truth.cards
        read = [cards[slot].id for slot in asked.about() if table.locks[slot] == eyes]
        return plain(answer), tuple(read)

    def answer(self, asked: Question[Any], decisions: Mapping[Seat, object], eyes: Seat) -> Key:
        """Let seats decide; what the seat `eyes` sees of it."""
        answer = self.dealer.answer(self.session.table, asked, decisions)
        decided = asked.decided(answer)
        seen = [
            (seat, key_of(self.views[seat], asked, decision, seat != eyes))
            for seat, decision in decided.items()
        ]
        self._give(answer)
        return getattr(answer, "seat", None), *seen

    def _give(self, answer: object) -> None:
        self.session.answer(answer)
        self.steps += 1
