"""Who gets a record passed on, and when, in virtual time."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from engine.games import load
from p2p.protocol import wire
from p2p.protocol.entry import Chain, Entry, sign_entry
from p2p.protocol.frame_kinds import LINKED, RECORD
from p2p.seat.forwarding import GRACE_SECONDS, REMEMBERED, SECOND_GRACE, Forwarding
from tests.peer.seat_files import runner_on
from tests.protocol.kit import TABLE, identities, make_header

SEATS = 4
PEOPLE = identities(SEATS)
KEYS = [who.public for who in PEOPLE]
SECOND = GRACE_SECONDS * SECOND_GRACE


class Wire:
    """Stands in for a mesh that is linked with everybody: what was sent, and when."""

    def __init__(self, seat: int) -> None:
        self.linked = set(range(SEATS)) - {seat}
        self.sent: list[tuple[float, int, bytes]] = []
        self.dropped: list[bytes] = []
        self.on_send: Callable[[int, bytes], None] = lambda to, frame: None

    def links(self) -> dict[bytes, Any]:
        return {KEYS[seat]: SimpleNamespace(connected=True) for seat in self.linked}

    def is_linked(self, key: bytes) -> bool:
        return key in self.links()

    def send(self, key: bytes, frame: bytes) -> bool:
        self.sent.append((trio.current_time(), KEYS.index(key), frame))
        self.on_send(KEYS.index(key), frame)
        return True

    def flood(self, frame: bytes, *, skip: bytes | None = None) -> int:
        for seat in sorted(self.linked):
            self.send(KEYS[seat], frame)
        return len(self.linked)

    def drop(self, key: bytes, reason: str) -> None:
        self.dropped.append(key)

    def records(self) -> list[tuple[float, int]]:
        """When, and to which seats, records went."""
        return [(at, to) for at, to, frame in self.sent if frame[0] == RECORD.number]

    def times(self) -> list[float]:
        return [at for at, _ in self.records()]


def entry(signer: int, kind: str = "play", payload: object = None) -> Entry:
    return sign_entry(PEOPLE[signer], Chain(TABLE), signer, kind, payload, bytes(16))


def linked_with(*seats: int, proposal: bytes = TABLE) -> bytes:
    return wire.pack({"proposal": proposal, "seats": list(seats)})


class Seat:
    """A `Forwarding` on a wire, all of whose neighbours are linked with all seats."""

    def __init__(self, number: int, *unlinked: int) -> None:
        self.wire = Wire(number)
        self.forwarding = Forwarding(self.wire, TABLE, KEYS, number)  # type: ignore[arg-type]
        for seat in range(SEATS):
            everybody = sorted(set(range(SEATS)) - {seat, *unlinked})
            self.forwarding.hear_links(KEYS[seat], linked_with(*everybody))


@asynccontextmanager
async def running(*seats: Seat) -> AsyncIterator[float]:
    """Their tasks; the time at which they began."""
    async with trio.open_nursery() as nursery:
        for seat in seats:
            nursery.start_soon(seat.forwarding.run)
        yield trio.current_time()
        nursery.cancel_scope.cancel()


async def test_a_neighbour_without_a_link_to_the_signer_does_not_wait(
    autojump_clock: MockClock,
) -> None:
    seat = Seat(1)
    seat.forwarding.hear_links(KEYS[2], linked_with(1, 3))  # not with 0
    async with running(seat) as began:
        seat.forwarding.pass_on(entry(0), KEYS[0])
        assert seat.wire.records() == [(began, 2)]


async def test_a_neighbour_that_has_announced_nothing_does_not_wait(
    autojump_clock: MockClock,
) -> None:
    wire_of_one = Wire(1)
    forwarding = Forwarding(wire_of_one, TABLE, KEYS, 1)  # type: ignore[arg-type]
    forwarding.pass_on(entry(0), KEYS[0])
    assert [to for _, to in wire_of_one.records()] == [2, 3]


async def test_others_get_it_after_the_grace_even_if_they_lied(autojump_clock: MockClock) -> None:
    """A signer that withholds its entry from a neighbour gains that much time and no more."""
    seat = Seat(1)
    async with running(seat) as began:
        seat.forwarding.pass_on(entry(0), KEYS[0])
        assert seat.wire.records() == []
        await trio.sleep(2 * SECOND)
        assert [to for _, to in seat.wire.records()] == [2, 3]
        assert seat.wire.times() == pytest.approx([began + GRACE_SECONDS] * 2)


async def test_the_higher_seat_of_two_waits_longer(autojump_clock: MockClock) -> None:
    seat = Seat(3)
    async with running(seat) as began:
        seat.forwarding.pass_on(entry(0), KEYS[0])
        await trio.sleep(2 * SECOND)
        assert [to for _, to in seat.wire.records()] == [1, 2]
        assert seat.wire.times() == pytest.approx([began + SECOND] * 2)


async def test_each_record_crosses_once_between_two_neighbours(autojump_clock: MockClock) -> None:
    low, high = Seat(1), Seat(2)
    repeated: list[bool] = []
    low.wire.on_send = lambda to, frame: (
        repeated.append(high.forwarding.repeats(KEYS[1], frame[1:])) if to == 2 else None
    )
    async with running(low, high):
        for seat in (low, high):
            seat.forwarding.pass_on(entry(0), KEYS[0])
        await trio.sleep(2 * SECOND)
    assert repeated == [True]
    assert [to for _, to in low.wire.records()] == [2, 3]
    assert [to for _, to in high.wire.records()] == [3]


async def test_only_the_very_same_record_shows_that_a_neighbour_has_it(
    autojump_clock: MockClock,
) -> None:
    seat = Seat(1)
    async with running(seat):
        seat.forwarding.pass_on(entry(0, payload=1), KEYS[0])
        assert not seat.forwarding.repeats(KEYS[2], entry(0, payload=2).record)
        assert seat.forwarding.repeats(KEYS[3], entry(0, payload=1).record)
        await trio.sleep(2 * SECOND)
    assert [to for _, to in seat.wire.records()] == [2]


async def test_who_gets_no_share_of_an_open_card_gets_it_at_once(
    autojump_clock: MockClock,
) -> None:
    """A race may follow: a seat that the signer leaves out would see the card a grace later."""
    seat = Seat(1)
    seat.forwarding.pass_on(entry(0, "open"), KEYS[0])
    assert [to for _, to in seat.wire.records()] == [2, 3]


async def test_a_neighbour_that_loses_the_link_gets_at_once_what_it_may_lack(
    autojump_clock: MockClock,
) -> None:
    seat = Seat(1)
    seat.forwarding.pass_on(entry(0), KEYS[0])
    seat.forwarding.hear_links(KEYS[2], linked_with(1, 3))
    assert [to for _, to in seat.wire.records()] == [2]


async def test_what_is_soon_due_goes_along(autojump_clock: MockClock) -> None:
    seat = Seat(1)
    async with running(seat) as began:
        seat.forwarding.pass_on(entry(0, payload=1), KEYS[0])
        await trio.sleep(GRACE_SECONDS / 5)
        seat.forwarding.pass_on(entry(0, payload=2), KEYS[0])
        await trio.sleep(2 * SECOND)
        assert seat.wire.times() == pytest.approx([began + GRACE_SECONDS] * 4)


async def test_nothing_is_held_back_at_the_end(autojump_clock: MockClock) -> None:
    seat = Seat(1)
    seat.forwarding.pass_on(entry(0), KEYS[0])
    seat.forwarding.flush()
    seat.forwarding.flush()
    assert [to for _, to in seat.wire.records()] == [2, 3]


async def test_no_more_than_so_many_are_deferred(autojump_clock: MockClock) -> None:
    seat = Seat(1)
    for number in range(REMEMBERED):
        seat.forwarding.pass_on(entry(0, payload=number), KEYS[0])
    assert seat.wire.records() == []
    seat.forwarding.pass_on(entry(0, payload=REMEMBERED), KEYS[0])
    assert [to for _, to in seat.wire.records()] == [2, 3]
    assert not seat.forwarding.repeats(KEYS[0], entry(0, payload=0).record)


def _announced(seat: Seat) -> Iterator[tuple[int, list[int]]]:
    for _, to, frame in seat.wire.sent:
        if frame[0] == LINKED.number:
            yield to, wire.unpack(frame[1:])["seats"]


async def test_links_are_announced_when_they_change(autojump_clock: MockClock) -> None:
    seat = Seat(1)
    seat.wire.sent.clear()
    assert not seat.forwarding.announce()
    seat.wire.linked.remove(3)
    seat.forwarding.link_changed(KEYS[3], up=False)
    assert (0, [0, 2]) in _announced(seat)
    seat.wire.sent.clear()
    seat.forwarding.link_changed(KEYS[0], up=True)  # replaced by a new one
    assert list(_announced(seat)) == [(0, [0, 2])]


async def test_a_neighbour_whose_link_went_down_begins_anew(autojump_clock: MockClock) -> None:
    seat = Seat(1)
    seat.forwarding.link_changed(KEYS[2], up=False)
    seat.forwarding.pass_on(entry(0), KEYS[0])
    assert [to for _, to in seat.wire.records()] == [2]


PROPOSAL = make_header(load("flip-over"), SEATS).proposal


def impossible(seats: object) -> bytes:
    return wire.pack({"proposal": PROPOSAL.id, "seats": seats})


IMPOSSIBLE = {
    "a seat beyond the table": impossible([0, SEATS - 1 + 1]),
    "a negative seat": impossible([-1]),
    "a seat twice": impossible([1, 1]),
    "more seats than there are": impossible([0, 1, 2, 3]),
    "no list": impossible(1),
    "no seats": impossible(["1"]),
    "no proposal": wire.pack({"seats": [0]}),
    "nothing": b"",
}


@pytest.mark.check("links.seats")
@pytest.mark.parametrize("said", IMPOSSIBLE)
@pytest.mark.call("p2p.seat.runner:Runner._links_of_peer -> self._forwarding.hear_links")
def test_impossible_announcements_cost_the_link(said: str) -> None:
    mesh = Wire(0)
    runner_on(mesh, PROPOSAL).receive(KEYS[1], bytes([LINKED.number]) + IMPOSSIBLE[said])
    assert mesh.dropped == [KEYS[1]]


async def test_what_a_stranger_says_of_its_links_is_nothing_to_us(
    autojump_clock: MockClock,
) -> None:
    seat = Seat(1)
    seat.wire.sent.clear()
    seat.forwarding.hear_links(b"stranger", linked_with(0))
    assert seat.wire.sent == []


async def test_links_of_another_table_are_nothing_to_this_one(autojump_clock: MockClock) -> None:
    """A neighbour may be slow to leave the last table, which had more seats, in another order."""
    seat = Seat(1)
    before = dict(seat.forwarding.links_of)
    seat.forwarding.hear_links(KEYS[2], linked_with(0, SEATS, proposal=bytes(32)))
    assert seat.forwarding.links_of == before
