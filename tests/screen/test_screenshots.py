"""The pictures in the documents: one of every game, drawn from real games, the same each time."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from cli import gallery
from cli.kit.canvas import Line
from cli.kit.svg import CELL_HEIGHT, CELL_WIDTH, MARGIN, svg
from cli.screenshots import NAMES, SHOTS, Shot, main, shots, take
from engine.games import NAMES as GAMES

FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"
SVG = "{http://www.w3.org/2000/svg}"


def test_every_game_has_a_picture() -> None:
    assert sorted(shot.game for shot in shots(FOLDER)) == sorted(GAMES)


@pytest.mark.parametrize("shot", shots(FOLDER), ids=lambda shot: shot.game)
def test_a_picture_shows_every_player_and_is_the_same_again(shot: Shot) -> None:
    picture = take(shot)
    assert picture == take(shot)
    root = ElementTree.fromstring(picture)
    said = " ".join(text.text or "" for text in root.iter(f"{SVG}text"))
    assert all(name in said for name in NAMES[: shot.seats])
    assert root.find(f"{SVG}title") is not None


def test_each_piece_of_text_keeps_its_columns() -> None:
    lines: list[Line] = [[("", "ab "), ("class:headline", "<♠>")]]
    root = ElementTree.fromstring(svg(lines, "dark", "t"))
    first, second = root.iter(f"{SVG}text")
    assert (first.text, first.get("x"), first.get("textLength")) == ("ab", "10", "18")
    assert (second.text, second.get("x")) == ("<♠>", str(MARGIN + 3 * CELL_WIDTH))
    boxes = list(root.iter(f"{SVG}rect"))
    assert len(boxes) == 2, "the page, and what stands out by being reversed"
    assert boxes[1].get("height") == str(CELL_HEIGHT)


def test_the_command_writes_them_all(tmp_path: Path) -> None:
    (tmp_path / SHOTS).write_bytes((FOLDER / SHOTS).read_bytes())
    main(str(tmp_path))
    assert sorted(path.stem for path in tmp_path.glob("*.svg")) == sorted(GAMES)


def test_every_screen_is_drawn_at_every_size(tmp_path: Path) -> None:
    """Also at the sizes at which nobody of us sits: `make screenshots`, and look."""
    gallery.main(str(FOLDER), str(tmp_path))
    drawn = {path.stem: path.read_text("utf-8") for path in tmp_path.glob("*.svg")}
    kinds = {"menu", "menu-games", "menu-rules", "menu-saved", "settings", "lobby", "result"}
    assert drawn.keys() == {
        f"{name}-{columns}x{rows}"
        for name in {*GAMES, *kinds, "viewer"}
        for columns, rows in ((80, 24), (120, 40), (200, 60), (60, 20), (45, 15))
    }
    assert len(set(drawn.values())) == len(drawn), "each of them is another picture"
    for name, picture in drawn.items():
        columns, rows = map(int, name.rpartition("-")[2].split("x"))
        root = ElementTree.fromstring(picture)
        _, _, width, height = root.get("viewBox", "").split()
        assert float(width) == columns * CELL_WIDTH + 2 * MARGIN
        assert float(height) == rows * CELL_HEIGHT + 2 * MARGIN
    index = (tmp_path / "index.html").read_text("utf-8")
    assert all(f'src="{name}.svg"' in index for name in drawn)
