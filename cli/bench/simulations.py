"""The rules alone, without peers: whole games, and what a bot that looks ahead needs."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import Final

from cli.bench.row import MORE, Row, Target
from cli.bench.timing import PROCESSOR, Work, medians
from engine.bots import random_bot
from engine.compiling import is_compiled
from engine.games import FIRST, load
from engine.games.measured import CASES, Case
from engine.session import Session
from engine.simulate import game_seed, play_game, simulate

SEATS: Final = 4
GAMES: Final = 3000
REPEATS: Final = 201
HOW: Final = ", compiled" if is_compiled(Session) else ""
"""A compiled engine (`make compiled`) is twice as fast, so its rows say so."""
NAME: Final = f"simulate {FIRST}, 4 seats{HOW}"
PLAYS_HALF: Final = 45
"""How many answers are about half of a match."""
POINTS: Final = 100
"""At how many points of one game a fork is timed, and how often each time."""
FORKS: Final = 9
FORK: Final = Target(10.0)


def rows(games: int = GAMES, repeats: int = REPEATS) -> Iterator[Row]:
    """Whole games by random bots, one thread; forks and digests on the way."""
    yield from _first_game(games, repeats)
    for case in CASES:
        yield from _of(case, max(1, round(games * case.share)), repeats)


def _first_game(games: int, repeats: int) -> list[Row]:
    """Matches of two rounds; forks and digests half way."""
    game = load(FIRST)
    done = simulate(game, SEATS, {}, games, 1, clock=PROCESSOR)
    finished = play_game(game, SEATS, {}, 7, [random_bot] * SEATS)
    session = _half_way(finished)
    works: dict[str, Work] = {
        "fork": session.fork,
        "digest": session.digest,
        "rebuild": finished.fork,
    }
    taken = medians(works, repeats)
    rebuilt = len(finished.journal) / taken["rebuild"] * 1000
    return [
        Row(f"{NAME}: matches", done.games_per_s, "games/s", None, (Target(3000.0, MORE),)),
        Row(f"{NAME}: steps", done.steps_per_s, "steps/s"),
        Row(f"{NAME}: fork, a mark a turn", 1000 * taken["fork"], "us", None, (FORK,)),
        Row(f"{NAME}: digest", 1000 * taken["digest"], "us"),
        Row(f"{NAME}: rebuild from answers", rebuilt, "answers/s"),
    ]


def _half_way(finished: Session) -> Session:
    """The same match, up to its middle, with a mark at every turn."""
    session = Session(finished.game, SEATS, {}, every=1)
    for answer in finished.journal[:PLAYS_HALF]:
        session.answer(answer)
    return session


def _of(case: Case, games: int, repeats: int) -> list[Row]:
    """The rate of whole games, and the median fork over the points of one."""
    game, players = load(case.name), [random_bot] * case.seats
    done, begun = 0.0, PROCESSOR()
    for number in range(games):
        done += case.counted(
            play_game(game, case.seats, case.options, game_seed(1, number), players)
        )
    rate = done / (PROCESSOR() - begun)
    options = "".join(f", {name} {value}" for name, value in case.options.items())
    name = f"simulate {case.name}{options}, {case.seats} seats{HOW}"
    finished = play_game(game, case.seats, case.options, 7, players)
    fork = _fork(finished, min(POINTS, repeats))
    return [
        Row(f"{name}: {case.unit}", rate, f"{case.unit}/s", None, (Target(case.target, MORE),)),
        Row(f"{name}: fork, a mark a turn", fork, "us", None, (FORK,)),
    ]


def _fork(finished: Session, points: int) -> float:
    """Microseconds that a fork takes, the median over this many points of the game."""
    session = Session(finished.game, finished.table.seats, finished.options, every=1)
    length, taken = len(finished.journal), []
    for number, answer in enumerate(finished.journal[:-1]):
        session.answer(answer)
        if number * points // length < (number + 1) * points // length:
            taken.append(medians({"fork": session.fork}, FORKS)["fork"])
    return 1000 * median(taken)
