"""Which test runs which lines, and how long each takes: a plugin for pytest.

`CONTEXTS=FOLDER python -m pytest -p tests.mutation.contexts tests/engine` adds a line of JSON for
each test to a file in FOLDER: `test`, `seconds` (processor time, with that of its processes),
`failed`, and `runs`, the blocks of PACKAGES that ran: `module:function`, and `module@line` for what
begins at that line inside of a function; and the checks that it is marked with, as `check name`.
They are bits of one number: the first is the first that any line names in `new`.

A test runs also what was run before on its behalf: what fills a memory (`functools.cache`) or a
fixture that it uses, what its file and the kits that it imports run when they are imported.
"""

from __future__ import annotations

import ast
import functools
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

from tests.mutation.rewriting import Rewriter

PACKAGES: Final = ("engine", "p2p.protocol", "p2p.crypto")
OURS: Final = ("engine", "p2p", "replay", "cli", "tests")
RAN: Final[set[str]] = set()
AT_IMPORT: Final = "import "
"""Before the name of a module, in place of a test: what was run while it was imported."""
_RAN = "__ran__"
_BLOCKS: Final = ("body", "orelse", "finalbody")
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Marking:
    """Puts a note at the start of each function and each block in it, and after each such block.

    `lines` says for each line of a function which note is made when it is run.
    """

    def __init__(self, module: str, tree: ast.Module) -> None:
        self.lines: Final[dict[int, str]] = {}
        self._module = module
        self._outside(tree, ())

    def _outside(self, node: ast.AST, scope: tuple[str, ...]) -> None:
        """Functions and classes below this one."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, _FUNCTIONS):
                self._function(child, (*scope, child.name))
            else:
                inside = (*scope, child.name) if isinstance(child, ast.ClassDef) else scope
                self._outside(child, inside)

    def _function(
        self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: tuple[str, ...]
    ) -> None:
        name = f"{self._module}:{'.'.join(scope)}"
        self._note(node, name)
        documented = int(ast.get_docstring(node, clean=False) is not None)
        node.body[documented:] = self._noted(node.body[documented:], name, scope)

    def _noted(self, body: list[ast.stmt], first: str, scope: tuple[str, ...]) -> list[ast.stmt]:
        """These statements with notes between them; `first` is that of the first."""
        found, name = [*_adding(first)], first
        for n, statement in enumerate(body):
            self._note(statement, name)
            inner = self._inside(statement, scope)
            found.append(statement)
            if inner and n + 1 < len(body):
                name = self._name(body[n + 1])
                found += _adding(name)
        return found

    def _inside(self, statement: ast.stmt, scope: tuple[str, ...]) -> bool:
        """Note the blocks of a statement; whether there are any."""
        if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
            self._outside(ast.Module([statement], []), scope)
            return False
        parts = [statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]
        blocks = [
            (part, field) for part in parts for field in _BLOCKS if getattr(part, field, None)
        ]
        for part, field in blocks:
            body = getattr(part, field)
            setattr(part, field, self._noted(body, self._name(body[0]), scope))
        return bool(blocks)

    def _name(self, statement: ast.stmt) -> str:
        return f"{self._module}@{statement.lineno}"

    def _note(self, node: ast.stmt, name: str) -> None:
        self.lines.update(dict.fromkeys(range(node.lineno, (node.end_lineno or 0) + 1), name))


def _adding(name: str) -> list[ast.stmt]:
    return ast.parse(f"{_RAN}.add({name!r})").body


def marked(module: str, tree: ast.Module) -> ast.Module:
    """The tree of a module that notes in `RAN` which of its blocks run."""
    Marking(module, tree)
    start = ast.parse(f"from {__name__} import RAN as {_RAN}").body
    after = 0  # the docstring and imports from the future have to stay first
    while after < len(tree.body) and (
        isinstance(tree.body[after], ast.Expr)
        or getattr(tree.body[after], "module", "") == "__future__"
    ):
        after += 1
    tree.body[after:after] = start
    return tree


class Part:
    """What was run for something that others use later, and its seconds."""

    def __init__(self) -> None:
        self.runs: frozenset[str] = frozenset()
        self.seconds = 0.0
        self.now = True
        """Whether who asked for it waited for it, so that its seconds are counted already."""


_USED: Final[set[int]] = set()
"""What was used by this test."""
_LATE: Final[list[float]] = []
"""The seconds of what was used by this test and run before it."""


@contextmanager
def apart() -> Iterator[Part]:
    """Inside of this block, what is run is noted in a part of its own."""
    before, used, part, start = set(RAN), set(_USED), Part(), _seconds()
    RAN.clear()
    _USED.clear()
    try:
        yield part
    finally:
        part.runs, part.seconds = frozenset(RAN), _seconds() - start
        RAN.clear()
        RAN.update(before)
        _USED.clear()
        _USED.update(used)


def use(part: Part) -> None:
    """Whoever runs now would have to run this, too."""
    if id(part) not in _USED:
        _USED.add(id(part))
        RAN.update(part.runs)
        if not part.now:
            _LATE.append(part.seconds)
    part.now = False


def _remembering(make: Callable[..., Any], function: Callable[..., Any]) -> Callable[..., Any]:
    """A memory of a function of ours, whose hits count as runs."""
    if function.__module__.partition(".")[0] not in OURS:
        return make(function)

    @make
    def kept(*positional: Any, **named: Any) -> tuple[Any, Part]:
        with apart() as part:
            value = function(*positional, **named)
        return value, part

    @functools.wraps(function)
    def call(*positional: Any, **named: Any) -> Any:
        value, part = kept(*positional, **named)
        use(part)
        return value

    for name in ("cache_clear", "cache_info", "cache_parameters"):
        setattr(call, name, getattr(kept, name))
    return call


def _remember(lru_cache: Callable[..., Any]) -> None:
    """From now on, memories of ours are such ones."""

    def noted(maxsize: Any = 128, typed: bool = False) -> Any:
        if callable(maxsize):
            return _remembering(lru_cache(128, typed), maxsize)
        return functools.partial(_remembering, lru_cache(maxsize, typed))

    functools.lru_cache = noted  # type: ignore[assignment]
    functools.cache = noted(None)


_IMPORTED: Final[dict[str, Part]] = {}
_FIXTURES: Final[dict[object, list[Part]]] = {}
_FAILED: Final[set[str]] = set()
_KNOWN: Final[dict[str, int]] = {}


def _watch_imports(execute: Callable[[SourceFileLoader, ModuleType], None]) -> None:
    """From now on, what a module of ours runs at its import is its part."""

    def watched(self: SourceFileLoader, module: ModuleType) -> None:
        with apart() as part:
            execute(self, module)
        if module.__name__.partition(".")[0] in OURS:
            _IMPORTED[module.__name__] = part

    SourceFileLoader.exec_module = watched  # type: ignore[method-assign]


@functools.cache
def _kits(path: Path) -> frozenset[str]:
    """The kits that a file of tests imports, and those that they import (in circles, for types)."""
    found: set[str] = set()
    due = [path]
    while due:
        new = _imported_by(due.pop()) - found
        found |= new
        due += [Path(file) for file in map(_file_of, new) if file]
    return frozenset(found)


@functools.cache
def _imported_by(path: Path) -> frozenset[str]:
    """What a file imports of the tests: modules, and names that may be modules."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    imports = (node for node in nodes if isinstance(node, ast.ImportFrom))
    ours = [node for node in imports if (node.module or "").partition(".")[0] == "tests"]
    names = (f"{node.module}.{alias.name}" for node in ours for alias in node.names)
    return frozenset(str(node.module) for node in ours).union(names)


