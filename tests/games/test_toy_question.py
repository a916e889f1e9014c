"""A new kind of question with an act of the protocol of its own: in this file alone.

`Guess`: a seat says a number.  Each part of the program that adds to a kind is told of it by one
entry in its table, and nothing else knows of it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cli.line.choices import Decided, choices, read
from cli.line.forms import Form
from cli.line.kinds import FORMS
from cli.line.person import Person
from cli.options.asked_table import ask_for_table
from cli.options.settings import Settings
from cli.screen.asking import Asking
from cli.screen.keys import press
from cli.screen.model import Model
from cli.screen.presenter import Presenter
from cli.tables.bots import bot_player
from cli.tables.loopback import Sitter, bot_sitter, play_here
from engine.cards import Card, Deck
from engine.dealer import TrustedDealer
from engine.errors import EngineError
from engine.game import Game, Options
from engine.games import load_text
from engine.question import Question
from engine.session import Session
from engine.table import Table
from engine.table_state import TableState
from engine.truth import Truth
from engine.view import View
from engine.wording.asking import SAID, Said
from engine.zone import Seat, Zone, nowhere
from p2p import checks
from p2p.identity.keys import Identity
from p2p.protocol import step_kinds, wire
from p2p.protocol.cards import Cards
from p2p.protocol.dealer import PROGRAMS
from p2p.protocol.step import Program, Step
from replay.audit import audit
from replay.legal import TERMS, why_legal
from replay.narration import told
from replay.questions import EXPORTED, questions
from tests.games.toys import between_peers, install, stands_the_kit

NAME = "toy-question"
NAMES = ("Ann", "Bo")
DECK = Deck("toy-question/6", [Card(n, f"{n + 1}Q", 0, n + 1) for n in range(6)])
TOP = 11


# -- the kind --------------------------------------------------------------------------------------


class Guess(Question[int]):
    """`seat` says a number up to `top`; that is the answer."""

    __slots__ = ("deciders", "seat", "top")
    kind = "guess"
    for_seats = True

    def __init__(self, seat: Seat, top: int) -> None:
        self.seat = seat
        self.deciders = (seat,)
        self.top = top

    def decisions(self, view: View) -> Sequence[int]:
        return range(self.top + 1)

    def wrong(self, view: View) -> Sequence[object]:
        return (-1, self.top + 1)

    def resolve(self, truth: Truth, table: TableState, decisions: Mapping[Seat, object]) -> object:
        return decisions[self.seat]

    def why_not(self, table: TableState, answer: object) -> str | None:
        fair = type(answer) is int and 0 <= answer <= self.top
        return None if fair else f"a number up to {self.top} is asked for"


GUESS = step_kinds.add("guess")


def _guess(cards: Cards, question: Guess) -> Program[int]:
    """Its act: one entry, a number."""

    def parse(_: Seat, payload: Any) -> int:
        number: int = wire.exactly(payload, int, "a number")
        why = question.why_not(cards.table, number)
        checks.require("guess.legal", why is None, "illegal-move", why or "")
        return number

    entries = yield Step(
        GUESS, (question.seat,), parse, make=lambda decision: decision, question=question
    )
    number: int = entries[question.seat]
    return number


class GuessForm(Form):
    """0 may be typed as "nothing"."""

    def spellings(self, decision: Any) -> set[str]:
        return set() if decision else {"nothing"}


PROGRAMS.add(Guess, _guess)
SAID.add(Guess, Said("{0.seat:who} guesses.", lambda scene, number: f"{number} points"))
EXPORTED.add(Guess, lambda asked, deck: {"seat": asked.seat, "top": asked.top})
TERMS.add(Guess, lambda case, asked: [f"Any number up to {asked.top} could be said."])
FORMS.add(Guess, GuessForm)


# -- a game of it ----------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class GuessTable(Table):
    stock: Zone = field(default_factory=nowhere)
    hands: list[Zone] = field(default_factory=list)
    off: list[int] = field(default_factory=list)


def new_table(seats: int, options: Options) -> GuessTable:
    t = GuessTable(seats, off=[0] * seats)
    t.stock = t.zone("stock")
    t.hands = [t.zone("hand", seat) for seat in range(seats)]
    return t


async def turn(t: GuessTable) -> None:
    """Each says what the next one's two cards are worth."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands, 2)
    guesses = [await Guess(seat, TOP) for seat in range(t.seats)]
    for seat, guess in enumerate(guesses):
        cards = await t.open(t.hands[(seat + 1) % t.seats])
        t.off[seat] = -abs(guess - sum(card.rank for card in cards))
    t.over = True


