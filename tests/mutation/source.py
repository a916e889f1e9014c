"""The names of all checks on peer input, read from the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeGuard

REPOSITORY = Path(__file__).parents[2]
PACKAGES = ("p2p", "replay")
FUNCTIONS = ("require", "present", "weight")
_HOME = REPOSITORY / "p2p" / "checks.py"


@dataclass(frozen=True)
class Check:
    """One call of a function of `p2p.checks`; `name` is None if it is no literal."""

    name: str | None
    place: str


@cache
def checks_in_source() -> tuple[Check, ...]:
    """Every call, file by file; read once, for many tests ask."""
    files = ((path.read_text("utf-8"), _relative(path)) for path in _files())
    named = ((text, place) for text, place in files if "checks" in text)
    return tuple(check for text, place in named for check in checks_in(text, place))


def checks_in(source: str, place: str) -> Iterator[Check]:
    """The calls in one module, and imports that would hide calls from the harness.

    A function may stand for `checks.require` if it hands on its own parameter `check`; then
    its callers in the module name the check.
    """
    tree = ast.parse(source)
    helpers = wrappers(tree)
    passed_on = {id(call) for calls in helpers.values() for call in calls}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "p2p.checks":
            hidden = [alias.name for alias in node.names if alias.name in FUNCTIONS]
            yield from (Check(None, f"{place}:{node.lineno} imports {name}") for name in hidden)
        if isinstance(node, ast.Call) and id(node) not in passed_on:
            wrapped = isinstance(node.func, ast.Name) and node.func.id in helpers
            if wrapped or _is_check(node.func):
                yield Check(_literal(node), f"{place}:{node.lineno}")


def wrappers(tree: ast.Module) -> dict[str, list[ast.Call]]:
    """Functions of the module that hand on a parameter `check`, with the calls that do so."""
    found: dict[str, list[ast.Call]] = {}
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        parameters = [parameter.arg for parameter in function.args.args]
        if parameters[:1] == ["check"]:
            calls = [node for node in ast.walk(function) if _hands_on(node)]
            if calls:
                found[function.name] = calls
    return found


def _hands_on(node: ast.AST) -> TypeGuard[ast.Call]:
    if not (isinstance(node, ast.Call) and _is_check(node.func) and node.args):
        return False
    first = node.args[0]
    return isinstance(first, ast.Name) and first.id == "check"


def _is_check(function: ast.expr) -> bool:
    return (
        isinstance(function, ast.Attribute)
        and function.attr in FUNCTIONS
        and isinstance(function.value, ast.Name)
        and function.value.id == "checks"
    )


def _literal(call: ast.Call) -> str | None:
    first = call.args[0] if call.args else None
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        return first.value
    return None


def _files() -> Iterator[Path]:
    for package in PACKAGES:
        yield from (path for path in sorted((REPOSITORY / package).rglob("*.py")) if path != _HOME)


def _relative(path: Path) -> str:
    return path.relative_to(REPOSITORY).as_posix()
