"""Information-set Monte Carlo tree search, for every game.

Cowling, Powley, Whitehouse: "Information Set Monte Carlo Tree Search", IEEE Transactions on
Computational Intelligence and AI in Games 4(2), 2012, algorithm 1.  Each iteration deals the hidden
cards in a way that fits what the seat knows, walks down the tree as far as it goes, adds a node and
plays on from there; what each seat has then is noted along the way.  At the root each decision is
tried on the same deals (`engine.bots.trials`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import fsum
from random import Random
from typing import Any, Final, NamedTuple

from engine.bots.belief import Belief
from engine.bots.lookahead import Lookahead
from engine.bots.pace import PACES
from engine.bots.reactions import ReactingDealer
from engine.bots.tree import (
    DEVIATIONS,
    EXPLORE,
    USUAL,
    Arm,
    Key,
    Node,
    Offer,
    Spread,
    key_of,
    keyed,
    plain,
)
from engine.bots.trials import SURE, Trials
from engine.cards import Card
from engine.errors import EngineError
from engine.levels import NORMAL
from engine.question import Question
from engine.session import Session
from engine.totals import ending_of, parts_of_win
from engine.view import View
from engine.zone import Seat

WIN: Final = 0.75
"""How much of a finished game's worth is who won; the rest is by how much, as the game sees it.

