"""What a seat holds in memory: all that is reachable from it, by type, without its log."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, Final

from tests.sim.worlds.network import Network
from tests.sim.worlds.process import Process
from tests.sim.worlds.watch import Watch
from tests.sim.worlds.world import World

SIZE: Final = "size"
"""Under this name, the size of all of them in bytes."""
_APART: Final = (type, ModuleType, CodeType, BuiltinFunctionType, World, Network, Watch, Process)
"""What is not of one seat, and not gone into."""


def holdings(process: Process) -> Counter[str]:
    """How many objects of each type a seat holds beyond its log, and their `SIZE`.

    The log is in memory as records of the steps and as the journal of the rules.
    """
    machine, table = process.machine, process.table
    assert machine is not None
    assert table is not None
    beyond = [machine.records, table.session.journal]
    roots = [process.core, process.desk, process.company]
    held: Counter[str] = Counter()
    for one in _reachable(roots, beyond):
        held[type(one).__name__] += 1
        held[SIZE] += sys.getsizeof(one)
    return held


def _reachable(roots: Iterable[Any], beyond: Iterable[Any]) -> Iterator[Any]:
    seen = {id(vars(module)) for module in list(sys.modules.values()) if module is not None}
    seen |= set(map(id, beyond))
    left = list(roots)
    while left:
        one = left.pop()
        if id(one) in seen or isinstance(one, _APART):
            continue
        seen.add(id(one))
        yield one
        left += _parts(one)


def _parts(one: Any) -> list[Any]:
    """What it refers to; of a function only what it encloses."""
    if isinstance(one, FunctionType):
        return [one.__closure__, one.__defaults__, one.__kwdefaults__]
    return gc.get_referents(one)
