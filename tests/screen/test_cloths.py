"""Each game is played on a cloth of its own, with backs of its own, wherever it is shown."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from cli.kit.canvas import plain_text
from cli.kit.svg import svg
from cli.kit.themes import NAMES, THEMES, contrast, ground_of, is_solid, style_rules
from cli.menu.model import Menu
from cli.menu.picture import picture
from cli.menu.shelf import HomeShelf
from cli.screen.board import PileShown
from cli.screen.layout import render
from engine.cloths import CLOTHS, HOUSE, cloth_of
from engine.games import NAMES as GAMES
from engine.games import load, load_text
from engine.games import plain_text as words_alone
from replay.html import FELT, PARTS, cloth_style
from tests.screen.boards import POSITIONS, position
from tests.screen.test_app import opened, sit

SOLID = [name for name in NAMES if THEMES[name].things is not None]
APART = 24
"""What differs by so much in one of red, green and blue is not taken for the other."""


def far(one: str, other: str) -> bool:
    parts = ((int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return any(abs(mine - theirs) >= APART for mine, theirs in parts)


def test_every_game_has_a_cloth_and_no_two_the_same() -> None:
    cloths = [load_text(game).cloth for game in GAMES]
    assert len(set(cloths)) == len(GAMES)
    assert set(cloths) == set(CLOTHS)
    for one, other in combinations(CLOTHS.values(), 2):
        assert one.sign != other.sign, "not by colour alone"
        assert far(one.back, other.back)
        for few in (False, True):
            assert far(*((c.few if few else c.grounds)[FELT].cloth for c in (one, other)))


def brightness(colour: str) -> float:
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return 0.30 * red + 0.59 * green + 0.11 * blue


@pytest.mark.parametrize("cloth", CLOTHS)
def test_what_lies_on_a_cloth_is_darker_and_its_shadow_darker_still(cloth: str) -> None:
    for ground in CLOTHS[cloth].grounds.values():
        cloth_itself, bar, shadow = map(brightness, ground)
        assert cloth_itself > bar + 5 > shadow + 10


def test_a_game_without_a_cloth_lies_on_that_of_the_house() -> None:
    assert words_alone(load("sneak")).cloth == HOUSE
    assert cloth_of("what nobody wove") is CLOTHS[HOUSE]


@pytest.mark.parametrize("cloth", CLOTHS)
@pytest.mark.parametrize("theme", NAMES)
@pytest.mark.parametrize("depth", [1, 4, 8, 24])
def test_the_ground_and_the_backs_are_those_of_the_cloth(
    cloth: str, theme: str, depth: int
) -> None:
    rules = style_rules(theme, depth, cloth)
    if not is_solid(theme, depth):
        assert rules == style_rules(theme, depth)
        return
    ground = ground_of(CLOTHS[cloth], theme, depth)
    assert f"bg:{ground.cloth}" in rules["page"]
    assert rules["pattern"] == f"bg:{CLOTHS[cloth].back} {CLOTHS[cloth].pattern}"


@pytest.mark.parametrize("game", POSITIONS)
def test_the_table_of_a_game_lies_on_its_cloth(game: str) -> None:
    cloth = load_text(game).cloth
    at = position(game)
    board = replace(at.board(), piles=(PileShown("stock", 20),))
    assert board.cloth == cloth
    lines = render(board, 120, 40, solid=True)
    sign = CLOTHS[cloth].sign
    assert sign * 3 in plain_text(lines)
    assert f'fill="{CLOTHS[cloth].grounds["felt"].cloth}"' in svg(lines, "felt", "x", board.cloth)
    with opened() as (screen, _, _):
        assert screen.cloth == HOUSE
        assert _ground(screen) == CLOTHS[HOUSE].few["felt"].cloth
        sit(screen, at)
        assert _ground(screen) == CLOTHS[cloth].few["felt"].cloth


def _ground(screen: object) -> str:
    style = screen.app.style  # type: ignore[attr-defined]
    return f"#{style.get_attrs_for_style_str('class:page').bgcolor}"


def test_the_menu_shows_each_game_on_its_cloth() -> None:
    offered = HomeShelf().games()
    menu = Menu(HomeShelf())
    menu.foresees = True
    menu.press("1")
    assert menu.command(), "which takes rows of its own"
    lines = picture(menu, 80, 24, solid=True)
    for game in offered:
        styles = {style for line in lines for style, _ in line}
        assert {f"class:cloth-{game.cloth}", f"class:pattern-{game.cloth}"} <= styles
        assert CLOTHS[game.cloth].sign * 4 in plain_text(lines)
    for theme in SOLID:
        rules = style_rules(theme, 24)
        assert all(f"{kind}-{name}" in rules for name in CLOTHS for kind in ("cloth", "pattern"))


@pytest.mark.parametrize("cloth", CLOTHS)
def test_what_stands_on_the_felt_of_a_page_is_legible(cloth: str) -> None:
    """The page's own style says in which colour that is."""
    style = (PARTS / "style.css").read_text("utf-8")
    ink = style.partition("--felt-ink:")[2].partition(";")[0].strip()
    own = cloth_style(cloth)
    felt = own.partition("--felt:")[2].partition(";")[0].strip()
    assert felt == CLOTHS[cloth].grounds[FELT].cloth
    assert contrast(ink, felt) >= 4.5
    assert CLOTHS[cloth].back in own
