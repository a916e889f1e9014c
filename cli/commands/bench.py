"""`nodealer bench`: what is measured, each number with its floor."""

from __future__ import annotations

import click

from cli.bench import measure, names
from cli.bench.row import Row
from cli.failures import FALSE
from cli.settings import Settings, common, json_option, print_json


@click.command("bench", epilog="Example: nodealer bench startup")
@click.argument("name", required=False)
@json_option
@common
def command(name: str | None, as_json: bool, settings: Settings) -> int:
    """Run the benchmark NAME, or all of them; exit 1 when a floor is missed."""
    rows = [row for one in ([name] if name else names()) for row in measure(one)]
    if as_json:
        print_json({"rows": [row.as_json() for row in rows]})
    else:
        click.echo(f"{'':<24}{'value':>12} {'unit':<9}{'floor':>10}{'ratio':>8}")
        for row in rows:
            click.echo(_line(row))
    return 0 if all(row.kept for row in rows) else FALSE


def _line(row: Row) -> str:
    floor = "" if row.floor is None else f"{row.floor:,g}"
    ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
    missed = "" if row.kept else "  missed"
    return f"{row.name:<24}{row.value:>12,g} {row.unit:<9}{floor:>10}{ratio:>8}{missed}".rstrip()
