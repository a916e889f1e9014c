"""The benchmarks by name, each in a module that is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Final

from cli.bench.row import Row
from cli.failures import UserMistakeError

MODULES: Final = {
    "shuffle": "shuffles",
    "oath": "oaths",
    "deal": "deals",
    "play": "plays",
    "races": "races",
    "simulate": "simulations",
    "audit": "audits",
    "replay": "replays",
    "page": "pages",
    "imports": "imports",
    "screen": "screens",
}
"""Name of a benchmark: its module here, whose `rows()` measures it."""


def measured(name: str | None = None, slaps: int | None = None) -> Iterator[Row]:
    """The rows of one benchmark, or of all, each benchmark's as soon as it is done.

    `slaps` is how many races are run at least, None for the usual number.  UserMistakeError
    names the benchmarks there are.
    """
    if name is not None and name not in MODULES:
        raise UserMistakeError(f"There is no benchmark {name!r}; there are: {', '.join(MODULES)}.")
    if slaps is not None and name != "races":
        raise UserMistakeError("--slaps belongs to the benchmark races: nodealer bench races.")
    return _rows([name] if name else list(MODULES), {} if slaps is None else {"slaps": slaps})


def _rows(names: Sequence[str], wanted: Mapping[str, int]) -> Iterator[Row]:
    for one in names:
        yield from import_module(f"cli.bench.{MODULES[one]}").rows(**wanted)
