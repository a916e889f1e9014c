"""One of several things, chosen by its number."""

from __future__ import annotations

from collections.abc import Sequence

from cli.kit.output import ask_number, say


def choose(lines: Sequence[str], what: str) -> int:
    """The place of the line that the person at the terminal chooses; of one line, that one."""
    if len(lines) == 1:
        say(lines[0])
        return 0
    for number, line in enumerate(lines, 1):
        say(f"  {number})  {line}")
    return ask_number(what, len(lines)) - 1
