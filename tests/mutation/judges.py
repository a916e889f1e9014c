"""Which functions judge what a peer sent, read from the source.

A *judge* is a function of ours that calls `checks.require`, or that calls another judge without
using its result: then the call is there for its judgement alone.  A call inside of a `try` that
swallows PeerError does not make its function a judge.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.mutation.hints import Types, types_of
from tests.mutation.source import REPOSITORY, wrappers

JUDGES_OF_OTHERS: Final = frozenset({"verify", "check", "pledge"})
"""Methods that judge with errors of their own, whatever their class is: the signature of the
library's key, the plan of the engine's game, the guard against a mistake of the rules."""
Function = ast.FunctionDef | ast.AsyncFunctionDef
Name = tuple[str, str]
"""The module and the qualified name of a function, nested ones as `outer.inner`."""


@dataclass
class Module:
    """One file: its tree, the parent of each node, and what its names stand for."""

    name: str
    tree: ast.Module
    parents: dict[ast.AST, ast.AST] = field(default_factory=dict)
    imported: dict[str, str] = field(default_factory=dict)
    """What each imported name stands for, dotted."""
    helpers: frozenset[str] = frozenset()
    """Functions that hand on the name of a check: their calls are checks of their own."""
    types: Types = field(default_factory=Types)
    """What is said in this module about the types of its variables and attributes."""

    def scope(self, node: ast.AST) -> str:
        """The qualified name of what is around a node; lambdas have no name."""
        names: list[str] = []
        while node in self.parents:
            node = self.parents[node]
            if isinstance(node, Function | ast.ClassDef):
                names.append(node.name)
        return ".".join(reversed(names))


def read_module(name: str, source: str) -> Module:
    """The module of this source."""
    module = Module(name, ast.parse(source))
    for node in ast.walk(module.tree):
        module.parents.update(dict.fromkeys(ast.iter_child_nodes(node), node))
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                module.imported[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    module.helpers = frozenset(wrappers(module.tree))
    module.types = types_of(module.tree)
    return module


class Judges:
    """All judges of some modules, and what a call in one of them may mean."""

    def __init__(self, modules: list[Module]) -> None:
        self.modules: Final = {module.name: module for module in modules}
        self.functions: Final[dict[Name, Function]] = {}
        self._methods: Final[defaultdict[str, list[Name]]] = defaultdict(list)
        self._attributes: Final[Types] = Types()
        self._meant: Final[dict[ast.expr, set[Name]]] = {}
        for module in modules:
            self._note_functions(module)
            self._attributes.update(module.types)
        self._executed: Final = {
            name: list(_executed(function)) for name, function in self.functions.items()
        }
        self._results: Final = {
            name: _result(function) for name, function in self.functions.items()
        }
        self.names: Final = self._close(self.is_unused)
        self._refusing: Final = self._close(lambda module, call: True)

    def _note_functions(self, module: Module) -> None:
        for node in ast.walk(module.tree):
            if isinstance(node, Function):
                inside = module.scope(node)
                name = module.name, f"{inside}.{node.name}".lstrip(".")
                self.functions[name] = node
                if isinstance(module.parents[node], ast.ClassDef):
                    self._methods[node.name].append(name)

    def _close(self, counts: Callable[[Module, ast.Call], bool]) -> set[Name]:
        """The functions that call `checks.require`, and those whose calls of such ones count."""
        found: set[Name] = set()
        before = -1
        while before < len(found):
            before = len(found)
            found |= {name for name in self.functions if self._refuses(name, found, counts)}
        return found

    def _refuses(
        self, name: Name, known: set[Name], counts: Callable[[Module, ast.Call], bool]
    ) -> bool:
        module = self.modules[name[0]]
        return any(
            is_require(call.func)
            or (self.meant(module, call.func) & known and counts(module, call))
            for call in self._executed[name]
        )

    def judges(self, module: Module, call: ast.Call) -> bool:
        """Whether a call may be there for its judgement: it calls a judge, or drops the result."""
        meant = self.meant(module, call.func)
        if meant & self.names:
            return True
        thrown_away = isinstance(module.parents[call], ast.Expr)
        return thrown_away and any(map(self._returns, meant & self._refusing))

    def meant(self, module: Module, called: ast.expr) -> set[Name]:
        """The functions of ours that this expression may stand for."""
        if called not in self._meant:
            self._meant[called] = self._find(module, called)
        return self._meant[called]

    def _find(self, module: Module, called: ast.expr) -> set[Name]:
        if isinstance(called, ast.Name):
            return self._named(module, module.scope(called), called.id)
        if not isinstance(called, ast.Attribute):
            return set()
        if isinstance(called.value, ast.Name):
            whole = module.imported.get(called.value.id, "")
            if whole in self.modules:
                return self._named(self.modules[whole], "", called.attr)
        return self._method(module, called)

    def _named(self, module: Module, scope: str, name: str) -> set[Name]:
        """A function of this module, the innermost first, or one that is imported."""
        around = scope.split(".") if scope else []
        for depth in range(len(around), -1, -1):
            found = module.name, ".".join([*around[:depth], name])
            if found in self.functions:
                return {found}
        home, _, original = module.imported.get(name, "").rpartition(".")
        return self._named(self.modules[home], "", original) if home in self.modules else set()

    def _method(self, module: Module, called: ast.Attribute) -> set[Name]:
        """A method of this name: of the object's class, else of any class known in the module."""
        candidates = self._methods[called.attr]
        classes = self._classes(module, called)
        if classes:
            return {name for name in candidates if name[1].split(".")[-2] in classes}
        return {name for name in candidates if self._is_visible(module, name)}

    def _classes(self, module: Module, called: ast.Attribute) -> set[str]:
        """The names of the classes that an object may be of; empty if nothing is said."""
        match called.value:
            case ast.Name("self"):
                return set(module.scope(called).split("."))
            case ast.Name(name):
                return module.types.of.get(name, set())
            case ast.Attribute(_, name):
                return self._attributes.of.get(name, set())
        return set()

    @staticmethod
    def _is_visible(module: Module, method: Name) -> bool:
        home, cls = method[0], method[1].rpartition(".")[0]
        seen = module.imported.values()
        return home == module.name or home in seen or f"{home}.{cls}" in seen

    def is_unused(self, module: Module, call: ast.Call) -> bool:
        """Whether nothing is done with the result: there is none, or it is thrown away."""
        if isinstance(module.parents[call], ast.Expr):
            return True
        meant = self.meant(module, call.func)
        return bool(meant) and all(map(self.returns_nothing, meant))

    def returns_nothing(self, name: Name) -> bool:
        """Whether a function is there for what it does; a program or a coroutine is not one."""
        return self._results[name] == "None"

    def _returns(self, name: Name) -> bool:
        return self._results[name] not in ("", "None")


