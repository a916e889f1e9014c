"""The framing of a log and of an evidence file (docs/reference/log-format.md).

A log is a magic line, the header, and records; header and records are each preceded by their
length (u32, big-endian).  Records stand in step and seat order.  An evidence file is a magic
line, a log in one frame, and the records beyond it that show a fault; for a table that never
began, a magic line, the proposal in one frame, and the records of its genesis.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, overload

from p2p import checks
from p2p.protocol.wire import RECORD_MAX
from p2p.version import magic, why_unread

LOG_MAGIC: Final = magic("log")
EVIDENCE_MAGIC: Final = magic("evidence")
GENESIS_MAGIC: Final = magic("genesis evidence")
LOG_MAX: Final = 256 * 1024 * 1024
"""The largest log in an evidence file, in bytes."""
_LENGTH: Final = 4
_SIGNATURE: Final = 64


class RecordFrames(Sequence[bytes]):
    """The frames of a file, each cut out when it is asked for.

    It keeps eight bytes for each: a file may consist of a million frames of one byte.
    """

    def __init__(self, data: bytes, starts: Iterable[int], end: int) -> None:
        self._data = data
        self._starts = array("Q", starts)
        self._starts.append(end)

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, at: int) -> bytes: ...
    @overload
    def __getitem__(self, at: slice) -> list[bytes]: ...
    def __getitem__(self, at: int | slice) -> bytes | list[bytes]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        number = range(len(self))[at]
        return self._data[self._starts[number] + _LENGTH : self._starts[number + 1]]

    @property
    def end(self) -> int:
        """Where the last one ends in the file."""
        return self._starts[-1]

    def places(self) -> Iterator[tuple[int, int]]:
        """Where each begins and ends in the file."""
        return pairwise(self._starts)

    def beyond(self, first: int) -> RecordFrames:
        """All but the first `first` frames."""
        return RecordFrames(self._data, self._starts[first:-1], self._starts[-1])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # as a list


class Log(NamedTuple):
    """The frames of a log; nothing in them is checked yet.

    `torn` is whether zeros follow them, which a power failure leaves in place of what was written
    last: not a fault if the game is not over.
    """

    header: bytes
    records: Sequence[bytes]
    torn: bool = False


def frame(data: bytes) -> bytes:
    """`data` preceded by its length."""
    return len(data).to_bytes(_LENGTH, "big") + data


def begin_log(header: bytes) -> bytes:
    """The first bytes of a log: magic and header."""
    return LOG_MAGIC + frame(header)


def split_log(data: bytes) -> Log:
    """The frames of a log; PeerError `malformed` for anything but a whole number of them."""
    magic = data.startswith(LOG_MAGIC)
    why = why_unread(data) or "this is not a nodealer log"
    checks.require("log.magic", magic, "malformed", why)
    written = _written(data)
    frames = _frames(data[:written] if written < len(data) else data, len(LOG_MAGIC), RECORD_MAX)
    checks.require("log.header", bool(frames), "malformed", "the log has no header")
    return Log(frames[0], frames.beyond(1), written < len(data))


def header_of(data: bytes) -> bytes:
    """The header of a log whose end may still be written; PeerError `malformed`."""
    start = len(LOG_MAGIC) + _LENGTH
    end = start + int.from_bytes(data[len(LOG_MAGIC) : start], "big")
    return split_log(data[:end]).header


def whole_records(data: bytes) -> list[bytes]:
    """The records of one's own log up to the last whole one: a crash may cut the last."""
    return _walk(data, len(LOG_MAGIC))[1:]


def last_records(end: bytes, longest: int) -> Iterator[bytes]:
    """The records at the end of a log, of which these are the last bytes; the last one first.

    As far as they and their lengths have fewer than `longest` bytes: where one begins is found by
    the length before it.  Nothing here is verified, and what is found need not be a record.
    """
    at = len(end)
    while True:
        possible = range(at - _LENGTH - 1, max(-1, at - longest), -1)
        start = next((one for one in possible if _size_at(end, one) == at - one - _LENGTH), None)
        if start is None:
            return
        yield end[start + _LENGTH : at]
        at = start


