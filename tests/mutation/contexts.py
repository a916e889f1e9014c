"""Which test runs which function, and how long each takes: a plugin for pytest.

`CONTEXTS=FOLDER python -m pytest -p tests.mutation.contexts tests/engine` adds a line of JSON for
each test to a file in FOLDER: `test`, `seconds` (processor time, with that of its processes) and
`runs`, the functions of PACKAGES that ran, as `module:function`, and the checks that it is marked
with, as `check name`.  The sample of random mutants
picks its tests by these lines, and they also show which tests are slow.
"""

from __future__ import annotations

import ast
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.mutation.rewriting import Rewriter

PACKAGES: Final = ("engine", "p2p.protocol", "p2p.crypto")
RAN: Final[set[str]] = set()
_FAILED: Final[set[str]] = set()
_RAN = "__ran__"


class _Marking(ast.NodeTransformer):
    """Puts a note of its name at the start of each function."""

    def __init__(self, module: str) -> None:
        self._scope = [module]

    def visit(self, node: ast.AST) -> ast.AST:
        """The node, with a note in it if it is a function."""
        named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        if named:
            self._scope.append(node.name)
        self.generic_visit(node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            after = int(ast.get_docstring(node, clean=False) is not None)
            node.body.insert(after, ast.parse(f"{_RAN}.add({self._name()!r})").body[0])
        if named:
            self._scope.pop()
        return node

    def _name(self) -> str:
        return f"{self._scope[0]}:{'.'.join(self._scope[1:])}"


def marked(module: str, tree: ast.Module) -> ast.Module:
    """The tree of a module that notes in `RAN` which of its functions run."""
    marking = _Marking(module)
    marking.visit(tree)
    start = ast.parse(f"from {__name__} import RAN as {_RAN}").body
    after = 0  # the docstring and imports from the future have to stay first
    while after < len(tree.body) and (
        isinstance(tree.body[after], ast.Expr)
        or getattr(tree.body[after], "module", "") == "__future__"
    ):
        after += 1
    tree.body[after:after] = start
    return tree


def _seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note what one test runs, its fixtures too; of one that fails nothing, for it says nothing."""
    RAN.clear()
    start = _seconds()
    try:
        return (yield)
    finally:
        marks = [f"check {name}" for mark in item.iter_markers("check") for name in mark.args]
        runs = [*sorted(RAN), *marks]
        line = {"test": item.nodeid, "seconds": round(_seconds() - start, 3), "runs": runs}
        folder = Path(os.environ["CONTEXTS"])
        if item.nodeid not in _FAILED:
            with (folder / f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember who failed."""
    if report.failed:
        _FAILED.add(report.nodeid)


if "CONTEXTS" in os.environ:
    sys.meta_path.insert(0, Rewriter(PACKAGES, marked))