def _result(function: Function) -> str:
    """What a function returns as its source says; "" of a program or a coroutine."""
    steps = any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function))
    if steps or isinstance(function, ast.AsyncFunctionDef) or function.returns is None:
        return ""
    return ast.unparse(function.returns)


def is_require(called: ast.expr) -> bool:
    """Whether this is `checks.require`, or `checks.present`, which calls it."""
    refusing = ("checks.require", "checks.present")
    return isinstance(called, ast.Attribute) and ast.unparse(called) in refusing


def _executed(node: ast.AST) -> Iterator[ast.Call]:
    """The calls that run when a function runs, but those whose refusal is swallowed."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function | ast.Lambda | ast.ClassDef):
            continue
        if isinstance(child, ast.Try) and any(map(_swallows, child.handlers)):
            for part in (*child.handlers, *child.orelse, *child.finalbody):
                yield from _executed(part)
            continue
        if isinstance(child, ast.Call):
            yield child
        yield from _executed(child)


def _swallows(handler: ast.ExceptHandler) -> bool:
    caught = {node.id for node in ast.walk(handler) if isinstance(node, ast.Name)}
    raises = any(isinstance(node, ast.Raise) for node in ast.walk(handler))
    return "PeerError" in caught and not raises


def all_judges(packages: tuple[str, ...] = ("p2p", "replay")) -> Judges:
    """The judges of this repository."""
    return Judges(
        [
            read_module(_dotted(path), path.read_text())
            for package in packages
            for path in sorted((REPOSITORY / package).rglob("*.py"))
        ]
    )


def _dotted(path: Path) -> str:
    return ".".join(path.relative_to(REPOSITORY).with_suffix("").parts)
