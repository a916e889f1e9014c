"""Bots against bots: who wins how often, with the same cards for each in turn.

One bot of the first kind sits among bots of the second, once at each seat of the same deal, so that
luck with cards and places is the same for both (as in duplicate bridge).  In races each reacts as
fast as its level does at a table of peers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, log10
from random import Random
from typing import Any, Final, NamedTuple

from engine.bots.bot import Bot
from engine.bots.own import MARK, own_bot
from engine.bots.pace import pace_of
from engine.bots.player import player
from engine.bots.reactions import ReactingDealer
from engine.bots.reference import REFERENCES
from engine.errors import UsageError
from engine.game import Options
from engine.games import load
from engine.levels import LEVELS
from engine.question import Question
from engine.session import Session
from engine.simulate import game_seed, play_on
from engine.totals import ending_of, parts_of_win, wilson
from engine.view import View
from engine.zone import Seat

KINDS: Final = (*LEVELS, *REFERENCES)
"""Who can be measured: the levels, and simple players to measure them against."""
ROUNDS: Final = 1000
"""Iterations of Bradley-Terry; its change is below 0.001 Elo long before."""


class Pairing(NamedTuple):
    """One bot of the kind `one`, and bots of the kind `rest` at all other seats."""

    one: str
    rest: str


class Deal(NamedTuple):
    """A pairing with one deal of cards, to be played from every seat."""

    game: str
    seats: int
    options: Options
    pairing: Pairing
    seed: int


class Thought(NamedTuple):
    """How many decisions a kind of bot took, and how many seconds: all, and the longest."""

    decisions: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def __add__(self, other: Thought) -> Thought:  # type: ignore[override]  # (no row of values)
        return Thought(
            self.decisions + other.decisions,
            self.seconds + other.seconds,
            max(self.longest, other.longest),
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of deals of one pairing: games, and the share of wins of the one."""

    games: int
    won: float
    thought: Mapping[str, Thought]

    @property
    def share(self) -> float:
        """The part of the games that the one won; of a shared win it has a part."""
        return self.won / self.games

    def interval(self) -> tuple[float, float]:
        """95 % of the share by Wilson's score (1927), the games taken for independent.

        The same cards at each seat make them less scattered than that, so it is rather too wide.
        """
        return wilson(self.share, self.games)


class _Timed:
    """A bot whose decisions are timed where there is something to decide.

    At each seat it has chance of its own, so that what it draws changes no card.
    """

    def __init__(self, bot: Bot, deal: Deal, clock: Callable[[], float]) -> None:
        self._bot = bot
        self._clock = clock
        self._chance = [Random(f"{deal.seed}/{seat}") for seat in range(deal.seats)]
        self.thought = Thought()

    def __call__(self, view: View, question: Question[Any], rng: Random) -> object:
        begun = self._clock()
        decision = self._bot(view, question, self._chance[view.seat])
        took = self._clock() - begun
        if len(question.decisions(view)) > 1:
            self.thought += Thought(1, took, took)
        return decision


def kind_of_bot(game: str, kind: str) -> Bot:
    """The bot of a game by what people type; UsageError for a name that there is not."""
    if kind in REFERENCES:
        return REFERENCES[kind]
    if MARK in kind:
        return own_bot(kind)
    if kind not in LEVELS:
        names = f"{', '.join(KINDS)}, or module{MARK}function for one of your own"
        raise UsageError(f"bots are one of: {names} (not {kind!r})")
    return player(game, kind)


def pairings(kinds: Sequence[str]) -> list[Pairing]:
    """One of each kind among those of each kind before it, but for two references."""
    return [
        Pairing(one, rest)
        for place, one in enumerate(kinds)
        for rest in kinds[:place]
        if not {one, rest} <= REFERENCES.keys()
    ]


def play_deal(deal: Deal, clock: Callable[[], float]) -> Outcome:
    """Play the deal once with the one at each seat; `clock` gives seconds of thinking."""
    outcomes = [_play_at(deal, seat, clock) for seat in range(deal.seats)]
    return summed(outcomes)


def _play_at(deal: Deal, place: Seat, clock: Callable[[], float]) -> Outcome:
    """Play the deal with the one at this place."""
    one, rest = [_Timed(kind_of_bot(deal.game, kind), deal, clock) for kind in deal.pairing]
    seats = range(deal.seats)
    players = [one if seat == place else rest for seat in seats]
    paces = [pace_of(deal.pairing.one if seat == place else deal.pairing.rest) for seat in seats]
    session, rng = Session(load(deal.game), deal.seats, deal.options), Random(deal.seed)
    play_on(session, ReactingDealer(rng, paces), players, rng)
    won = parts_of_win(*ending_of(session))[place]
    thought: dict[str, Thought] = {deal.pairing.rest: rest.thought}
    thought[deal.pairing.one] = one.thought + thought.get(deal.pairing.one, Thought())
    return Outcome(1, won, thought)


def deals(
    game: str, seats: int, options: Options, pairing: Pairing, games: int, seed: int
) -> list[Deal]:
    """As many deals as make at least so many games."""
    count = -(-games // seats)
    return [Deal(game, seats, options, pairing, game_seed(seed, number)) for number in range(count)]


def summed(outcomes: Sequence[Outcome]) -> Outcome:
    """What came of all of them."""
    thought: dict[str, Thought] = {}
    for outcome in outcomes:
        for kind, one in outcome.thought.items():
            thought[kind] = thought.get(kind, Thought()) + one
    games, won = sum(one.games for one in outcomes), fsum(one.won for one in outcomes)
    return Outcome(games, won, thought)


def elo(seats: int, results: Mapping[Pairing, Outcome], anchor: str) -> dict[str, float]:
    """The strength of each kind in Elo, that of `anchor` being 0.

    Luce's choice model: a seat wins with the probability of its strength over the sum of all at
    the table; for two this is Bradley-Terry.  Found by the MM algorithm (Hunter, "MM algorithms for
    generalized Bradley-Terry models", Annals of Statistics 32, 2004).  Each pairing has one more
    game than was played, with the share that chance gives, so that nobody is infinitely strong.
    """
    kinds = list(dict.fromkeys(kind for pairing in results for kind in pairing))
    strength = dict.fromkeys(kinds, 1.0)
    for _ in range(ROUNDS):
        wins, due = dict.fromkeys(kinds, 0.0), dict.fromkeys(kinds, 0.0)
        for (one, rest), outcome in results.items():
            games, won = outcome.games + 1, outcome.won + 1 / seats
            wins[one] += won
            wins[rest] += games - won
            at_table = strength[one] + (seats - 1) * strength[rest]
            due[one] += games / at_table
            due[rest] += (seats - 1) * games / at_table
        strength = {kind: wins[kind] / due[kind] for kind in kinds}
        strength = {kind: value / strength[anchor] for kind, value in strength.items()}
    return {kind: 400 * log10(value) for kind, value in strength.items()}
