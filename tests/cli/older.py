"""`nodealer` as a program of the version before: `python -m tests.cli.older ARGUMENTS...`.

It signs, hashes and writes everything under that number, as the program of that time did.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

import p2p.version
from p2p.version import PROTOCOL_VERSION

OLDER: Final = PROTOCOL_VERSION - 1


def older(data: bytes) -> bytes:
    """A file as the version before writes it, as far as its first line says."""
    line, found, rest = data.partition(b" %d\n" % PROTOCOL_VERSION)
    assert found
    return line + b" %d\n" % OLDER + rest


if __name__ == "__main__":
    vars(p2p.version)["PROTOCOL_VERSION"] = OLDER
    p2p.version.label.__defaults__ = (OLDER,)
    # Only now: whatever it imports takes the number from there.
    import_module("cli.main").main()
