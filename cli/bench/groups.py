"""The benchmarks by name, each in a module that is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Final

from cli.bench.row import Row

MODULES: Final = {
    "shuffle": "shuffles",
    "oath": "oaths",
    "deal": "deals",
    "play": "plays",
    "simulate": "simulations",
    "audit": "audits",
    "imports": "imports",
}
"""Name of a group: its module in `cli.bench`, whose `rows()` measures it."""


def measured(names: tuple[str, ...]) -> Iterator[Row]:
    """The rows of these groups, each group when it is done; any order, all of them for none."""
    for name in names or tuple(MODULES):
        yield from import_module(f"cli.bench.{MODULES[name]}").rows()
