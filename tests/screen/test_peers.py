"""Real tables of peers, drawn at every event: the view stays true while others play."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from cli.options.asked_table import ask_for_table
from cli.options.settings import Settings
from cli.screen.asking import Asking
from cli.screen.board import Board
from cli.screen.layout import floor, render
from cli.screen.model import Model
from cli.screen.player import ScreenPlayer
from cli.tables.bots import bot_player
from cli.tables.loopback import bot_sitter, play_here
from engine.question import Question
from engine.view import View
from p2p.identity.keys import Identity
from p2p.peer import Sitter
from p2p.player.events import Event, Noted

SHORT = {
    "flip-over": ["rounds=1"],
    "flop-a": ["hands=1"],
    "sneak": ["target=25"],
    "you-fink": ["cardLimit=50"],
    "flaps": ["turn-limit=12"],
}


class Drawer(ScreenPlayer):
    """A bot's seat, of which every moment is drawn."""

    def __init__(self, game: str) -> None:
        self.model = Model(game, lambda: 0.0)
        super().__init__(self.model, Settings())
        self._bot = bot_player(game, 1, 0)
        self.boards: list[Board] = []
        self.ended: list[tuple[object, str]] = []
        """Which hand of Flop-A was told to be over, and what the table said then."""

    def tell(self, event: Event) -> None:
        super().tell(event)
        self._bot.tell(event)
        if not isinstance(event, Noted):
            self._draw()
        elif self.model.presenter is not None and self.model.view is not None:
            # The rules are at work: the table can be drawn, and what they asked before cannot.
            board = self.model.presenter.board(self.model.view)
            assert len(render(board, 80, 24)) == 24
            self.boards.append(board)
            if event.note[0] == "hand-over":
                self.ended.append((event.note[1], board.headline))

    async def decide(self, view: View, question: Question[Any]) -> object:
        self.model.ask(Asking(view, question, self._teller.decision), lambda decision: None)
        self._draw()
        self.model.withdraw()
        return await self._bot.decide(view, question)

    def _draw(self) -> None:
        board = self.model.board()
        assert len(render(board, 80, 24)) == 24
        self.boards.append(board)


@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=() if game == "flip-over" else pytest.mark.full) for game in SHORT],
)
def test_every_moment_of_a_game_of_peers_is_drawn(game: str, tmp_path: Path) -> None:
    asked = ask_for_table(game, 3, SHORT[game])
    drawer = Drawer(game)
    you = Sitter(Identity.generate(os.urandom, "Zoe"), drawer)
    bots = [bot_sitter(name, bot_player(game, 1, 1)) for name in ("Ada", "Bo")]
    play_here(asked, you, bots, tmp_path)
    opened = [board for board in drawer.boards if board.seats]
    assert len(opened) > 20
    assert max(floor(board, 80) for board in opened) <= 24
    assert {seat.proof for seat in opened[-1].seats if not seat.you} == {"proofs check"}
    assert "over" in opened[-1].headline


@pytest.mark.slow
def test_what_ends_is_told_before_the_rules_go_on(tmp_path: Path) -> None:
    """Once it was told when they asked again: the table of the next hand was seen with it."""
    drawer = Drawer("flop-a")
    you = Sitter(Identity.generate(os.urandom, "Zoe"), drawer)
    ada = bot_sitter("Ada", bot_player("flop-a", 1, 1))
    play_here(ask_for_table("flop-a", 2, ["hands=2"]), you, [ada], tmp_path)
    assert [hand for hand, _ in drawer.ended] == [1, 2]
    for hand, headline in drawer.ended:
        assert f"hand {hand} of 2" in headline
