"""The project's own files, parsed once for the tests about the repository."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("engine", "p2p", "replay", "cli")


def sources(*folders: str) -> list[Path]:
    """Every Python file below these folders (all packages by default), or these files."""
    places = [ROOT / folder for folder in folders or PACKAGES]
    return sorted(
        path for place in places for path in ([place] if place.is_file() else place.rglob("*.py"))
    )


def lines(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


@cache
def texts(path: Path) -> list[ast.Constant]:
    """The constants of text in a file: no docstrings, pieces of f-strings, or names of slots."""
    left_out: set[ast.AST] = set()
    for node in walked(parsed(path)):
        if isinstance(node, ast.Expr):
            left_out.add(node.value)
        elif isinstance(node, ast.JoinedStr):
            left_out.update(node.values)
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__slots__":
            left_out.update(ast.walk(node.value))
    return [
        node
        for node in walked(parsed(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in left_out
    ]


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


@cache
def walked(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All nodes of a tree, as `ast.walk` finds them: two dozen tests look at each."""
    return tuple(ast.walk(tree))


def shown(path: Path, node: ast.AST | None = None) -> str:
    """`folder/file.py:line`, for a message."""
    line = "" if node is None else f":{getattr(node, 'lineno', '?')}"
    return f"{path.relative_to(ROOT)}{line}"


@cache
def functions(path: Path) -> tuple[ast.FunctionDef | ast.AsyncFunctionDef, ...]:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return tuple(node for node in walked(parsed(path)) if isinstance(node, kinds))


def module_of(path: Path) -> str:
    """The name by which a file is imported."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def imported(path: Path) -> tuple[tuple[ast.AST, str], ...]:
    """Every module that a file imports, also inside functions, with the place."""
    return tuple(_imported(path))


def _imported(path: Path) -> Iterator[tuple[ast.AST, str]]:
    for node in walked(parsed(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"relative import in {shown(path, node)}"
            for alias in node.names:
                yield node, f"{node.module}.{alias.name}"
