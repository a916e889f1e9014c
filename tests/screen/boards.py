"""Boards of real positions, for the tests of the screen: seeded games of bots, dealt openly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

from cli.screen.asking import Asking
from cli.screen.board import Board
from cli.screen.presenter import Presenter, SeatState
from engine.bots import Bot, careful
from engine.dealer import TrustedDealer
from engine.games import load, load_text
from engine.question import PASS, Question
from engine.session import Session
from engine.sets import Lay, LaySet
from engine.view import View
from tests.screen.told import answer_once

NAMES = ("Zoe", "Ada", "Bartholomew", "Cleo", "Dov", "Eve", "Finn", "Gus")
KEYS = "Enter plays  arrows, digits, names  ? help  F2 events  Ctrl-C leave"
STATES = {
    1: SeatState("direct, 12 ms", proof="proofs check"),
    2: SeatState("via Ada", proof="proofs check", notable=True),
    3: SeatState("lost, retrying", lost=True, proof="proofs check", notable=True),
}
POSITIONS: Mapping[str, tuple[int, dict[str, str], int]] = {
    "flaps": (4, {"level": "6"}, 9),
    "sneak": (4, {}, 13),
    "flip-over": (4, {}, 7),
    "flop-a": (5, {}, 6),
    "you-fink": (4, {}, 25),
}
"""Game: seats, options, and which question to seat 0 is looked at."""


def sneaks_pairs(view: View, question: Question[Any], rng: Random) -> object:
    """Draw five cards, then sneak two; challenge nobody: there is something to challenge then."""
    if isinstance(question, LaySet) and question.terms.down and len(question.zone) >= 5:
        return Lay(tuple(question.zone[:2]), down=True)
    return PASS if question.allows(view, PASS) else careful("sneak")(view, question, rng)


PLAYED_BY: Mapping[str, Bot] = {"sneak": sneaks_pairs}
"""Who plays up to these positions, where sensible bots seldom come to anything like them."""


class Position:
    """A game of bots, stopped where seat 0 is asked for the `turn`th time."""

    def __init__(
        self,
        game: str,
        seats: int,
        options: Mapping[str, str],
        turn: int,
        bot: Bot | None = None,
    ) -> None:
        rules = load(game)
        self.presenter = Presenter(load_text(game), NAMES[:seats])
        self.session = Session(rules, seats, rules.parse_options(options), notes=True)
        self.dealer, self._bot, self._rng = (
            TrustedDealer(Random(7)),
            bot or careful(game),
            Random(7),
        )
        self._walk(turn)

    @property
    def view(self) -> View:
        return self.dealer.view(self.session.table, 0)

    @property
    def question(self) -> Question[object]:
        assert self.session.pending is not None
        return self.session.pending

    def asking(self) -> Asking:
        return Asking(self.view, self.question, self.presenter.describe)

    def board(self, *, ascii: bool = False) -> Board:  # noqa: A002
        presenter = replace(self.presenter, ascii=ascii)
        asking = Asking(self.view, self.question, presenter.describe)
        notes = self.session.table.notes or []
        said = [presenter.text.describe_note(n, presenter.names, ascii=ascii) for n in notes]
        board = presenter.board(self.view, asking=asking, states=STATES)
        return replace(board, events=tuple(said), fresh=1, keys=KEYS)

    def _walk(self, turn: int) -> None:
        while True:
            turn -= 0 in self.question.deciders
            if not turn:
                return
            self.step()

    def step(self) -> None:
        """One answer of the bots, or one act."""
        answer_once(self.session, self.dealer, self._bot, self._rng)


def position(game: str) -> Position:
    """The position of this game that is looked at."""
    return Position(game, *POSITIONS[game], PLAYED_BY.get(game))


def crowded(cards: int = 20) -> Board:
    """Eight players of Flaps at its highest level, and a hand of this many cards."""
    board = Position("flaps", 8, {"level": "7"}, 6).board()
    assert board.hand
    card = replace(board.hand[-1], name="10♦", cursor=False)
    hand = (*board.hand, *[card] * cards)[:cards]
    return replace(board, hand=hand, middle=("Top: 7♦   follow with a ♦, a 7 or an Ace",))
