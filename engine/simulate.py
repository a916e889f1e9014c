"""Any number of whole games with the trusted dealer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, NamedTuple

from engine.bots import Bot, random_bot, sensible
from engine.dealer import TrustedDealer
from engine.errors import EngineError, UsageError
from engine.game import Game, Options
from engine.session import Session
from engine.zone import Seat

BOTS: Final = ("random", "sensible")


class Played(NamedTuple):
    """One game: its answered questions, each seat's result, and how many players left."""

    steps: int
    returns: tuple[int, ...]
    left: int = 0


@dataclass(frozen=True, slots=True)
class Simulation:
    """What came out: `returns` holds a tuple of each seat's result for every game."""

    game: str
    games: int
    seconds: float
    steps: int
    returns: tuple[tuple[int, ...], ...]
    left: int = 0
    """How many players left, in all games."""

    @property
    def games_per_s(self) -> float:
        """Games a second; 0 if the clock stood still."""
        return self.games / self.seconds if self.seconds else 0.0

    @property
    def steps_per_s(self) -> float:
        """Answered questions a second, the dealer's acts included."""
        return self.steps / self.seconds if self.seconds else 0.0

    def means(self) -> tuple[float, ...]:
        """The mean result of each seat."""
        return tuple(sum(column) / self.games for column in zip(*self.returns, strict=True))

    def shares(self) -> tuple[float, ...]:
        """The fraction of the games that each seat won; each winner of a shared win gets a part."""
        won = [0.0] * len(self.returns[0])
        for result in self.returns:
            best = max(result)
            for seat, own in enumerate(result):
                won[seat] += (own == best) / result.count(best)
        return tuple(one / self.games for one in won)


def simulate(
    game: Game,
    seats: int,
    options: Options,
    games: int,
    seed: int,
    bots: str | Sequence[Bot] = "random",
    *,
    clock: Callable[[], float],
) -> Simulation:
    """Play `games` games; `bots` is "random", "sensible", or one bot for each seat.

    `clock` gives seconds (`time.perf_counter`).  Game i is played with the seed
    `game_seed(seed, i)`; if the rules fail, the EngineError says which game it was, and `play_game`
    with that seed plays it again.  UsageError for an impossible table.
    """
    begun = clock()
    played = [*each_game(game, seats, options, games, seed, bots)]
    return summed(game, clock() - begun, played)


def each_game(
    game: Game,
    seats: int,
    options: Options,
    games: int,
    seed: int,
    bots: str | Sequence[Bot],
    *,
    leave: float = 0,
) -> Iterator[Played]:
    """The games of `simulate`, one after the other, for whoever shows how far it has come.

    With the probability `leave` a decision is a farewell: its player leaves for good.
    """
    if games < 1:
        raise UsageError(f"at least 1 game has to be played, not {games}")
    if not 0 <= leave <= 1:
        raise UsageError(f"the probability of leaving is 0 to 1, not {leave}")
    if leave and game.lose is None:
        raise UsageError(f"{game.title} cannot go on without a player, so nobody can leave it")
    game.check(seats, options)
    players = seated(game, seats, bots)
    for number in range(games):
        one = game_seed(seed, number)
        try:
            session = play_game(game, seats, options, one, players, leave=leave)
        except EngineError as fault:
            raise EngineError(f"game {number} (seed {one}): {fault}") from fault
        yield Played(len(session.journal), session.returns, len(session.table.lost))


def summed(game: Game, seconds: float, played: Sequence[Played]) -> Simulation:
    """What came out of all games, which took so long."""
    steps, returns = sum(one.steps for one in played), tuple(one.returns for one in played)
    left = sum(one.left for one in played)
    return Simulation(game.name, len(played), seconds, steps, returns, left)


def game_seed(seed: int, number: int) -> int:
    """The seed of one game of a simulation: two numbers in one."""
    return seed << 32 | number


def seated(game: Game, seats: int, bots: str | Sequence[Bot]) -> Sequence[Bot]:
    """One bot for each seat."""
    if not isinstance(bots, str):
        if len(bots) != seats:
            raise UsageError(f"{seats} seats need {seats} bots, not {len(bots)}")
        return bots
    if bots not in BOTS:
        raise UsageError(f"bots are one of: {', '.join(BOTS)} (not {bots!r})")
    return [random_bot if bots == "random" else sensible(game.name)] * seats


def play_game(
    game: Game,
    seats: int,
    options: Options,
    seed: int,
    players: Sequence[Bot],
    *,
    check: bool = False,
    leave: float = 0,
) -> Session:
    """One game to its end; cards, decisions and who leaves follow from the seed alone."""
    rng = Random(seed)
    session = Session(game, seats, options, check=check)
    table, dealer = session.table, TrustedDealer(rng)
    course = session.course
    views = [dealer.view(table, seat, course) for seat in range(seats)]
    respond, answer = dealer.answer, session.answer
    while (asked := session.pending) is not None:
        if leave and farewells(session, asked.deciders, rng, leave):
            continue
        decisions = {}  # a comprehension would cost a frame for every card laid
        for seat in asked.deciders:
            decisions[seat] = players[seat](views[seat], asked, rng)
        answer(respond(table, asked, decisions))
    return session


def farewells(session: Session, deciders: Sequence[Seat], rng: Random, leave: float) -> bool:
    """Let each who has to decide leave with this probability, in seat order; whether one has."""
    leavers = [seat for seat in deciders if rng.random() < leave]
    for seat in leavers:
        if not session.over:
            session.lose(seat)
    return bool(leavers)
