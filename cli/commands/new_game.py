"""`nodealer new-game NAME`: a package that plays, ready to be changed."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import click

from cli.kit.output import say
from cli.options.settings import Settings, common, json_option, print_json
from cli.template import write_package


@click.command("new-game", epilog="Example: nodealer new-game old-maid")
@click.argument("name")
@click.option("--into", metavar="F", default=".", help="Make its folder in this one.")
@json_option
@common
def command(name: str, into: str, as_json: bool, settings: Settings) -> None:
    """Write a new game NAME as a package that plays and passes its tests.

    It begins as crazy eights: cards, rules, words, a bot and tests, some 200
    lines in a folder NAME, ready to be changed.
    """
    folder = Path(into) / name
    written = write_package(name, folder)
    if as_json:
        print_json({"game": name, "folder": str(folder), "files": list(map(str, written))})
        return
    for path in written:
        say(f"wrote  {path}")
    package, place = quote(f"{folder}[test]"), quote(str(folder))
    say(f"Next:  pip install -e {package} && pytest {place} && nodealer demo {name}")
