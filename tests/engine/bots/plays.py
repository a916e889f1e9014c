"""How each level plays each game, as digests: `python -m tests.engine.bots.plays` writes them.

They stand below the table of strengths in docs/explanation/bots.md, since a figure belongs to the
bots that were measured.  Who changes how bots play writes the digests again; each level that plays
in another way than the measured one says so from then on, until `tests.engine.bots.table` has
measured it anew.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterator
from random import Random
from typing import Final

from engine.bots import Bot, player
from engine.bots.hard import Hard
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
"""Enough to look beyond what is tried first at a node (`engine.bots.tree.USUAL`)."""
MOST: Final = 24
"""So many decisions of a hard bot are noted where there was a choice."""
SLOW: Final = {"sneak": 2}
"""In games of many cards a look ahead takes half a second."""
OLD: Final = " (measured: "


class _Noted:
    """A bot whose decisions are noted; a hard one with what it thinks they are worth."""

    def __init__(self, name: str, level: str) -> None:
        self._bot: Final = player(name, level)
        self._hard: Final = Hard(PLAYOUTS) if level == "hard" else None
        self._left = SLOW.get(name, MOST) if level == "hard" else None
        self._digest: Final = hashlib.sha256()

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


def cells(page: str) -> Iterator[tuple[str, str, str, str]]:
    """What the page says: game, level, how it plays, and how it played when it was measured."""
    rows = page.partition(BEGIN)[2].partition(END)[0].splitlines()[2:]
    for name, row in zip(SHORT, rows, strict=True):
        for level, cell in zip(LEVELS, row.strip("| ").split(" | ")[1:], strict=True):
            now, *before = re.findall("[0-9a-f]{12}", cell)
            yield name, level, now, (before or [now])[0]


def written(page: str, now: dict[tuple[str, str], str], measured: Collection[str]) -> str:
    """The page with how each level plays `now`; these levels have just been measured so."""
    then = {(name, level): before for name, level, _, before in cells(page)}
    then |= {key: digest for key, digest in now.items() if key[1] in measured}
    rows = [f"| game | {' | '.join(LEVELS)} |", "|---" * (1 + len(LEVELS)) + "|"]
    for name in SHORT:
        keys = [(name, level) for level in LEVELS]
        said = [now[key] + f"{OLD}{then[key]})" * (then[key] != now[key]) for key in keys]
        rows.append(f"| {load(name).title} | {' | '.join(said)} |")
    before, _, rest = page.partition(BEGIN)
    lines = "".join(f"{row}\n" for row in rows)
    return f"{before}{BEGIN}{lines}{END}{rest.partition(END)[2]}"


def write(measured: Collection[str] = ()) -> None:
    """Write the page again."""
    now = {(name, level): plays(name, level) for name in SHORT for level in LEVELS}
    PAGE.write_text(written(PAGE.read_text("utf-8"), now, measured), "utf-8")


if __name__ == "__main__":
    write()
