"""What many games of chance come to: `python -m tests.engine.played` writes golden/played again.

Golden playthroughs show a few games, each answer.  Here a line is a whole game: its table, how
many answers it took, its results, and three short digests of all that was told of it
(`tests.engine.telling`): rules, words, and thoughts of programs.  Who changes one of these on
purpose writes the pages again, and sees by the lines that change which games are touched; who did
not mean to learns it here.  `python -m tests.engine.played flaps 7` prints all that is told of one
game, so that `diff` shows what became of it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

from engine.bots import Bot, random_bot, sensible
from engine.dealer import TrustedDealer
from engine.errors import IllegalAnswer
from engine.game import Game, Value
from engine.games import NAMES, load, load_text, plain_text
from engine.question import Question
from engine.session import Session
from engine.time_out import decide_for, is_under_clock
from engine.view import View
from tests.engine import tiny
from tests.engine.telling import Telling
from tests.games.german_whist.rules import GAME as GERMAN_WHIST
from tests.games.old_maid.rules import GAME as OLD_MAID
from tests.protocol.scenes import SCENES, SHORT

FOLDER: Final = Path(__file__).parent / "golden" / "played"
SMALL: Final[Sequence[Game]] = (
    tiny.GAME,
    GERMAN_WHIST,
    OLD_MAID,
    *(SCENES[name] for name in SHORT),
)
"""Games of tests, which ask what no game of ours asks; they have no words and no bots."""
GAMES_A_SHARE: Final = 12
SHARES: Final = 8
"""Each share of the games of a page is a test of its own."""
GAMES_EACH: Final = 3
"""Of each of the small ones."""
LIMITS: Final[dict[str, Value]] = {"turn-limit": 30, "target": 25}
"""Random players could play for ever."""
LONG: Final = 150
"""Every other game may have so many turns: the stock runs out, and is made anew."""
FEW: Final = 8
"""Of an option with no more values each is as likely; of others the usual one half of the time."""
LATE: Final = 1 / 4
"""How often the clock decides, where it may."""
LEAVE: Final = (0, 0, 0.01, 0, 0, 0.04)
"""How often a player leaves, in each game in turn."""
MOST: Final = 500
"""Answers of one game."""


def share(game: Game, number: int) -> str:
    """Some of the games of a page."""
    first = number * GAMES_A_SHARE
    return "".join(f"{one_game(game, seed)}\n" for seed in range(first, first + GAMES_A_SHARE))


def small() -> str:
    """The page of all small games, in the order of their names."""
    games = sorted(SMALL, key=lambda game: game.name)
    return "".join(f"{one_game(game, seed)}\n" for game in games for seed in range(GAMES_EACH))


def one_game(game: Game, seed: int) -> str:
    """What one game comes to, in a line."""
    head, told = tell(game, seed)
    return f"{head}, {told.end()}"


def tell(game: Game, seed: int, *, keep: bool = False) -> tuple[str, Telling]:
    """A game of chance, played; its table and its players follow from the seed."""
    rng, ours = Random(seed), game.name in NAMES
    seats, options = table_of(game, rng)
    if seed % 2 and "turn-limit" in options:
        options["turn-limit"] = LONG
    how, bots = _players(game, seats, seed if ours else 0)
    leave = LEAVE[seed % len(LEAVE)] if game.lose is not None else 0
    session = Session(game, seats, options, notes=True)
    text = (load_text(game.name) if ours else None) or plain_text(game)
    told = Telling(session, TrustedDealer(rng), text, seed)
    told.lines = [] if keep else None
    while (asked := session.pending) is not None and len(session.journal) < MOST:
        told.ask(asked)
        if leave and rng.random() < leave:
            session.lose(rng.choice(session.table.present()), gone=rng.random() < 1 / 2)
        elif not _answered(told, asked, bots, rng):
            break
    left = f", {session.table.lost} left" if session.table.lost else ""
    return f"{game.name} {seed}: {seats} {how}{left}, {options}", told


def _answered(told: Telling, asked: Question[Any], bots: Sequence[Bot], rng: Random) -> bool:
    """Whether the game goes on: the dealer answers no false oath."""
    session, dealer = told.session, told.dealer
    views = {seat: dealer.view(session.table, seat) for seat in asked.deciders}
    decisions = {seat: bots[seat](view, asked, rng) for seat, view in views.items()}
    told.played(decisions)
    try:
        session.answer(dealer.answer(session.table, asked, decisions))
    except IllegalAnswer as refusal:
        told.say(str(refusal))
        return False
    told.played(session.digest())
    return True


def table_of(game: Game, rng: Random) -> tuple[int, dict[str, Value]]:
    """For how many, and with which house rules."""
    while True:
        seats, options = rng.choice(game.seats), dict[str, Value]()
        for one in game.options:
            if one.name in LIMITS:
                options[one.name] = LIMITS[one.name]
            elif len(one.allowed) <= FEW or rng.random() < 1 / 2:
                options[one.name] = rng.choice(one.allowed)
        if game.unfit(seats, {**game.defaults(), **options}) is None:
            return seats, options


def _players(game: Game, seats: int, seed: int) -> tuple[str, list[Bot]]:
    """Random ones, sensible ones, both in turn, and people who are late now and then."""
    if game.name not in NAMES:
        return "random", [random_bot] * seats
    bot = sensible(game.name)

    def late(view: View, asked: Question[Any], rng: Random) -> object:
        if is_under_clock(asked, view.seat) and rng.random() < LATE:
            return decide_for(game, view, asked, bot, rng)
        return random_bot(view, asked, rng)

    kinds: tuple[tuple[str, Bot, Bot], ...] = (
        ("random", random_bot, random_bot),
        ("sensible", bot, bot),
        ("sensible and random", bot, random_bot),
        ("late", late, late),
    )
    how, even, odd = kinds[seed % len(kinds)]
    return how, [odd if seat % 2 else even for seat in range(seats)]


def pages() -> Iterator[tuple[Path, Callable[[], str]]]:
    """Each file, and what writes it."""
    yield FOLDER / "small.txt", small
    for name in NAMES:
        for number in range(SHARES):
            yield FOLDER / f"{name}-{number}.txt", partial(share, load(name), number)


def main(arguments: Sequence[str]) -> None:
    """Print one game, or write all pages."""
    if arguments:
        name, seed = arguments
        head, told = tell(load(name), int(seed), keep=True)
        print(head, *(told.lines or ()), told.end(), sep="\n")  # noqa: T201  it was asked for
        return
    FOLDER.mkdir(exist_ok=True)
    for path, write in pages():
        path.write_text(write(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
