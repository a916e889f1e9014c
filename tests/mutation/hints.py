"""What the source says about the types of its names: by annotation, or by what made the value."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass
class Types:
    """The classes that a variable, a parameter or an attribute of some name may be of."""

    of: dict[str, set[str]] = field(default_factory=dict)
    same: set[tuple[str, str]] = field(default_factory=set)
    """An attribute, and the parameter that it is made from."""

    def note(self, name: str, classes: set[str]) -> None:
        if classes:
            self.of.setdefault(name, set()).update(classes)

    def update(self, other: Types) -> None:
        """Add what is said elsewhere."""
        for name, classes in other.of.items():
            self.note(name, classes)


def types_of(tree: ast.Module) -> Types:
    """All that one module says."""
    types = Types()
    for node in ast.walk(tree):
        for name, annotation, value in _named(node):
            types.note(name, _classes(annotation) | _made(value))
            if isinstance(value, ast.Name):
                types.same.add((name, value.id))
    for name, origin in types.same:
        types.note(name, types.of.get(origin, set()))
    return types


def _named(node: ast.AST) -> Iterator[tuple[str, ast.expr | None, ast.expr | None]]:
    """A name that gets a type here, its annotation and its value."""
    if isinstance(node, ast.arg):
        yield node.arg, node.annotation, None
    elif isinstance(node, ast.AnnAssign):
        yield from ((name, node.annotation, node.value) for name in _targets([node.target]))
    elif isinstance(node, ast.Assign):
        yield from ((name, None, node.value) for name in _targets(node.targets))


def _targets(targets: list[ast.expr]) -> Iterator[str]:
    for target in targets:
        if isinstance(target, ast.Name):
            yield target.id
        elif isinstance(target, ast.Attribute):
            yield target.attr


def _classes(annotation: ast.expr | None) -> set[str]:
    """The names in an annotation, but for those that say nothing."""
    if annotation is None:
        return set()
    names = {node.id for node in ast.walk(annotation) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(annotation) if isinstance(node, ast.Attribute)}
    return names - {"Final", "Any", "ClassVar"}


def _made(value: ast.expr | None) -> set[str]:
    """The class whose call makes this value."""
    if not isinstance(value, ast.Call):
        return set()
    called = value.func
    name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
    return {name} if name.lstrip("_")[:1].isupper() else set()
