"""A gallery without I/O: who may watch, what they are sent and when, who is told of them."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games import load
from p2p.errors import PeerError
from p2p.net.strangers import SERVED, Shares
from p2p.protocol import wire
from p2p.protocol.frame_kinds import HEADER, RECORD, REFUSED, WATCHED
from p2p.seat.reply import Reply, Script
from p2p.spectators.feed import CHUNK_BYTES
from p2p.spectators.gallery import (
    ANNOUNCES_SECONDS,
    LAST_SECONDS,
    LOOKS_SECONDS,
    SPECTATORS_MAX,
    Gallery,
    decode_watched,
    watch_frame,
)
from p2p.version import PROTOCOL_VERSION
from tests.peer.desk_kit import World
from tests.protocol.kit import identities, make_header

TOKEN = bytes(range(16))
STRANGERS = [who.public for who in identities(12)]


def gallery() -> tuple[Gallery, World]:
    """A gallery that the host has opened in the lobby, and its world."""
    world = World()
    seated = {STRANGERS[0]}.__contains__
    return Gallery(world.desk, TOKEN, Shares(SERVED), seated), world


def greet(host: Gallery, number: int, name: str = "Eve", **changed: Any) -> None:
    fields = {"version": PROTOCOL_VERSION, "token": TOKEN, "name": name, **changed}
    host.receive(STRANGERS[number], wire.pack(fields))


def ask(host: Gallery, number: int, step: int) -> None:
    place = {"table": HEAD.table, "step": step}
    host.asked(STRANGERS[number], wire.pack(place))


HEAD = make_header(load("flip-over"), 3)


def test_a_spectator_gets_the_header_and_whole_steps() -> None:
    host, world = gallery()
    records = [[b"one", b"two"]]
    greet(host, 1)
    ask(host, 1, 0)
    assert world.left == []
    host.show(HEAD, records)
    ask(host, 1, 0)
    world.time.pass_(3)
    greet(host, 2, "Joe")
    world.time.pass_(3)
    host.link_changed(STRANGERS[1], False)
    ask(host, 2, 1)
    records.append([b"three"])
    host.step(records[-1])
    world.time.pass_(3)
    host.end([b"last"])
    assert all_served(host, world).is_given
    sent = [(STRANGERS.index(peer), frame) for peer, frame in world.posted]
    header, record = HEADER.make(HEAD.encode()), bytes([RECORD.number])
    assert sent == [
        *((1, header), (1, record + b"one"), (1, record + b"two")),
        *((2, header), (2, record + b"three"), (2, b"last")),
    ]
    assert [names for _, names in named(world)] == [("Eve",), ("Eve", "Joe"), ("Joe",)]


async def over() -> None:
    """A table at which nothing is left to do."""


def all_served(host: Gallery, world: World) -> Reply[None]:
    """The table is over: given when nobody is waited for any more."""
    served = Script(host.attended(over())).outcome
    world.time.pass_(LOOKS_SECONDS)
    return served


def named(world: World) -> list[tuple[float, tuple[str, ...]]]:
    """When the seats were told who watches."""
    floods = [one for one in world.left if one.to is None and one.frame[0] == WATCHED.number]
    return [(one.at, decode_watched(one.frame[1:])) for one in floods]


def test_the_seats_are_told_who_watches_once_in_a_while() -> None:
    """Somebody comes and goes all the time."""
    host, world = gallery()
    told: list[tuple[str, ...]] = []
    host.move_to(world.desk, {STRANGERS[0]}.__contains__, told.append)
    greet(host, 1)
    world.time.pass_(5)
    assert named(world) == []
    host.show(HEAD, [])
    for number in range(50):
        world.time.pass_(ANNOUNCES_SECONDS / 16)
        if number % 2:
            host.link_changed(STRANGERS[2], False)
        else:
            greet(host, 2, "Joe")
    assert [at for at, _ in named(world)] == [5 + ANNOUNCES_SECONDS * n for n in range(4)]
    world.time.pass_(3 * ANNOUNCES_SECONDS)
    assert host.names == ("Eve",)
    assert [names for _, names in named(world)] == told
    assert told[-1] == ("Eve",)
    host.link_changed(STRANGERS[0], True)  # a seat that comes back is told as well
    assert world.posted[-1] == (STRANGERS[0], WATCHED.make(["Eve"]))
    for number in (2, 3):
        greet(host, number, f"Joe {number}")
        world.time.pass_(ANNOUNCES_SECONDS / 4)
    host.hide()
    world.time.pass_(10)
    assert told[-1] == ("Eve", "Joe 2"), "between two games nobody is told of Joe 3"


def test_who_asks_again_and_again_gets_each_step_once() -> None:
    """A spectator asks for the whole game over and over, and reads nothing of it.

    Answer: it is sent as much as its link takes, once; asking again meanwhile changes nothing.
    """
    host, world = gallery()
    records = [[bytes(1000)]] * 500
    host.show(HEAD, records)
    world.nobody_reads = True
    greet(host, 1)
    for _ in range(50):
        ask(host, 1, 0)
        world.time.pass_(0.1)
    assert len(world.posted) == 1  # the header: nothing of it was read
    world.nobody_reads = False
    world.read()
    for _ in range(50):
        ask(host, 1, 0)
        world.time.pass_(0.1)
    assert len(world.posted) == 1 + len(records)
    ask(host, 1, 499)
    world.time.pass_(1)
    assert len(world.posted) == 1 + len(records)


def test_who_comes_again_over_a_new_link_is_shown_the_game_once() -> None:
    """The link of a spectator ends while it reads; it is told no more, and then all anew."""
    host, world = gallery()
    host.show(HEAD, [[b"one"], [b"two"]])
    world.nobody_reads = True
    greet(host, 1)
    ask(host, 1, 0)
    world.read()
    host.link_changed(STRANGERS[1], False)
    greet(host, 1)
    ask(host, 1, 1)
    for _ in range(5):
        world.read()
    header, record = HEADER.make(HEAD.encode()), bytes([RECORD.number])
    frames = [frame for _, frame in world.posted]
    assert frames == [header, record + b"one", header, record + b"two"]


def test_a_piece_of_a_long_step_leaves_when_the_one_before_was_read() -> None:
    host, world = gallery()
    host.show(HEAD, [[bytes(CHUNK_BYTES // 4)] * 10])
    greet(host, 1)
    world.settle()
    world.nobody_reads = True
    for pieces in (3, 6, 9, 10, 10):
        ask(host, 1, 0)
        world.settle()
        assert len(world.posted) == 1 + pieces
        world.read()


def test_who_still_reads_has_a_moment_for_the_rest() -> None:
    host, world = gallery()
    host.show(HEAD, [[b"one"]])
    greet(host, 1)
    greet(host, 2, "Joe")  # has not said where it stands
    ask(host, 1, 0)
    world.settle()
    world.nobody_reads = True
    host.end([b"last"])
    served = all_served(host, world)
    world.time.pass_(LAST_SECONDS - LOOKS_SECONDS - 0.01)
    assert not served.is_given
    world.time.pass_(0.02)
    assert served.is_given
    host.hide()
    world.read()
    ask(host, 1, 0)
    world.time.pass_(10)
    assert [frame for _, frame in world.posted[-2:]] == [RECORD.make(b"one"), b"last"]
    assert len(world.posted) == 4
    assert named(world) == [(0, ("Eve", "Joe"))]


@pytest.mark.slow
def test_who_was_let_in_at_the_last_moment_is_waited_for_until_he_asks() -> None:
    """He has seen the header only; who never asks holds nobody up for long."""
    host, world = gallery()
    records = [[b"one"]]
    host.show(HEAD, records)
    greet(host, 1)
    served = all_served(host, world)
    assert not served.is_given
    ask(host, 1, 0)
    world.time.pass_(LOOKS_SECONDS)
    assert served.is_given
    assert (STRANGERS[1], RECORD.make(b"one")) in world.posted
    greet(host, 1)  # over a new link
    served = all_served(host, world)
    assert not served.is_given
    world.time.pass_(LAST_SECONDS)
    assert served.is_given


def test_a_game_is_handed_to_strangers_at_a_bounded_rate() -> None:
    """Spectators take the whole game over new links again and again.

    Answer: in the long run, one address is sent at most half a megabyte of it a second.
    """
    host, world = gallery()
    world.known.crowd.update(STRANGERS)
    host.show(HEAD, [[bytes(10_000)] * 10] * 10)
    for _ in range(600):
        for number in range(1, 9):
            greet(host, number)
            ask(host, number, 0)
        world.time.pass_(0.1)
    sent = sum(len(frame) for _, frame in world.posted)
    most = SERVED.source.at_once + 60 * SERVED.source.a_second
    assert 0.8 * most < sent < 1.1 * most


@pytest.mark.parametrize(
    ("number", "changed", "sentence"),
    [
        (1, {"token": bytes(16)}, "for another table"),
        (1, {"version": 9}, "speaks protocol version"),
        (1, {"name": "a\nb"}, "printable"),
        (1, {"name": ""}, "printable"),
        (0, {}, "you sit at this table"),
    ],
)
def test_who_may_not_watch_is_told_why(number: int, changed: dict[str, Any], sentence: str) -> None:
    host, world = gallery()
    greet(host, number, **changed)
    ((_, frame),) = world.posted
    assert frame[0] == REFUSED.number
    assert sentence in frame[1:].decode()
    assert host.names == ()


def test_there_is_room_for_so_many() -> None:
    host, world = gallery()
    for number in range(1, SPECTATORS_MAX + 2):
        greet(host, number)
    assert len(host.names) == SPECTATORS_MAX
    assert b"too many watch" in world.posted[-1][1]


def test_one_source_keeps_nobody_else_from_watching() -> None:
    """Somebody who has the invite takes all places of spectators.

    Answer: places go to the source that has fewer: a spectator from elsewhere gets one of his.
    Remains: with as many addresses as there are places, he keeps them.
    """
    host, world = gallery()
    world.known.crowd.update(STRANGERS[1 : SPECTATORS_MAX + 1])
    for number in range(1, SPECTATORS_MAX + 1):
        greet(host, number, f"crowd {number}")
    for number in range(9, 12):
        greet(host, number, f"Joe {number}")
    assert [name for name in host.names if name.startswith("Joe")] == ["Joe 9", "Joe 10", "Joe 11"]
    assert len(host.names) == SPECTATORS_MAX
    greet(host, 8)
    assert STRANGERS[8] not in host._feeds


@pytest.mark.check("watch.names")
@pytest.mark.parametrize("names", [["x" * 25], ["a\x1b"], [""], ["x"] * (SPECTATORS_MAX + 1)])
def test_names_of_spectators_are_bounded(names: list[str]) -> None:
    with pytest.raises(PeerError, match="no names"):
        decode_watched(wire.pack(names))


def test_a_greeting_says_who_watches() -> None:
    host, _ = gallery()
    host.receive(STRANGERS[3], watch_frame(TOKEN, "Eve")[1:])
    assert host.names == ("Eve",)
