"""The golden screens: `python -m tests.screen.golden` writes them anew (look at each change)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from cli.kit.canvas import Line, plain_text
from cli.kit.themes import NAMES, is_solid, style_rules
from cli.screen.board import Board
from cli.screen.layout import render
from tests.screen.boards import POSITIONS, crowded, position

FOLDER = Path(__file__).with_name("golden")
SIZES = ((80, 24), (120, 40))
DEPTHS = (1, 4, 8, 24)


@cache
def screens() -> dict[str, str]:
    """File name: what has to stand in it."""
    made = {}
    for game in POSITIONS:
        at = position(game)
        for columns, rows in SIZES:
            for ascii_only in (False, True):
                lines = render(at.board(ascii=ascii_only), columns, rows, ascii=ascii_only)
                name = f"{game}_{columns}x{rows}{'_ascii' if ascii_only else ''}.txt"
                made[name] = plain_text(lines) + "\n"
        solid = plain_text(render(at.board(), 80, 24, solid=True))
        made[f"{game}_80x24_solid.txt"] = solid + "\n"
    made["crowded_80x24.txt"] = plain_text(render(crowded(), 80, 24)) + "\n"
    for depth in DEPTHS:
        made[f"styles_{depth}_bit.txt"] = "".join(
            styled(_all_lines(solid=is_solid(theme, depth)), theme, depth) for theme in NAMES
        )
    return made


def _all_lines(*, solid: bool) -> list[Line]:
    return [line for board in _boards() for line in render(board, 80, 24, solid=solid)]


@cache
def _boards() -> list[Board]:
    return [position(game).board() for game in POSITIONS]


def styled(lines: list[Line], theme: str, depth: int) -> str:
    """Every kind of style on the screen, its look, and the first text that has it."""
    rules = style_rules(theme, depth)
    first: dict[str, str] = {}
    for line in lines:
        for style, text in line:
            if text.strip():
                first.setdefault(style, text.strip())
    rows = [f"{theme}, {depth} bit\n"]
    for style, text in sorted(first.items()):
        parts = [rules.get(name.removeprefix("class:"), "") for name in style.split()]
        rows.append(f"  {style or 'no class'} = {' '.join(filter(None, parts)) or '-'}: {text}\n")
    return "".join(rows)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in screens().items():
        (FOLDER / name).write_text(text, "utf-8")
