"""What people are told about links: direct, through whom, or lost."""

from __future__ import annotations

import pytest

from p2p.net.mesh import LinkState
from p2p.net.seat_links import SeatLink, Way, seat_links
from p2p.player.events import Back, LinkNews, Lost
from p2p.seat.link_watch import EVERY_SECONDS, SETTLES_SECONDS, LinkWatch
from tests.peer.desk_kit import World
from tests.peer.test_runner import sit

SEATS = [(b"ana", "Ana"), (b"bo", "Bo"), (b"cy", "Cy"), (b"di", "Di")]


def linked(rtt_ms: float | None = None) -> LinkState:
    return LinkState(True, "somewhere", rtt_ms)


def test_each_seat_is_reached_directly_by_another_or_not() -> None:
    links = {b"ana": linked(12.4), b"bo": linked(), b"cy": LinkState(False)}
    said = {b"ana": {1, 3}}
    assert seat_links(SEATS, 3, links, said) == (
        SeatLink(0, "Ana", Way.DIRECT, "", 12),
        SeatLink(1, "Bo", Way.DIRECT),
        SeatLink(2, "Cy", Way.LOST),
    )
    said[b"bo"] = {2}
    assert seat_links(SEATS, 3, links, said)[2] == SeatLink(2, "Cy", Way.VIA, "Bo")


def test_the_nearest_carrier_is_named_and_nobody_carries_to_himself() -> None:
    links = {b"ana": linked(40.0), b"bo": linked(3.0)}
    said = {b"ana": {2}, b"bo": {2, 3}, b"cy": {2}}
    assert seat_links(SEATS, 3, links, said)[2].via == "Bo"
    assert seat_links(SEATS, 3, {}, said)[2].way is Way.LOST


def test_a_link_in_words() -> None:
    words = [link.words for link in seat_links(SEATS, 3, {b"ana": linked(7.6)}, {b"ana": {1}})]
    assert words == ["direct, 8 ms", "via Ana", "lost, retrying"]
    assert SeatLink(0, "Ana", Way.DIRECT).words == "direct"


def test_a_link_that_ends_is_told_when_all_have_noticed() -> None:
    """A seat that leaves is said to be reached through others until those notice too."""
    world, now = World(), [(SeatLink(0, "Ana", Way.DIRECT),)]
    heard: list[tuple[float, Way]] = []
    watch = LinkWatch(
        world.desk,
        lambda: now[-1],
        lambda _, links: heard.append((world.time.now(), links[0].way)),
    )
    watch.start()
    world.time.pass_(1)
    began = world.time.now()
    now.append((SeatLink(0, "Ana", Way.VIA, "Bo"),))
    watch.changed()
    world.time.pass_(SETTLES_SECONDS / 2)
    now.append((SeatLink(0, "Ana", Way.LOST),))
    world.time.pass_(EVERY_SECONDS)
    watch.stop()
    assert [way for _, way in heard] == [Way.DIRECT, Way.LOST]
    assert heard[1][0] - began < 2 * SETTLES_SECONDS


def test_links_that_change_all_the_time_are_told_of_all_the_same() -> None:
    """Each change is followed by another before it has settled."""
    world, trips, heard = World(), iter(range(1000)), list[float]()
    watch = LinkWatch(
        world.desk,
        lambda: (SeatLink(0, "Ana", Way.DIRECT, "", next(trips)),),
        lambda *_: heard.append(world.time.now()),
    )
    watch.start()
    for _ in range(100):
        watch.changed()
        world.time.pass_(SETTLES_SECONDS / 10)
    assert heard == pytest.approx([0.0] + [SETTLES_SECONDS * n for n in range(1, 10)], abs=0.4)
    watch.stop()
    watch.changed()
    before = list(heard)
    world.time.pass_(10 * EVERY_SECONDS)
    assert heard == before


def test_round_trips_are_told_of_now_and_then() -> None:
    world, trips = World(), iter(range(100))
    heard: list[int | None] = []
    watch = LinkWatch(
        world.desk,
        lambda: (SeatLink(0, "Ana", Way.DIRECT, "", next(trips)),),
        lambda _, links: heard.append(links[0].rtt_ms),
    )
    watch.start()
    world.time.pass_(10.5 * EVERY_SECONDS)
    assert heard == list(range(11))


def test_a_seat_is_lost_and_back_only_after_it_was_there() -> None:
    runner, _, world = sit()
    first, second = runner.proposal.identities[1:]
    world.known.peers[:] = [first]
    for peers in ([first], [], [first], [first, second], [first]):
        world.known.peers[:] = peers
        runner._links.look()
    kinds = [type(event) for event in world.told]
    assert kinds == [LinkNews, Lost, LinkNews, Back, LinkNews, LinkNews, Lost, LinkNews]
    assert [event.seat for event in world.told if isinstance(event, Lost | Back)] == [1, 1, 2]


def test_who_begins_to_listen_is_told_how_it_stands() -> None:
    """A screen that is made anew for the game has not heard what was said during genesis."""
    world, heard = World(), list[object]()
    link = SeatLink(0, "Ana", Way.DIRECT, "", 7)
    watch = LinkWatch(world.desk, lambda: (link,), lambda before, now: heard.append((before, now)))
    for _ in range(2):
        watch.start()
        world.time.pass_(5 * EVERY_SECONDS)
    assert heard == [(None, (link,)), ((link,), (link,))]
