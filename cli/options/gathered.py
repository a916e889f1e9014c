"""Options that belong together, handed to a command as one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from typing import Any

Command = Callable[..., Any]


def gathered(name: str, kind: type[Any]) -> Callable[[Command], Command]:
    """The options that are called as the fields of `kind` reach the command as one, under `name`.

    It stands below them, and below what else makes them.
    """
    wanted = [field.name for field in fields(kind)]

    def decorate(command: Command) -> Command:
        @wraps(command)
        def wrapped(*args: Any, **options: Any) -> Any:
            value = kind(**{field: options.pop(field) for field in wanted})
            return command(*args, **{name: value}, **options)

        return wrapped

    return decorate
