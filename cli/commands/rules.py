"""`nodealer rules GAME`: the rules, as the program plays them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from importlib.resources import files
from shutil import get_terminal_size
from typing import Final

import click

from cli.kit.output import say
from cli.kit.page import page
from cli.options.asked_table import chosen_game
from cli.options.settings import (
    Settings,
    at_a_terminal,
    common,
    has_screen,
    json_option,
    print_json,
)
from engine.game import Game, spell
from engine.games import load, load_text, package_of
from p2p.installation import program

BEHIND: Final = "## For developers"
"""Where the part of a game's page that is not about playing begins."""


@click.command("rules", epilog="Example: nodealer rules flip-over")
@click.argument("game", required=False)
@json_option
@common
def command(game: str | None, as_json: bool, settings: Settings) -> None:
    """The rules of GAME, as the program plays them, and its house rules."""
    game = game or chosen_game(asking=at_a_terminal() and not as_json)
    declared = load(game)
    lines = page(_page_of(declared), until=BEHIND)
    if as_json:
        names = [option.name for option in declared.options]
        rules = "\n".join(lines)
        print_json({"game": game, "title": declared.title, "rules": rules, "options": names})
        return
    lines = [*lines, "", *_how_to_play(declared)]
    if not _read(f"The rules of {declared.title}", lines, settings):
        for line in lines:
            say(settings.paint(line))


def _read(title: str, lines: Sequence[str], settings: Settings) -> bool:
    """Show more than fits a terminal from its beginning; False if it is to be printed instead."""
    if settings.plain or not has_screen() or len(lines) < get_terminal_size().lines:
        return False
    # Nothing is drawn without a terminal.
    from cli.kit.window import colour_depth  # noqa: PLC0415
    from cli.screen.reader import Reader  # noqa: PLC0415

    asyncio.run(Reader(title, lines, settings, colour_depth(os.environ)).run_alone())
    return True


def _page_of(game: Game) -> str:
    """The README of the game's package; without one, what is known about the game anyway."""
    written = files(package_of(game.name)).joinpath("README.md")
    if written.is_file():
        return written.read_text("utf-8")
    brief = "\n\n".join(load_text(game.name).brief.splitlines())
    return f"# {game.title}\n\n{brief}\n\n{options_table(game)}"


def options_table(game: Game) -> str:
    """The options as a Markdown table, as the game's page has it."""
    rows = [
        f"| {option.name} | {option.said()} | {spell(option.default)} | {option.text} |"
        for option in game.options
    ]
    head = ["## Options\n", "| option | values | default | what it does |", "|---|---|---|---|"]
    return "\n".join([*head, *rows]) if rows else ""


def _how_to_play(game: Game) -> list[str]:
    """What is typed to play it, and how its first option is typed."""
    typed = f"{program()} play {game.name}"
    if not game.options:
        return [f"Play: {typed}"]
    first = game.options[0]
    other = next(value for value in first.allowed if value != first.default)
    return [f"Play: {typed}", f"With an option: {typed} --option {first.name}={spell(other)}"]
