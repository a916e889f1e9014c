"""The benchmarks: every module here but `row` has a `measure()` that returns its rows."""

from __future__ import annotations

import pkgutil
from importlib import import_module

from cli.bench.row import Row
from cli.failures import UserMistakeError


def names() -> list[str]:
    """The benchmarks there are, by module name."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name != "row")


def measure(name: str) -> list[Row]:
    """Run one benchmark.  UserMistakeError names those there are."""
    if name not in names():
        raise UserMistakeError(f"There is no benchmark {name!r}; there are: {', '.join(names())}.")
    rows: list[Row] = import_module(f"cli.bench.{name}").measure()
    return rows
