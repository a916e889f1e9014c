"""The version of the protocol, and the labels and first lines that carry it.

A signature, a hash or a file of one version means nothing in another: each label differs, so
that nobody has to compare numbers.
"""

from __future__ import annotations

from typing import Final

PROTOCOL_VERSION: Final = 2


def label(use: str) -> bytes:
    """The prefix of all that is signed or hashed for one use; its only zero byte ends it."""
    return f"nodealer {use} v{PROTOCOL_VERSION}\0".encode()


def magic(kind: str) -> bytes:
    """The first line of a file of this kind."""
    return f"nodealer {kind} {PROTOCOL_VERSION}\n".encode()
