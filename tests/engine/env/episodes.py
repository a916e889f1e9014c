"""What games come to as environments: `python -m tests.engine.env.episodes` writes them again.

The page is tests/engine/env/episodes.txt.  For each kind of table it says how wide the rows and
fields are and what the actions say; below that, a line is a game asked action by action, of chance
or of sensible bots: how many actions, the results, and three short digests.  `rows`: what the seats
observe.  `actions`: who is asked, what it may say, what each action adds, how others are refused.
`words`: the texts.  Programs that have learned rely on all of that: who changes it on purpose
writes the page again.  `python -m tests.engine.env.episodes sneak 5 1` prints all that is told of
the game with the seed 1 for five, so that `diff` shows what became of it.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final

from engine.bots import random_bot, sensible
from engine.env.playing import Playing, Setting
from engine.env.told import Telling
from engine.errors import IllegalAnswer
from engine.game import Options
from engine.games import load
from tests.engine.env.walk import TABLES, started

PAGE: Final = Path(__file__).with_name("episodes.txt")
MORE: Final[tuple[tuple[str, int, Options], ...]] = (
    *TABLES,
    ("flaps", 2, {"level": 3, "turn-limit": 60}),
    ("flop-a", 2, {"hands": 3, "stack": 20}),
    ("sneak", 7, {"target": 25}),
    ("you-fink", 2, {"cardLimit": "50"}),
)
"""Of flaps and others, smaller and larger tables too: with two seats "the next" is "the other"."""
GAMES: Final = 3
"""Of each table: one of chance, one of sensible bots, one of both in turn."""
MOST: Final = 250
"""Actions of one game."""
LOOK: Final = 9
"""At every ninth action all seats look, and what is not legal is tried."""
ROWS, ACTIONS, WORDS = STREAMS = ("rows", "actions", "words")


class Episode:
    """One game asked action by action, and all that is told of it."""

    def __init__(self, name: str, seats: int, options: Options, seed: int) -> None:
        self._playing: Final = started(name, seats, options, seed, notes=True)
        self._telling: Final = Telling(self._playing, [f"player_{seat}" for seat in range(seats)])
        self._bots: Final = [(random_bot,), (sensible(name),), (sensible(name), random_bot)][seed]
        self._digests: Final = {stream: hashlib.sha256() for stream in STREAMS}
        self.lines: Final[list[str]] = []
        self._rng: Final = Random(seed)
        self._actions = 0
        while self._playing.turn is not None and self._actions < MOST:
            self._decide(self._playing)
        self._look(self._playing, range(seats))

    def _tell(self, stream: str, said: object) -> None:
        self._digests[stream].update(f"{said}\n".encode())
        self.lines.append(f"{self._actions} {stream}: {said}")

    def _decide(self, playing: Playing) -> None:
        """One decision, by one action or several."""
        bot, seat = self._bots[self._actions % len(self._bots)], playing.seat
        assert seat is not None
        spelled = playing.actions_of(bot, self._rng)
        for action in spelled:
            everybody = range(playing.setting.seats)
            whole = self._actions % LOOK == 0
            self._offer(playing)
            self._look(playing, everybody if whole else [self._actions % len(everybody)])
            if whole:
                self._refuse(playing)
            self._tell(ACTIONS, action)
            playing.say(action)
            self._actions += 1
        self._telling.decided(seat)

    def _offer(self, playing: Playing) -> None:
        """Who is asked, and what each of its actions adds."""
        turn = playing.turn
        assert turn is not None
        self._tell(ACTIONS, (turn.seat, turn.asked.kind, playing.said))
        self._tell(ACTIONS, [(one, turn.spelling.told(one)) for one in playing.legal()])

    def _look(self, playing: Playing, seats: Sequence[int]) -> None:
        """What these seats observe and read."""
        self._telling.hear()
        self._tell(ROWS, playing.setting.sight.fields_of(playing.session.table))
        for seat in seats:
            self._tell(ROWS, playing.seen(seat))
            self._tell(WORDS, self._telling.text(seat))

    def _refuse(self, playing: Playing) -> None:
        """What is not legal now."""
        for action in sorted({*range(playing.setting.actions.count)} - {*playing.legal()}):
            try:
                playing.say(action)
            except IllegalAnswer as refusal:
                self._tell(ACTIONS, refusal)
            else:
                self._tell(ACTIONS, f"{action} is taken")

    def end(self) -> str:
        """How many actions, the results and the digests."""
        session = self._playing.session
        ended = f"results {[*session.returns]}" if session.over else f"{self._playing.seat} is next"
        digests = " ".join(one.hexdigest()[:8] for one in self._digests.values())
        return f"{self._actions} actions, {ended}: {digests}"


def page() -> str:
    """The page."""
    return "".join(f"{line}\n" for table in MORE for line in table_lines(*table))


def table_lines(name: str, seats: int, options: Options) -> Iterator[str]:
    """What holds at a table of this kind, and its games."""
    setting = Setting(load(name), seats, options)
    sight, actions = setting.sight, setting.actions
    told = repr([actions.told(action) for action in range(actions.count)])
    yield f"# {name}, {seats} seats, {options}"
    yield f"{actions.count} actions: {hashlib.sha256(told.encode()).hexdigest()[:8]}"
    for rows in (sight.rows, sight.fields):
        yield ", ".join(f"{key} {row.width} ({row.low} to {row.high})" for key, row in rows.items())
    for seed in range(GAMES):
        yield Episode(name, seats, options, seed).end()


def main(arguments: Sequence[str]) -> None:
    """Print all that is told of one game, or write the page."""
    if not arguments:
        PAGE.write_text(page(), encoding="utf-8")
        return
    name, seats, seed = arguments[0], int(arguments[1]), int(arguments[2])
    (options,) = [one[2] for one in MORE if one[:2] == (name, seats)]
    print(*Episode(name, seats, options, seed).lines, sep="\n")  # noqa: T201  it was asked for


if __name__ == "__main__":
    main(sys.argv[1:])
