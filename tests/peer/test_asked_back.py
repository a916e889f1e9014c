"""Peers that come to a table one after the other all learn what the others have, without a wait."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from p2p.protocol.frame_kinds import HAVE, TOLD, kind_of, payload_of
from p2p.seat.catch_up import MORE, SLICE_BYTES, CatchingUp

TABLE = bytes(range(32))


class Peer:
    """One seat's fetching, and a desk that keeps what it sends."""

    def __init__(self, name: bytes) -> None:
        self.name = name
        self.sent: list[tuple[bytes | None, bytes]] = []
        self.catching_up = CatchingUp(self, list, 8.0)  # type: ignore[arg-type]
        self.machine: Any = SimpleNamespace(
            chain=SimpleNamespace(table=TABLE, step=3),
            wanted=3,
            records=[],
            may_sign=False,
            beyond=list,
            voting=SimpleNamespace(all=list),
            ballots=SimpleNamespace(all=list),
        )

    def now(self) -> float:
        return 0.0

    def flood(self, frame: bytes) -> None:
        self.sent.append((None, frame))

    def post(self, peer: bytes, frame: bytes) -> None:
        self.sent.append((peer, frame))

    def begin(self) -> None:
        """The header is signed: its machine runs."""
        self.catching_up.machines[TABLE] = self.machine
        self.catching_up.ask_everybody(self.machine)

    def hear(self, peer: bytes, frame: bytes) -> None:
        if kind_of(frame) is HAVE:
            self.catching_up.answer(peer, payload_of(frame))
        else:
            assert kind_of(frame) is TOLD
            self.catching_up.note_told(peer, payload_of(frame), self.machine)


def deliver(peers: list[Peer]) -> int:
    """Carry all frames to whom they are for, until there are none; how many they were."""
    count = 0
    while any(one.sent for one in peers):
        for one in peers:
            sent, one.sent = one.sent, []
            for to, frame in sent:
                for other in peers:
                    if other is not one and to in (None, other.name):
                        other.hear(one.name, frame)
                        count += 1
    return count


def test_first_peer_is_told_by_those_who_come_later() -> None:
    """The first one's question met nobody who could answer."""
    peers = [Peer(name) for name in (b"A", b"B", b"C")]
    for one in peers:
        one.begin()
        deliver(peers)
    for one in peers:
        assert one.catching_up.told == {other.name for other in peers} - {one.name}


def test_answer_ends_with_the_step_that_fills_a_slice() -> None:
    """Of three steps the second is large: the third is for the next answer."""
    server = Peer(b"A")
    server.catching_up.machines[TABLE] = server.machine
    server.machine.may_sign = True
    server.machine.records = [[b"1"], [bytes(SLICE_BYTES)], [b"3"]]

    def answered(step: int) -> list[tuple[object, int]]:
        server.sent.clear()
        server.catching_up.answer(b"B", payload_of(HAVE.make({"table": TABLE, "step": step})))
        frames = [frame for _, frame in server.sent]
        steps = [TOLD.read(payload_of(one))["step"] for one in frames if kind_of(one) is TOLD]
        return [(len(frames) - 1, step) for step in steps]

    assert answered(0) == [(2, MORE + 2)]
    assert answered(0) == [], "the same again, too soon"
    assert answered(1) == []
    assert answered(2) == [(1, 3)], "what follows is not asked too soon"
    assert answered(2) == []


def test_seat_that_may_sign_asks_nobody_back() -> None:
    peers = [Peer(name) for name in (b"A", b"B")]
    for one in peers:
        one.machine.may_sign = True
        one.begin()
        deliver(peers)
    assert [len(one.catching_up.told) for one in peers] == [0, 1]


def test_nobody_is_asked_back_twice() -> None:
    peers = [Peer(name) for name in (b"A", b"B")]
    for one in peers:
        one.begin()
    deliver(peers)
    peers[0].catching_up.told.clear()
    for one in peers:
        one.catching_up._answered.clear()
    peers[1].catching_up.ask_everybody(peers[1].machine)
    assert deliver(peers) == 2  # the question, and that this was all
