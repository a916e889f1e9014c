"""Values as text that is the same in each process, for pages that later runs are compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import partial
from typing import Any


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
