"""Somebody who only looks on, at the full screen."""

from __future__ import annotations

from math import inf
from pathlib import Path
from types import SimpleNamespace

import pytest
import trio
import trio.testing

from cli.kit.canvas import plain_text
from cli.options.settings import Settings
from cli.screen.keys import press
from cli.screen.layout import render
from cli.screen.model import Model
from cli.screen.place import ScreenPlace
from cli.screen.player import ScreenPlayer
from engine.view import SPECTATOR
from p2p.net.mesh import LinkState
from p2p.net.seat_links import Way
from p2p.player.events import Arrived, LinkNews, Opened, PlayAgain, Seated
from p2p.protocol.terms import Terms
from p2p.spectators.client import host_links
from tests.cli.terminal import Terminal
from tests.screen.boards import NAMES, position
from tests.screen.test_result import game

SEATS = ((b"a", "Ana"), (b"b", "Bo"), (b"c", "Cy"))


def test_a_spectator_reaches_everybody_by_way_of_the_host() -> None:
    linked = host_links(SEATS, b"b", LinkState(True, rtt_ms=12.3))
    assert [link.words for link in linked] == ["via Bo", "direct, 12 ms", "via Bo"]
    assert {link.way for link in host_links(SEATS, b"b", LinkState(False))} == {Way.LOST}


@pytest.mark.parametrize("game", ["flip-over", "flaps"])
def test_the_table_from_nowhere_without_any_hand(game: str) -> None:
    at = position(game)
    names, dealer = NAMES[: len(at.presenter.names)], at.dealer
    model = Model("watching", lambda: 0.0)
    model.watching = True
    player = ScreenPlayer(model, Settings())
    player.tell(Arrived("lime-lime"))
    assert "once everybody who plays is ready" in model.board().prompt
    words = tuple("a-b" for _ in names)
    player.tell(Seated(names, words, SPECTATOR, Terms.of(game), 80_000))
    view = dealer.view(at.session.table, SPECTATOR)
    player.tell(Opened(view, lambda: at.session.pending))
    player.tell(LinkNews(host_links([(bytes([i]), n) for i, n in enumerate(names)], b"\0",
                                    LinkState(True))))  # fmt: skip
    board = model.board()
    assert board.hand == ()
    assert board.you is None
    assert [seat.link for seat in board.seats] == [
        "",
        *[f"via {names[0]}"] * (len(names) - 1),
    ]
    assert {seat.proof for seat in board.seats} == {"proofs check"}
    picture = plain_text(render(board, 80, 24))
    assert "You watch; nobody's hand is shown." in picture
    assert "q leave" in picture
    assert "chat" not in picture


def test_nobody_waits_for_a_spectator_who_leaves() -> None:
    model, left = Model("watching", lambda: 0.0), list[bool]()
    model.watching = True
    model.leave = lambda: left.append(True)
    press(model, "q")
    press(model, "c-c")
    assert (left, model.mode) == ([True, True], "")
    press(model, "f2")
    assert model.page is not None


def test_who_watches_sees_the_result_and_is_told_who_plays_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are asked nothing, can look back, and the page goes when the next game begins."""
    no_terminal = SimpleNamespace(attention=None)
    monkeypatch.setattr("cli.screen.place.Screen", lambda *_, **__: no_terminal)
    place = ScreenPlace(Settings(), "watching", watching=True)
    model, player = place._model, place.player()
    games = [game(5, -5, moments=("Zoe takes disc +5.",))]
    done: list[str] = []

    async def watch() -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(place.between, games)
            await trio.testing.wait_all_tasks_blocked()
            model.afterwards.look_back = lambda: done.append("back")
            picture = plain_text(render(model.board(), 80, 24))
            assert "Zoe wins" in picture
            assert "The players are asked whether they play again. q leaves." in flat(model)
            keys = model.board().keys
            assert keys == "v replay, review  s story  x html  F2 events  q leave"
            model.eyes.blink(-inf)  # as if the page had been there for long
            press(model, "r")
            press(model, "v")
            assert done == ["back"]
            player.tell(PlayAgain(("Zoe",), ("Ada",)))
            assert "The game is over; want to play again: Zoe; leaving: Ada." in flat(model)
            player.tell(PlayAgain((), ("Ada",)))
            assert "The game is over; leaving: Ada. q leaves." in flat(model)
            nursery.cancel_scope.cancel()
        assert (model.ended, model.afterwards.result) == ("", None)

    trio.run(watch)


def flat(model: Model) -> str:
    return " ".join(plain_text(render(model.board(), 80, 24)).split())


def test_a_log_is_watched_at_the_full_screen(tmp_path: Path, finished_log: Path) -> None:
    with Terminal(["watch", str(finished_log), "--pace", "off"], tmp_path) as terminal:
        terminal.until("How it went")
        terminal.until("q leaves")
        terminal.until("audit  complete", press="q")
        assert terminal.end() == 0
    assert "You watch; nobody's hand is shown." in terminal.shown
