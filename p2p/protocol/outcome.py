"""How a computation came out, as a value that can be handed on: a function that returns its result,
or raises what was raised instead.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from p2p.errors import PeerError

T = TypeVar("T")
Outcome = Callable[[], T]


def returning(value: T) -> Outcome[T]:
    """The outcome that is this value."""
    return lambda: value


def raising(error: BaseException) -> Outcome[Any]:
    """The outcome that raises this."""

    def outcome() -> Any:
        raise error

    return outcome


def attempt(job: Callable[[], T]) -> Outcome[T]:
    """How `job` comes out, if its error is a peer's; any other error is our own, and raised."""
    try:
        return returning(job())
    except PeerError as error:
        return raising(error)
