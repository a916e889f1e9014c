"""A rule of the protocol, broken on purpose: one small change that a reader would call wrong.

A place is a function by its qualified name, and an expression or statement that occurs in it once:
it is compared as a syntax tree, so that the format of the code does not matter.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tests.mutation.mutants import FUNCTIONS, Mutant, source_of

Breach = tuple[str, str, str, str, str]
"""The name, the rule that is broken, the function, the code before, and the code after."""


@dataclass(frozen=True)
class BrokenRule(Mutant):
    """One broken rule, and the beginnings of the names of the tests that must notice it."""

    name: str
    rule: str
    tests: tuple[str, ...]

    def put(self, module: str, tree: ast.Module) -> ast.Module:
        """Return the tree with the rule broken; LookupError unless its place is there once."""
        if module != self.module:
            return tree
        change = _Change(_code(self.before), _code(self.after))
        for function in _functions(tree, self.scope.split(".")):
            change.visit(function)
        if change.found != 1:
            raise LookupError(f"{self.name}: the code before is there {change.found} times")
        return tree


def broken_rules(module: str, tests: tuple[str, ...], *breaches: Breach) -> list[BrokenRule]:
    """Return the broken rules of one module, all noticed by the same tests."""
    tree = ast.parse(source_of(module))

    def broken(name: str, rule: str, scope: str, before: str, after: str) -> BrokenRule:
        line = _line(tree, scope, before)
        return BrokenRule(module, 0, scope, line, before, after, name, rule, tests)

    return [broken(*breach) for breach in breaches]


NOWHERE: Final = 0


def _line(tree: ast.Module, scope: str, before: str) -> int:
    """Return the line of the place; NOWHERE if there is none, which a test reports."""
    wanted = ast.dump(_code(before))
    for function in _functions(tree, scope.split(".")):
        for node in ast.walk(function):
            if ast.dump(node) == wanted and isinstance(node, ast.expr | ast.stmt):
                return node.lineno
    return NOWHERE


def _code(text: str) -> ast.expr | ast.stmt:
    """Parse one expression, or one statement that is no expression."""
    (statement,) = ast.parse(text).body
    return statement.value if isinstance(statement, ast.Expr) else statement


def _functions(tree: ast.AST, scope: list[str]) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and node.name == scope[0]:
            if len(scope) == 1:
                yield node
            else:
                yield from _functions(node, scope[1:])


class _Change(ast.NodeTransformer):
    """Puts one piece of code in the place of another, and counts the places."""

    def __init__(self, before: ast.AST, after: ast.AST) -> None:
        self._before = ast.dump(before)
        self._after = after
        self.found = 0

    def visit(self, node: ast.AST) -> ast.AST:
        """Return the node, or the code that replaces it, in the same lines."""
        if ast.dump(node) != self._before:
            return self.generic_visit(node)
        self.found += 1
        return ast.copy_location(self._after, node)
