"""The engine is pure: what it imports, and what rules may not do."""

from __future__ import annotations

import ast
import doctest
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from tests.repo.sources import ROOT, module_of, parsed

FILES = sorted((ROOT / "engine").rglob("*.py"))
PLAYS = {"bot.py", "lookahead.py", "unseen.py"}
RULES = [path for path in FILES if "games" in path.parts[:-2] and path.name not in PLAYS]
"""Rules, and not what plays by them: bots are handed their chance, and weigh what may come."""
IMPURE = {
    "asyncio", "datetime", "gc", "hashlib", "io", "math", "multiprocessing", "os", "pathlib",
    "random", "secrets", "select", "socket", "subprocess", "sys", "threading", "time", "uuid",
}  # fmt: skip
FOR_TYPES = {"mypy_extensions"}
"""Read by the compiler and never loaded, as the last test here shows."""
GOES_THROUGH = {"enumerate", "filter", "iter", "list", "map", "next", "tuple", "zip"}
CHANCE = {"hash", "id", "open", "input", "float", "exec", "eval"}


def of_each(paths: list[Path]) -> pytest.MarkDecorator:
    """The test is run for each of these files."""
    return pytest.mark.parametrize("path", paths, ids=lambda path: str(path.relative_to(ROOT)))


def imported(tree: ast.Module) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add("." if node.level else node.module or ".")
    return {name.split(".")[0] for name in names}


@of_each(FILES)
def test_the_engine_needs_the_standard_library_and_itself(path: Path) -> None:
    assert imported(parsed(path)) <= sys.stdlib_module_names | {"engine"} | FOR_TYPES


@of_each(RULES)
def test_rules_know_no_chance_no_clock_and_no_machine(path: Path) -> None:
    tree = parsed(path)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert not imported(tree) & IMPURE
    assert not names & CHANCE
    for node in ast.walk(tree):
        assert not isinstance(node, ast.Constant) or not isinstance(node.value, float)
        assert not isinstance(node, ast.Div)


def sets_gone_through(tree: ast.Module) -> list[str]:
    """Places that iterate over a set, whose order is chance: loops, unpacking, list(), tuple()."""
    kept = {name for node in ast.walk(tree) for name in _names_of_sets(node)}
    return [
        ast.unparse(gone)
        for node in ast.walk(tree)
        for gone in _gone_through(node)
        if _is_set(gone, kept)
    ]


def _names_of_sets(node: ast.AST) -> list[str]:
    if not isinstance(node, ast.Assign | ast.AnnAssign) or not node.value:
        return []
    if not _is_set(node.value, set()):
        return []
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [name.id for name in targets if isinstance(name, ast.Name)]


def _gone_through(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.For | ast.comprehension):
        return [node.iter]
    if isinstance(node, ast.Starred):
        return [node.value]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.args if node.func.id in GOES_THROUGH else []
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.args if node.func.attr in {"extend", "join", "from_iterable"} else []
    return []


def _is_set(node: ast.expr, kept: set[str]) -> bool:
    if isinstance(node, ast.Set | ast.SetComp):
        return True
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in {"set", "frozenset"}
    if isinstance(node, ast.BinOp):
        return _is_set(node.left, kept) or _is_set(node.right, kept)
    return isinstance(node, ast.Name) and node.id in kept


@of_each(RULES)
def test_rules_never_go_through_a_set(path: Path) -> None:
    assert sets_gone_through(parsed(path)) == []


@pytest.mark.parametrize(
    "source",
    [
        "for x in {1, 2}: pass",
        "s = set(y)\n[x for x in s]",
        "s: set[int] = {1}\nlist(s)",
        "a.extend({1} | b)",
        "f(*frozenset(y))",
    ],
)
def test_a_set_gone_through_would_be_found(source: str) -> None:
    assert sets_gone_through(ast.parse(source))


@of_each(FILES)
def test_the_examples_in_the_docstrings_hold(path: Path) -> None:
    assert doctest.testmod(importlib.import_module(module_of(path))).failed == 0


def test_importing_a_game_loads_nothing_of_the_other_layers() -> None:
    code = (
        "import sys, engine.simulate, engine.games.flip_over.rules\n"
        "print(sorted({n.split('.')[0] for n in sys.modules} - set(sys.stdlib_module_names)))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "['__main__', 'engine']"
