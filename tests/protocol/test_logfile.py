"""Frames of logs and of evidence."""

from __future__ import annotations

import pytest

from p2p.errors import PeerError
from p2p.protocol.logfile import (
    EVIDENCE_MAGIC,
    LOG_MAGIC,
    begin_log,
    encode_evidence,
    frame,
    is_evidence,
    split_evidence,
    split_log,
    whole_records,
)
from p2p.version import PROTOCOL_VERSION

LOG = begin_log(b"header") + frame(b"one") + frame(b"two")


def refuse_log(data: bytes) -> None:
    with pytest.raises(PeerError) as refusal:
        split_log(data)
    assert refusal.value.verdict == "malformed"


def refuse_evidence(data: bytes) -> None:
    with pytest.raises(PeerError) as refusal:
        split_evidence(data)
    assert refusal.value.verdict == "malformed"


def test_a_log_is_split_into_its_frames() -> None:
    log = split_log(LOG)
    assert log.header == b"header"
    assert log.records == [b"one", b"two"]


@pytest.mark.check("log.magic")
def test_another_magic_is_refused() -> None:
    refuse_log(LOG.replace(LOG_MAGIC, b"nodealer log %d\n" % (PROTOCOL_VERSION + 1)))
    refuse_log(b"")


@pytest.mark.parametrize("kind", ["log", "evidence", "genesis evidence"])
def test_a_file_of_another_version_is_refused_in_a_sentence(kind: str) -> None:
    said = f"this {kind} is of version 1, and .* version {PROTOCOL_VERSION} only: use the nodealer"
    with pytest.raises(PeerError, match=said):
        split_log(f"nodealer {kind} 1\n".encode())


@pytest.mark.check("log.header")
def test_a_log_without_a_header_is_refused() -> None:
    refuse_log(LOG_MAGIC)


@pytest.mark.check("log.frame")
@pytest.mark.parametrize(
    "data",
    [
        LOG[:-1],
        LOG + b"\0\1",
        LOG + b"\xff\xff\xff\xff",
        LOG_MAGIC + frame(bytes(128 * 1024 + 1)),
    ],
)
def test_a_file_is_a_whole_number_of_frames(data: bytes) -> None:
    refuse_log(data)


def test_evidence_is_a_log_and_records() -> None:
    evidence = encode_evidence(LOG, [b"three"])
    assert is_evidence(evidence)
    assert not is_evidence(LOG)
    log, records = split_evidence(evidence)
    assert log == split_log(LOG)
    assert records == [b"three"]


@pytest.mark.check("evidence.magic")
def test_a_log_is_no_evidence() -> None:
    refuse_evidence(LOG)
    swapped = encode_evidence(LOG, [])
    refuse_evidence(b"X" + swapped[1:])


@pytest.mark.check("evidence.log")
def test_evidence_without_a_log_is_refused() -> None:
    refuse_evidence(EVIDENCE_MAGIC)


@pytest.mark.parametrize("cut", range(1, 8))
def test_one_s_own_log_is_read_as_far_as_it_is_whole(cut: int) -> None:
    """A crash may cut the last record short: that one is left out."""
    found = whole_records(LOG[:-cut])
    assert found == [b"one"]
    assert whole_records(LOG) == [b"one", b"two"]


RECORD = b"body" + bytes([7]) * 64


@pytest.mark.parametrize("zeros", [1, 3, 4, 5, 4096])
@pytest.mark.parametrize("lost", [b"", frame(b"body" + bytes(64)), frame(RECORD)[:3], b"\0\0\1"])
def test_zeros_at_the_end_were_not_written(lost: bytes, zeros: int) -> None:
    """A power failure leaves zeros behind the last whole record, or from its signature on."""
    whole = LOG_MAGIC + frame(b"header") + frame(RECORD)
    log = split_log(whole + lost + bytes(zeros + 300))
    assert (log.header, log.records, log.torn) == (b"header", [RECORD], True)
    assert not split_log(whole).torn


def test_a_record_that_ends_in_zeros_is_whole() -> None:
    record = b"body" + bytes([7]) * 60 + bytes(4)
    log = split_log(LOG_MAGIC + frame(b"header") + frame(record))
    assert (log.records, log.torn) == ([record], False)
