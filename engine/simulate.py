"""Any number of whole games with the trusted dealer.

In races the quicker is first where bots have levels, as at a table of peers; among random bots, and
those that are handed in, chance decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from engine.bots import Bot, player, random_bot, sensible
from engine.bots.pace import pace_of
from engine.bots.reactions import ReactingDealer
from engine.dealer import TrustedDealer
from engine.errors import EngineError, UsageError
from engine.game import Game, Options
from engine.levels import LEVELS
from engine.session import Session
from engine.totals import Played, Totals, ending_of
from engine.zone import Seat

RANDOM: Final = "random"
BOTS: Final = (RANDOM, "sensible", *LEVELS)
"""Which bots can be named; "sensible" is another word for the normal level."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """What came out, game by game."""

    game: str
    seconds: float
    played: tuple[Played, ...]

    @property
    def totals(self) -> Totals:
        """The same in sums."""
        return Totals.of(len(self.played[0].returns), self.played)

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.played)

    @property
    def returns(self) -> tuple[tuple[int, ...], ...]:
        """Each seat's result, for every game."""
        return tuple(one.returns for one in self.played)

    @property
    def games_per_s(self) -> float:
        """Games a second; 0 if the clock stood still."""
        return self.games / self.seconds if self.seconds else 0.0

    @property
    def steps_per_s(self) -> float:
        """Answered questions a second, the dealer's acts included."""
        return self.totals.steps / self.seconds if self.seconds else 0.0

    def means(self) -> tuple[float, ...]:
        """The mean result of each seat."""
        return self.totals.means()

    def shares(self) -> tuple[float, ...]:
        """The fraction of the games that each seat won; each winner of a shared win gets a part."""
        return self.totals.shares()


def simulate(
    game: Game,
    seats: int,
    options: Options,
    games: int,
    seed: int,
    bots: str | Sequence[Bot] = RANDOM,
    *,
    clock: Callable[[], float],
) -> Simulation:
    """Play `games` games; `bots` is a name of BOTS for all seats, one for each with
    commas between them, or one bot for each seat.

    `clock` gives seconds (`time.perf_counter`).  Game i is played with the seed
    `game_seed(seed, i)`; if the rules fail, the EngineError says which game it was, and `play_game`
    with that seed and these bots plays it again.  UsageError for an impossible table.
    """
    check_games(games)
    begun = clock()
    played = tuple(each_game(game, seats, options, range(games), seed, bots))
    return Simulation(game.name, clock() - begun, played)


def each_game(
    game: Game,
    seats: int,
    options: Options,
    games: range,
    seed: int,
    bots: str | Sequence[Bot],
    *,
    leave: float = 0,
) -> Iterator[Played]:
    """The games of `simulate` with these numbers, one after the other.

    With the probability `leave` a decision is a farewell: its player leaves for good.
    """
    check_leave(game, leave)
    game.check(seats, options)
    for number in games:
        one = game_seed(seed, number)
        try:
            session = play_game(game, seats, options, one, bots, leave=leave)
        except EngineError as fault:
            raise EngineError(f"game {number} (seed {one}): {fault}") from fault
        yield Played(len(session.journal), *ending_of(session))


def check_games(games: int) -> None:
    """UsageError unless there is a game to be played."""
    if games < 1:
        raise UsageError(f"at least 1 game has to be played, not {games}")


def check_leave(game: Game, leave: float) -> None:
    """UsageError unless players can leave this game with this probability."""
    if not 0 <= leave <= 1:
        raise UsageError(f"the probability of leaving is 0 to 1, not {leave}")
    if leave and game.lose is None:
        raise UsageError(f"{game.title} cannot go on without a player, so nobody can leave it")


def check_bots(bots: str) -> None:
    """UsageError unless there are such bots for every game: one name, or one for each seat."""
    for name in bots.split(","):
        if name not in BOTS:
            raise UsageError(f"bots are one of: {', '.join(BOTS)} (not {name!r})")


def game_seed(seed: int, number: int) -> int:
    """The seed of one game of a simulation: two numbers in one."""
    return seed << 32 | number


def seated(game: Game, seats: int, bots: str | Sequence[Bot]) -> Sequence[Bot]:
    """One bot for each seat."""
    if isinstance(bots, str):
        check_bots(bots)
        bots = [_named(game, name) for name in _names(bots, seats)]
    if len(bots) != seats:
        raise UsageError(f"{seats} seats need {seats} bots, not {len(bots)}")
    return bots


def _names(bots: str, seats: int) -> list[str]:
    names = bots.split(",")
    return names if len(names) > 1 else names * seats


def _named(game: Game, name: str) -> Bot:
    if name == RANDOM:
        return random_bot
    return sensible(game.name) if name == "sensible" else player(game.name, name)


def play_game(
    game: Game,
    seats: int,
    options: Options,
    seed: int,
    bots: str | Sequence[Bot],
    *,
    check: bool = False,
    leave: float = 0,
) -> Session:
    """One game to its end; cards, decisions and who leaves follow from the seed alone."""
    rng, players = Random(seed), seated(game, seats, bots)
    session = Session(game, seats, options, check=check)
    play_on(session, _dealer(seats, bots, rng), players, rng, leave)
    return session


def _dealer(seats: int, bots: str | Sequence[Bot], rng: Random) -> TrustedDealer:
    """Who deals for these bots, and knows how quick they are if any of them has a level."""
    names = _names(bots, seats) if isinstance(bots, str) else []
    if {*names} <= {RANDOM}:
        return TrustedDealer(rng)
    return ReactingDealer(rng, [pace_of(name) for name in names])


def play_on(
    session: Session, dealer: TrustedDealer, players: Sequence[Bot], rng: Random, leave: float = 0
) -> None:
    """Play a game to its end with this dealer; `rng` is for the players, and for who leaves."""
    table, course = session.table, session.course
    views = [dealer.view(table, seat, course) for seat in range(table.seats)]
    while (asked := session.pending) is not None:
        if leave and farewells(session, asked.deciders, rng, leave):
            continue
        decisions = {}  # a comprehension would cost a frame for every card laid
        for seat in asked.deciders:
            decisions[seat] = players[seat](views[seat], asked, rng)
        session.answer(dealer.answer(table, asked, decisions))


def farewells(session: Session, deciders: Sequence[Seat], rng: Random, leave: float) -> bool:
    """Let each who has to decide leave with this probability, in seat order; whether one has."""
    leavers = [seat for seat in deciders if rng.random() < leave]
    for seat in leavers:
        if not session.over:
            session.lose(seat)
    return bool(leavers)
