"""Change a loaded function inside of a block: one call is deleted from it."""

from __future__ import annotations

import ast
import functools
import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

from tests.mutation.calls import Call


@contextmanager
def deleted(call: Call) -> Iterator[None]:
    """Inside of this block `call` does nothing, and a judge that is handed over accepts all."""
    module = importlib.import_module(call.module)
    with replaced(module, call.scope, call.place[0], _without(module, call)):
        yield


@contextmanager
def replaced(module: ModuleType, scope: str, line: int, code: CodeType) -> Iterator[None]:
    """Inside of this block a function runs as in `code`, which is code of the whole module.

    It is the outermost function around this line.  All references to it use the new code, and so
    does every function and lambda that it makes inside of the block.  LookupError if there is no
    such function, or if the new code is the old one.
    """
    # Not at the top: a sample of mistakes imports this before the modules that it changes.
    from tests.remembered import forget  # noqa: PLC0415

    function = _function(module, scope, line)
    before = function.__code__
    after = _code(code, before)
    if after == before:
        raise LookupError(f"{scope} is what it was")
    function.__code__ = after
    forget()
    try:
        yield
    finally:
        function.__code__ = before
        forget()


class _Deletion(ast.NodeTransformer):
    """Puts None in the place of a call, and a function that does nothing in that of a judge."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self.found = 0

    def visit(self, node: ast.AST) -> ast.AST:
        """The node, or what replaces it."""
        if self._call.is_at(node):
            self.found += 1
            nothing = "lambda *_, **__: None" if self._call.handed_over else "None"
            return ast.copy_location(ast.parse(nothing, mode="eval").body, node)
        return self.generic_visit(node)


def _without(module: ModuleType, call: Call) -> CodeType:
    """The code of the whole module, without the call."""
    path = Path(str(module.__file__))
    deletion = _Deletion(call)
    tree = ast.fix_missing_locations(deletion.visit(ast.parse(path.read_text())))
    if deletion.found != 1:
        raise LookupError(f"{call.name} is there {deletion.found} times")
    return compile(tree, str(path), "exec", dont_inherit=True)


def _function(module: ModuleType, scope: str, line: int) -> FunctionType:
    """The outermost function around this line."""
    found: object = module
    for name in scope.split("."):
        found = vars(found)[name]
        for function in _unwrapped(found):
            if _holds(function.__code__, line):
                return function
    raise LookupError(f"line {line} is in no function")


def _unwrapped(found: object) -> Iterator[FunctionType]:
    """The functions of ours behind a name: a property has several."""
    if isinstance(found, staticmethod | classmethod):
        found = found.__func__
    if isinstance(found, property):
        for accessor in (found.fget, found.fset):
            yield from _unwrapped(accessor)
    elif isinstance(found, functools.cached_property):
        yield from _unwrapped(found.func)
    elif hasattr(found, "__wrapped__"):
        yield from _unwrapped(found.__wrapped__)
    elif isinstance(found, FunctionType):
        yield found


def _holds(code: CodeType, line: int) -> bool:
    lines = [at for _, _, at in code.co_lines() if at is not None]
    return line in lines or any(_holds(inner, line) for inner in _inner(code))


def _inner(code: CodeType) -> Iterator[CodeType]:
    return (const for const in code.co_consts if isinstance(const, CodeType))


def _code(module: CodeType, before: CodeType) -> CodeType:
    """The function at the same line with the same name, in the new code."""
    for code in _inner(module):
        if (code.co_name, code.co_firstlineno) == (before.co_name, before.co_firstlineno):
            return code
        if code.co_firstlineno <= before.co_firstlineno:
            try:
                return _code(code, before)
            except LookupError:
                continue
    raise LookupError(f"{before.co_name} was not compiled again")
