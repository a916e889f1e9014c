"""The names of all checks on peer input, read from the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
PACKAGES = ("p2p", "replay")
FUNCTIONS = ("require", "weight")
_HOME = REPOSITORY / "p2p" / "checks.py"


@dataclass(frozen=True)
class Check:
    """One call of `checks.require` or `checks.weight`; `name` is None if it is no literal."""

    name: str | None
    place: str


def checks_in_source() -> list[Check]:
    """Every call, file by file."""
    return [check for path in _files() for check in checks_in(path.read_text(), _relative(path))]


def checks_in(source: str, place: str) -> Iterator[Check]:
    """The calls in one module, and imports that would hide calls from the harness."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module == "p2p.checks":
            hidden = [alias.name for alias in node.names if alias.name in FUNCTIONS]
            yield from (Check(None, f"{place}:{node.lineno} imports {name}") for name in hidden)
        if isinstance(node, ast.Call) and _is_check(node.func):
            yield Check(_literal(node), f"{place}:{node.lineno}")


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
