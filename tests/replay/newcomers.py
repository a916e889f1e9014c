"""What reviews name in games that somebody lost who errs as newcomers do.

`python -m tests.replay.newcomers flaps --seats 3 --games 10` plays games of the easy level, at seat
0, against normal ones until so many are lost, reviews each, and compares every decision that was
named with the player's once more, with other chance.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from itertools import count
from random import Random
from time import process_time
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, cast

from engine.bots import player
from engine.bots.judge import BLAMED, Case, Judge
from engine.bots.pace import PACES
from engine.bots.reactions import ReactingDealer
from engine.bots.search import Search
from engine.cards import Card
from engine.course import Course
from engine.game import Options
from engine.games import load, load_text
from engine.levels import EASY, NORMAL
from engine.session import Session
from engine.simulate import game_seed
from engine.view import View
from engine.zone import Seat
from replay.by_bot import ByBot
from replay.game import Position, SavedGame
from replay.review import LEAST, review
from replay.reviewed import review_lines
from tests.engine.bots.plays import SHORT

TRIES: Final = 6000
"""So many games of each are played to compare them once more."""
NAMES: Final = ("Newcomer", "Ada", "Bo", "Cleo", "Dan", "Eve", "Fay", "Gus")


class NewcomersGame:
    """A game with the trusted dealer, as a saved game that its player opens."""

    def __init__(self, game: str, seats: int, options: Options, seed: int) -> None:
        self.session = Session(load(game), seats, options, every=4)
        self.wording = load_text(game)
        self.names, self.own, self.by_bot = NAMES[:seats], 0, ByBot()
        self.steps: list[Any] = []
        self._cards: list[list[Card]] = []
        self._play(Random(seed))

    def _play(self, rng: Random) -> None:
        session, levels = self.session, [EASY, *[NORMAL] * (self.session.table.seats - 1)]
        bots = [player(session.game.name, level) for level in levels]
        dealer = ReactingDealer(rng, [PACES[level] for level in levels])
        views = [dealer.view(session.table, seat) for seat in range(len(levels))]
        while (asked := session.pending) is not None:
            decisions = {seat: bots[seat](views[seat], asked, rng) for seat in asked.deciders}
            answer = dealer.answer(session.table, asked, decisions)
            self._cards.append([*dealer.truth.cards])
            before = len(session.journal)
            told = {"answers": True, "before": before, "race": None}
            self.steps.append(SimpleNamespace(number=before, question=asked, **told))
            session.answer(answer)

    @property
    def lost(self) -> bool:
        """Whether somebody else has more than the newcomer."""
        return self.session.returns[0] < max(self.session.returns)

    def answer(self, step: Any) -> object:
        """As SavedGame."""
        return self.session.journal[step.before]

    def before(self, step: int) -> Position:
        """As SavedGame."""
        twin = self.session.fork(step)
        return Position(step - 1, twin.table, twin.pending)

    def view(
        self,
        position: Position,
        seat: Seat,
        *,
        known_after: int | None = None,
        course: Course | None = None,
    ) -> View:
        """As SavedGame."""
        cards = self._cards[position.step + 1]
        return View(position.table, seat, cards.__getitem__, cards.__getitem__, course)


class Again(NamedTuple):
    """By how much what was named is ahead with other chance, and the standard error."""

    ahead: float
    error: float

    @property
    def real(self) -> bool:
        """Whether it is surely better."""
        return self.ahead > 2 * self.error


class Checking(Judge):
    """Compares what it blames once more, with other chance and as long as it takes.

    `again` is by the number of answers before the decision, which is its step; `spent` are the
    seconds that took.
    """

    def __init__(self, least: float) -> None:
        super().__init__(least=least)
        self.again: dict[int, Again] = {}
        self.spent = 0.0

    def _compare(
        self, case: Case, options: Sequence[object], rng: Random, tries: tuple[int, int]
    ) -> Search:
        found, view = super()._compare(case, options, rng, tries), case.view
        if found.gain(BLAMED) * view.table.seats >= LEAST and view.course is not None:
            begun, step = process_time(), len(view.course.answers)
            might, chance = found.best(BLAMED), Random(f"again {step}")
            search = self._at_leisure(case, [might], chance, 2 * TRIES, sys.maxsize)
            self.again[step] = Again(*search.lead())
            self.spent += process_time() - begun
        return found


def told(game: NewcomersGame) -> tuple[str, list[Again]]:
    """The review of a game with what it comes to, and what came of the names once more."""
    saved, begun = cast(SavedGame, game), process_time()
    judge = Checking(LEAST / len(game.names))
    found = review(saved, 0, judge=judge)
    took = process_time() - begun - judge.spent
    again = {one.step: judge.again[one.step] for one in found.mistakes}
    lines = [f"{game.session.returns}, {len(game.steps)} steps, {took:.0f} s", ""]
    lines += review_lines(saved, found)
    for step, one in again.items():
        doubt = "" if one.real else ", which is not sure"
        lines.append(f"Step {step}: {100 * one.ahead:.1f} (+- {100 * one.error:.1f}) more{doubt}.")
    return "\n".join([*lines, ""]), [*again.values()]


def main() -> None:
    """Play, review and compare, and tell it."""
    parser = ArgumentParser()
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    named, played = list[list[Again]](), count()
    while len(named) < asked.games:
        seed = game_seed(asked.seed, next(played))
        game = NewcomersGame(asked.game, asked.seats, SHORT[asked.game], seed)
        if game.lost:
            said, again = told(game)
            named.append(again)
            sys.stdout.write(f"Game {seed}: {said}\n")
            sys.stdout.flush()
    lost, names = len(named), [one for game in named for one in game]
    sys.stdout.write(
        f"{asked.game} for {asked.seats}: of {lost} games that were lost something is named in"
        f" {sum(map(bool, named))}, and in {sum(any(one.real for one in game) for game in named)}"
        f" it is surely true; so are {sum(one.real for one in names)} of {len(names)} names.\n"
    )


if __name__ == "__main__":
    main()
