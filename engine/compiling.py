"""Where a compiled engine differs from an interpreted one; `setup.py` says what is compiled.

Interpreted classes, such as those of other packages, can extend a compiled class only if
`mypyc_attr(allow_interpreted_subclasses=True)` allows it.  Its `__slots__` and its annotations are
nowhere but in its source, which is installed beside the module that was compiled from it.
"""

from __future__ import annotations

import ast
import os  # pathlib takes as long to import as all of the engine's own modules
import sys
from collections.abc import Mapping
from functools import cache
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, Final, get_type_hints

__all__ = ["hints", "is_compiled", "mypyc_attr", "slots", "uncover"]

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:

    def mypyc_attr(**_attributes):
        """Change nothing: only the compiler, which knows this mark by its module, heeds it."""
        return lambda cls: cls


_MADE: Final = "__mypyc_attrs__"
"""Every compiled class has this attribute: the names of its attributes."""


def is_compiled(cls: type) -> bool:
    """Whether this class was compiled."""
    return _MADE in vars(cls)


def slots(cls: type) -> tuple[str, ...]:
    """The `__slots__` of a class, without those of its bases.

    >>> from engine.question import LayDown
    >>> slots(LayDown)
    ('count', 'deciders', 'seat', 'zone')
    """
    names: tuple[str, ...] = _own(cls)["__slots__"]
    return names


def hints(cls: type) -> dict[str, Any]:
    """The types that a class and its bases annotate, by attribute."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        stated = _own(base).get("__annotations__", {})
        bare = type(base.__name__, (), {"__module__": base.__module__, "__annotations__": stated})
        found |= get_type_hints(bare)
    return found


def uncover(cls: type) -> None:
    """Remove slots that hide attributes of a compiled class that `cls` extends.

    A dataclass with slots makes one for each field that is in no `__slots__` of a base, and a
    kind of question names those that its own `__init__` sets.  The compiler counts `__dict__`
    among the attributes, which every class has for itself.
    """
    made = {name for base in cls.__mro__[1:] for name in vars(base).get(_MADE, ())} - {"__dict__"}
    for name, value in [*vars(cls).items()]:
        if name in made and isinstance(value, MemberDescriptorType):
            delattr(cls, name)


def _own(cls: type) -> Mapping[str, Any]:
    """What a class itself says; for a compiled one, the slots and annotations in its source."""
    if not is_compiled(cls):
        return vars(cls)
    stated: dict[str, str] = {}
    written: dict[str, Any] = {"__annotations__": stated}
    for line in _written(cls):
        if isinstance(line, ast.AnnAssign):
            stated[ast.unparse(line.target)] = ast.unparse(line.annotation)
        elif isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "__slots__":
            written["__slots__"] = ast.literal_eval(line.value)
    return written


@cache  # golden playthroughs ask at every step; one item for each compiled class at most
def _written(cls: type) -> list[ast.stmt]:
    """The statements of a compiled class, from the source beside its module."""
    folder = os.path.dirname(str(sys.modules[cls.__module__].__file__))
    name = f"{cls.__module__.rpartition('.')[2]}.py"
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        tree = ast.parse(file.read())
    classes = (node for node in tree.body if isinstance(node, ast.ClassDef))
    return next(node.body for node in classes if node.name == cls.__name__)
