"""What bots think, and what their contests come to: `python -m tests.engine.bots.thoughts` writes
tests/engine/golden/thoughts again.

Each line is a place in a game of normal bots at which a hard one was asked: what it takes, what
that and the next best are worth, and why; what it says of another decision in a review, and why;
then a digest of all that it weighed.  At the end are contests of simple players, with as many
decisions and seconds (by a clock that ticks at each look) as each kind has taken.  Hints, reviews
and measurements are made of that.  Who changes it on purpose writes the pages again; the digests of
`tests.engine.bots.plays` stand for more decisions, and do not name the first that is another.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from random import Random
from typing import Any, Final

from engine.bots import sensible
from engine.bots.contest import Pairing, deals, play_deal, summed
from engine.bots.judge import Judge
from engine.bots.lookahead import lookahead
from engine.bots.pace import PACES
from engine.bots.reactions import ReactingDealer
from engine.game import Options
from engine.games import NAMES, load
from engine.question import Question
from engine.session import Session
from engine.view import View
from tests.engine.bots.plays import SHORT

FOLDER: Final = Path(__file__).parents[1] / "golden" / "thoughts"
TABLES: Final[dict[str, tuple[tuple[int, Options], ...]]] = {
    "flip-over": ((3, {}), (4, {"teams": True})),
    "flaps": ((2, {"level": 7}), (4, {"level": 3})),
    "flop-a": ((2, {"hands": 6}), (4, {"hands": 6})),
    "sneak": ((2, {"target": 25}), (3, {"target": 25})),
    "you-fink": ((2, {"cardLimit": "100"}), (3, {"cardLimit": "50"})),
}
PLAYOUTS: Final = {"sneak": 10}
"""A look ahead there takes long."""
SOME: Final = 60
"""Enough to try something else at a node (`engine.bots.tree.USUAL`) where there are two options."""
EACH: Final = 5
"""At one of so many places at which there is something to weigh."""
MANY: Final = 20
"""Of more decisions each is tried once at least, which takes long."""
PLACES: Final = 6
"""Of each table."""
LONGEST: Final = 400
"""Answers of a game."""
PAIRINGS: Final = (
    Pairing("easy", "normal"),
    Pairing("greedy", "random"),
    Pairing("always-call", "easy"),
    Pairing("always-draw", "always-call"),
)
DEALS: Final = 2


def page(name: str) -> str:
    """The page of one game."""
    lines = [line for table in TABLES[name] for line in thoughts(name, *table)]
    return "".join(f"{line}\n" for line in [*lines, *contests(name)])


def thoughts(name: str, seats: int, options: Options) -> Iterator[str]:
    """What a hard bot, which goes along with a game, says of some places of it."""
    yield f"{seats} seats, {options}:"
    hard, rng = Judge(PLAYOUTS.get(name, SOME)), Random(seats)
    for view, asked in islice(places(name, seats, options), PLACES):
        yield f"{len(view.course.answers if view.course else ())}: {_said(hard, view, asked, rng)}"


def places(
    name: str, seats: int, options: Options, each: int = EACH
) -> Iterator[tuple[View, Question[Any]]]:
    """One of so many places of a game of normal bots with a choice, before it goes on."""
    session, rng = Session(load(name), seats, options), Random(7)
    dealer = ReactingDealer(rng, [PACES["normal"]] * seats)
    views = [dealer.view(session.table, seat, session.course) for seat in range(seats)]
    bot, considered, met = sensible(name), lookahead(name).considered, 0
    while (asked := session.pending) is not None and len(session.journal) < LONGEST:
        for seat in asked.deciders:
            if 1 < len(considered(views[seat], asked)) <= MANY:
                met += 1
                if met % each == 0:
                    yield views[seat], asked
        decisions = {seat: bot(views[seat], asked, rng) for seat in asked.deciders}
        session.answer(dealer.answer(session.table, asked, decisions))


def _said(hard: Judge, view: View, asked: Question[Any], rng: Random) -> str:
    advice, weighed = hard.advise(view, asked, rng), hard.weigh(view, asked, rng)
    other = min(weighed, key=lambda one: one.worth).decision
    judged = hard.judge(view, asked, other, rng)
    digest = hashlib.sha256(repr([(*one[:2], round(one.worth, 9)) for one in weighed]).encode())
    said = f"seat {view.seat} takes {advice.best} for {advice.worth:.6f}"
    if advice.other_worth is not None:
        said += f", then {advice.other} for {advice.other_worth:.6f}"
    assert judged is not None
    review = f"not {other}: {judged.best} is {judged.gain:.6f} better, {judged.worth:.6f}"
    return f"{said}, {[*advice.why]}; {review}, {[*judged.why]}; {digest.hexdigest()[:8]}"


def contests(name: str) -> Iterator[str]:
    """What some deals come to, for each pairing."""
    for pairing in PAIRINGS:
        due = deals(name, 3, SHORT[name], pairing, 3 * DEALS, 1)
        outcome = summed([play_deal(deal, count(0.0, 0.5).__next__) for deal in due])
        thought = ", ".join(f"{kind} {tuple(one)}" for kind, one in outcome.thought.items())
        yield f"{pairing.one} among {pairing.rest}: {outcome.won:.6f} of {outcome.games}, {thought}"


def main() -> None:
    """Write all pages."""
    FOLDER.mkdir(exist_ok=True)
    for name in NAMES:
        (FOLDER / f"{name}.txt").write_text(page(name), encoding="utf-8")


if __name__ == "__main__":
    main()