def _file_of(module: str) -> str | None:
    return getattr(sys.modules.get(module), "__file__", None)


def _seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """What a file of tests runs when it is imported is its part."""
    with apart() as part:
        report = yield
    if isinstance(collector, pytest.Module):
        _IMPORTED[collector.nodeid] = part
    return report  # type: ignore[return-value]


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any) -> Iterator[None]:
    """What a fixture runs is its part: those of files and sessions serve many tests."""
    with apart() as part:
        result = yield
    _FIXTURES.setdefault(fixturedef, []).append(part)
    use(part)
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note what one test runs, with what was run for it before."""
    RAN.clear()
    _USED.clear()
    _LATE.clear()
    start = _seconds()
    try:
        return (yield)
    finally:
        spent = _seconds() - start
        for definitions in getattr(item, "_fixtureinfo").name2fixturedefs.values():  # noqa: B009
            for one in definitions:
                for part in _FIXTURES.get(one, ()):
                    use(part)
        late = sum(_LATE)
        for name in [item.nodeid.partition("::")[0], *_kits(item.path)]:
            if name in _IMPORTED:
                use(_IMPORTED[name])
        marks = {f"check {name}" for mark in item.iter_markers("check") for name in mark.args}
        _write(item.nodeid, spent + late, RAN | marks)


def pytest_sessionfinish() -> None:
    """Note what modules run when they are imported."""
    for name, part in _IMPORTED.items():
        if "::" not in name and not name.endswith(".py") and part.runs:
            _write(AT_IMPORT + name, part.seconds, part.runs)


def _write(test: str, seconds: float, runs: frozenset[str] | set[str]) -> None:
    new = sorted(runs - _KNOWN.keys())
    _KNOWN.update({name: len(_KNOWN) + n for n, name in enumerate(new)})
    bits = sum(1 << _KNOWN[name] for name in runs)
    line = {"test": test, "seconds": round(seconds, 3), "new": new, "runs": f"{bits:x}"}
    if test in _FAILED:
        line["failed"] = True
    with (Path(os.environ["CONTEXTS"]) / f"{os.getpid()}.jsonl").open(
        "a", encoding="utf-8"
    ) as file:
        file.write(json.dumps(line) + "\n")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember who failed, or was skipped: that says nothing of a mistake."""
    if not report.passed:
        _FAILED.add(report.nodeid)


if "CONTEXTS" in os.environ:
    _remember(functools.lru_cache)
    _watch_imports(SourceFileLoader.exec_module)
    sys.meta_path.insert(0, Rewriter(PACKAGES, marked))
