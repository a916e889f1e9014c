"""What many games of chance come to: `python -m tests.engine.played` writes golden/played again.

Golden playthroughs show a few games, each answer.  Here a line is a whole game: its table, how
many answers it took, its results, and two short digests.  The first is of all that was asked,
offered, decided and seen, and of the state after each answer; the second of all that was said
about it, refusals too.  Who changes rules, a bot or a sentence on purpose writes the pages again,
and sees by the lines that change which games are touched; who did not mean to learns it here.
"""

from __future__ import annotations

import hashlib
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
from engine.testing import describe
from engine.time_out import decide_for, is_under_clock
from engine.view import SPECTATOR, View
from engine.wording import Wording
from tests.engine import tiny
from tests.games.german_whist.rules import GAME as GERMAN_WHIST
from tests.games.old_maid.rules import GAME as OLD_MAID
from tests.protocol.scenes import SCENES, SHORT

FOLDER: Final = Path(__file__).parent / "golden" / "played"
PEOPLE: Final = ("Ana", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
SMALL: Final[Sequence[Game]] = (
    tiny.GAME,
    GERMAN_WHIST,
    OLD_MAID,
    *(SCENES[name] for name in SHORT),
)
"""Games of tests, which ask what no game of ours asks; they have no words and no bots."""
GAMES_A_SHARE: Final = 12
SHARES: Final = 10
"""Each share of the games of a page is a test of its own."""
GAMES_EACH: Final = 3
"""Of each of the small ones."""
LIMITS: Final[dict[str, Value]] = {"turn-limit": 30, "target": 25}
"""Random players could play for ever."""
FEW: Final = 8
"""Of an option with no more values each is as likely; of others the usual one half of the time."""
LATE, LEAVE = 1 / 4, 0.01
"""How often the clock decides, and how often a player leaves, in games in which they may."""
MOST: Final = 500
"""Answers of one game."""
LOOK: Final = 9
"""At every ninth question everybody looks at the whole table, and what may not be is tried."""
MANY: Final = 1_000
"""Of more decisions, as many are looked at, evenly spread: 20 cards are a million sets."""
FIRST: Final = 12
"""Of what is offered, so many are told in words."""


class _Told:
    """The digests of one game, as it goes on."""

    def __init__(self, session: Session, dealer: TrustedDealer, text: Wording[Any]) -> None:
        self.session, self.dealer, self.text = session, dealer, text
        self._names = PEOPLE[: session.table.seats]
        self._rules, self._words = hashlib.sha256(), hashlib.sha256()

    def played(self, *said: object) -> None:
        """Something that the rules or a player did."""
        self._rules.update(f"{said}\n".encode())

    def say(self, *lines: str) -> None:
        """Something that people read."""
        self._words.update("".join(f"{line}\n" for line in lines).encode())

    def ask(self, asked: Question[Any]) -> None:
        """A question: who may decide what, and how everybody is told of it."""
        table, number = self.session.table, len(self.session.journal)
        plain = number % 2 == 0
        self.played(describe(table, asked), asked.deciders, asked.turn(), asked.lasts_ms())
        self.played(sorted(asked.names()), [(seat, list(slots)) for seat, slots in asked.read()])
        for seat in asked.deciders:
            self._offer(seat, asked, plain)
        if number % LOOK == 0:
            for seat in (*range(table.seats), SPECTATOR):
                self._look(self.dealer.view(table, seat), asked, plain)
            self._refuse(asked)

    def _offer(self, seat: int, asked: Question[Any], plain: bool) -> None:
        view = self.dealer.view(self.session.table, seat)
        offered = asked.decisions(view)
        spread = range(0, len(offered), 1 + len(offered) // MANY)
        told = len(offered), [offered[place] for place in spread]
        self.played(seat, *told, asked.for_others(seat))
        tell = partial(self.text.describe_decision, view, asked, names=self._names, ascii=plain)
        self.say(*(tell(one) for one in offered[:FIRST]))

    def _look(self, view: View, asked: Question[Any], plain: bool) -> None:
        """What one seat can read, and is told."""
        seen = [view.recall(slot) for slot in range(len(view.table.faces))]
        self.played([card and card.name for card in seen])
        self.say(*self.text.table_lines(view, self._names, ascii=plain))
        self.say(*self._drawn(view, plain))
        self.say(self.text.describe_question(view, asked, self._names, ascii=plain))

    def _drawn(self, view: View, plain: bool) -> Iterator[str]:
        """What a screen draws of the table besides its lines."""
        text, scene = self.text, self.text.scene(view, self._names, ascii=plain)
        table, seat = scene.table, scene.seat
        yield from text.own_side_lines(view, self._names, ascii=plain)
        yield from (text.chapter(scene), text.hand_line(view, ascii=plain))
        if not scene.watching:
            yield f"{text.hand_note(scene)} {text.held(table, seat)} {text.beside(table, seat)}"
        for of_scene in (text.trick, text.laid, text.discs):
            yield str(of_scene and of_scene(scene))
        for of_table in (text.turn, text.stock, text.pot, text.direction):
            yield str(of_table and of_table(table))
        for one in text.columns(table):
            yield f"{one.heading} {one.width} {one.short} {one.counted}{one.in_middle}{one.chips}"

    def _refuse(self, asked: Question[Any]) -> None:
        """What no seat may decide, and why; `engine.testing` checks that nothing of it passes."""
        table, dealer = self.session.table, self.dealer.copy(Random(0))
        views = {seat: dealer.view(table, seat) for seat in asked.deciders}
        others = {seat: asked.decisions(view)[0] for seat, view in views.items()}
        for seat, view in views.items():
            for wrong in asked.wrong(view):
                try:
                    answer = dealer.answer(table, asked, {**others, seat: wrong})
                    sentence = asked.why_not(table, answer)
                except IllegalAnswer as refusal:
                    sentence = str(refusal)
                self.say(f"{wrong}: {sentence}")

    def end(self) -> str:
        """How many answers, the results, and the digests."""
        session, notes = self.session, self.session.table.notes or ()
        table = session.table
        self.played(notes, session.digest(), session.game.bounds(table.seats, session.options))
        self.played([(zone.id, zone.name, zone.owner) for zone in table.zones])
        text, faces = self.text, table.deck.faces if table.deck is not None else ()
        for plain in (True, False):
            self.say(*(text.describe_note(note, self._names, ascii=plain) for note in notes))
            self.say(*(text.describe_effect(face, ascii=plain) for face in faces))
        self.say(*(str(text.shows[kind](*said)) for kind, *said in notes if kind in text.shows))
        self.say(text.lasts(table.seats, session.options) if text.lasts else "")
        ended = f"results {list(session.returns)}" if session.over else "goes on"
        rules, words = (one.hexdigest()[:12] for one in (self._rules, self._words))
        return f"{len(session.journal)} answers, {ended}: {rules} {words}"


def share(game: Game, number: int) -> str:
    """Some of the games of a page."""
    first = number * GAMES_A_SHARE
    return "".join(f"{one_game(game, seed)}\n" for seed in range(first, first + GAMES_A_SHARE))


def small() -> str:
    """The page of all small games, in the order of their names."""
    games = sorted(SMALL, key=lambda game: game.name)
    return "".join(f"{one_game(game, seed)}\n" for game in games for seed in range(GAMES_EACH))


def one_game(game: Game, seed: int) -> str:
    """What one game comes to; its table and its players follow from the seed."""
    rng, ours = Random(seed), game.name in NAMES
    seats, options = table_of(game, rng)
    how, bots = _players(game, seats, seed if ours else 0)
    leave = LEAVE if seed % 3 == 2 and game.lose is not None else 0
    session = Session(game, seats, options, notes=True)
    text = (load_text(game.name) if ours else None) or plain_text(game)
    told = _Told(session, TrustedDealer(rng), text)
    while (asked := session.pending) is not None and len(session.journal) < MOST:
        told.ask(asked)
        if leave and rng.random() < leave:
            session.lose(rng.choice(session.table.present()))
        elif not _answered(told, asked, bots, rng):
            break
    left = f", {session.table.lost} left" if session.table.lost else ""
    return f"{game.name} {seed}: {seats} {how}{left}, {options}, {told.end()}"


def _answered(told: _Told, asked: Question[Any], bots: Sequence[Bot], rng: Random) -> bool:
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


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, write in pages():
        path.write_text(write(), encoding="utf-8")