def encode_evidence(log: bytes, records: Iterable[bytes]) -> bytes:
    """An evidence file: a log and what was signed beyond it."""
    return EVIDENCE_MAGIC + frame(log) + b"".join(frame(record) for record in records)


def is_evidence(data: bytes) -> bool:
    return data.startswith(EVIDENCE_MAGIC)


def split_evidence(data: bytes) -> tuple[Log, Sequence[bytes]]:
    """The log and the records of an evidence file; PeerError `malformed`."""
    magic = is_evidence(data)
    checks.require("evidence.magic", magic, "malformed", "this is not a nodealer evidence file")
    frames = _frames(data, len(EVIDENCE_MAGIC), LOG_MAX)
    checks.require("evidence.log", bool(frames), "malformed", "the evidence holds no log")
    return split_log(frames[0]), frames.beyond(1)


def split_saved(data: bytes) -> tuple[Log, Sequence[bytes]]:
    """The log of a log file or an evidence file, and what is beyond it; PeerError `malformed`."""
    return split_evidence(data) if is_evidence(data) else (split_log(data), ())


def split_sound(data: bytes) -> tuple[Log, Sequence[bytes]]:
    """The same of a file that is cut or garbled: its whole frames before that.

    PeerError `malformed` if there is not even a header.
    """
    if not is_evidence(data):
        return _split_begun(data), ()
    frames = _walk(data, len(EVIDENCE_MAGIC), LOG_MAX)
    log = frames[0] if frames else data[len(EVIDENCE_MAGIC) + _LENGTH :]
    return _split_begun(log), frames.beyond(1)


def _split_begun(log: bytes) -> Log:
    return split_log(log[: _walk(log, len(LOG_MAGIC)).end])


def encode_genesis_evidence(proposal: bytes, records: Iterable[bytes]) -> bytes:
    """An evidence file for a table that never began: what was proposed, and what was signed."""
    return GENESIS_MAGIC + frame(proposal) + b"".join(frame(record) for record in records)


def is_genesis_evidence(data: bytes) -> bool:
    return data.startswith(GENESIS_MAGIC)


def split_genesis_evidence(data: bytes) -> tuple[bytes, Sequence[bytes]]:
    """The proposal and the records of such a file; PeerError `malformed`."""
    magic = is_genesis_evidence(data)
    checks.require("genesis-evidence.magic", magic, "malformed", "this is no evidence of a genesis")
    frames = _frames(data, len(GENESIS_MAGIC), RECORD_MAX)
    whole = bool(frames)
    checks.require("genesis-evidence.proposal", whole, "malformed", "nothing was proposed")
    return frames[0], frames.beyond(1)


def _frames(data: bytes, start: int, largest: int) -> RecordFrames:
    """The frames from `start` to the end; PeerError `malformed` unless all are whole."""
    frames = _walk(data, start, largest)
    whole = frames.end == len(data)
    checks.require("log.frame", whole, "malformed", "the file is cut short or garbled")
    return frames


def _walk(data: bytes, start: int, largest: int = RECORD_MAX) -> RecordFrames:
    """The frames from `start` up to the first that is not whole."""
    starts, at = array("Q"), start
    while at + _LENGTH <= len(data):
        size = _size_at(data, at)
        end = at + _LENGTH + size
        if not 0 < size <= largest or end > len(data):
            break
        starts.append(at)
        at = end
    return RecordFrames(data, starts, at)


def _size_at(data: bytes, at: int) -> int:
    """How long the frame says that it is."""
    return int.from_bytes(data[at : at + _LENGTH], "big")


def _written(data: bytes) -> int:
    """Where a log ends whose last write was lost; the length of `data` if it was not.

    A power failure leaves zeros for what was written last.  A record is lost if its whole
    signature is zeros, which no signature is, and so is whatever comes after it.
    """
    zeros = len(data.rstrip(b"\0"))
    frames = _walk(data, len(LOG_MAGIC)).beyond(1)
    lost = next((at for at, end in frames.places() if end - _SIGNATURE >= zeros), frames.end)
    return lost if frames.end >= zeros else len(data)
