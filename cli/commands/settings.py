"""`nodealer settings`: what this person likes, for every game."""

from __future__ import annotations

from collections.abc import Sequence

import click

from cli.failures import UserMistakeError
from cli.home.preferences import SETTINGS, known, path, remember, setting
from cli.kit.output import Whole, say
from cli.options.settings import Settings, common, json_option, print_json


@click.command("settings", epilog="Example: nodealer settings theme=felt pace=slow")
@click.argument("changes", nargs=-1, metavar="[NAME=VALUE]...")
@json_option
@common
def command(changes: Sequence[str], as_json: bool, settings: Settings) -> None:
    """Your settings: name, theme, pace, bell and size of the cards.

    They are kept in one file, which you may change too.  Some of them can also be changed by a key
    at the table, and are remembered then.
    """
    for change in changes:
        name, equals, value = (part.strip() for part in change.partition("="))
        if not equals:
            raise UserMistakeError(
                f"A setting is changed by NAME=VALUE, not by {change!r}: theme=dark, for one."
            )
        remember(known(name), value)
    chosen = {name: setting(one) for name, one in SETTINGS.items()}
    if as_json:
        print_json({**chosen, "file": str(path())})
        return
    for name, one in SETTINGS.items():
        values = f" ({', '.join(one.values)})" if one.values else ""
        say(f"{name:<6} {chosen[name] or '-':<8} {one.text}{values}")
    say(Whole(f"kept in {path()}"))
