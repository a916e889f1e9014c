"""Both verifiers name the same fault in a header that was changed, whatever is wrong in it.

The order of the checks is that of the protocol: section 3 for the proposal, 8 for the header.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import pytest

from engine.games import load
from p2p.protocol import wire
from p2p.protocol.genesis import PURPOSE
from p2p.protocol.logfile import begin_log
from p2p.protocol.policy import WAIT, carry_on
from replay.audit import Report, audit_bytes
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
Rules = tuple[Any, Any, Any]
"""What only the rules can judge in a proposal."""
pytestmark = needs_node


class Header:
    """A header in its parts, each of which may be changed before it is packed again."""

    def __init__(self, policy: str) -> None:
        whole = make_header(load("flaps"), SEATS, policy=policy).encode()
        self.outer: dict[str, Any] = wire.unpack(whole)
        self.body: dict[str, Any] = wire.unpack(self.outer["body"])
        self.proposal: dict[str, Any] = wire.unpack(self.body["proposal"])

    def packed(self, *, signed: bool) -> bytes:
        return self.over(wire.pack(self.proposal), signed=signed)

    def over(self, proposal: bytes, *, signed: bool) -> bytes:
        """The same around other bytes of the proposal; `signed` again by all seats or not."""
        body = wire.pack({**self.body, "proposal": proposal})
        signatures = self.outer["signatures"]
        if signed:
            signatures = [one.sign(PURPOSE, body) for one in identities(SEATS)]
        return wire.pack({**self.outer, "body": body, "signatures": signatures})


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


def changed_headers(seed: int) -> Iterator[bytes]:
    """Headers that are changed in their bytes, or in one or two of their fields."""
    chance = Random(f"headers {seed}")
    for _ in range(EACH):
        header, signed = Header(chance.choice([WAIT, carry_on(2)])), chance.random() < 0.7
        part = chance.choice([header.outer, header.body, *[header.proposal] * 3])
        match chance.randrange(5):
            case 0:
                proposal = garble(wire.pack(header.proposal), chance)
                yield header.over(proposal, signed=signed)
            case 1:
                yield garble(header.packed(signed=False), chance)
            case many:
                for _ in range(many - 1 if many > 2 else 1):
                    bend(part, chance)
                yield _packed(header, signed=signed)


def _packed(header: Header, *, signed: bool) -> bytes:
    """Fields of the outermost map may have gone."""
    keep: Callable[[], bytes] = lambda: header.packed(signed=signed)  # noqa: E731
    return keep() if {"body", "signatures"} <= header.outer.keys() else wire.pack(header.outer)