GAME = Game(
    name=NAME,
    title="Guess",
    rules_version=1,
    seats=range(2, 4),
    options=(),
    table=new_table,
    turn=turn,
    returns=lambda t: tuple(t.off),
    bounds=lambda seats, options: (-TOP, 0),
)


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    install(monkeypatch, tmp_path / "site", NAME, __name__)


def asked_now() -> tuple[View, Question[Any], Presenter]:
    """The first question to a seat, as that seat sees it."""
    session, dealer = Session(GAME, 2, {}), TrustedDealer(Random(1))
    while (asked := session.pending) is not None and not asked.deciders:
        session.answer(dealer.act(session.table, asked))
    assert asked is not None
    return dealer.view(session.table, 0), asked, Presenter(load_text(NAME), NAMES)


def test_it_stands_what_every_game_stands(tmp_path: Path) -> None:
    stands_the_kit(GAME, 2, tmp_path)


def test_peers_play_it_and_its_log_proves_it_and_tells_it() -> None:
    played = between_peers(GAME, 2)
    steps = [step for step in played.exported() if step["question"] == "guess"]
    assert [(step["kind"], step["seats"]) for step in steps] == [("guess", [0]), ("guess", [1])]
    answers = [one for one in played.saved.session.journal if isinstance(one, int)]
    guessed = [step for step in played.saved.steps if step.kind == "guess"]
    for seat, (step, said) in enumerate(zip(guessed, answers, strict=True)):
        assert told(played.saved, step) == [f"seat{seat}: {said} points."]
        assert steps[seat]["decided"] == [f"seat{seat}: {said} points."]
    assert why_legal(played.saved, guessed[0]) == [
        "The rules asked: seat0 guesses.",
        f"The answer: seat0: {answers[0]} points.",
        "Any number up to 11 could be said.",
    ]
    listed = [asked for asked in questions(played.saved.session) if asked["kind"] == "guess"]
    assert listed == [{"kind": "guess", "seat": seat, "top": TOP} for seat in range(2)]


def test_it_is_asked_in_lines() -> None:
    view, asked, presenter = asked_now()
    legal = choices(view, asked, presenter.describe)
    assert [choice.label for choice in legal[:3]] == ["0 points", "1 points", "2 points"]
    assert read("nothing", view, asked, legal, presenter.describe) == Decided(0)
    assert read("4 points", view, asked, legal, presenter.describe) == Decided(4)


def test_it_is_asked_on_the_screen() -> None:
    view, asked, presenter = asked_now()
    asking, decided = Asking(view, asked, presenter.describe), list[object]()
    clock = iter(range(1000))
    model = Model("Guess", now=lambda: next(clock))
    model.presenter = presenter
    model.ask(asking, decided.append)
    board = model.board()
    assert board.prompt == "Ann guesses."
    assert [choice.label for choice in board.choices][-1] == "11 points"
    for key in "nothing":
        press(model, key)
    press(model, "enter")
    assert decided == [0]


def test_somebody_plays_it_at_a_table_of_peers(tmp_path: Path) -> None:
    """Typed lines against a bot, as `nodealer play` does it."""
    you = Sitter(Identity.generate(os.urandom, "Zoe"), Person(Settings(), Lines()))
    bots = [bot_sitter("Ada", bot_player(NAME, 2, 1))]
    log = play_here(ask_for_table(NAME, 2, []), you, bots, tmp_path).log
    assert audit(log).verdict == "complete"


class Lines:
    """Somebody who always guesses seven."""

    def read(self, prompt: str, given_up: threading.Event) -> str:
        return "7 points"

    def drop_number(self) -> str:
        return ""


def test_a_kind_has_one_entry_and_what_is_missing_is_said() -> None:
    class Unknown(Question[None]):
        kind = "unknown"

    class Bolder(Guess):
        kind = "bolder"

    with pytest.raises(EngineError, match="how peers answer it: Guess has an entry already"):
        PROGRAMS.add(Guess, _guess)
    with pytest.raises(EngineError, match="how peers answer it: Unknown has no entry"):
        PROGRAMS.of(Unknown())
    assert PROGRAMS.of(Bolder(0, TOP)) is _guess
