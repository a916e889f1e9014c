"""Whether a full screen is open, and what was printed on the bare terminal since one closed.

A line that is printed while one is open would tear the picture; one that is printed later has to
be read before the next screen covers it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

_open: list[None] = []
"""One item for each full screen."""
_unread: list[None] = []
"""One item if something was printed that no full screen has covered since."""


@contextmanager
def full_screen() -> Iterator[None]:
    """Note that a full screen is open in this block."""
    _open.append(None)
    _unread.clear()
    try:
        yield
    finally:
        _open.pop()


def is_covered() -> bool:
    """Whether one is open now."""
    return bool(_open)


def printed() -> None:
    """Something was printed on the bare terminal."""
    _unread[:] = [None]


def is_unread() -> bool:
    """Whether something was printed since the last full screen opened."""
    return bool(_unread)
