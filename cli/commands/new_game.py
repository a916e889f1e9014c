"""`nodealer new-game NAME`: a package that plays, ready to be changed."""

from __future__ import annotations

from pathlib import Path

import click

from cli.kit.output import Whole, say
from cli.options.settings import Settings, common, json_option, print_json
from cli.template import write_package
from p2p.installation import here


@click.command("new-game", epilog="Example: nodealer new-game old-maid")
@click.argument("name")
@click.option("--into", metavar="F", default=".", help="Make its folder in this one.")
@json_option
@common
def command(name: str, into: str, as_json: bool, settings: Settings) -> None:
    """Write a new game NAME as a package that plays and passes its tests.

    It begins as crazy eights: cards, rules, words, a bot and tests, about 200
    lines in a folder NAME, ready to be changed.
    """
    folder = Path(into) / name
    written = write_package(name, folder)
    if as_json:
        print_json({"game": name, "folder": str(folder), "files": list(map(str, written))})
        return
    for path in written:
        say(Whole(f"wrote  {path}"))
    ours = here()
    package, tests = ours.to_install(["-e", f"{folder}[test]"]), ours.to_run("pytest", str(folder))
    say(Whole(f"Next:  {package} && {tests} && {ours.program} demo {name}"))
