"""How a seat that is behind gets the log: from one peer at a time, in slices, each record once."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from functools import cache
from itertools import count
from types import SimpleNamespace
from typing import Any, Final

import pytest

from p2p.net.mesh import LinkState
from p2p.protocol import step_kinds, wire
from p2p.protocol.entry import PURPOSE, Chain, sign_entry, unread
from p2p.protocol.frame_kinds import HAVE, RECORD, TOLD, kind_of, payload_of
from p2p.protocol.outcome import returning
from p2p.seat.catch_up import ANSWER_SECONDS, MORE
from p2p.seat.desk import Desk, DropLink, ReadSlowly, Save
from p2p.seat.fetch import SLICE_STEPS, Fetch
from tests.protocol.kit import identities
from tests.sim.exhaustive.seat import Disk, Place, keys_of, proposal_of

SEATS: Final = 3
PROPOSAL: Final = proposal_of(SEATS)
AWAY: Final = 0
STEPS: Final = 2000
LATENCY: Final = 0.03
SHAPE: Final = [((step % (SEATS - 1)) + 1,) for step in range(STEPS)] + [tuple(range(SEATS))]
"""Two seats sign in turn, and at last all do: the seat that is away owes nothing before that."""
Bend = Callable[["Table", int, bytes], Sequence[bytes]]
"""What a liar sends to the seat that is behind; a frame is what an honest seat would send."""


@cache
def log_of(steps: int = STEPS) -> tuple[tuple[bytes, ...], ...]:
    """The records of so many steps of this table, each of some hundred bytes."""
    chain, log = Chain(PROPOSAL.id), list[tuple[bytes, ...]]()
    for (seat,) in SHAPE[:steps]:
        said = [0, bytes(300)]
        entry = sign_entry(
            identities(SEATS)[seat], chain, seat, str(step_kinds.COMMIT), said, bytes(16)
        )
        chain.advance([entry.body])
        log.append((entry.record,))
    return tuple(log)


class Table:
    """Seats with a link between each two, and virtual time; frames take `LATENCY` seconds."""

    count: Final = SEATS
    shape: Final = SHAPE
    keys: Final = keys_of(SEATS)

    def __init__(self, bends: dict[int, Bend] | None = None, has: int = 0) -> None:
        self.now = 0.0
        self.asked: Final[list[tuple[int, int, float]]] = []
        """Whom the seat that is behind has asked, from which step on, and when."""
        self.received = 0
        """Bytes that the seat that is behind was sent."""
        self.dropped: Final[list[int]] = []
        self.slowed: Final[list[int]] = []
        self._bends: Final = bends or {}
        self._wires: Final[list[tuple[float, int, int, int, bytes]]] = []
        self._numbers: Final = count()
        self.places: Final[list[_Seat]] = []
        for seat in range(SEATS):
            disk = Disk()
            disk.log.extend(log_of()[:has] if seat == AWAY else log_of())
            self.places.append(_Seat(self, seat, disk, 1))
        for place in self.places:
            place.start()
        for place in self.places:
            place.greet()
            place.settle()

    @property
    def machine(self) -> Any:
        return self.places[AWAY].machine

    def is_there(self, seat: int) -> bool:
        return seat not in self.dropped

    def send(self, place: Place, to: int, frame: bytes) -> None:
        if place.seat == AWAY and kind_of(frame) is HAVE:
            self.asked.append((to, HAVE.read(payload_of(frame))["step"], self.now))
        frames: Sequence[bytes] = [frame]
        if to == AWAY and place.seat in self._bends:
            frames = self._bends[place.seat](self, place.seat, frame)
        for one in frames:
            self.received += len(one) if to == AWAY else 0
            due = self.now + LATENCY
            heapq.heappush(self._wires, (due, next(self._numbers), place.seat, to, one))

    def drops(self, by: int, peer: bytes) -> None:
        """A seat ends a link."""
        seat = self.keys.index(peer)
        assert AWAY in (by, seat)
        self.dropped.append(seat if by == AWAY else by)
        self.places[AWAY].runner.link_changed(self.keys[self.dropped[-1]], up=False)

    def run(self, until: float, is_done: Callable[[], bool] = lambda: False) -> None:
        """Let time pass up to this moment, or until it is done."""
        while not is_done() and (when := self._next()) <= until:
            self.now = max(self.now, when)
            while self._wires and self._wires[0][0] <= self.now:
                _, _, source, to, frame = heapq.heappop(self._wires)
                self.places[to].runner.receive(self.keys[source], frame)
                self.places[to].settle()
            for place in self.places:
                place.desk.ring()
                place.settle()

    def _next(self) -> float:
        alarms = [place.desk.wakes_at for place in self.places]
        due = [when for when in alarms if when is not None]
        return min([*due, *(wire_[0] for wire_ in self._wires[:1])], default=float("inf"))

    def catch_up(self, within: float) -> None:
        """Let the seat that is behind reach the last step."""
        self.run(within, lambda: self.machine.chain.step >= STEPS)
        assert self.machine.chain.step >= STEPS, (self.machine.chain.step, self.asked[-5:])


class _Seat(Place):
    """A seat whose disk is quick, and whose links may end."""

    def carry_out(self, order: object) -> None:
        table: Any = self.table
        match order:
            case Save(number, act):
                done = act(self.disk) if not _is_plain(act) else None  # type: ignore[arg-type]
                self.desk.answer(number, returning(done))
            case DropLink(peer):
                table.drops(self.seat, peer)
            case ReadSlowly(peer):
                table.slowed.append(table.keys.index(peer))
            case _:
                super().carry_out(order)


def _is_plain(act: Any) -> bool:
    return "sure" in act.__code__.co_names


def log_bytes() -> int:
    return sum(len(record) for records in log_of() for record in records)


def test_returning_seat_receives_each_record_about_once() -> None:
    table = Table()
    table.catch_up(within=10.0)
    assert table.received <= 1.2 * log_bytes()
    assert len(table.asked) <= STEPS / SLICE_STEPS + 2 * SEATS
    assert (table.dropped, table.slowed) == ([], [])


def test_peers_send_the_log_in_turn() -> None:
    table = Table()
    table.catch_up(within=10.0)
    asked = [to for to, step, _ in table.asked if 0 < step < STEPS]
    assert abs(asked.count(1) - asked.count(2)) <= 1


def test_seat_that_is_abreast_hears_from_all() -> None:
    """It may sign again: every peer has said that it has nothing more."""
    table = Table()
    table.run(30, lambda: all(place.machine.ended for place in table.places))
    assert all(place.machine.ended for place in table.places)


def _silent(table: Table, seat: int, frame: bytes) -> Sequence[bytes]:
    return []


def _empty(table: Table, seat: int, frame: bytes) -> Sequence[bytes]:
    """Say that there is nothing."""
    return [] if kind_of(frame) is RECORD else [_told(table, 0)]


def _promise(table: Table, seat: int, frame: bytes) -> Sequence[bytes]:
    """Say that there is more, and send none of it."""
    asked = [step for to, step, _ in table.asked if to == seat][-1]
    return [] if kind_of(frame) is RECORD else [_told(table, MORE + asked + SLICE_STEPS)]


def _boast(table: Table, seat: int, frame: bytes) -> Sequence[bytes]:
    """Say that all was sent, and send none of it."""
    return [] if kind_of(frame) is RECORD else [_told(table, STEPS)]


def _trickle(table: Table, seat: int, frame: bytes) -> Sequence[bytes]:
    """Send one step in each answer."""
    asked = [step for to, step, _ in table.asked if to == seat][-1]
    if kind_of(frame) is RECORD:
        return [frame] if unread(payload_of(frame)).step == asked else []
    return [_told(table, MORE + asked + 1)]


def _forge(table: Table, seat: int, frame: bytes) -> Sequence[bytes]:
    """Send what nobody signed."""
    if kind_of(frame) is not RECORD:
        return [frame]
    record = payload_of(frame)
    return [RECORD.make(record[:-1] + bytes([record[-1] ^ 1]))]


def _exaggerate(table: Table, seat: int, frame: bytes) -> Sequence[bytes]:
    """Say with each frame that far more was sent."""
    return [frame, _told(table, MORE + STEPS * STEPS)]


def _skip(table: Table, seat: int, frame: bytes) -> Sequence[bytes]:
    """Leave out one step of each twenty."""
    lost = kind_of(frame) is RECORD and unread(payload_of(frame)).step % 20 == 9
    return [] if lost else [frame]


def _stuff(table: Table, seat: int, frame: bytes) -> Sequence[bytes]:
    """Send junk of its own for steps that are far ahead beside each record."""
    if kind_of(frame) is not RECORD:
        return [frame]
    origin = unread(payload_of(frame))
    fields = {"table": origin.table, "step": origin.step + 1, "seat": seat, "kind": "commit"}
    fields |= {"payload": bytes(1000), "previous": bytes(32), "state": bytes(16)}
    body = wire.pack(fields)
    return [frame, RECORD.make(body + identities(SEATS)[seat].sign(PURPOSE, body))]


def _told(table: Table, step: int) -> bytes:
    return TOLD.make({"table": table.machine.chain.table, "step": step})


@pytest.mark.parametrize(
    ("bend", "within"),
    [
        *((_silent, 10.0), (_empty, 8.0), (_promise, 10.0), (_boast, 8.0), (_trickle, 15.0)),
        *((_forge, 10.0), (_skip, 10.0), (_exaggerate, 10.0)),
    ],
)
@pytest.mark.parametrize("liar", [1, 2])
def test_liar_cannot_stop_a_seat_from_catching_up(bend: Bend, within: float, liar: int) -> None:
    """One peer sends less than it has, or other things.

    Answer: peers are asked in turn, and this one is passed over from then on.
    """
    table = Table({liar: bend})
    table.catch_up(within)
    assert table.received <= 1.5 * log_bytes()


def test_peer_of_an_old_revision_serves_a_whole_log() -> None:
    """It sends all that follows at once, and answers nobody twice within 0.2 s.

    What finds no room is asked for again, and nobody is blamed.
    """
    table = Table()
    for place in table.places[1:]:
        _serve_all(place, table)
    table.catch_up(within=60.0)
    assert (table.dropped, table.slowed) == ([], [])


def _serve_all(place: Place, table: Table) -> None:
    """Let a seat answer as it did before answers had slices."""
    answered: dict[bytes, float] = {}

    def answer(peer: bytes, payload: bytes) -> None:
        step = HAVE.read(payload)["step"]
        if table.now - answered.get(peer, -1.0) < ANSWER_SECONDS:
            return
        answered[peer] = table.now
        for records in place.machine.records[step:]:
            place.runner._catching_up.send(peer, records)
        place.desk.post(peer, _told(table, place.machine.chain.step))

    place.runner._catching_up.answer = answer  # type: ignore[method-assign]


def test_peer_that_asks_all_the_time_costs_a_bounded_amount() -> None:
    """A peer asks for the whole log a thousand times a second.

    Answer: it is answered five times, a slice each; none of its requests ends a link.
    """
    table = Table(has=STEPS)
    table.run(5.0)
    table.received = 0
    server = table.places[1]
    for _ in range(1000):
        table.run(table.now + 0.001)
        table.now += 0.001
        server.runner.receive(table.keys[AWAY], HAVE.make({"table": PROPOSAL.id, "step": 0}))
        server.settle()
    table.run(table.now + 1.0)
    assert table.received <= 6 * sum(len(log_of()[step][0]) + 100 for step in range(SLICE_STEPS))
    assert table.dropped == []


def test_end_of_a_slice_is_never_taken_for_the_end() -> None:
    """Else a seat that lost its files would sign again what a peer holds of it."""
    table = Table(has=STEPS)
    told = table.places[AWAY].runner._catching_up
    payload = payload_of(_told(table, MORE + STEPS))
    assert not told.note_told(table.keys[1], payload, table.machine)
    assert told.note_told(table.keys[1], payload_of(_told(table, STEPS)), table.machine)


class _Fetching:
    """A seat that fetches from two peers in virtual time; a test moves its machine on."""

    def __init__(self) -> None:
        self.now = 0.0
        self.asked: list[tuple[bytes, int]] = []
        desk = Desk(lambda: self.now, self, bytes)
        self.machine: Any = SimpleNamespace(
            chain=SimpleNamespace(step=0), wanted=0, missing=lambda: [1]
        )
        self.fetch = Fetch(desk, lambda: [b"A", b"B"], 2.0, self._ask)
        self._desk = desk

    def _ask(self, peer: bytes, machine: object, step: int) -> None:
        self.asked.append((peer, step))

    def is_linked(self, key: bytes, /) -> bool:
        return True

    def links(self) -> dict[bytes, LinkState]:
        return {}

    def round_trip_us(self, key: bytes, /) -> int | None:
        return None

    def source(self, key: bytes, /) -> str:
        return ""

    def more(self, peer: bytes, end: int) -> None:
        self.fetch.more(peer, self.machine, end)

    def wait(self) -> None:
        """Let the patience of the seat end."""
        self.now += 2.0
        self._desk.ring()


def test_next_slice_is_fetched_before_the_last_is_used_up() -> None:
    one = _Fetching()
    one.more(b"A", SLICE_STEPS)
    assert one.asked == [(b"B", SLICE_STEPS)]
    one.more(b"B", 2 * SLICE_STEPS)
    assert len(one.asked) == 1, "there is no room for a third"
    one.machine.chain.step = SLICE_STEPS
    one.fetch.go_on(one.machine)
    assert one.asked[1:] == [(b"A", 2 * SLICE_STEPS)]


def test_seat_that_works_long_on_a_step_passes_over_nobody() -> None:
    one = _Fetching()
    one.more(b"A", SLICE_STEPS)
    one.more(b"B", 2 * SLICE_STEPS)
    one.machine.missing = list
    one.wait()
    assert len(one.asked) == 1


def test_slice_with_a_gap_is_fetched_again_from_another_peer() -> None:
    """The gap is A's; what B sends of later steps does not count, and B is asked for all of it."""
    one = _Fetching()
    one.more(b"A", SLICE_STEPS)
    one.wait()
    assert one.asked[1:] == [(b"B", 0)]
    one.more(b"B", SLICE_STEPS)
    one.machine.chain.step = SLICE_STEPS
    one.fetch.go_on(one.machine)
    assert one.asked[2:] == [(b"B", SLICE_STEPS)]
