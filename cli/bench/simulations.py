"""The rules alone, without peers: whole matches, and what a bot that looks ahead needs."""

from __future__ import annotations

from typing import Final

from cli.bench.row import MORE, Row, Target
from cli.bench.timing import PROCESSOR, Work, medians
from engine.bots import random_bot
from engine.games import load
from engine.session import Session
from engine.simulate import play_game, simulate

SEATS: Final = 4
GAMES: Final = 3000
REPEATS: Final = 201
NAME: Final = "simulate flip-over, 4 seats"
PLAYS_HALF: Final = 45
"""So many answers are about half of a match."""


def rows(games: int = GAMES, repeats: int = REPEATS) -> list[Row]:
    """Matches of two rounds by random bots, one thread; forks and digests half way."""
    game = load("flip-over")
    done = simulate(game, SEATS, {}, games, 1, clock=PROCESSOR)
    finished = play_game(game, SEATS, {}, 7, [random_bot] * SEATS)
    session = _half_way(finished)
    works: dict[str, Work] = {
        "fork": session.fork,
        "digest": session.digest,
        "rebuild": finished.fork,
    }
    taken = medians(works, repeats)
    answers = len(finished.journal) / taken["rebuild"] * 1000
    return [
        Row(f"{NAME}: matches", done.games_per_s, "games/s", None, (Target(3000.0, MORE),)),
        Row(f"{NAME}: steps", done.steps_per_s, "steps/s"),
        Row(f"{NAME}: fork, a mark a turn", 1000 * taken["fork"], "us", None, (Target(10.0),)),
        Row(f"{NAME}: digest", 1000 * taken["digest"], "us"),
        Row(f"{NAME}: rebuild from answers", answers, "answers/s"),
    ]


def _half_way(finished: Session) -> Session:
    """The same match, up to its middle, with a mark at every turn."""
    session = Session(finished.game, SEATS, {}, every=1)
    for answer in finished.journal[:PLAYS_HALF]:
        session.answer(answer)
    return session
