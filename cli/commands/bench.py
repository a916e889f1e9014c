"""`nodealer bench`: what is measured, each number with its floor and what was promised."""

from __future__ import annotations

import click

from cli.bench import MODULES, measured
from cli.bench.text import table
from cli.failures import UserMistakeError
from cli.kit.output import say
from cli.options.settings import Settings, common, json_option, print_json
from p2p.installation import is_one_file

NAMES = ", ".join(MODULES)


@click.command("bench", epilog="Example: nodealer bench shuffle")
@click.argument("name", required=False)
@click.option(
    "--slaps", type=click.IntRange(1), metavar="N", help="Least number of races (races only)."
)
@click.option(
    "--seed", type=click.IntRange(0), metavar="S", help="Seed of their chance (races only)."
)
@json_option
@common
def command(
    name: str | None, slaps: int | None, seed: int | None, as_json: bool, settings: Settings
) -> None:
    """Run the benchmark NAME, or all of them (some five minutes).

    The floor of a row is the time of the library calls that cannot be avoided, taken
    in the same run; a target that is not met says NO.  Explained in docs/explanation/speed.md.
    """
    if is_one_file():
        raise UserMistakeError(
            "Benchmarks start modules of nodealer in processes of their own; the one file cannot do"
            " that. Install the package to measure."
        )
    rows = measured(name, slaps=slaps, seed=seed)
    if as_json:
        print_json({"rows": [row.as_json() for row in rows]})
        return
    for line in table(rows):
        say(line)
