"""How to choose one of several things by its number."""

from __future__ import annotations

from collections.abc import Sequence

from cli.kit.output import ask_number, say


def choose(lines: Sequence[str], what: str) -> int:
    """The place of the line that the user chooses at the terminal; one line needs no question."""
    if len(lines) == 1:
        say(lines[0])
        return 0
    for number, line in enumerate(lines, 1):
        say(f"  {number})  {line}")
    return ask_number(what, len(lines)) - 1
