"""The benchmarks by name, each in a module that is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Final

from cli.bench.row import Row
from cli.failures import UserMistakeError

MODULES: Final = {
    "shuffle": "shuffles",
    "oath": "oaths",
    "deal": "deals",
    "play": "plays",
    "simulate": "simulations",
    "audit": "audits",
    "imports": "imports",
}
"""Name of a benchmark: its module here, whose `rows()` measures it."""


def measured(name: str | None = None) -> Iterator[Row]:
    """The rows of one benchmark, or of all, each benchmark's as soon as it is done.

    UserMistakeError names the benchmarks there are.
    """
    if name is not None and name not in MODULES:
        raise UserMistakeError(f"There is no benchmark {name!r}; there are: {', '.join(MODULES)}.")
    return _rows([name] if name else list(MODULES))


def _rows(names: Sequence[str]) -> Iterator[Row]:
    for one in names:
        yield from import_module(f"cli.bench.{MODULES[one]}").rows()
