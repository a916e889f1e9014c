"""Tables on the local network: what is announced, what is believed, and over real multicast."""

from __future__ import annotations

import socket
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
import trio

from p2p.errors import PeerError
from p2p.net import lan
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from p2p.net.lan import LanError, LanTable, OtherTableError, announce, decode_text, encode_text
from p2p.net.lan_search import LISTEN_SECONDS, find_tables
from p2p.version import PROTOCOL_VERSION

from .helpers import identities

LOOPBACK = "127.0.0.1"
ADDRESS = Address("192.0.2.7", 4433)
HOSTS = identities(3)
INVITES = [Invite((ADDRESS,), who.public, bytes([n] * 16)) for n, who in enumerate(HOSTS)]
TABLE = LanTable("flip-over", 4, "Ana", INVITES[0])


def text(**changed: str | bytes | None) -> dict[bytes, bytes | None]:
    fields: dict[str, Any] = {**encode_text(TABLE), **changed}
    encoded = {k: v.encode() if isinstance(v, str) else v for k, v in fields.items()}
    return {key.encode(): value for key, value in encoded.items()}


def test_what_is_announced_is_read_again() -> None:
    assert decode_text(text()) == TABLE
    heard = decode_text(text(), ["192.0.2.7", "fe80::1", "2001:db8::7", "x", "224.0.0.1"], 4433)
    linked = Address("fe80::1", 4433)
    assert heard.addresses == (ADDRESS, linked, Address("2001:db8::7", 4433))
    assert heard.fingerprint == HOSTS[0].words
    assert decode_text(text(), [LOOPBACK] * 3, 0).addresses == ()
    many = [f"192.0.2.{n}" for n in range(50)]
    assert len(decode_text(text(), many, 1).addresses) == lan.ADDRESSES_MAX


def test_every_string_fits_into_a_text_record() -> None:
    wide = LanTable("flip-over", 4, "\N{PLAYING CARD ACE OF SPADES}" * 24, INVITES[0])
    assert all(len(f"{k}={v}".encode()) <= lan.FIELD_MAX for k, v in encode_text(wide).items())


@pytest.mark.check("lan.version")
@pytest.mark.call("p2p.net.lan:decode_text -> _refuse_other")
@pytest.mark.parametrize("version", ["", "02", "x", "-1", "٣", "1" * 200])
def test_what_names_no_version_is_left_alone(version: str) -> None:
    with pytest.raises(PeerError, match="no version"):
        decode_text(text(v=version))


def test_another_version_is_told_whatever_else_it_announces() -> None:
    for version in (1, PROTOCOL_VERSION - 1, PROTOCOL_VERSION + 1):
        with pytest.raises(OtherTableError) as refusal:
            decode_text(text(v=str(version), seats=None, invite="ND2:"))
        assert refusal.value.version == version


@pytest.mark.check("lan.field")
@pytest.mark.parametrize("name", [b"A" * 256, None])
def test_parts_are_there_and_short(name: bytes | None) -> None:
    with pytest.raises(PeerError, match="a part of an announcement is missing"):
        decode_text(text(name=name))


@pytest.mark.check("lan.name")
@pytest.mark.parametrize("name", ["", "A" * 25, "Ana\x1b[2J", "An\na"])
def test_a_name_is_short_and_printable(name: str) -> None:
    with pytest.raises(PeerError, match="a name is 1 to 24"):
        decode_text(text(name=name))


@pytest.mark.check("lan.seats")
@pytest.mark.parametrize("seats", ["0", "9", "-3", "x", "٣", "3 ", "1" * 200])
def test_there_are_as_many_seats_as_the_game_has(seats: str) -> None:
    with pytest.raises(PeerError, match="number of seats"):
        decode_text(text(seats=seats))


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"game": "../flaps"}, "unknown game"),
        ({"game": "os"}, "unknown game"),
        ({"invite": "ND1:AAAA"}, "the invite"),
        ({"invite": ""}, "the invite"),
        ({"name": b"\xff\xfe"}, "garbled"),
    ],
)
def test_garbage_is_refused(changed: dict[str, Any], reason: str) -> None:
    with pytest.raises(PeerError, match=reason) as caught:
        decode_text(text(**changed))
    assert caught.value.verdict == "malformed"


