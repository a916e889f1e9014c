"""The version of the protocol, the labels and first lines that carry it, and the revision.

A signature, a hash or a file of one version means nothing in another: each label differs, so
that nobody has to compare numbers.  Two programs that meet do compare them, to tell their people:
what they need for that has a number of its own, which stays (decision 24).  Two programs of one
version may still differ: those have different revisions (decision 27).
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

PROTOCOL_VERSION: Final = 4
CHANNEL_VERSION: Final = 2
"""Of the handshake, and of greeting a table and being refused there (frames 20, 22 and 24)."""

REVISION: bytes = bytes.fromhex("36516e")
"""Digest of what programs must agree on, written by `python -m tests.vectors.revision`."""
REVISION_BYTES: Final = 3
_VERSION_BITS: Final = 8
"""Greetings have one field for both: the version below, the revision above (protocol section 7)."""

UPDATE: Final = "whoever has the lower number installs a newer nodealer"
SAME: Final = "install the same nodealer on both machines"
_SPEAKS: Final = "the table speaks protocol version"
_REFUSAL: Final = re.compile(
    rf"{_SPEAKS} ([0-9]{{1,9}})(?![0-9])(?:, revision ([0-9a-f]{{6}})(?![0-9a-f]))?"
)
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


def own_revision() -> bytes:
    """Return the revision of this program."""
    return REVISION


def other_writer(revision: bytes) -> str | None:
    """Name the revision that wrote a file, and our own; None if they are the same."""
    if revision == REVISION:
        return None
    return f"written by revision {revision.hex()}, this program is revision {REVISION.hex()}"


def why_other_revision(revision: bytes) -> str | None:
    """Explain why this program does not answer for files of this revision; None for its own."""
    writer = other_writer(revision)
    return None if writer is None else f"it was {writer}: use the nodealer that wrote it"


class Spoken(NamedTuple):
    """The version of the protocol that a greeting names, and the revision."""

    version: int
    revision: bytes

    @property
    def is_ours(self) -> bool:
        """Whether this program can sit at a table with that one."""
        return self == (PROTOCOL_VERSION, REVISION)


def greeting() -> int:
    """Return the field `version` of a greeting: protocol version and revision of this program."""
    return int.from_bytes(REVISION, "big") << _VERSION_BITS | PROTOCOL_VERSION


def read_greeting(field: int) -> Spoken:
    """Read the field `version` of a greeting.

    Programs of earlier versions write their version alone: it has the revision 0.  A number that
    no greeting has is read as a version.
    """
    revision, version = divmod(field, 1 << _VERSION_BITS)
    if revision not in range(1 << 8 * REVISION_BYTES):
        return Spoken(field, bytes(REVISION_BYTES))
    return Spoken(version, revision.to_bytes(REVISION_BYTES, "big"))


def refuse_other(spoken: Spoken) -> str | None:
    """Refuse a program of another version or revision in a sentence; None for one like this."""
    if spoken.version != PROTOCOL_VERSION:
        return f"{_SPEAKS} {PROTOCOL_VERSION}, you speak {spoken.version}: {UPDATE}"
    if spoken.revision != REVISION:
        ours = f"{_SPEAKS} {PROTOCOL_VERSION}, revision {REVISION.hex()}"
        return f"{ours}, you run {spoken.revision.hex()}: {SAME}"
    return None


def explain_refusal(sentence: str) -> str | None:
    """Tell the player that a table of another version or revision refused; None for any other.

    Tables of version 2 name only their own number.
    """
    found = _REFUSAL.match(sentence)
    if found is None:
        return None
    version, revision = int(found[1]), found[2]
    if version != PROTOCOL_VERSION:
        return f"{_SPEAKS} {version}, and this program {PROTOCOL_VERSION}: {UPDATE}"
    if revision in (None, REVISION.hex()):
        return None
    return f"the table runs revision {revision}, and this program {REVISION.hex()}: {SAME}"
