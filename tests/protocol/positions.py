"""Positions out of real games of chance, each a copy of its own, for `tests.protocol.by_chance`."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any, Final

from engine.bots import random_bot, sensible
from engine.cards import Card, Deck
from engine.dealer import TrustedDealer
from engine.errors import IllegalAnswer
from engine.game import Game
from engine.games import NAMES, load, load_text, package_of
from engine.question import Question
from engine.session import Session
from engine.table_state import TableState
from engine.truth import Truth
from engine.view import SPECTATOR, View
from engine.wording import Wording
from engine.zone import Zone
from tests.engine.played import table_of
from tests.engine.telling import PEOPLE

MANY: Final = 8
"""So many positions of each game."""
FURTHEST: Final = 60
"""Answers before a position."""
LEAVE: Final = 0.02
"""How often a player leaves before one of them."""


class Position:
    """A game under way, and whatever of it a function may be given."""

    def __init__(self, session: Session, dealer: TrustedDealer, rng: Random) -> None:
        self.session: Final = session
        self.dealer: Final = dealer
        self._rng: Final = rng

    @property
    def seats(self) -> int:
        """How many sit at the table."""
        return self.session.table.seats

    def view(self) -> View:
        """What somebody sees; now and then a spectator."""
        seat = self._rng.randrange(self.seats) if self._rng.random() < 0.9 else SPECTATOR
        return self.dealer.view(self.session.table, seat)

    def decision(self) -> object:
        """What somebody may decide, or nothing."""
        asked = self.session.pending
        if asked is None or not asked.deciders:
            return None
        seat = self._rng.choice(list(asked.deciders))
        offered = asked.decisions(self.dealer.view(self.session.table, seat))
        return offered[self._rng.randrange(len(offered))]

    def answer(self, asked: Question[Any]) -> object:
        """An answer by chance to a question of the rules."""
        table = self.session.table
        views = {seat: self.dealer.view(table, seat) for seat in asked.deciders}
        decisions = {seat: random_bot(view, asked, self._rng) for seat, view in views.items()}
        return self.dealer.answer(table, asked, decisions)

    def told(self) -> str:
        """Its state, as text."""
        try:
            digest = self.session.digest().hex()
        except struct.error as beyond:  # a number that no game has
            digest = str(beyond)
        return f"{digest} {self.session.table.notes}"

    def of(self, wanted: type) -> object | None:
        """Something of this type; None if there is nothing here."""
        table, rng = self.session.table, self._rng
        if issubclass(wanted, View):
            return self.view()
        faces: Sequence[Card] = table.deck.faces if table.deck is not None else ()
        text = load_text(self.session.game.name)
        known = (self.session, self.session.game, table, self.dealer, self.dealer.truth, text)
        some: list[object] = [*known, self.session.pending, table.deck]
        some += [rng.choice(one) for one in (table.zones, faces) if one]
        return next((one for one in some if isinstance(one, wanted)), None)

    def named(self, name: str) -> object | None:
        """What a parameter of this name is usually given; None if it is nothing special."""
        notes = self.session.table.notes
        if name == "options":
            return self.session.options
        if name == "names":
            return PEOPLE[: self.seats]
        return self._rng.choice(notes) if name == "note" and notes else None


POSITIONAL: Final = (
    *(TableState, View, Question, Card, Deck, Zone, Game, Session, TrustedDealer, Truth, Wording),
)
"""What a position is asked for."""


def game_of(module: str) -> str | None:
    """The game that a module is of."""
    return next((name for name in NAMES if f"{module}.".startswith(f"{package_of(name)}.")), None)


def position(name: str | None, rng: Random) -> Position:
    """One position of this game, or of any."""
    session, dealer = rng.choice(_positions(rng.choice(NAMES) if name is None else name))
    return Position(session.fork(), dealer.copy(Random(rng.random())), rng)


@cache
def _positions(name: str) -> list[tuple[Session, TrustedDealer]]:
    return [_played(load(name), Random(f"{name} {number}")) for number in range(MANY)]


def _played(game: Game, rng: Random) -> tuple[Session, TrustedDealer]:
    seats, options = table_of(game, rng)
    session = Session(game, seats, options, notes=True, every=1)
    dealer = TrustedDealer(rng)
    bot: Any = rng.choice((random_bot, sensible(game.name)))
    steps = rng.randrange(FURTHEST)
    leave = LEAVE if game.lose is not None else 0
    while (asked := session.pending) is not None and len(session.journal) < steps:
        if rng.random() < leave and len(session.table.present()) > 2:
            session.lose(rng.choice(session.table.present()))
            continue
        views = {seat: dealer.view(session.table, seat) for seat in asked.deciders}
        decisions = {seat: bot(view, asked, rng) for seat, view in views.items()}
        try:
            session.answer(dealer.answer(session.table, asked, decisions))
        except IllegalAnswer:  # a false oath
            break
    return session, dealer