def test_a_table_that_runs_says_so_and_one_with_free_seats_says_what_it_did() -> None:
    running = replace(TABLE, running=True)
    assert encode_text(running) == {**encode_text(TABLE), "state": "running"}
    assert "state" not in encode_text(TABLE)
    assert decode_text(text(state="running")) == running


@pytest.mark.check("lan.state")
@pytest.mark.parametrize("state", ["", "Running", "free", b"\xff", "running" * 40])
def test_there_is_one_state_to_announce(state: str | bytes) -> None:
    with pytest.raises(PeerError, match="no such state"):
        decode_text(text(state=state))


def test_two_tables_of_one_host_have_two_names() -> None:
    names = {lan.instance_name(invite) for invite in INVITES}
    again = Invite((ADDRESS,), HOSTS[0].public, bytes(15) + b"\1")
    assert len(names | {lan.instance_name(again)}) == 4


def multicast(host: str = LOOPBACK) -> str | None:
    """Why this machine cannot multicast from `host` to itself; None if it can."""
    group = socket.inet_aton("224.0.0.251") + socket.inet_aton(host)
    try:
        with (
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as hears,
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as says,
        ):
            hears.bind(("", 0))
            hears.settimeout(2)
            hears.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)
            says.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(host))
            says.sendto(b"?", ("224.0.0.251", hears.getsockname()[1]))
            hears.recv(1)
    except OSError as error:
        return f"no multicast here: {error}"
    return None


@pytest.mark.slow  # seconds on a real network
async def test_two_tables_are_found_and_leave_again() -> None:
    """Both at once, as two programs on one machine; the one that is full is not listed."""
    if reason := multicast():
        pytest.skip(reason)
    tables = [TABLE, LanTable("flaps", 2, "Bo", INVITES[1])]
    async with trio.open_nursery() as nursery:
        for port, table in enumerate(tables, start=4000):
            await nursery.start(partial(announce, bind=LOOPBACK), table, port)
        ticks = trio.current_time()
        found = {table.name: table for table in (await find_tables(bind=LOOPBACK)).tables}
        assert trio.current_time() - ticks < 4 * LISTEN_SECONDS
        for port, table in enumerate(tables, start=4000):
            heard = found[table.name]
            assert (heard.game, heard.seats) == (table.game, table.seats)
            assert heard.invite.token == table.invite.token
            assert heard.addresses == (ADDRESS, Address(LOOPBACK, port))
        nursery.cancel_scope.cancel()
    mine = {TABLE.invite.identity, tables[1].invite.identity}
    found = (await find_tables(0.5, LOOPBACK)).tables
    assert mine.isdisjoint(table.invite.identity for table in found)


async def test_the_table_goes_on_while_it_is_announced() -> None:
    """None of it blocks trio: its work is done in threads.

    Each of the two takes a second.  What blocked would do so for nearly all of that, what the
    machine does meanwhile makes it longer.
    """
    if reason := multicast():
        pytest.skip(reason)
    beats: list[float] = []

    async def beat() -> None:
        while True:
            beats.append(trio.current_time())
            await trio.sleep(0.01)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(beat)
        began = [trio.current_time()]
        await nursery.start(partial(announce, bind=LOOPBACK), TABLE, 4000)
        began.append(trio.current_time())
        await find_tables(1.0, LOOPBACK)
        began.append(trio.current_time())
        nursery.cancel_scope.cancel()
    for first, last in pairwise(began):
        within = [first, *(beat for beat in beats if first < beat < last), last]
        longest = max(later - one for one, later in pairwise(within))
        assert longest < (last - first) / 2


async def test_a_network_that_cannot_be_used_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_network(**_: object) -> None:
        raise OSError("Network is unreachable")

    monkeypatch.setattr("zeroconf.Zeroconf", no_network)
    with pytest.raises(LanError, match="cannot be announced here: Network is unreachable"):
        await announce(TABLE, 4000)
