"""Whether a full screen is open: a line that is printed then would tear the picture."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_open: list[None] = []
"""One item for each full screen."""


@contextmanager
def full_screen() -> Iterator[None]:
    """Note that a full screen is open in this block."""
    _open.append(None)
    try:
        yield
    finally:
        _open.pop()


def is_covered() -> bool:
    """Whether one is open now."""
    return bool(_open)
