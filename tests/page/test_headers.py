"""Both verifiers name the same fault in a header that was changed, whatever is wrong in it.

The order of the checks is that of the protocol: section 3 for the proposal, 8 for the header.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import pytest

from engine.games import load
from p2p.errors import PeerError
from p2p.protocol import wire
from p2p.protocol.genesis import PURPOSE
from p2p.protocol.logfile import begin_log
from p2p.protocol.policy import WAIT, carry_on
from replay.audit import UNREADABLE, Report, audit_bytes
from tests.page.second import NOTHING, Judged, is_untold, judge, needs_node, where
from tests.protocol.kit import identities, make_header, seeded

SEEDS: Final = range(4)
EACH: Final = 1000
SEATS: Final = 3
ODD: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, 1, 2, 4, 16, 17, -1, 999, 1000, 5_000_001, 60_000_001, 2**63),
    *("", "wait", "carry-on 2", "carry-on 02", "carry-on 3", "x" * 25, "a b", "seat1", " a"),
    *(b"", bytes(2), bytes(3), bytes(16), bytes(31), bytes(32), bytes(33), bytes(64), bytes(96)),
    *(b"\1" + bytes(31), b"\xff" * 32, [], {}, [None], [[]], {"cap": 1}),
)
"""Values put in the place of others."""
RULES: Final = ("game", "options", "rules")
"""The fields of a proposal that only a program with the rules can judge."""
FAULTS: Final = {"malformed", "bad-key", "bad-signature"}
pytestmark = needs_node


def parts(policy: str) -> list[dict[str, Any]]:
    """The fields of a sound header, of its body, and of its proposal."""
    outer: dict[str, Any] = wire.unpack(make_header(load("flaps"), SEATS, policy=policy).encode())
    body: dict[str, Any] = wire.unpack(outer["body"])
    return [outer, body, wire.unpack(body["proposal"])]


def packed(header: list[dict[str, Any]], *, signed: bool) -> bytes:
    """The header of such parts, signed again by all seats or not."""
    outer, body, proposal = header
    return around(outer, body, wire.pack(proposal), signed=signed)


def around(outer: dict[str, Any], body: dict[str, Any], proposal: bytes, *, signed: bool) -> bytes:
    """The header around the bytes of a proposal."""
    data = wire.pack({**body, "proposal": proposal})
    again = {"signatures": [one.sign(PURPOSE, data) for one in identities(SEATS)]}
    return wire.pack({**outer, "body": data, **(again if signed else {})})


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place inside a value: the map or array, and the key."""
    keys = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places(value[key])


def bend(value: Any, chance: Random) -> None:
    """Change one thing inside a value."""
    inside, key = chance.choice(list(places(value)))
    others = list(inside) if isinstance(inside, dict) else range(len(inside))
    match chance.randrange(6):
        case 0:
            del inside[key]
        case 1 if isinstance(inside, dict):
            inside["more"] = chance.choice(ODD)
        case 1:
            inside.append(inside[key])
        case 2:
            inside[key] = inside[chance.choice(others)]
        case 3 if isinstance(inside[key], bytes) and inside[key]:
            inside[key] = garble(inside[key], chance)
        case _:
            inside[key] = chance.choice(ODD)


def garble(data: bytes, chance: Random) -> bytes:
    """The same bytes, one of them changed, added or left out."""
    at = chance.randrange(len(data))
    kept = data[at + chance.randrange(2) :]
    return data[:at] + chance.randbytes(chance.randrange(2)) + kept


def changed(chance: Random) -> bytes:
    """A header that is changed in its bytes, or in one or two of its fields."""
    header, signed = parts(chance.choice([WAIT, carry_on(2)])), chance.random() < 0.7
    outer, body, proposal = header
    match chance.randrange(6):
        case 0:
            return garble(packed(header, signed=False), chance)
        case 1:
            return around(outer, body, garble(wire.pack(proposal), chance), signed=signed)
        case 2:
            bend(outer, chance)
            return wire.pack(outer)
        case 3:
            bend(body, chance)
            data = wire.pack(body)
            signatures = [one.sign(PURPOSE, data) for one in identities(SEATS)]
            return wire.pack({"body": data, "signatures": signatures})
        case many:
            for _ in range(many - 3):
                bend(proposal, chance)
            return packed(header, signed=signed)


def has_other_rules(header: bytes) -> bool:
    """Whether only a program with the rules of the game can say what is wrong."""
    try:
        proposal = wire.unpack(wire.unpack(wire.unpack(header)["body"])["proposal"])
        said = [proposal.get(name) for name in RULES]
        count = len(proposal["seats"])
    except (PeerError, AttributeError, KeyError, TypeError):
        return False
    sound = parts(WAIT)[2]
    return said != [sound[name] for name in RULES] or count != SEATS


def differ(report: Report, said: Judged) -> bool:
    """Whether the two name different faults; a header without one is the log of no step."""
    if report.verdict == "unfinished":
        return not (said["verdict"] == "unfinished" or is_untold(said))
    if report.verdict == UNREADABLE:
        return said["verdict"] is not None or "written by revision" not in said["reason"]
    return (report.verdict, report.seat, report.step) != where(said)


@pytest.mark.parametrize("seed", SEEDS)
def test_both_verifiers_name_one_fault_in_header(seed: int) -> None:
    chance = Random(f"headers {seed}")
    headers = [changed(chance) for _ in range(EACH)]
    logs = [begin_log(header) for header in headers]
    judged = judge([{"log": b64encode(log).decode(), "questions": NOTHING} for log in logs])
    reports = [audit_bytes(log, "log", seeded("headers")) for log in logs]
    odd = [
        f"seed {seed}, header {number}: {report.verdict}, {report.seat}: {report.reason}; "
        f"the second: {where(said)}: {said['reason']}"
        for number, (report, said) in enumerate(zip(reports, judged, strict=True))
        if differ(report, said) and not has_other_rules(headers[number])
    ]
    assert not odd, "\n".join(odd[:20])
    assert {report.verdict for report in reports} >= FAULTS
    assert sum(map(has_other_rules, headers)) < EACH / 2
