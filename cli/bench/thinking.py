"""How long a bot that looks ahead thinks, and how many games it tries in a second."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from cli.bench.row import Row, Target
from cli.bench.simulations import HOW
from cli.bench.timing import PROCESSOR
from engine.bots import sensible
from engine.bots.hard import Hard
from engine.bots.lookahead import lookahead
from engine.bots.pace import PACES
from engine.bots.reactions import ReactingDealer
from engine.games import NAMES, load
from engine.levels import NORMAL
from engine.question import Question
from engine.session import Session
from engine.view import View
from engine.zone import Seat

SEATS: Final = 4
DECISIONS: Final = 20
"""So many decisions with a choice are timed at each table."""
LONGEST: Final = Target(1.0)
"""In seconds: others wait for a bot."""


def rows(decisions: int = DECISIONS, playouts: int | None = None) -> Iterator[Row]:
    """Seat 0 thinks before each of its decisions, at tables of four and of the most seats.

    `playouts` is how many games it tries for each, in place of as many as the game says; fewer if
    its time is over.
    """
    for name in NAMES:
        for seats in dict.fromkeys((SEATS, load(name).seats[-1])):
            yield from _of(name, seats, decisions, Hard(playouts, PROCESSOR))


def _of(name: str, seats: int, decisions: int, hard: Hard) -> list[Row]:
    tried, took = 0, list[float]()
    for view, asked in _asked(name, seats, decisions):
        begun = PROCESSOR()
        weighed = hard.weigh(view, asked, Random(len(took)))
        took.append(PROCESSOR() - begun)
        tried += sum(one.visits for one in weighed)
    table = f"think {name}, {seats} seats{HOW}"
    return [
        Row(f"{table}: longest decision", max(took), "s", None, (LONGEST,)),
        Row(f"{table}: games tried", tried / sum(took), "games/s"),
    ]


def _asked(name: str, seats: int, decisions: int) -> Iterator[tuple[View, Question[Any]]]:
    """What seat 0 is asked where it has a choice, in a game of bots that do not look ahead."""
    session, rng, bot = Session(load(name), seats, {}), Random(1), sensible(name)
    considered = lookahead(name).considered
    dealer, own = ReactingDealer(rng, [PACES[NORMAL]] * seats), Seat(0)
    views = [dealer.view(session.table, seat, session.course) for seat in range(seats)]
    while (asked := session.pending) is not None and decisions:
        if own in asked.deciders and len(considered(views[own], asked)) > 1:
            decisions -= 1
            yield views[own], asked
        said = {seat: bot(views[seat], asked, rng) for seat in asked.deciders}
        session.answer(dealer.answer(session.table, asked, said))
