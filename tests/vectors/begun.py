"""Tables that never began: what can go wrong in the three steps of genesis."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from engine.games import load
from p2p.protocol import wire
from p2p.protocol.genesis import PURPOSE
from p2p.protocol.logfile import begin_log, encode_genesis_evidence, split_log
from p2p.protocol.policy import WAIT
from p2p.protocol.proposal import propose
from p2p.protocol.terms import Terms
from tests.protocol.cheats import CHEAT, bend_entry, bend_payload, sign_again
from tests.protocol.kit import TOKEN, Hub, genesis_hub, identities
from tests.vectors.tables import log_of
from tests.vectors.vector import Level, Vector

SEATS: Final = 3
GAME: Final = "flip-over"
Change = Callable[[Any], Any]

CHEATS: Final[tuple[tuple[str, str, str, int, Level, str, Change], ...]] = (
    (
        "bad-key-possession", "reveal", "bad-key", 1, Level.PROOF,
        "A table key without a proof that its secret is known.",
        lambda payload: {**payload, "proof": bytes(64)},
    ),
    (
        "bad-key-opening", "reveal", "bad-key", 1, Level.PROOF,
        "A table key that does not open its commitment.",
        lambda payload: {**payload, "opening": bytes(32)},
    ),
    (
        "bad-signature-genesis", "sign", "bad-signature", 2, Level.CHAIN,
        "A signature of another header.", lambda payload: bytes(64),
    ),
    (
        "malformed-genesis", "commit", "malformed", 0, Level.FRAME,
        "A commitment of another length.", lambda payload: payload[:-1],
    ),
)  # fmt: skip


def begun_tables() -> Iterator[Vector]:
    """The vectors of genesis, and a log whose header shows a bad key."""
    for name, kind, verdict, step, level, about, change in CHEATS:
        hub = genesis_hub(load(GAME), SEATS)
        bend_payload(hub, kind, change)
        yield Vector(f"{name}.evidence", evidence_of(hub), verdict, level, about, CHEAT, step)
    yield _twice()
    about = "A genesis without a fault: a table that never began is no game."
    sound = evidence_of(genesis_hub(load(GAME), SEATS))
    yield Vector("unfinished-genesis.evidence", sound, "unfinished", Level.CHAIN, about, step=3)
    yield _header()


def _twice() -> Vector:
    hub = genesis_hub(load(GAME), SEATS)
    bend_entry(
        hub,
        "commit",
        lambda entry: [entry.record, sign_again(entry.record, payload=entry.payload[::-1])],
    )
    about = "Seat 1 signed two commitments to its table key."
    name, evidence = "equivocation-genesis.evidence", evidence_of(hub)
    return Vector(name, evidence, "equivocation", Level.CHAIN, about, CHEAT, 0)


def evidence_of(hub: Hub, policy: str = WAIT) -> bytes:
    """What seat 0 would write: the proposal, and all that was signed."""
    hub.run()
    people = [(one.public, one.name, False) for one in identities(len(hub.seats))]
    proposal = propose(TOKEN, Terms.of(GAME, policy=policy), people).data
    past = [record for records in hub.seats[0].machine.records for record in records]
    beyond = hub.faults[0].evidence if 0 in hub.faults else ()
    return encode_genesis_evidence(proposal, [*past, *beyond])


def _header() -> Vector:
    """All seats sign a header in which seat 1 does not prove its key."""
    body = wire.unpack(wire.unpack(split_log(log_of("flip-over")).header)["body"])
    body["keys"][CHEAT]["proof"] = bytes(64)
    signed = wire.pack(body)
    signatures = [one.sign(PURPOSE, signed) for one in identities(SEATS)]
    header = wire.pack({"body": signed, "signatures": signatures})
    about = "The header shows a table key without a proof, and all signed it."
    return Vector("bad-key-header.ndlog", begin_log(header), "bad-key", Level.PROOF, about, CHEAT)
