"""`nodealer export`: a saved game in a form for others."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import click

from cli.failures import UserMistakeError
from cli.home.folders import chosen_log
from cli.home.preferences import THEME, setting
from cli.kit.bar import bar_for
from cli.kit.output import Whole, clean, put, say
from cli.options.gathered import gathered
from cli.options.seat_option import seat_option, seen_from
from cli.options.settings import Settings, common
from cli.options.target import STDOUT, require_target, write_target
from replay.audit import Report, audit
from replay.game import SavedGame, open_game
from replay.html import page
from replay.jsonl import lines
from replay.story import story

_ENDINGS: Final = {"text": "txt", "jsonl": "jsonl", "html": "html", "svg": "svg"}
Writer = Callable[[SavedGame, Report], Iterable[str]]
"""Lines of an export, without their ends."""


@dataclass(frozen=True, slots=True)
class Forms:
    """Which forms were asked for."""

    text: bool
    jsonl: bool
    html: bool
    svg: bool

    @property
    def chosen(self) -> str:
        """The one; UserMistakeError for none, and for several, of which one would be lost."""
        asked = [name for name in _ENDINGS if getattr(self, name)]
        if len(asked) != 1:
            only = "one form" if asked else "which form"
            raise UserMistakeError(f"Say {only}: --text, --jsonl, --html or --svg.")
        return asked[0]


@click.command("export", epilog="Example: nodealer export game.ndlog --text -o game.txt")
@click.argument("log", metavar="LOG")
@click.option("--text", is_flag=True, help="The game as prose, for people.")
@click.option("--jsonl", is_flag=True, help="A line of JSON for each step.")
@click.option("--html", is_flag=True, help="A page that shows and checks the game.")
@click.option("--svg", is_flag=True, help="A picture that shows it step by step.")
@gathered("forms", Forms)
@seat_option
@click.option("-o", "--output", metavar="F", help="Write into this file, not to stdout.")
@common
def command(
    log: str, forms: Forms, seat: int | None, output: str | None, settings: Settings
) -> int:
    """Write a saved game in a form for others.

    LOG may be a folder: its newest log. At a terminal a file has to be named
    with -o. The game is audited first, and the verdict is written too. The exit
    code is 0 when the file is written, whatever the verdict. --seat is for
    --svg: whose cards are seen.
    """
    form = forms.chosen
    path = chosen_log(Path(log))
    writers: dict[str, Writer] = {
        "text": partial(_clean_story, ascii=settings.ascii),
        "jsonl": lines,
        "html": partial(page, path),
        "svg": partial(_film, seat, settings),
    }
    if seat is not None and form != "svg":
        raise UserMistakeError(
            "--seat is for --svg; the other forms show the game to everybody: leave it out."
        )
    if output is not None and output != STDOUT:
        require_target(output, path)
    elif output is None and sys.stdout.isatty():
        raise UserMistakeError(f"Say which file to write: -o {path.stem}.{_ENDINGS[form]}.")
    with bar_for("entries", "Reading") as bar:
        game = open_game(path, bar)
    with bar_for("entries") as bar:
        report = audit(path, progress=bar)
    with bar_for("it", "Writing", counted=False):
        _write(output, writers[form](game, report))
    return 0


def _write(output: str | None, lines: Iterable[str]) -> None:
    if output is None or output == STDOUT:
        for line in lines:
            put(line)
    else:
        write_target(output, (f"{line}\n".encode("utf-8", "replace") for line in lines))
        say(Whole(f"Written: {output}"))


def _clean_story(game: SavedGame, report: Report, *, ascii: bool) -> Iterator[str]:  # noqa: A002
    """Prose may be read on a terminal; the other forms are ASCII."""
    return map(clean, story(game, report, ascii=ascii))


def _film(seat: int | None, settings: Settings, game: SavedGame, report: Report) -> Iterator[str]:
    from cli.viewer.film import film_of  # noqa: PLC0415 (the layout of the screen, for this alone)

    eyes, theme = seen_from(game, seat), setting(THEME)
    with bar_for("steps", "Drawing") as bar:
        yield from film_of(game, report, eyes, theme, ascii=settings.ascii, progress=bar)
