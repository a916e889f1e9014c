"""The revision of all tables that tests make: zeros, which no program has.

So nothing that tests keep (vectors, frozen pages, seeds that were searched for) changes with the
revision of the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import p2p.version

OF_THE_PROGRAM: Final = p2p.version.REVISION
OF_TESTS: Final = bytes(p2p.version.REVISION_BYTES)
OTHER: Final = bytes.fromhex("3fa9c2")


def _set(revision: bytes) -> None:
    vars(p2p.version)["REVISION"] = revision


@contextmanager
def another_revision() -> Iterator[None]:
    """Let this process be a program of another revision for a while.

    It should make no table meanwhile that other tests share (`tests.protocol.kit` keeps them).
    """
    _set(OTHER)
    try:
        yield
    finally:
        _set(OF_TESTS)


_set(OF_TESTS)
