"""The constants of engine, protocol and cryptography: `python -m tests.protocol.constants` writes
the page again.

Numbers, tables and defaults are what other programs at the table, saved games and other verifiers
rely on, and few tests come near most of them: the last of a hundred cards, the bound that no game
reaches, the number of a frame.  A page of them all shows each that is changed, wherever it stands.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from tests.mutation.mutants import PLACES, source_of
from tests.mutation.source import REPOSITORY

PAGE: Final = Path(__file__).with_name("constants.txt")
ASSIGNS: Final = (ast.Assign, ast.AnnAssign)
LONG: Final = 300
"""Letters of a value; of a longer one the start and a digest are written."""


def modules() -> list[str]:
    """The names of all modules of PLACES."""
    paths = [path for place in PLACES for path in sorted((REPOSITORY / place).rglob("*.py"))]
    parts = [path.relative_to(REPOSITORY).with_suffix("").parts for path in paths]
    return sorted(".".join(one).removesuffix(".__init__") for one in parts)


def page() -> str:
    """All modules that have constants."""
    return "".join(f"{section(name)}\n" for name in modules() if lines(name))


def section(name: str) -> str:
    """What the page says of one module."""
    return "".join(f"{line}\n" for line in [f"# {name}", *lines(name)])


def lines(name: str) -> list[str]:
    """A line for each constant and for each default, in the order of the source."""
    module, own = import_module(name), _assigned(name)
    found: list[str] = []
    for key, value in vars(module).items():
        if _is_own(module, value):
            found += [f"{path}: {told}" for path, told in _defaults(value)]
        elif key in own:
            found += _said(key, value)
    return found


def defaulting(name: str) -> Iterator[str]:
    """The functions of a module that have defaults, by their qualified names."""
    module = import_module(name)
    own = [one for one in vars(module).values() if _is_own(module, one)]
    classes = {one.__qualname__ for one in own if isinstance(one, type)}
    paths = {path for one in own for path, _ in _defaults(one)}
    yield from (f"{name}:{path}" for path in sorted(paths - classes))


def _assigned(name: str) -> set[str]:
    """The constants that a module makes itself, by their capital letters."""
    nodes = [one for one in ast.parse(source_of(name)).body if isinstance(one, ASSIGNS)]
    targets = [part for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)]
    return {one.id for one in targets if isinstance(one.ctx, ast.Store) and one.id.isupper()}


def _said(key: str, value: Any) -> list[str]:
    """A line; of a table one for each entry, since tests may add to some."""
    if isinstance(value, Mapping):
        entries = [f"{key}[{tell(at)}] = {_cut(tell(one))}" for at, one in value.items()]
        return [f"{key} = a table", *entries]
    return [f"{key} = {_cut(tell(value))}"]


def _cut(told: str) -> str:
    if len(told) <= LONG:
        return told
    return f"{told[:LONG]}... {hashlib.sha256(told.encode()).hexdigest()[:16]}"


def _is_own(module: ModuleType, value: Any) -> bool:
    is_code = isinstance(value, type) or inspect.isfunction(value)
    return is_code and value.__module__ == module.__name__


def _defaults(value: Any) -> Iterator[tuple[str, str]]:
    """Of a function; of a class those of its fields, and what its methods have."""
    if not isinstance(value, type):
        yield from _of_function(value)
        return
    if issubclass(value, Enum):
        yield value.__qualname__, ", ".join(f"{one.name} = {one.value!r}" for one in value)
        return
    stated = [f"{key} = {tell(one)}" for key, one in vars(value).items() if _is_plain(key, one)]
    if is_dataclass(value):
        stated += [f"{one.name} = {_default(one)}" for one in fields(value) if _default(one)]
    if stated:
        yield value.__qualname__, ", ".join(stated)
    for key, one in vars(value).items():
        function = getattr(one, "__func__", getattr(one, "fget", one))
        if inspect.isfunction(function) and not key.startswith("__dataclass"):
            yield from _of_function(function)


def _is_plain(key: str, value: Any) -> bool:
    return not key.startswith("_") and isinstance(value, bool | int | float | str | bytes | tuple)


def _default(one: Any) -> str:
    return "" if one.default is MISSING else tell(one.default)


def _of_function(function: Callable[..., Any]) -> Iterator[tuple[str, str]]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # it is no function of Python
        return
    said = [
        f"{one.name} = {tell(one.default)}"
        for one in parameters
        if one.default is not one.empty and one.default.__class__.__name__ != "_HAS_DEFAULT_FACTORY"
    ]
    if said and "<" not in function.__qualname__:
        yield function.__qualname__, ", ".join(said)


def tell(value: Any) -> str:
    """A value as text, the same in each process: nothing of addresses and orders of sets."""
    if isinstance(value, Enum):  # its text is another in each Python
        return f"{type(value).__name__}({value.value!r})"
    if is_dataclass(value) and not isinstance(value, type):
        inner = ", ".join(f"{one.name}={tell(getattr(value, one.name))}" for one in fields(value))
        return f"{type(value).__name__}({inner})"
    if isinstance(value, Mapping):
        inner = ", ".join(f"{tell(key)}: {tell(one)}" for key, one in value.items())
        return f"{{{inner}}}"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(map(tell, value)))}}}"
    if isinstance(value, list | tuple):
        return f"({', '.join(map(tell, value))})"
    if isinstance(value, partial):
        return f"partial({tell(value.func)}, {tell(value.args)}, {tell(value.keywords)})"
    if value is None or isinstance(value, int | float | str | bytes | range):
        return repr(value)
    name = getattr(value, "__qualname__", None)
    return name if isinstance(name, str) else type(value).__name__


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
