"""Every screen as a picture at every size, to be looked at: `make screenshots`.

`index.html` in the folder shows them beside each other.  They are drawn by the code that draws them
at the table, from the same moments as the pictures of the documents (`cli.screenshots`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import Final

from cli.kit.canvas import Line
from cli.kit.svg import svg
from cli.menu.asked import Choice
from cli.menu.model import Menu
from cli.menu.picture import picture
from cli.menu.shelf import HomeShelf
from cli.options.settings import Settings
from cli.screen.board import Board
from cli.screen.finished import shown
from cli.screen.layout import render
from cli.screen.model import Model
from cli.screen.player import ScreenPlayer
from cli.screenshots import NAMES, YOU, Shot, moment, shots
from cli.viewer.model import Viewer
from cli.words.next_game import OVER
from cli.words.played import played
from engine.cloths import HOUSE
from engine.games import load
from p2p.disk.durable import write_file
from p2p.player.events import Gathering, Present
from p2p.protocol.terms import Terms
from replay.game import open_game

SIZES: Final = ((80, 24), (120, 40), (200, 60), (60, 20), (45, 15))
THEME: Final = "felt"
RECORDED: Final = "recorded.ndlog"
"""A saved game beside the pictures of the documents."""
KEY_WORDS: Final = "lime-plum-salt-reed-wolf-fern"
PEOPLE: Final = tuple(Present(name, KEY_WORDS, ready=True) for name in NAMES[:3])
Drawn = tuple[list[Line], str]
Screen = Callable[[int, int], Drawn]


class SampleShelf(HomeShelf):
    """What a person who has played before finds in the menu; nothing of whoever draws it."""

    def unfinished(self) -> Sequence[Choice]:
        return [Choice("left", "Sneak, 4 seats, step 31, with Bo, Cleo and Dara")]

    def saved(self) -> Sequence[Choice]:
        notes = (f"{day} November 2026, 21:0{day}   table 3f70{day}a" for day in range(1, 8))
        return [Choice(note, "Flip Over", note) for note in notes]

    def counts(self) -> tuple[int, int]:
        return 1, 7

    def own_name(self) -> str:
        return NAMES[YOU]


def screens(folder: Path) -> Mapping[str, Screen]:
    """What is drawn, by its name; `folder` has the moments of the games and a saved game."""
    log = folder / RECORDED
    taken = shots(folder)
    games = {shot.game: partial(_table, moment(shot)) for shot in taken}
    asked = {"menu": "", "menu-games": "1", "menu-rules": "12", "menu-saved": "6", "settings": "9"}
    menus = {name: partial(_menu, keys) for name, keys in asked.items()}
    pages = {"result": _result(log), "viewer": _viewed(log)}
    boards = {name: partial(_table, board) for name, board in pages.items()}
    return {**games, **menus, "lobby": partial(_lobby, taken[-1]), **boards}


def _table(board: Board, columns: int, rows: int) -> Drawn:
    return render(board, columns, rows, solid=True), board.cloth


def _menu(keys: str, columns: int, rows: int) -> Drawn:
    menu = Menu(SampleShelf(), theme=THEME)
    menu.foresees = True
    for key in keys:
        menu.press(key)
    return picture(menu, columns, rows, solid=True), HOUSE


def _lobby(shot: Shot, columns: int, rows: int) -> Drawn:
    model, people = Model("nodealer", float), PEOPLE[: shot.seats - 1]
    options = {**load(shot.game).defaults(), **shot.options}
    gathering = Gathering(Terms.of(shot.game, options), shot.seats, people, YOU)
    ScreenPlayer(model, Settings(), lobby=True).tell(gathering)
    return _table(model.board(), columns, rows)


def _result(log: Path) -> Board:
    model = Model("nodealer", float)
    model.afterwards.result, model.ended = shown([played(log)]), OVER
    return model.board()


def _viewed(log: Path) -> Board:
    game = open_game(log)
    viewer = Viewer(game, 0, YOU, float, checked=lambda: "verified")
    viewer.go(viewer.last // 2)
    return viewer.board()


def index(names: Sequence[str]) -> str:
    """A page with all pictures: a row for each screen."""
    rows = [
        f"<h2>{escape(name)}</h2>"
        + "".join(f'<img src="{name}-{c}x{r}.svg" alt="{c} x {r}">' for c, r in SIZES)
        for name in names
    ]
    return f"<!doctype html><title>Every screen</title>{''.join(rows)}\n"


def main(source: str, target: str) -> None:
    """Draw every screen from what is in the folder `source` into the folder `target`."""
    folder, drawn = Path(target), screens(Path(source))
    folder.mkdir(parents=True, exist_ok=True)
    for name, screen in drawn.items():
        for columns, rows in SIZES:
            lines, cloth = screen(columns, rows)
            path = folder / f"{name}-{columns}x{rows}.svg"
            write_file(path, svg(lines, THEME, f"{name}, {columns} x {rows}", cloth).encode())
    write_file(folder / "index.html", index(list(drawn)).encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
