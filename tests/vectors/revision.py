"""Derives the revision of the program: `python -m tests.vectors.revision` writes it anew.

Two programs that judge all test vectors alike, and send the same kinds of frames, agree on a table;
so the revision is a digest of the vectors' index, which lists both.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Final

import p2p.version
from p2p.version import REVISION_BYTES

INDEX: Final = Path(__file__).parent / "index.json"
SOURCE: Final = Path(p2p.version.__file__)
_LINE: Final = re.compile(r'(?m)^(REVISION: bytes = bytes\.fromhex)\("[0-9a-f]*"\)$')


def derived() -> bytes:
    """Return the revision of a program that judges the vectors as their index says."""
    return hashlib.sha512(INDEX.read_bytes()).digest()[:REVISION_BYTES]


def write() -> None:
    """Write it into the program; AssertionError if there is no one place for it."""
    text, found = _LINE.subn(rf'\1("{derived().hex()}")', SOURCE.read_text("utf-8"))
    if found != 1:
        raise AssertionError(f"{SOURCE} has {found} lines for the revision")
    SOURCE.write_text(text, "utf-8")


if __name__ == "__main__":
    write()
