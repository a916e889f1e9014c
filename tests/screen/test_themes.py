"""Themes: contrast by WCAG, and only marks if there is no colour."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product

import pytest
from prompt_toolkit.styles import Style

from cli.kit.canvas import plain_text
from cli.kit.themes import DEFAULT, NAMES, THEMES, contrast, following, is_solid, style_rules
from cli.kit.window import colour_depth
from cli.screen.board import RankShown, ResultShown
from cli.screen.layout import render
from engine.cloths import CLOTHS
from tests.screen.boards import POSITIONS, position
from tests.screen.golden import DEPTHS

LEGIBLE = 4.5
"""WCAG 2.1, success criterion 1.4.3 (level AA)."""


SOLID = [name for name in NAMES if THEMES[name].things is not None]
SHAPES = "▀▄█▏▎▌▊●▲─" + "".join(cloth.sign for cloth in CLOTHS.values())
"""What is seen by its shape alone, and is no text."""
RANKS = tuple(
    RankShown(f"Ada {at}", at, 3 - at, f"{3 - at:+d}", bot=at == 1, first=not at) for at in range(8)
)
CUBE = (0, 95, 135, 175, 215, 255)


def test_the_terminals_own_background_may_be_black_or_white() -> None:
    theme = THEMES["none"]
    colours = [theme.text, *theme.suits, theme.dim, theme.good, theme.bad, theme.strong]
    worst = {c: min(contrast(c, ground) for ground in ("#000000", "#ffffff")) for c in colours if c}
    assert {c: round(found, 2) for c, found in worst.items() if found < LEGIBLE} == {}


@pytest.mark.slow
@pytest.mark.parametrize("cloth", CLOTHS)
@pytest.mark.parametrize("depth", [8, 24])
@pytest.mark.parametrize("name", SOLID)
def test_every_text_that_is_drawn_is_legible(name: str, depth: int, cloth: str) -> None:
    """What stands in the pictures of all games, on every cloth, each text on its own ground."""
    rules = style_rules(name, depth, cloth)
    worst: dict[str, float] = {}
    for style, text in _pieces():
        if text.strip(f" {SHAPES}"):
            fore, ground = colours(style, rules)
            if depth == 8:
                fore, ground = nearest(fore), nearest(ground)
            found = contrast(fore, ground)
            if found < LEGIBLE:
                worst[f"{style}: {text.strip()} {fore} on {ground}"] = round(found, 2)
    assert worst == {}


@cache
def _pieces() -> frozenset[tuple[str, str]]:
    boards = [position(game).board() for game in POSITIONS]
    caught = replace(boards[0].seats[1], proof="caught")
    more = {"notice": "No. 7♣", "events": ("A sentence about 7♥.", "| Ada: hi"), "fresh": 1}
    odd = replace(boards[0], seats=(boards[0].seats[0], caught), **more)  # type: ignore[arg-type]
    sizes = ((80, 24), (120, 40), (45, 15), (60, 20))
    ended = replace(boards[0], result=ResultShown("Flaps", "Ada wins", RANKS, ("Ada lays 7♥.",)))
    drawn = (render(board, *size, solid=True) for board in (*boards, odd, ended) for size in sizes)
    return frozenset(piece for lines in drawn for line in lines for piece in line)


def colours(style: str, rules: dict[str, str]) -> tuple[str, str]:
    """Foreground and background; later classes override earlier ones."""
    fore = ground = ""
    for name in ["page", *style.replace("class:", "").split()]:
        for part in rules.get(name, "").split():
            if part.startswith("bg:"):
                ground = part.removeprefix("bg:")
            elif part.startswith("#"):
                fore = part
    return fore, ground


def nearest(colour: str) -> str:
    """The colour among 256 that a terminal shows for this one."""
    parts = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    greys = [(8 + 10 * step,) * 3 for step in range(24)]
    known = [*product(CUBE, repeat=3), *greys]
    found = min(known, key=lambda one: sum((a - b) ** 2 for a, b in zip(one, parts, strict=True)))
    return "#" + "".join(f"{part:02x}" for part in found)


def test_outlines_where_there_are_few_colours_or_the_ground_is_not_ours() -> None:
    assert {(name, depth) for name in NAMES for depth in DEPTHS if is_solid(name, depth)} == {
        (name, depth) for name in SOLID for depth in (8, 24)
    }
    board = position("flip-over").board()
    outlines = plain_text(render(board, 80, 24))
    assert "╭" in outlines
    assert not set(SHAPES) - set("▲") & set(outlines.replace("─", ""))
    assert "╭" not in plain_text(render(board, 80, 24, solid=True))
    assert plain_text(render(board, 80, 24, solid=True, ascii=True)).isascii()


@pytest.mark.parametrize("name", NAMES)
def test_suits_differ_from_each_other(name: str) -> None:
    assert len(set(THEMES[name].suits)) == 5


def test_one_theme_leaves_the_background_alone() -> None:
    assert NAMES[0] == DEFAULT
    assert all("bg:" not in rule for rule in style_rules("none", 24).values())
    assert "bg:" in style_rules("felt", 24)["page"]


def test_without_colour_only_marks_are_left() -> None:
    for theme in NAMES:
        words = {word for rule in style_rules(theme, 1).values() for word in rule.split()}
        assert words == {"bold", "reverse", "underline", "italic"}


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("theme", NAMES)
def test_prompt_toolkit_takes_every_rule(theme: str, depth: int) -> None:
    style = Style(list(style_rules(theme, depth).items()))
    cursor = style.get_attrs_for_style_str("class:cursor")
    assert cursor.reverse or cursor.bgcolor
    coloured = style.get_attrs_for_style_str("class:suit2").color
    assert bool(coloured) is (depth > 1)


def test_one_key_goes_through_all_themes() -> None:
    seen = [NAMES[0]]
    while (theme := following(seen[-1])) not in seen:
        seen.append(theme)
    assert seen == list(NAMES)


@pytest.mark.parametrize(
    ("environment", "depth"),
    [
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, 1),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, 8),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, 24),
        ({"TERM": "xterm", "PROMPT_TOOLKIT_COLOR_DEPTH": "DEPTH_8_BIT"}, 8),
        ({"TERM": "xterm"}, 4),
        ({"TERM": "vt100"}, 1),
    ],
)
def test_the_depth_is_what_the_terminal_says(environment: dict[str, str], depth: int) -> None:
    assert colour_depth(environment) == depth