This is for choosing: of two decisions that win, the one that wins clearly.  What people are told
are wins."""


def in_time() -> bool:
    """It is never late."""
    return False


class Budget(NamedTuple):
    """When to stop: after so many iterations or answered questions, or once it is `late()`.

    Every decision is tried once at least.  `win` is how much of a finished game's worth is who won.
    `to_end`: each game is played to its end, whatever the game itself calls enough.  `by_spread`:
    the more games differ in what they come to, the more is explored.
    """

    playouts: int
    steps: int
    late: Callable[[], bool] = in_time
    win: float = WIN
    to_end: bool = False
    by_spread: bool = False


class Weighed(NamedTuple):
    """A decision, how often it was tried, and what it is worth to the seat, from 0 to 1.

    `wins` is the part of the games that were won, as far as they were not played to their end by
    the game's own estimate.  `alike`: whenever it was tried, the same came of it.
    """

    decision: Any
    visits: int
    worth: float
    wins: float = 0.0
    alike: bool = False


class Claims(NamedTuple):
    """What is claimed in a race, by seat, and nothing else: how it went, or might have gone."""

    made: tuple[tuple[Seat, object], ...]


class Search:
    """Looks ahead from `root` for the seat of `view`, which is `asked` and decides among `options`.

    An option may also be all Claims of a race, in place of what the seat decides in it.
    The first option is left only for what is surely better.  `deals` are the deals that may be,
    `said` is what the game says about itself.  The same `rng` finds the same.
    """

    def __init__(
        self,
        root: Session,
        view: View,
        asked: Question[Any],
        options: Sequence[object],
        deals: Belief,
        said: Lookahead,
        rng: Random,
    ) -> None:
        self._root: Final = root
        self._win, self._to_end = WIN, False
        self._by_spread, self._results = False, Spread()
        self._seat: Final = view.seat
        self.deals: Final = deals
        self._said: Final = said
        self._rng: Final = rng
        self._tree: Final = Node()
        self._steps = 0
        claims: list[Offer] = [(one, one) for one in options if isinstance(one, Claims)]
        self._options: Final = claims or keyed(view, asked, options, view.seat, rng)
        self._trials: Final = Trials(len(self._options), 0)
        self._wins: Final[list[list[float]]] = [[] for _ in self._options]
        self._drawn: Final[list[tuple[list[Card], int]]] = []

    def run(self, budget: Budget) -> None:
        """Try the decisions until the budget is spent."""

        def spent() -> bool:
            return self._steps >= budget.steps

        self._win, self._to_end, self._by_spread = budget.win, budget.to_end, budget.by_spread
        self._trials.run(budget.playouts, self._iterate, spent, budget.late)

    def best(self, sure: float = SURE) -> object:
        """The decision to take: the first, unless another is better by so many standard errors."""
        return self._options[self._trials.best(sure)][1]

    def ranked(self, sure: float = SURE) -> list[Weighed]:
        """The best, then the others by how long they were tried and what they are worth."""
        weighed, best = self.weighed(), self._trials.best(sure)
        others = [one for number, one in enumerate(weighed) if number != best]
        return [weighed[best], *sorted(others, key=lambda one: (-one.visits, -one.worth))]

    def gain(self, sure: float = SURE) -> float:
        """By how much the best is better than the first option, on the same deals."""
        return self._trials.ahead(self._trials.best(sure))

    def lead(self) -> tuple[float, float]:
        """By how much the last option is better than the first, and the standard error of that."""
        last = len(self._options) - 1
        return self._trials.ahead(last), self._trials.error(last)

    def in_doubt(self, least: float) -> list[object]:
        """What may be better than the first option by `least`, up to one standard error."""
        return [self._options[number][1] for number in self._trials.in_doubt(least)]

    def weighed(self) -> list[Weighed]:
        """What was found about each decision; of several that come to the same, the first."""
        return [self._weighed(number) for number in range(len(self._options))]

    def _weighed(self, number: int) -> Weighed:
        trials, (_, decision) = self._trials, self._options[number]
        visits = len(trials.found[number])
        wins = fsum(self._wins[number][:visits]) / max(1, visits)
        return Weighed(decision, visits, trials.mean(number), wins, trials.alike(number))

    def _iterate(self, number: int, deal: int) -> float:
        """What the decision of that number is worth on that deal."""
        if deal == len(self._drawn):
            self._drawn.append((self.deals.draw(self._rng), self._rng.getrandbits(64)))
        cards, luck = self._drawn[deal]
        walk = _Walk(self._root.fork(marks=False), cards, Random(luck))
        path = self._descend(walk, self._options[number])
        self._play_on(walk)
        worth = self._said.worth(walk.session.table)
        wins = parts_of_win(*ending_of(walk.session)) if walk.session.over else worth
        for seat, arm in path:
            arm.note(self._blend(wins[seat], worth[seat]))
        self._steps += walk.steps
        self._wins[number].append(wins[self._seat])
        result = self._blend(wins[self._seat], worth[self._seat])
        self._results.note(result)
        return result

    def _descend(self, walk: _Walk, first: Offer) -> list[tuple[Seat, Arm]]:
        """Walk down the tree, and one node beyond it."""
        node, seen, path = self._tree, list[Key](), list[tuple[Seat, Arm]]()
        own: Offer | None = first
        if isinstance(first[1], Claims):
            own = None
            seen.append(walk.claim(first[1], self._seat))
        while (asked := walk.session.pending) is not None and not self._enough(walk):
            if not asked.deciders:
                seen.append(walk.act(asked, self._seat))
                continue
            if seen:
                node, seen = node.child(tuple(seen)), []
            decisions, fresh = {}, False
            for seat in asked.deciders:
                if own is not None and seat == self._seat:
                    decisions[seat] = own[1]
                    continue
                arm, decisions[seat] = self._choose(node, walk, asked, seat)
                fresh |= not arm.visits
                path.append((seat, arm))
            own = None
            seen.append(walk.answer(asked, decisions, self._seat))
            if fresh:
                break
        return path

    def _choose(
        self, node: Node, walk: _Walk, asked: Question[Any], seat: Seat
    ) -> tuple[Arm, object]:
        view, said = walk.views[seat], self._said
        decision = said.habit(view, asked, walk.rng)
        likely = key_of(view, asked, decision, seat != self._seat)
        usual = node.usual(seat, likely)
        if usual.visits < USUAL:
            return usual, decision
        offers = keyed(view, asked, said.considered(view, asked), self._seat, walk.rng)
        arm, other = node.choose(seat, offers, likely, self._explore())
        # Which cards another seat usually lays face down is no chance, though all are one decision.
        return arm, decision if arm is usual else other

    def _explore(self) -> float:
        return max(EXPLORE, DEVIATIONS * self._results.deviation) if self._by_spread else EXPLORE

    def _play_on(self, walk: _Walk) -> None:
        """Go on without a tree, as the game says that is played."""
        plays, rng, views = self._said.plays, walk.rng, walk.views
        session, respond = walk.session, walk.dealer.answer
        while (asked := session.pending) is not None and not self._enough(walk):
            decisions = {seat: plays(views[seat], asked, rng) for seat in asked.deciders}
            session.answer(respond(session.table, asked, decisions))
            walk.steps += 1

    def _enough(self, walk: _Walk) -> bool:
        return not self._to_end and self._said.enough(self._root.table, walk.session.table)

    def _blend(self, won: float, worth: float) -> float:
        """What a game came to: mostly its share in the win, if it was played to the end."""
        return worth if won == worth else self._win * won + (1 - self._win) * worth


class _Walk:
    """One determinization, played on by a trusted dealer; in races all react as is usual."""

    def __init__(self, session: Session, cards: Sequence[Card], rng: Random) -> None:
        self.session = session
        self.rng = rng
        self.steps = 0
        seats = range(session.table.seats)
        self.dealer = ReactingDealer(rng, [PACES[NORMAL]] * len(seats))
        self.dealer.truth.cards[:] = cards
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
        return self._decided(asked, self.dealer.answer(self.session.table, asked, decisions), eyes)

    def claim(self, claims: Claims, eyes: Seat) -> Key:
        """Let the pending race go like that; what the seat `eyes` sees of it."""
        session = self.session
        race = session.pending
        if race is None:
            raise EngineError("nobody races any more")
        answer = self.dealer.claimed(session.table, race, dict(claims.made))
        return self._decided(race, answer, eyes)

    def _decided(self, asked: Question[Any], answer: object, eyes: Seat) -> Key:
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
