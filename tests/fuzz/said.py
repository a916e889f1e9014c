"""What readers say of bent bytes: `python -m tests.fuzz.said` writes the page again.

The readers of what seats sign and of logs, from `tests.fuzz.readers`, get what they get there:
sound examples, the fuzzer's finds, and examples that are bent by a seed.  A line is a reader: how
much it was given and read, and a digest of what it made of each: the value, or its refusal.  The
other tests here ask that it is one of the two; this one, whether it is another one than before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from p2p.protocol import logfile
from tests.fuzz import corpus, of_steps, of_wire
from tests.fuzz.mutation import bend_frames
from tests.fuzz.reader import Reader
from tests.fuzz.tables import LOGS
from tests.protocol.stable_text import tell

PAGE: Final = Path(__file__).with_name("said.txt")
BENT: Final = 60
FEW: Final = 30
"""For those that take long."""
SAMPLES: Final = ("unfinished-header.ndlog", "bad-share-coin.ndlog", "equivocation.evidence")
LONGEST: Final = 3000
"""Bytes at the end of a log that are looked at."""


def _samples() -> list[bytes]:
    """Logs, evidence, and evidence of a genesis; one whose end was lost, and ends alone."""
    data = [(LOGS / name).read_bytes() for name in SAMPLES]
    log = logfile.begin_log(b"header") + logfile.frame(b"body" + bytes([7]) * 64)
    genesis = logfile.encode_genesis_evidence(b"proposal", [b"a", b"record"])
    return [*data, log, log + bytes(99), log[-72:], log[:-64] + bytes(64), genesis]


def _of_logs() -> Iterator[Reader]:
    """Framing alone."""
    begin = bend_frames(len(logfile.LOG_MAGIC))
    for function in (
        *(logfile.split_saved, logfile.whole_records, logfile.header_of),
        *(logfile.split_genesis_evidence, logfile.split_log, logfile.split_sound),
        logfile._written,
    ):
        yield Reader(function.__name__, partial(_listed, function), _samples, bend=begin)
    ends = lambda data: [*logfile.last_records(data, LONGEST)]  # noqa: E731
    yield Reader("last_records", ends, _samples, bend=begin)
    at_limit = lambda data: [*logfile.last_records(data, 76)]  # noqa: E731
    yield Reader("last_records, few", at_limit, _samples, bend=begin)


def _listed(function: Callable[[bytes], object], data: bytes) -> object:
    """What it returns, with the frames in it: they are cut out only when they are asked for."""
    return _spread(function(data))


def _spread(value: object) -> object:
    if isinstance(value, tuple):
        return tuple(map(_spread, value))
    return [*value] if isinstance(value, logfile.RecordFrames) else value


def readers() -> dict[str, Reader]:
    """Those that are asked."""
    return {one.name: one for rows in (of_wire.rows(), of_steps.rows(), _of_logs()) for one in rows}


def _given(reader: Reader) -> Iterable[bytes]:
    yield from reader.examples
    yield from corpus.of(reader.name)
    rng = Random(reader.name)
    for _ in range(FEW if reader.heavy else BENT):
        yield reader.bent(rng)


def line(reader: Reader) -> str:
    """What one reader says."""
    given, accepted, digest = [*_given(reader)], 0, hashlib.sha256()
    for data in given:
        try:
            said = tell(reader.read(data))
            accepted += 1
        except reader.errors as refusal:
            said = f"{type(refusal).__name__}: {refusal}"
        digest.update(f"{said}\n".encode("utf-8", "replace"))
    return f"{reader.name}: {accepted} of {len(given)}, {digest.hexdigest()[:16]}\n"


if __name__ == "__main__":
    PAGE.write_text("".join(map(line, readers().values())), encoding="utf-8")
