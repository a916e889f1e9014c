"""Running what a machine wants computed, wherever that is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from p2p.errors import PeerError


def attempt(job: Callable[[], Any]) -> Callable[[], Any]:
    """The outcome of `job` as a function that returns its result or raises its PeerError."""
    try:
        result = job()
    except PeerError as error:
        return partial(_raise, error)
    return lambda: result


def _raise(error: PeerError) -> Any:
    raise error
