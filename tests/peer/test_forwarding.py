"""Who gets a record passed on, and when, in virtual time."""

from __future__ import annotations

import pytest

from engine.games import load
from p2p.protocol import wire
from p2p.protocol.entry import Chain, Entry, sign_entry
from p2p.protocol.frame_kinds import LINKED, RECORD
from p2p.seat.forwarding import GRACE_SECONDS, REMEMBERED, SECOND_GRACE, Forwarding
from tests.peer.desk_kit import Time, World, runner_at
from tests.protocol.kit import TABLE, identities, make_header

SEATS = 4
PEOPLE = identities(SEATS)
KEYS = [who.public for who in PEOPLE]
SECOND = GRACE_SECONDS * SECOND_GRACE


def entry(signer: int, kind: str = "play", payload: object = None) -> Entry:
    return sign_entry(PEOPLE[signer], Chain(TABLE), signer, kind, payload, bytes(16))


def linked_with(*seats: int, proposal: bytes = TABLE) -> bytes:
    return wire.pack({"proposal": proposal, "seats": list(seats)})


class Seat:
    """A `Forwarding` all of whose neighbours are linked with all seats, unless `told` nothing."""

    def __init__(self, number: int, *, told: bool = True, time: Time | None = None) -> None:
        self.world = World([key for key in KEYS if key != KEYS[number]], time=time)
        self.forwarding = Forwarding(self.world.desk, TABLE, KEYS, number)
        for seat in range(SEATS) if told else ():
            everybody = sorted(set(range(SEATS)) - {seat})
            self.forwarding.hear_links(KEYS[seat], linked_with(*everybody))

    def pass_on(self, one: Entry) -> None:
        """It comes from seat 0."""
        self.forwarding.pass_on(one, KEYS[0])

    @property
    def records(self) -> list[tuple[float, int]]:
        """When, and to which seats, records went."""
        return [
            (one.at, KEYS.index(one.to))
            for one in self.world.left
            if one.to is not None and one.frame[0] == RECORD.number
        ]

    @property
    def to(self) -> list[int]:
        """To which seats records went."""
        return [to for _, to in self.records]

    @property
    def times(self) -> list[float]:
        return [at for at, _ in self.records]


def test_a_neighbour_without_a_link_to_the_signer_does_not_wait() -> None:
    seat = Seat(1)
    seat.forwarding.hear_links(KEYS[2], linked_with(1, 3))  # not with 0
    seat.pass_on(entry(0))
    assert seat.records == [(0.0, 2)]


def test_a_neighbour_that_has_announced_nothing_does_not_wait() -> None:
    seat = Seat(1, told=False)
    seat.pass_on(entry(0))
    assert seat.to == [2, 3]


def test_others_get_it_after_the_grace_even_if_they_lied() -> None:
    """A signer that withholds its entry from a neighbour gains that much time and no more."""
    seat = Seat(1)
    seat.pass_on(entry(0))
    assert seat.records == []
    seat.world.time.pass_(2 * SECOND)
    assert seat.to == [2, 3]
    assert seat.times == pytest.approx([GRACE_SECONDS] * 2)


def test_the_higher_seat_of_two_waits_longer() -> None:
    seat = Seat(3)
    seat.pass_on(entry(0))
    seat.world.time.pass_(2 * SECOND)
    assert seat.to == [1, 2]
    assert seat.times == pytest.approx([SECOND] * 2)


def test_each_record_crosses_once_between_two_neighbours() -> None:
    time = Time()
    low, high = Seat(1, time=time), Seat(2, time=time)
    repeated: list[bool] = []

    def arrive() -> None:
        """What the lower seat has sent by now is there before the higher one sends its own."""
        for to, frame in low.world.posted:
            if to == KEYS[2] and frame[0] == RECORD.number:
                repeated.append(high.forwarding.repeats(KEYS[1], frame[1:]))

    for seat in (low, high):
        seat.pass_on(entry(0))
    time.after((GRACE_SECONDS + SECOND) / 2, arrive)
    time.pass_(2 * SECOND)
    assert repeated == [True]
    assert low.to == [2, 3]
    assert high.to == [3]


