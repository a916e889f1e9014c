"""What people are told about links: direct, through whom, or lost."""

from __future__ import annotations

import trio
from trio.testing import MockClock

from p2p.net.mesh import LinkState
from p2p.net.seat_links import EVERY_SECONDS, SETTLES_SECONDS, LinkWatch, SeatLink, Way, seat_links
from p2p.player.events import Back, LinkNews, Lost
from tests.peer.kit import Watcher
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


async def test_a_link_that_ends_is_told_when_all_have_noticed(autojump_clock: MockClock) -> None:
    """A seat that leaves is said to be reached through others until those notice too."""
    now = [(SeatLink(0, "Ana", Way.DIRECT),)]
    heard: list[tuple[float, Way]] = []
    watch = LinkWatch(
        lambda: now[-1], lambda _, links: heard.append((trio.current_time(), links[0].way))
    )
    async with trio.open_nursery() as nursery:
        nursery.start_soon(watch.run)
        await trio.sleep(1)
        began = trio.current_time()
        now.append((SeatLink(0, "Ana", Way.VIA, "Bo"),))
        watch.changed()
        await trio.sleep(SETTLES_SECONDS / 2)
        now.append((SeatLink(0, "Ana", Way.LOST),))
        await trio.sleep(EVERY_SECONDS)
        nursery.cancel_scope.cancel()
    assert [way for _, way in heard] == [Way.DIRECT, Way.LOST]
    assert heard[1][0] - began < 2 * SETTLES_SECONDS


async def test_round_trips_are_told_of_now_and_then(autojump_clock: MockClock) -> None:
    trips = iter(range(100))
    heard: list[int | None] = []
    watch = LinkWatch(
        lambda: (SeatLink(0, "Ana", Way.DIRECT, "", next(trips)),),
        lambda _, links: heard.append(links[0].rtt_ms),
    )
    with trio.move_on_after(10.5 * EVERY_SECONDS):
        await watch.run()
    assert heard == list(range(11))


async def test_a_seat_is_lost_and_back_only_after_it_was_there() -> None:
    runner, _, mesh = sit()
    first, second = runner.proposal.identities[1:]
    mesh.peers[:] = [first]
    for peers in ([first], [], [first], [first, second], [first]):
        mesh.peers[:] = peers
        runner._links.look()
    assert isinstance(runner.player, Watcher)
    told = runner.player.events
    kinds = [type(event) for event in told]
    assert kinds == [LinkNews, Lost, LinkNews, Back, LinkNews, LinkNews, Lost, LinkNews]
    assert [event.seat for event in told if isinstance(event, Lost | Back)] == [1, 1, 2]


async def test_who_begins_to_listen_is_told_how_it_stands(autojump_clock: MockClock) -> None:
    """A screen that is made anew for the game has not heard what was said during genesis."""
    heard: list[object] = []
    link = SeatLink(0, "Ana", Way.DIRECT, "", 7)
    watch = LinkWatch(lambda: (link,), lambda before, now: heard.append((before, now)))
    for _ in range(2):
        with trio.move_on_after(5 * EVERY_SECONDS):
            await watch.run()
    assert heard == [(None, (link,)), ((link,), (link,))]
