"""The audit of a table that never began: evidence without a log."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.games import load
from p2p.errors import PeerError
from p2p.protocol.logfile import (
    GENESIS_MAGIC,
    encode_genesis_evidence,
    frame,
    split_genesis_evidence,
)
from p2p.protocol.proposal import propose
from p2p.protocol.terms import Terms
from replay.audit import Report, audit_bytes
from tests.protocol.cheats import CHEAT, bend_entry, bend_payload, sign_again
from tests.protocol.kit import TOKEN, Hub, genesis_hub, identities, seeded

SEATS = 3


def proposal_bytes() -> bytes:
    """What `genesis_hub` proposes."""
    names = [(one.public, one.name, False) for one in identities(SEATS)]
    return propose(TOKEN, Terms.of("flip-over"), names).data


def judge(hub: Hub) -> Report:
    """Play; what the audit says of the evidence of seat 0."""
    hub.run()
    past = [record for records in hub.seats[0].machine.records for record in records]
    beyond = hub.faults[0].evidence if 0 in hub.faults else ()
    evidence = encode_genesis_evidence(proposal_bytes(), [*past, *beyond])
    return audit_bytes(evidence, "evidence", seeded("audit"))


CHEATS: dict[str, tuple[str, str, Callable[[Any], Any]]] = {
    "no possession": ("reveal", "bad-key", lambda p: {**p, "proof": p["proof"][::-1]}),
    "a signature of something else": ("sign", "bad-signature", lambda p: p[::-1]),
    "garbage": ("commit", "malformed", lambda p: {"p": p}),
}


@pytest.mark.parametrize("cheat", CHEATS)
@pytest.mark.call(
    "p2p.protocol.genesis:_reveal_step -> verify_reveal",
    "p2p.protocol.genesis:_reveal_step.verify_reveal -> _verify_key",
)
def test_evidence_names_the_cheat(cheat: str) -> None:
    kind, verdict, change = CHEATS[cheat]
    hub = genesis_hub(load("flip-over"), SEATS)
    bend_payload(hub, kind, change)
    report = judge(hub)
    assert (report.verdict, report.seat, report.verified) == (verdict, CHEAT, False), report.reason
    assert (report.game, report.seats, report.names[CHEAT]) == ("flip-over", SEATS, "seat1")


def test_two_bodies_in_genesis() -> None:
    hub = genesis_hub(load("flip-over"), SEATS)
    bend_entry(
        hub,
        "commit",
        lambda entry: [entry.record, sign_again(entry.record, payload=entry.payload[::-1])],
    )
    report = judge(hub)
    assert (report.verdict, report.seat) == ("equivocation", CHEAT)


def test_a_genesis_without_a_fault_is_no_table() -> None:
    report = judge(genesis_hub(load("flip-over"), SEATS))
    assert (report.verdict, report.verified, report.step) == ("unfinished", False, 3)
    assert "never began" in report.reason


def test_a_record_that_nobody_signed_is_no_evidence() -> None:
    """Somebody writes a file that accuses a seat of a cheat before the first card.

    Answer: without that seat's signature it is no evidence.
    """
    hub = genesis_hub(load("flip-over"), SEATS)
    hub.run()
    forged = bytearray(hub.seats[0].machine.records[0][CHEAT])
    forged[-1] ^= 1
    evidence = encode_genesis_evidence(proposal_bytes(), [bytes(forged)])
    report = audit_bytes(evidence, "evidence", seeded("audit"))
    assert report.verdict == "bad-signature"


@pytest.mark.check("genesis-evidence.magic")
def test_another_file_is_no_evidence() -> None:
    with pytest.raises(PeerError, match="no evidence of a genesis"):
        split_genesis_evidence(b"X" + GENESIS_MAGIC[1:] + frame(proposal_bytes()))


@pytest.mark.check("genesis-evidence.proposal")
def test_evidence_begins_with_the_proposal() -> None:
    with pytest.raises(PeerError, match="nothing was proposed"):
        split_genesis_evidence(GENESIS_MAGIC)
