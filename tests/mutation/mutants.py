"""Small mistakes that somebody could make: each that can be put into the tree of a module.

A comparison off by one case or turned round, a number off by one, `and` for `or`, a `not` left
out, plus for minus, a statement left out, the first two arguments exchanged, another result.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from tests.mutation.source import REPOSITORY

PLACES: Final = ("engine", "p2p/protocol", "p2p/crypto")
OTHER: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
}
COMMUTE: Final = ("max", "min", "group.add", "hmac.compare_digest")
"""With two arguments these give the same in either order: that would be no mistake."""
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
TYPES: Final = ("annotation", "returns", "decorator_list")
SHOWN: Final = 120
"""Letters of a line that are shown."""
Parents = dict[ast.AST, ast.AST]


@dataclass(frozen=True)
class Mutant:
    """One mistake: where it is, and the line of the source before and after it."""

    module: str
    number: int
    """Which mistake of the module, as `mistakes` counts them."""
    scope: str
    """The function that it is in, or the class, qualified; "" in the module itself."""
    line: int
    before: str
    after: str

    def put(self, module: str, tree: ast.Module) -> ast.Module:
        """The tree of its module with the mistake in it; other trees stay as they are."""
        if module == self.module:
            node, other = list(mistakes(tree))[self.number]
            _replace(parents_in(tree)[node], node, other)
        return tree

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.scope}: {self.before}  ->  {self.after}"


@cache
def all_mutants() -> list[tuple[str, int]]:
    """Every mistake of PLACES: the module that it is in, and its number there."""
    return [
        (module_of(path), number)
        for path in mutated_files()
        for number, _ in enumerate(mistakes(ast.parse(path.read_text("utf-8"))))
    ]


def mutated_files() -> list[Path]:
    """The files of PLACES."""
    return [path for place in PLACES for path in sorted((REPOSITORY / place).rglob("*.py"))]


def module_of(path: Path) -> str:
    """The name of the module in a file."""
    return ".".join(path.relative_to(REPOSITORY).with_suffix("").parts).removesuffix(".__init__")


def source_of(module: str) -> str:
    """The text of a module of the project."""
    path = REPOSITORY.joinpath(*module.split("."))
    return (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text("utf-8")


def mutant(module: str, number: int, source: str) -> Mutant:
    """The mistake of this number in a module."""
    tree = ast.parse(source)
    node, other = list(mistakes(tree))[number]
    return _described(module, number, node, other, parents_in(tree))


def mutants_of(module: str, source: str) -> Iterator[Mutant]:
    """All mistakes of a module, in order."""
    tree = ast.parse(source)
    parents = parents_in(tree)
    for number, (node, other) in enumerate([*mistakes(tree)]):
        yield _described(module, number, node, other, parents)


def _described(module: str, number: int, node: ast.AST, other: ast.AST, parents: Parents) -> Mutant:
    """The mistake of putting `other` in the place of `node`; the tree is as it was afterwards."""
    statement = _statement(node, parents)
    before, scope = _said(statement), _scope(node, parents)
    _replace(parents[node], node, other)
    after = _said(other if node is statement else statement)
    _replace(parents[node], other, node)
    return Mutant(module, number, scope, getattr(node, "lineno", 0), *_near(before, after))


def parents_in(tree: ast.Module) -> Parents:
    """The parent of each node, but for nodes of operators, which have several."""
    return {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}


def mistakes(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Each node below this one that may be mistaken, in order, and what would replace it."""
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and name not in TYPES:
                yield from ((child, other) for other in _others(child))
                yield from mistakes(child)


def _others(node: ast.AST) -> Iterator[ast.AST]:
    """What one node may be mistaken for."""
    if isinstance(node, ast.Compare):
        yield from _compared(node)
    elif isinstance(node, ast.BoolOp | ast.BinOp | ast.AugAssign) and type(node.op) in OTHER:
        yield _with(node, op=OTHER[type(node.op)]())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.Constant):
        yield from _numbers(node)
    elif isinstance(node, ast.Call):
        yield from _exchanged(node)
    elif isinstance(node, ast.Return) and node.value is not None and not _is_truth(node.value):
        yield _with(node, value=_opposite(node.value))
    if isinstance(node, ast.stmt) and _can_be_left_out(node):
        yield ast.copy_location(ast.Pass(), node)


def _with(node: ast.AST, **fields: object) -> ast.AST:
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


def _compared(node: ast.Compare) -> Iterator[ast.AST]:
    for n, op in enumerate(node.ops):
        if type(op) in OTHER:
            yield _with(node, ops=[*node.ops[:n], OTHER[type(op)](), *node.ops[n + 1 :]])


def _numbers(node: ast.Constant) -> Iterator[ast.AST]:
    if isinstance(node.value, bool):
        yield _with(node, value=not node.value)
    elif isinstance(node.value, int):
        yield _with(node, value=node.value + 1)
        yield _with(node, value=node.value - 1)


def _exchanged(node: ast.Call) -> Iterator[ast.AST]:
    first, second = node.args[:2] if len(node.args) > 1 else (None, None)
    if first is None or second is None or isinstance(first, ast.Starred):
        return
    if ast.unparse(node.func) in COMMUTE and len(node.args) == 2 and not node.keywords:
        return
    if not isinstance(second, ast.Starred) and ast.dump(first) != ast.dump(second):
        yield _with(node, args=[second, first, *node.args[2:]])


def _is_truth(value: ast.expr) -> bool:
    """Whether it is True or False, which is mistaken for the other one as any constant is."""
    return isinstance(value, ast.Constant) and isinstance(value.value, bool)


def _opposite(value: ast.expr) -> ast.expr:
    """The opposite of a truth value, as far as the tree shows that it is one; else None."""
    negated = isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not)
    if negated or isinstance(value, ast.Compare | ast.BoolOp):
        return ast.copy_location(ast.UnaryOp(ast.Not(), value), value)
    nothing = isinstance(value, ast.Constant) and value.value is None
    return ast.copy_location(ast.Constant(0 if nothing else None), value)


def _can_be_left_out(node: ast.stmt) -> bool:
    """Whether no name is missing without this statement: any test would notice a missing one."""
    if isinstance(node, ast.Assign):
        return not any(isinstance(target, ast.Name | ast.Tuple) for target in node.targets)
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant)
    return isinstance(node, ast.AugAssign | ast.Raise | ast.Delete | ast.Continue | ast.Break)


def _replace(parent: ast.AST, node: ast.AST, other: ast.AST) -> None:
    for name, value in ast.iter_fields(parent):
        if value is node:
            setattr(parent, name, other)
        elif isinstance(value, list):
            value[:] = [other if one is node else one for one in value]


def _statement(node: ast.AST, parents: Parents) -> ast.AST:
    while not isinstance(node, ast.stmt):
        node = parents[node]
    return node


def _scope(node: ast.AST, parents: Parents) -> str:
    names: list[str] = []
    while node in parents:
        node = parents[node]
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            names.insert(0, node.name)
    return ".".join(names)


def _near(before: str, after: str) -> tuple[str, str]:
    """What is around the difference of two long lines; short ones as they are."""
    pairs = enumerate(zip(before, after, strict=False))
    same = next((n for n, (one, other) in pairs if one != other), 0)
    start = max(0, same - SHOWN // 2) if len(before) > SHOWN else 0
    return before[start : start + SHOWN], after[start : start + SHOWN]


def _said(node: ast.AST) -> str:
    """The first line of a statement."""
    return ast.unparse(ast.fix_missing_locations(node)).splitlines()[0]
