"""How each level plays each game, as digests: `python -m tests.engine.bots.plays` writes them.

They stand below the table of strengths in docs/explanation/bots.md, since a figure belongs to the
bots that were measured.  Who changes how bots play writes the digests again, and the table
(`tests.engine.bots.table`): a figure of bots that play in another way by now says so from then on,
until it is measured anew.
"""

from __future__ import annotations

import hashlib
from random import Random
from typing import Final

from engine.bots import Bot, player
from engine.bots.hard import Hard
from engine.bots.lookahead import lookahead
from engine.bots.pace import PACES, Pace
from engine.bots.reactions import ReactingDealer
from engine.game import Options
from engine.games import load
from engine.levels import LEVELS
from engine.question import Question
from engine.session import Session
from engine.view import View
from tests.repo.sources import ROOT

PAGE: Final = ROOT / "docs" / "explanation" / "bots.md"
BEGIN: Final = "<!-- python -m tests.engine.bots.plays -->\n"
END: Final = "<!-- end of plays -->\n"
SEEDS: Final = {"easy": range(8), "normal": range(8), "hard": range(1)}
SHORT: Final[dict[str, Options]] = {
    "flip-over": {},
    "flaps": {"level": 7},
    "flop-a": {},
    "sneak": {"target": 25},
    "you-fink": {"cardLimit": "250"},
}
"""The games as they are measured: Sneak to fewer points, You Fink! with fewer cards."""
SEATS: Final = 3
PLAYOUTS: Final = 110
"""Enough to look beyond what is tried first at a node (`engine.bots.tree.USUAL`).  How many games a
hard bot tries at a table is part of its digest too."""
MOST: Final = 24
"""So many decisions of a hard bot are noted where there was a choice."""
SLOW: Final = {"sneak": 2}
"""In games of many cards a look ahead takes half a second."""


class _Noted:
    """A bot whose decisions are noted; a hard one with what it thinks they are worth."""

    def __init__(self, name: str, level: str) -> None:
        self._bot: Final = player(name, level)
        self._hard: Final = Hard(PLAYOUTS) if level == "hard" else None
        self._left = SLOW.get(name, MOST) if level == "hard" else None
        said = lookahead(name)
        budget = f"{said.playouts} {said.steps}" if level == "hard" else ""
        self._digest: Final = hashlib.sha256(budget.encode())

    @property
    def done(self) -> bool:
        """Whether enough is noted."""
        return self._left == 0

    def __call__(self, view: View, question: Question[object], rng: Random) -> object:
        """The decision."""
        if len(question.decisions(view)) == 1:
            return question.decisions(view)[0]
        decision, worth = self._decide(view, question, rng)
        self._digest.update(f"{view.seat} {decision} {worth}\n".encode())
        if self._left is not None:
            self._left -= 1
        return decision

    def _decide(
        self, view: View, question: Question[object], rng: Random
    ) -> tuple[object, list[float]]:
        if self._hard is None:
            return self._bot(view, question, rng), []
        advice = self._hard.advise(view, question, rng)
        return advice.best, [round(worth, 6) for worth in (advice.worth, advice.other_worth or 0.0)]

    def digest(self) -> str:
        """Of all that was noted."""
        return self._digest.hexdigest()[:12]


def plays(name: str, level: str) -> str:
    """The digest of what some games come to: all seats of this level, or one among normal ones."""
    noted = _Noted(name, level)
    others: Bot = player(name, "normal") if level == "hard" else noted
    for seed in SEEDS[level]:
        _play(name, noted, others, PACES[level], Random(seed))
    return noted.digest()


def _play(name: str, noted: _Noted, others: Bot, pace: Pace, rng: Random) -> None:
    session = Session(load(name), SEATS, SHORT[name])
    dealer = ReactingDealer(rng, [pace] * SEATS)
    views = [dealer.view(session.table, seat, session.course) for seat in range(SEATS)]
    players: list[Bot] = [noted, *[others] * (SEATS - 1)]
    while (asked := session.pending) is not None and not noted.done:
        decisions = {seat: players[seat](views[seat], asked, rng) for seat in asked.deciders}
        session.answer(dealer.answer(session.table, asked, decisions))


def digests(page: str) -> dict[tuple[str, str], str]:
    """What the page says of how each level plays each game, by game and level."""
    rows = page.partition(BEGIN)[2].partition(END)[0].splitlines()[2:]
    return {
        (name, level): cell
        for name, row in zip(SHORT, rows, strict=True)
        for level, cell in zip(LEVELS, row.strip("| ").split(" | ")[1:], strict=True)
    }


def written(page: str, now: dict[tuple[str, str], str]) -> str:
    """The page with how each level plays `now`."""
    rows = [f"| game | {' | '.join(LEVELS)} |", "|---" * (1 + len(LEVELS)) + "|"]
    for name in SHORT:
        said = [now[name, level] for level in LEVELS]
        rows.append(f"| {load(name).title} | {' | '.join(said)} |")
    before, _, rest = page.partition(BEGIN)
    lines = "".join(f"{row}\n" for row in rows)
    return f"{before}{BEGIN}{lines}{END}{rest.partition(END)[2]}"


def write() -> None:
    """Write the page again."""
    now = {(name, level): plays(name, level) for name in SHORT for level in LEVELS}
    PAGE.write_text(written(PAGE.read_text("utf-8"), now), "utf-8")


if __name__ == "__main__":
    write()
