"""The audit of logs that programs of another revision wrote."""

from __future__ import annotations

import pytest

from p2p.errors import PeerError
from p2p.protocol import wire
from p2p.protocol.genesis import signed_revision
from p2p.protocol.logfile import begin_log, split_log
from replay.audit import UNREADABLE, Report, audit_bytes
from replay.compare import Copy, compare
from tests.protocol.kit import seeded
from tests.replay.logs import judge, match
from tests.replay.rewriting import closed, own_log
from tests.revision import OTHER, another_revision
from tests.vectors.make import LOGS
from tests.vectors.test_vectors import VECTORS

WROTE = "it was written by revision 000000, this program is revision 3fa9c2"
ACCUSED = [
    one["file"].removeprefix("logs/")
    for one in VECTORS
    if one["seat"] is not None and "questions" not in one
]


def _judged_by_another(log: bytes) -> Report:
    with another_revision():
        return judge(log)


def test_sound_log_of_other_revision_is_verified() -> None:
    report = _judged_by_another(match())
    assert (report.verdict, report.verified, report.revision) == ("complete", True, bytes(3))


@pytest.mark.parametrize("name", ACCUSED[::7])
def test_fault_in_other_revision_accuses_nobody(name: str) -> None:
    """A cheat says that another revision wrote the log, to which an audit does not hold anybody.

    Answer: the revision is in the header, which all seats have signed; honest seats sign their own.
    """
    data = (LOGS / name).read_bytes()
    assert audit_bytes(data, name, seeded("revision")).seat is not None
    with another_revision():
        report = audit_bytes(data, name, seeded("revision"))
    assert (report.verdict, report.seat, report.step) == (UNREADABLE, None, None)
    assert report.reason == f"{name} cannot be judged: {WROTE}: use the nodealer that wrote it"


def _with_revision(log: bytes, revision: object) -> bytes:
    """A log whose header says another revision than the seats have signed."""
    header = split_log(log).header
    outer = wire.unpack(header)
    inner = wire.unpack(outer["body"])
    proposal = {**wire.unpack(inner["proposal"]), "revision": revision}
    body = wire.pack({**inner, "proposal": wire.pack(proposal)})
    changed = wire.pack({**outer, "body": body})
    return begin_log(changed) + log[len(begin_log(header)) :]


@pytest.mark.parametrize("revision", [OTHER, bytes(2) + b"\1"])
def test_changed_revision_is_bad_signature(revision: bytes) -> None:
    """Somebody writes another revision into a log, so that no audit accuses their seat.

    Answer: only a revision that all seats have signed counts; here the signatures are false.
    """
    log = _with_revision(match(), revision)
    for program in (judge(log), _judged_by_another(log)):
        assert (program.verdict, program.seat) == ("bad-signature", None)


@pytest.mark.parametrize("revision", [b"", bytes(2), bytes(4), "000000", 0, None])
def test_revision_of_other_shape_is_malformed(revision: object) -> None:
    log = _with_revision(match(), revision)
    assert judge(log).verdict == "malformed"


@pytest.mark.call("p2p.protocol.genesis:signed_revision -> _verify_signatures")
@pytest.mark.check("header.signed")
def test_revision_counts_only_if_all_signed() -> None:
    header = split_log(match()).header
    assert signed_revision(header) == bytes(3)
    outer = wire.unpack(header)
    few, turned = outer["signatures"][:-1], outer["signatures"][::-1]
    for signatures in (few, turned):
        with pytest.raises(PeerError):
            signed_revision(wire.pack({**outer, "signatures": signatures}))


def test_two_histories_of_other_revision_accuse_nobody() -> None:
    files = [own_log(), closed(anew=True)]
    copies = [Copy(f"{n}.ndlog", "complete", None, data) for n, data in enumerate(files)]
    assert compare(copies).seats
    with another_revision():
        found = compare(copies)
    assert (found.same, found.verdict, found.seats) == (False, "broken-chain", ())
    assert "written by revision 000000, this program is revision 3fa9c2" in found.reason


def test_evidence_of_genesis_of_other_revision_accuses_nobody() -> None:
    data = (LOGS / "bad-key-opening.evidence").read_bytes()
    with another_revision():
        report = audit_bytes(data, "evidence", seeded("revision"))
    assert (report.verdict, report.seat) == (UNREADABLE, None)
