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
    "loss": "losses",
    "genesis": "beginnings",
    "deal": "deals",
    "play": "plays",
    "races": "races",
    "simulate": "simulations",
    "think": "thinking",
    "audit": "audits",
    "catch-up": "catching_up",
    "replay": "replays",
    "page": "pages",
    "imports": "imports",
    "screen": "screens",
}
"""Name of a benchmark: its module here, whose `rows()` measures it."""


def measured(name: str | None = None, **races: int | None) -> Iterator[Row]:
    """The rows of one benchmark or of all, each benchmark's as soon as it is done.

    `slaps` is the least number of races to run, `seed` the seed of their chance; None means the
    usual number.  UserMistakeError lists the benchmarks.
    """
    if name is not None and name not in MODULES:
        raise UserMistakeError(f"There is no benchmark {name!r}; there are: {', '.join(MODULES)}.")
    wanted = {option: number for option, number in races.items() if number is not None}
    for option in wanted if name != "races" else ():
        raise UserMistakeError(
            f"--{option} belongs to the benchmark races: name that one, or leave it out."
        )
    return _rows([name] if name else list(MODULES), wanted)


def _rows(names: Sequence[str], wanted: Mapping[str, int]) -> Iterator[Row]:
    for one in names:
        yield from import_module(f"cli.bench.{MODULES[one]}").rows(**wanted)
