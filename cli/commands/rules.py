"""`nodealer rules GAME`: the rules, as the program plays them."""

from __future__ import annotations

from typing import Final

import click

from cli.settings import Settings, common, json_option, print_json
from engine.game import Option, spell
from engine.games import load, load_text

WIDTH: Final = 80


@click.command("rules", epilog="Example: nodealer rules flip-over")
@click.argument("game")
@json_option
@common
def command(game: str, as_json: bool, settings: Settings) -> None:
    """The rules of GAME, as the program plays them, and its house rules."""
    declared = load(game)
    text = load_text(game).RULES
    if as_json:
        names = [option.name for option in declared.options]
        print_json({"game": game, "title": declared.title, "rules": text, "options": names})
        return
    # An indented line begins a paragraph too.
    apart = text.replace("\n  ", "\n\n").rstrip()
    click.echo(settings.paint(click.wrap_text(apart, WIDTH, preserve_paragraphs=True)))
    if declared.options:
        click.echo("\nHouse rules (--option NAME=VALUE):")
        for option in declared.options:
            click.echo(_option_line(option))


def _option_line(option: Option) -> str:
    values = f"{option.said()}; {spell(option.default)} unless said"
    line = f"{option.name:<9} {option.text} ({values})"
    return click.wrap_text(line, WIDTH, initial_indent="  ", subsequent_indent=" " * 12)
