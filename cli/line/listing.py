"""The choices as a plain terminal lists them: with their numbers, side by side.  Pure."""

from __future__ import annotations

from collections.abc import Sequence

from cli.line.choices import THOUGHT_OF, Choice, numbered


def entries(shown: Sequence[Choice], usual: Choice | None) -> list[str]:
    """The choices with their numbers, and the one that Enter takes."""
    marked = usual if len(shown) > 1 else None
    return [
        f"{'' if number is None else f'{number}) '}{choice.label}"
        f"{' (Enter)' if choice is marked else ''}"
        for number, choice in numbered(shown)
    ]


def how_many(legal: Sequence[Choice]) -> str:
    """The number of choices; if there are very many, only the first were thought of."""
    return f"More than {THOUGHT_OF}" if len(legal) == THOUGHT_OF else str(len(legal))


def in_columns(entries: Sequence[str], width: int = 78) -> list[str]:
    """The entries side by side, in rows of at most `width` characters, read row by row."""
    if not entries:
        return []
    cell = max(map(len, entries)) + 3
    across = max(1, width // cell)
    rows = [entries[i : i + across] for i in range(0, len(entries), across)]
    return ["  " + "".join(entry.ljust(cell) for entry in row).rstrip() for row in rows]
