"""Who sits in the lobby is seen as at the table: plates in the players' colours, at every size."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.kit.canvas import Line, length, plain_text
from cli.kit.plates import player_style
from cli.kit.themes import NAMES, THEMES, contrast, style_rules
from cli.screen.board import Board
from cli.screen.layout import Scroll, WindowShown, render
from cli.screen.lobby import Gathered, Lobby
from cli.words.lobby import page
from p2p.player.events import Gathering, Present
from p2p.protocol.terms import Terms
from tests.screen.test_themes import LEGIBLE, colours, nearest

PEOPLE = (
    Present("Ana", "lime-lime-lime-lime-lime-lime", ready=True, bot=True),
    Present("Bo 7♣", "plum-plum-plum-plum-plum-plum", ready=False),
    Present("ready", "-".join(["elephant"] * 6), ready=None),
)
LOBBY = Gathering(Terms.of("flaps", {"level": 3}), 4, PEOPLE, 1)
SIZES = [(45, 15), (60, 20), (80, 24), (120, 40), (200, 60)]


def lobby(gathering: Gathering = LOBBY) -> Lobby:
    shown = Lobby("a table")
    lines = tuple(page(gathering))
    shown.gather(Gathered(lines, "3 of 4 seated", ready=False, full=True, signing="..."), 0.0)
    return shown


def pictures(shown: Lobby, size: tuple[int, int], *, solid: bool = True) -> list[Line]:
    """All that is seen of the page while it is scrolled down, without the keys."""
    columns, rows = size
    seen: list[Line] = []
    for _ in range(30):
        overlay = shown.page(seated=False)
        lines = render(Board("x", overlay=overlay), columns, rows, solid=solid)
        assert {length(line) for line in lines} == {columns}
        seen += [line for line in lines[1:-1] if line not in seen]
        shown.scroll(Scroll(rows=1), WindowShown(columns, rows, solid))
    return seen


def words(text: str) -> str:
    return "".join(text.replace("▌", " ").split())


@pytest.mark.parametrize("size", SIZES)
def test_everybody_sits_on_a_plate_of_their_colour(size: tuple[int, int]) -> None:
    lines = pictures(lobby(), size)
    for seat, one in enumerate(PEOPLE):
        own = [line for line in lines if any(_is_edge(piece, seat) for piece in line)]
        assert own
        styles = {style for line in own for style, text in line if one.name in text}
        assert any(player_style(seat) in style for style in styles)
        assert words(one.fingerprint) in words(plain_text(own))
        assert all(
            "class:plate" in style for line in own for style, text in line[1:] if text == "▌"
        )
    assert _styled(lines, "class:good") == {"ready"}
    assert _styled(lines, "class:bad") == {"away"}


def _styled(lines: list[Line], style: str) -> set[str]:
    return {text for line in lines for found, text in line if style in found.split()}


def _is_edge(piece: tuple[str, str], seat: int) -> bool:
    style, text = piece
    return text == "▌" and player_style(seat) in style.split()


@pytest.mark.parametrize("size", SIZES)
def test_plates_say_what_the_lines_say(size: tuple[int, int]) -> None:
    """Where things are not drawn, the page is the lines that it was."""
    assert words(plain_text(pictures(lobby(), size))) == words(
        plain_text(pictures(lobby(), size, solid=False))
    )
    assert "▌" not in plain_text(pictures(lobby(), size, solid=False))


@pytest.mark.parametrize("depth", [8, 24])
@pytest.mark.parametrize("theme", [name for name in NAMES if THEMES[name].things is not None])
def test_the_lobby_is_legible(theme: str, depth: int) -> None:
    rules = style_rules(theme, depth)
    crowd = [replace(PEOPLE[at % 3], name=f"Player {at}") for at in range(8)]
    lines = pictures(lobby(replace(LOBBY, seats=8, people=tuple(crowd))), (80, 24))
    worst = {}
    for style, text in (piece for line in lines for piece in line if piece[1].strip(" ▌")):
        fore, ground = colours(style, rules)
        if depth == 8:
            fore, ground = nearest(fore), nearest(ground)
        if (found := contrast(fore, ground)) < LEGIBLE:
            worst[f"{style}: {text}"] = round(found, 2)
    assert worst == {}
