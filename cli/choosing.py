"""One of several things, chosen by its number."""

from __future__ import annotations

from collections.abc import Sequence

import click


def choose(lines: Sequence[str], what: str) -> int:
    """The place of the line that the person at the terminal chooses; of one line, that one."""
    if len(lines) == 1:
        click.echo(lines[0])
        return 0
    for number, line in enumerate(lines, 1):
        click.echo(f"  {number})  {line}")
    wanted: int = click.prompt(what, type=click.IntRange(1, len(lines)), default=1)
    return wanted - 1
