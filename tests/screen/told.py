"""A game of bots, dealt openly, whose notes are told as a table of peers tells them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import SimpleNamespace
from typing import Any, cast

from engine.bots import Bot, careful
from engine.dealer import TrustedDealer
from engine.games import load
from engine.session import Session
from engine.view import SPECTATOR, View
from p2p.player.events import Event
from p2p.player.news import News
from p2p.protocol.table import GameTable


def answer_once(session: Session, dealer: TrustedDealer, bot: Bot, rng: Random) -> None:
    """Answer what the game asks, with `bot` at every seat."""
    table, asked = session.table, session.pending
    assert asked is not None
    decisions = {seat: bot(dealer.view(table, seat), asked, rng) for seat in asked.deciders}
    session.answer(dealer.answer(table, asked, decisions))


class Told:
    """A game of which `tell` hears what one seat is told; `step` goes on by one answer."""

    def __init__(
        self,
        game: str,
        seats: int,
        tell: Callable[[Event], None],
        options: Mapping[str, str] | None = None,
        seed: int = 7,
        bot: Bot | None = None,
    ) -> None:
        rules = load(game)
        self.session = Session(rules, seats, rules.parse_options(options or {}), notes=True)
        self.dealer = TrustedDealer(Random(seed))
        self._bot, self._rng = bot or careful(game), Random(seed)
        cards = SimpleNamespace(races=SimpleNamespace(reports=[]))
        table = SimpleNamespace(session=self.session, cards=cards)
        self.news = News(cast("GameTable", table), tell)
        self.news.open(self.view(0))

    def view(self, seat: int) -> View:
        if seat == SPECTATOR:
            return View(self.session.table, SPECTATOR, _unknown)
        return self.dealer.view(self.session.table, seat)

    def step(self) -> None:
        answer_once(self.session, self.dealer, self._bot, self._rng)

    def play(self, steps: int) -> None:
        for _ in range(steps):
            if self.session.over:
                return
            self.step()


def _unknown(slot: int) -> Any:
    raise KeyError(slot)
