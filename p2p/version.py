"""The version of the protocol, and the labels and first lines that carry it.

A signature, a hash or a file of one version means nothing in another: each label differs, so
that nobody has to compare numbers.  Two programs that meet do compare them, to tell their people:
what they need for that has a number of its own, which stays (decision 24).
"""

from __future__ import annotations

import re
from typing import Final

PROTOCOL_VERSION: Final = 3
CHANNEL_VERSION: Final = 2
"""Of the handshake, and of greeting a table and being refused there (frames 20, 22 and 24)."""

UPDATE: Final = "whoever has the lower number installs a newer nodealer"
_SPEAKS: Final = "the table speaks protocol version"
_REFUSAL: Final = re.compile(rf"{_SPEAKS} ([0-9]{{1,9}})(?![0-9])")
_FIRST_LINE: Final = re.compile(rb"nodealer (log|evidence|genesis evidence|seat) ([0-9]{1,6})\n")
FIRST_LINE_MAX: Final = 40
"""The longest first line of a file of any version, in bytes."""


def label(use: str, version: int = PROTOCOL_VERSION) -> bytes:
    """The prefix of all that is signed or hashed for one use; its only zero byte ends it."""
    return f"nodealer {use} v{version}\0".encode()


def magic(kind: str) -> bytes:
    """The first line of a file of this kind."""
    return f"nodealer {kind} {PROTOCOL_VERSION}\n".encode()


def why_unread(data: bytes) -> str | None:
    """Why a file of ours of another version is not read; None for any other file.

    `data` are its first `FIRST_LINE_MAX` bytes, or more.
    """
    found = _FIRST_LINE.match(data)
    if found is None or int(found[2]) == PROTOCOL_VERSION:
        return None
    kind, version = found[1].decode("ascii"), found[2].decode("ascii")
    file = "seat file" if kind == "seat" else kind
    ours = f"this program reads version {PROTOCOL_VERSION} only"
    return f"this {file} is of version {version}, and {ours}: use the nodealer that wrote it"


def refuse_version(version: int) -> str:
    """What a table says to a program that speaks another version."""
    return f"{_SPEAKS} {PROTOCOL_VERSION}, you speak {version}: {UPDATE}"


def explain_refusal(sentence: str) -> str | None:
    """What to tell one's own person if a table of another version says this; None if it does not.

    Tables of version 2 name only their own number.
    """
    found = _REFUSAL.match(sentence)
    if found is None or int(found[1]) == PROTOCOL_VERSION:
        return None
    return f"{_SPEAKS} {int(found[1])}, and this program {PROTOCOL_VERSION}: {UPDATE}"
