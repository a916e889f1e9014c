"""Every call of a verifier: the calls that are there only for their judgement.

A call of a judge (`tests.mutation.judges`) whose result nobody uses, or a judge that is handed
over to be called (`Work(chain.verify)`), can be deleted, and the program still runs: it only
believes more.  A call whose result is used cannot simply be deleted; one that is awaited, or
yielded from, is a program, not a judgement.  `python -m tests.mutation.calls` lists them all.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from tests.mutation.judges import JUDGES_OF_OTHERS, Judges, Module, all_judges, is_require
from tests.mutation.source import REPOSITORY

NOT_IN_PLAY: Final = (
    *("replay.", "p2p.peer", "p2p.driver.driver", "p2p.table.at_table", "p2p.table.games"),
    "p2p.net.memory_network",
)
"""Readers that believe everything, modules that only bring frames and answers to those that judge
them, and tools of tests."""
IN_PLAY: Final = ("replay.audit", "replay.beyond", "replay.chain", "replay.compare")
OF_ONES_OWN: Final = frozenset(
    {
        "p2p.seat.genesis:signed_genesis -> machine.receive",
        "p2p.protocol.machine:Machine._take_up -> self._admit",
        "p2p.seat.recovery:_replay -> machine.take",
        "p2p.seat.recovery:reopen -> machine.ballots.receive",
    }
)
"""Calls that read again what this seat wrote itself: no peer's input is judged there."""
Place = tuple[int, int, int | None, int | None]
USED, AWAITED = "its result is used", "it is awaited"


@dataclass(frozen=True)
class Call:
    """One call, or one judge handed over; `kept` says why it cannot be deleted, else ""."""

    name: str
    module: str
    scope: str
    place: Place
    kept: str = ""
    handed_over: bool = False
    """Whether this is not a call but a judge that is handed over."""

    def is_at(self, node: ast.AST) -> bool:
        """Whether this node of the source is the call."""
        kind = ast.Name | ast.Attribute if self.handed_over else ast.Call
        return isinstance(node, kind) and place_of(node) == self.place


def place_of(node: ast.expr) -> Place:
    """First line and column, last line and column: a call may begin where another one does."""
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


@cache
def calls_in_source() -> tuple[Call, ...]:
    """The calls that judge, of all modules in play, in the order of the source."""
    judges = all_judges()
    return tuple(
        call
        for module in judges.modules.values()
        if module.name.startswith(IN_PLAY) or not module.name.startswith(NOT_IN_PLAY)
        for call in calls_in(judges, module)
    )


def deletable() -> list[Call]:
    """Those of them that have to have a test."""
    return [call for call in calls_in_source() if not call.kept and call.name not in OF_ONES_OWN]


def calls_in(judges: Judges, module: Module) -> Iterator[Call]:
    """The calls of one module, each with a name of its own: `module:function -> verifier`."""
    times: Counter[str] = Counter()
    nodes = [node for node in ast.walk(module.tree) if isinstance(node, ast.expr)]
    found = [(node, kept) for node in nodes for kept in _found(judges, module, node)]
    for node, kept in sorted(found, key=lambda pair: place_of(pair[0])[:2]):
        scope = module.scope(node)
        called = node.func if isinstance(node, ast.Call) else node
        name = f"{module.name}:{scope} -> {ast.unparse(called)}"
        times[name] += not kept
        again = f" #{times[name]}" if not kept and times[name] > 1 else ""
        yield Call(name + again, module.name, scope, place_of(node), kept, called is node)


def _found(judges: Judges, module: Module, node: ast.expr) -> Iterator[str]:
    """Nothing if this node is no call of a judge; else why it cannot be deleted, or ""."""
    if isinstance(node, ast.Call):
        named = isinstance(node.func, ast.Name) and node.func.id in module.helpers
        if is_require(node.func) or named:
            return
        if judges.judges(module, node):
            yield _kept(judges, module, node)
        elif _judges_elsewhere(node.func) and judges.is_unused(module, node):
            yield ""
    elif isinstance(node, ast.Name | ast.Attribute) and _is_handed_over(module, node):
        meant = judges.meant(module, node) & judges.names
        if meant and all(map(judges.returns_nothing, meant)):
            yield ""


def _kept(judges: Judges, module: Module, call: ast.Call) -> str:
    if isinstance(module.parents[call], ast.Await | ast.YieldFrom):
        return AWAITED
    return "" if judges.is_unused(module, call) else USED


def _judges_elsewhere(called: ast.expr) -> bool:
    return isinstance(called, ast.Attribute) and called.attr in JUDGES_OF_OTHERS


def _is_handed_over(module: Module, node: ast.AST) -> bool:
    parent = module.parents.get(node)
    called = isinstance(parent, ast.Call) and parent.func is node
    return isinstance(parent, ast.Call | ast.keyword) and not called


def main() -> int:
    """Print the table."""
    for call in calls_in_source():
        print(f"{call.name}  [{call.kept or 'deleted'}]")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(REPOSITORY))
    sys.exit(main())
