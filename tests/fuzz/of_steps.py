"""Readers of what seats sign, step by step: shape and proof, as a table judges that waits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from p2p.protocol import wire
from p2p.protocol.entry import SIGNATURE_BYTES, decode_entry
from p2p.protocol.step import LEAVE
from p2p.protocol.step_kinds import COMMIT, KINDS, REVEAL, SIGN, VOTE
from tests.fuzz.reader import Reader
from tests.fuzz.tables import Paused, paused, paused_in_genesis, paused_with_shares


def _judge(table: Callable[[str], Paused], kind: str, data: bytes) -> None:
    """Take bytes as the payload of the entry that is waited for."""
    step, entry = table(kind)
    fields = {**wire.unpack(entry.body), "payload": None}
    head, _, tail = wire.pack(fields).partition(b"\xa7payload\xc0")
    record = head + b"\xa7payload" + data + tail + bytes(SIGNATURE_BYTES)
    parsed = step.read(entry.seat, kind, decode_entry(record).payload)
    if step.verify is not None and parsed is not LEAVE:
        step.verify(entry.seat, parsed)


def _valid(table: Callable[[str], Paused], kind: str) -> list[bytes]:
    return [wire.pack(table(kind).entry.payload)]


def rows() -> Iterator[Reader]:
    """One for each kind of step, in a game or in the genesis."""
    for kind in map(str, KINDS):
        if kind not in (SIGN, VOTE):  # a vote is no step, and has a reader of its own
            yield Reader(
                *(f"step: {kind}", partial(_judge, paused, kind), partial(_valid, paused, kind)),
                heavy=True,
            )
    for kind in map(str, (COMMIT, REVEAL, SIGN)):
        for more, table in (("", paused_in_genesis), (", with shares", paused_with_shares)):
            yield Reader(
                f"step of the genesis{more}: {kind}",
                partial(_judge, table, kind),
                partial(_valid, table, kind),
                heavy=True,
            )
