"""The framing of a log and of an evidence file (protocol section 3).

A log is a magic line, the header, and records; header and records are each preceded by their
length (u32, big-endian).  Records stand in step and seat order.  An evidence file is a magic
line, a log in one frame, and the records that show a fault beyond it; of a table that never
began, a magic line, the proposal in one frame, and the records of its genesis.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from p2p import checks
from p2p.errors import PeerError
from p2p.protocol.wire import RECORD_MAX
from p2p.version import PROTOCOL_VERSION, magic

LOG_MAGIC: Final = magic("log")
EVIDENCE_MAGIC: Final = magic("evidence")
GENESIS_MAGIC: Final = magic("genesis evidence")
LOG_MAX: Final = 256 * 1024 * 1024
"""A larger file is refused before it is read, in bytes."""
_LENGTH: Final = 4
_VERSIONED: Final = re.compile(rb"nodealer (log|evidence|genesis evidence) ([0-9]{1,6})\n")


class Log(NamedTuple):
    """The frames of a log; nothing in them is checked yet."""

    header: bytes
    records: list[bytes]


def frame(data: bytes) -> bytes:
    """`data` with its length before it."""
    return len(data).to_bytes(_LENGTH, "big") + data


def begin_log(header: bytes) -> bytes:
    """The first bytes of a log: magic and header."""
    return LOG_MAGIC + frame(header)


def split_log(data: bytes) -> Log:
    """The frames of a log; PeerError `malformed` for anything but a whole number of them."""
    magic = data.startswith(LOG_MAGIC)
    checks.require("log.magic", magic, "malformed", _foreign(data))
    frames = list(_frames(data, len(LOG_MAGIC), RECORD_MAX))
    checks.require("log.header", bool(frames), "malformed", "the log has no header")
    return Log(frames[0], frames[1:])


def _foreign(data: bytes) -> str:
    """What a file without the magic of this version is, in a sentence."""
    other = _VERSIONED.match(data)
    if other is None:
        return "this is not a nodealer log"
    kind, version = other[1].decode("ascii"), other[2].decode("ascii")
    ours = f"this program reads version {PROTOCOL_VERSION} only"
    return f"this {kind} is of version {version}, and {ours}"


def header_of(data: bytes) -> bytes:
    """The header of a log whose end may still be written; PeerError `malformed`."""
    start = len(LOG_MAGIC) + _LENGTH
    end = start + int.from_bytes(data[len(LOG_MAGIC) : start], "big")
    return split_log(data[:end]).header


def whole_records(data: bytes) -> list[bytes]:
    """The records of one's own log as far as they are whole: a crash may cut the last."""
    found: list[bytes] = []
    frames = _frames(data, len(LOG_MAGIC), RECORD_MAX)
    try:
        found.extend(frames)
    except PeerError:
        return found[1:]
    return found[1:]


def encode_evidence(log: bytes, records: Iterable[bytes]) -> bytes:
    """An evidence file: a log and what was signed beyond it."""
    return EVIDENCE_MAGIC + frame(log) + b"".join(frame(record) for record in records)


def is_evidence(data: bytes) -> bool:
    return data.startswith(EVIDENCE_MAGIC)


def split_evidence(data: bytes) -> tuple[Log, list[bytes]]:
    """The log and the records of an evidence file; PeerError `malformed`."""
    magic = is_evidence(data)
    checks.require("evidence.magic", magic, "malformed", "this is not a nodealer evidence file")
    frames = list(_frames(data, len(EVIDENCE_MAGIC), LOG_MAX))
    checks.require("evidence.log", bool(frames), "malformed", "the evidence holds no log")
    return split_log(frames[0]), frames[1:]


def encode_genesis_evidence(proposal: bytes, records: Iterable[bytes]) -> bytes:
    """An evidence file of a table that never began: what was proposed, and what was signed."""
    return GENESIS_MAGIC + frame(proposal) + b"".join(frame(record) for record in records)


def is_genesis_evidence(data: bytes) -> bool:
    return data.startswith(GENESIS_MAGIC)


def split_genesis_evidence(data: bytes) -> tuple[bytes, list[bytes]]:
    """The proposal and the records of such a file; PeerError `malformed`."""
    magic = is_genesis_evidence(data)
    checks.require("genesis-evidence.magic", magic, "malformed", "this is no evidence of a genesis")
    frames = list(_frames(data, len(GENESIS_MAGIC), RECORD_MAX))
    whole = bool(frames)
    checks.require("genesis-evidence.proposal", whole, "malformed", "nothing was proposed")
    return frames[0], frames[1:]


def _frames(data: bytes, start: int, largest: int) -> Iterator[bytes]:
    at = start
    while at < len(data):
        size = int.from_bytes(data[at : at + _LENGTH], "big")
        end = at + _LENGTH + size
        whole = len(data) - at >= _LENGTH and 0 < size <= largest and end <= len(data)
        checks.require("log.frame", whole, "malformed", "the file is cut short or garbled")
        yield data[at + _LENGTH : end]
        at = end