def test_only_the_very_same_record_shows_that_a_neighbour_has_it() -> None:
    seat = Seat(1)
    seat.pass_on(entry(0, payload=1))
    assert not seat.forwarding.repeats(KEYS[2], entry(0, payload=2).record)
    assert seat.forwarding.repeats(KEYS[3], entry(0, payload=1).record)
    seat.world.time.pass_(2 * SECOND)
    assert seat.to == [2]


def test_who_gets_no_share_of_an_open_card_gets_it_at_once() -> None:
    """A race may follow: a seat that the signer leaves out would see the card a grace later."""
    seat = Seat(1)
    seat.pass_on(entry(0, "open"))
    assert seat.to == [2, 3]


def test_a_neighbour_that_loses_the_link_gets_at_once_what_it_may_lack() -> None:
    seat = Seat(1)
    seat.pass_on(entry(0))
    seat.forwarding.hear_links(KEYS[2], linked_with(1, 3))
    assert seat.to == [2]


def test_what_is_soon_due_goes_along() -> None:
    seat = Seat(1)
    seat.pass_on(entry(0, payload=1))
    seat.world.time.pass_(GRACE_SECONDS / 5)
    seat.pass_on(entry(0, payload=2))
    seat.world.time.pass_(2 * SECOND)
    assert seat.times == pytest.approx([GRACE_SECONDS] * 4)


def test_what_is_due_later_than_soon_goes_in_its_own_time() -> None:
    seat = Seat(1)
    seat.pass_on(entry(0, payload=1))
    seat.world.time.pass_(GRACE_SECONDS / 2)
    seat.pass_on(entry(0, payload=2))
    seat.world.time.pass_(2 * SECOND)
    assert seat.times == pytest.approx([GRACE_SECONDS] * 2 + [1.5 * GRACE_SECONDS] * 2)


def test_nothing_is_held_back_at_the_end() -> None:
    seat = Seat(1)
    seat.pass_on(entry(0))
    seat.forwarding.flush()
    seat.forwarding.flush()
    assert seat.to == [2, 3]


def test_no_more_than_so_many_are_deferred() -> None:
    seat = Seat(1)
    for number in range(REMEMBERED):
        seat.pass_on(entry(0, payload=number))
    assert seat.records == []
    seat.pass_on(entry(0, payload=REMEMBERED))
    assert seat.to == [2, 3]
    assert not seat.forwarding.repeats(KEYS[0], entry(0, payload=0).record)


def _announced(seat: Seat) -> list[tuple[bytes | None, list[int]]]:
    """To whom (None for all) the seat said with which seats it is linked."""
    return [
        (one.to, wire.unpack(one.frame[1:])["seats"])
        for one in seat.world.left
        if one.frame[0] == LINKED.number
    ]


def test_links_are_announced_when_they_change() -> None:
    seat = Seat(1)
    seat.world.left.clear()
    assert not seat.forwarding.announce()
    seat.world.known.peers.remove(KEYS[3])
    seat.forwarding.link_changed(KEYS[3], up=False)
    assert _announced(seat) == [(None, [0, 2])]
    seat.world.left.clear()
    seat.forwarding.link_changed(KEYS[0], up=True)  # replaced by a new one
    assert _announced(seat) == [(KEYS[0], [0, 2])]


def test_a_neighbour_whose_link_went_down_begins_anew() -> None:
    seat = Seat(1)
    seat.forwarding.link_changed(KEYS[2], up=False)
    seat.pass_on(entry(0))
    assert seat.to == [2]


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
    world = World(KEYS[1:])
    runner_at(world, PROPOSAL).receive(KEYS[1], bytes([LINKED.number]) + IMPOSSIBLE[said])
    assert [peer for _, peer in world.dropped] == [KEYS[1]]


def test_what_a_stranger_says_of_its_links_is_nothing_to_us() -> None:
    seat = Seat(1)
    seat.world.left.clear()
    seat.forwarding.hear_links(b"stranger", linked_with(0))
    assert seat.world.left == []


def test_links_of_another_table_are_nothing_to_this_one() -> None:
    """A neighbour may be slow to leave the last table, which had more seats, in another order."""
    seat = Seat(1)
    before = dict(seat.forwarding.links_of)
    seat.forwarding.hear_links(KEYS[2], linked_with(0, SEATS, proposal=bytes(32)))
    assert seat.forwarding.links_of == before
