"""Looking for tables on a network where others answer anything, over real multicast.

Each sender has an address of its own in 127.0.0.0/8.  The honest host is announced by the product
itself, at 127.0.0.1; what the others send is built here, byte by byte.
"""

from __future__ import annotations

import contextlib
import os
import random
import socket
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

import pytest
import trio
from trio.testing import MockClock

from p2p.identity.keys import Identity
from p2p.net import lan_search
from p2p.net.addresses import Address, listening_port, open_listeners
from p2p.net.dialler import dial_any
from p2p.net.invite import Invite
from p2p.net.lan import LanError, LanTable, announce, encode_text, instance_name
from p2p.net.lan_search import GROUP, Heard, Search, find_tables
from p2p.net.limits import Limits
from p2p.net.mesh import Mesh, Owner
from p2p.net.transport import TcpTransport
from p2p.version import PROTOCOL_VERSION

from .helpers import identities, seeded
from .test_lan import LOOPBACK, TABLE, multicast

# Drawn anew: others on this machine may run these tests just now.
HONEST = replace(TABLE, invite=replace(TABLE.invite, identity=Identity.generate(os.urandom).public))
CROWD = identities(100, 5)
ELSEWHERE = Address("192.0.2.66", 6666)
SEED = 13
A, PTR, TXT, SRV = 1, 12, 16, 33
TTL = 120
EVIL = "127.0.0.66"


# -- answers, byte by byte ---------------------------------------------------------------------


def dns_name(*labels: bytes) -> bytes:
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


SERVICE = dns_name(b"_nodealer", b"_tcp", b"local")


def record(name: bytes, kind: int, data: bytes, ttl: int = TTL) -> bytes:
    head = kind.to_bytes(2, "big") + b"\0\1" + ttl.to_bytes(4, "big")
    return name + head + len(data).to_bytes(2, "big") + data


def answer(*records: bytes) -> bytes:
    return bytes([0, 0, 0x84, 0, 0, 0, 0, len(records), 0, 0, 0, 0]) + b"".join(records)


def text(fields: Iterable[tuple[str, str]]) -> bytes:
    lines = [f"{key}={value}".encode() for key, value in fields]
    return b"".join(bytes([len(line)]) + line for line in lines)


def said(
    table: LanTable, host: str = EVIL, port: int = 9, name: bytes = b"", ttl: int = TTL
) -> bytes:
    """What a program says that announces this table."""
    name = name or instance_name(table.invite).encode()
    instance = dns_name(name, b"_nodealer", b"_tcp", b"local")
    server = dns_name(name, b"local")
    return answer(
        record(SERVICE, PTR, instance, ttl),
        record(instance, SRV, bytes(4) + port.to_bytes(2, "big") + server, ttl),
        record(instance, TXT, text(encode_text(table).items()), ttl),
        record(server, A, socket.inet_aton(host), ttl),
    )


def table(number: int, **changes: object) -> LanTable:
    invite = Invite((ELSEWHERE,), CROWD[number].public, bytes(16))
    return replace(LanTable("flip-over", 4, f"Bo {number}", invite), **changes)  # type: ignore[arg-type]


# -- read without a network --------------------------------------------------------------------


def search(*packets: tuple[str, bytes]) -> Heard:
    taken = Search()
    for host, packet in packets:
        taken.take(packet, host)
    return taken.heard()


def names(heard: Heard) -> set[str]:
    return {one.name for one in heard.tables}


def test_tables_and_farewells() -> None:
    heard = search(("10.0.0.1", said(HONEST, "10.0.0.1", 4433)), ("10.0.0.2", said(table(1))))
    assert names(heard) == {"Ana", "Bo 1"}
    assert heard.tables[0].addresses == (*HONEST.invite.addresses, Address("10.0.0.1", 4433))
    gone = said(HONEST, ttl=0)
    assert names(search(("10.0.0.1", said(HONEST)), ("10.0.0.1", gone))) == set()


def test_only_who_said_it_takes_it_back() -> None:
    """Somebody says farewell in the name of a table that is still open.

    Answer: a farewell counts only for what its own sender announced.
    """
    heard = search(("10.0.0.1", said(HONEST)), (EVIL, said(HONEST, ttl=0)))
    assert names(heard) == {"Ana"}


def test_a_table_of_another_version_is_told_of() -> None:
    """It counted as garbage, and somebody who looked for it read that there is no table."""
    older = f"v={PROTOCOL_VERSION - 1}".encode()
    other = said(table(1)).replace(f"v={PROTOCOL_VERSION}".encode(), older)
    heard = search(("10.0.0.1", said(HONEST)), ("10.0.0.2", other))
    assert (names(heard), heard.garbled, heard.other) == ({"Ana"}, 0, PROTOCOL_VERSION - 1)
    assert search(("10.0.0.1", said(HONEST))).other is None


@pytest.mark.parametrize("name", [b"\x1b[2J", b"\x00", b"a\nb", b"\xff\xfe", b"x" * 63, b"."])
def test_a_name_of_control_characters(name: bytes) -> None:
    """An answer's name holds control characters.

    Answer: names of announcements are shown nowhere; the search goes on.
    """
    heard = search((EVIL, said(table(1), name=name)), ("10.0.0.1", said(HONEST)))
    assert "Ana" in names(heard)


def test_random_answers_are_counted_and_no_more() -> None:
    """Answers are bent at random, cut and joined.

    Answer: whatever cannot be read is skipped and counted; the rest is listed.
    """
    rng, taken = random.Random(SEED), Search()
    sound = said(HONEST, "10.0.0.1", 4433)
    for number in range(3000):
        bent = bytearray(sound)
        for _ in range(rng.randrange(1, 8)):
            bent[rng.randrange(len(bent))] = rng.randrange(256)
        cut = bent[: rng.randrange(len(bent))] if number % 3 == 0 else bent
        taken.take(bytes(cut), f"10.0.{number // 250}.{number % 250}")
    taken.take(sound, "10.0.0.1")
    heard = taken.heard()
    assert "Ana" in names(heard)
    assert heard.garbled > 50, SEED
    assert all(len(one.addresses) <= lan_search.ADDRESSES_MAX for one in heard.tables)


def test_one_machine_hides_nobody() -> None:
    """One machine announces 300 tables before the honest host is heard.

    Answer: it gets the places that others leave; all others are listed, and it is said that
    there were more.
    """
    fakes = [(EVIL, said(table(n % 100, name=f"Fake {n}"))) for n in range(300)]
    honest = [(f"10.0.0.{n}", said(table(n))) for n in range(30)]
    heard = search(*fakes, *honest)
    assert len(heard.tables) == lan_search.TABLES_MAX
    assert {f"Bo {n}" for n in range(30)} <= names(heard)
    assert heard.more


@pytest.mark.slow
def test_many_machines_share() -> None:
    """Thirty machines announce thirty tables each.

    Answer: an honest host is listed as long as fewer than 64 others announce.  Remains: whoever
    has the addresses of 64 machines of this network, or invents them, can fill the list.
    """
    fakes = [
        (f"10.0.1.{machine}", said(table((machine + n) % 100, name=f"{machine} {n}")))
        for n in range(30)
        for machine in range(30)
    ]
    assert "Ana" in names(search(*fakes, ("10.0.0.1", said(HONEST))))
    heard = search(*[(f"10.0.{n}.1", said(table(n % 100, name=f"{n}"))) for n in range(250)] * 2)
    assert (len(heard.tables), heard.more) == (64, True)


def test_a_copied_invite_only_adds_addresses() -> None:
    """Somebody copies an invite, with the same key and token and other addresses.

    Answer: all addresses are kept, each sender's in turn, so that the honest ones are in the
    invite and dialled first or second.  Remains: six machines can push them out of the invite
    that the menu passes on, and twelve out of what is dialled.
    """
    others = tuple(Address(f"192.0.2.{n}", 6666) for n in range(1, 4))
    copy = replace(HONEST, invite=replace(HONEST.invite, addresses=others), name="Eve")
    heard = search((EVIL, said(copy)), (EVIL, said(copy, port=8)), ("10.0.0.1", said(HONEST)))
    assert names(heard) == {"Ana", "Eve"}
    for one in heard.tables:
        assert one.addresses[:6] == one.invite.addresses
        assert one.invite.addresses[:2] == (others[0], *HONEST.invite.addresses)
        assert one.invite.identity == HONEST.invite.identity


def forged(number: int) -> tuple[str, bytes]:
    """One of any number of announcements, each from an address and with a name of its own."""
    fake = table(number % 100, name=f"Fake {number}")
    return f"10.{number // 250}.0.{number % 250}", said(fake)


def test_junk_from_any_number_of_senders_takes_no_place() -> None:
    junk = [(f"10.{n // 250}.0.{n % 250}", b"_nodealer" + bytes([n % 256])) for n in range(1000)]
    heard = search(*junk, ("10.0.0.1", said(HONEST)))
    assert (names(heard), heard.more) == ({"Ana"}, False)


@pytest.mark.slow
def test_forged_senders_hide_no_table_that_proves_its_key() -> None:
    """Somebody forges 300 senders, and 100 tables from the address of the honest host itself.

    Answer: all are kept, and of those that are asked the honest host alone proves its key.
    """
    taken = Search()
    for host, packet in map(forged, range(300)):
        taken.take(packet, host)
    taken.take(said(HONEST), "10.0.0.1")
    for _, packet in map(forged, range(300, 400)):
        taken.take(packet, "10.0.0.1")
    (honest,) = [one for one in taken.crowd() if one.name == "Ana"]
    heard = taken.heard([honest])
    assert "Ana" in names(heard)
    assert (len(heard.tables), heard.more) == (lan_search.TABLES_MAX, True)


@pytest.mark.slow
def test_kept_tables_are_bounded_and_the_newest_stay() -> None:
    taken = Search()
    for host, packet in map(forged, range(lan_search.KEPT_MAX + 5)):
        taken.take(packet, host)
    taken.take(said(HONEST), "10.0.0.1")
    assert taken._kept == sum(map(len, taken._senders.values())) == lan_search.KEPT_MAX
    assert "Ana" in {one.name for one in taken.crowd()}
    assert taken.heard().more


def test_a_search_hears_its_own_question_and_printers_as_nothing() -> None:
    assert search(("10.0.0.9", answer(record(dns_name(b"printer"), A, bytes(4))))) == Heard()
    assert search(("10.0.0.9", lan_search.QUESTION)) == Heard()


# -- over real multicast -----------------------------------------------------------------------


@pytest.fixture
def network() -> None:
    if reason := multicast():
        pytest.skip(reason)


@contextlib.contextmanager
def says(host: str) -> Iterator[Callable[[bytes], None]]:
    """A sender at `host`."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sending:
        sending.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sending.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        sending.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(LOOPBACK))
        sending.bind((host, GROUP[1]))

        def say(packet: bytes) -> None:
            sending.sendto(packet, GROUP)

        yield say


@asynccontextmanager
async def everybody(packets: dict[str, list[bytes]], pause: float) -> AsyncIterator[None]:
    """Say all this, over and over, while the honest table is announced at port 4000."""

    async def repeat(host: str, given: list[bytes]) -> None:
        with says(host) as say:
            while True:
                for packet in given:
                    say(packet)
                    await trio.sleep(pause)

    async with trio.open_nursery() as nursery:
        for host, given in packets.items():
            nursery.start_soon(repeat, host, given)
        await nursery.start(partial(announce, bind=LOOPBACK), HONEST, 4000)
        await trio.sleep(1.1)  # nothing is said twice within a second
        yield
        nursery.cancel_scope.cancel()


async def searched(packets: dict[str, list[bytes]], pause: float = 0.002) -> Heard:
    """What a search hears among all this; it takes its time and no longer.

    A machine may be slow; asking for a hundred names, one by one, takes minutes.
    """
    async with everybody(packets, pause):
        began = time.monotonic()
        heard = await find_tables(bind=LOOPBACK)
        assert time.monotonic() - began < 4 * lan_search.LISTEN_SECONDS
    return heard


def is_reached(heard: Heard) -> bool:
    """Whether the honest table is listed, and leads to where it is."""
    mine = [one for one in heard.tables if one.invite.identity == HONEST.invite.identity]
    places = [one.invite.addresses for one in mine if one.name == "Ana"]
    return len(places) == 1 and Address(LOOPBACK, 4000) in places[0]


@pytest.mark.slow
@pytest.mark.usefixtures("network")
async def test_one_garbled_answer_ends_no_search() -> None:
    """One answer on the network holds control characters in its name.

    Answer: it is skipped, and the honest table is listed.
    """
    evil = dns_name(b"\x1b]0;x\x07\x00", b"_nodealer", b"_tcp", b"local")
    packets = [
        answer(record(SERVICE, PTR, evil), record(evil, TXT, b"\x05v=\xff\xfe\x1b")),
        answer(record(evil, TXT, b"\xff")),
    ]
    heard = await searched({EVIL: packets}, 0.05)
    assert is_reached(heard)
    assert heard.garbled


@pytest.mark.slow
@pytest.mark.usefixtures("network")
async def test_dead_names_cost_no_time() -> None:
    """A hundred names are announced without anything else about them.

    Answer: a search takes 2.5 s whatever is answered; it asks for no single name.
    """
    dead = [dns_name(b"dead %d" % n, b"_nodealer", b"_tcp", b"local") for n in range(100)]
    assert is_reached(await searched({EVIL: [answer(record(SERVICE, PTR, n)) for n in dead]}))


@pytest.mark.slow
@pytest.mark.usefixtures("network")
async def test_eighty_fakes_hide_no_honest_table() -> None:
    """Eighty sound tables are announced by one machine.

    Answer: the honest one is in the list.
    """
    heard = await searched({EVIL: [said(table(n)) for n in range(80)]})
    assert is_reached(heard)
    assert len(heard.tables) == lan_search.TABLES_MAX
    assert heard.more


@pytest.mark.slow
@pytest.mark.usefixtures("network")
async def test_nobody_speaks_for_the_honest_host() -> None:
    """Somebody repeats the honest host's name: with other contents, as a farewell, as a claim.

    Answer: the honest host announces without asking whether its name is free, and what another
    address says in that name replaces nothing.
    """
    instance = dns_name(instance_name(HONEST.invite).encode(), b"_nodealer", b"_tcp", b"local")
    packets = [
        said(replace(HONEST, name="Eve")),
        said(HONEST, ttl=0),
        answer(record(SERVICE, PTR, instance)),
        answer(record(instance, TXT, b"\0")),
    ]
    assert is_reached(await searched({EVIL: packets}, 0.02))


@asynccontextmanager
async def honest_host(identity: Identity) -> AsyncIterator[Address]:
    """A host that lets in whoever comes, and where it is."""
    listeners = await open_listeners(0, LOOPBACK)
    mesh = Mesh(identity, owner=Owner(open_to_strangers=lambda key: True))
    async with trio.open_nursery() as nursery:
        await nursery.start(mesh.run, listeners)
        yield Address(LOOPBACK, listening_port(listeners))
        nursery.cancel_scope.cancel()


async def test_merged_addresses_lead_to_the_honest_host(quiet_clock: MockClock) -> None:
    """The others' addresses of a copied invite accept connections and say nothing.

    Answer: the addresses are dialled 0.2 s apart, and the one that proves the key wins, so the
    honest host is reached in a second.
    """
    identity, guest = Identity.generate(seeded(1)), Identity.generate(seeded(2))
    hanging = await trio.open_tcp_listeners(0, host=LOOPBACK)
    port = listening_port(hanging)
    fakes = tuple(Address(f"127.0.0.{n}", port) for n in (1, 2, 3))
    async with honest_host(identity) as address:
        honest = LanTable("flip-over", 4, "Ana", Invite((address,), identity.public, bytes(16)))
        copy = replace(honest, invite=replace(honest.invite, addresses=fakes))
        heard = search((EVIL, said(copy)), ("10.0.0.1", said(honest, LOOPBACK, address.port)))
        with trio.fail_after(3):
            ways = heard.tables[0].addresses
            dialled = await dial_any(TcpTransport(), guest, identity.public, ways, Limits())
        assert dialled.won is not None
        assert dialled.won[1] == address
        await dialled.won[0].frames.abort()
    for listener in hanging:
        await listener.aclose()


async def test_only_the_holder_of_the_key_proves_a_table() -> None:
    """Of three tables one is where it says, one leads to another host, one to nobody."""
    identity = Identity.generate(seeded(1))
    async with honest_host(identity) as address:
        honest = LanTable("flip-over", 4, "Ana", Invite((address,), identity.public, bytes(16)))
        liar = replace(table(1), addresses=(address,))
        nobody = replace(table(2), addresses=(Address(LOOPBACK, 9),))
        assert await lan_search.proven([liar, nobody, honest]) == [honest]


async def test_a_network_that_cannot_be_searched_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lan_search, "_interfaces", list)
    with pytest.raises(LanError, match="this machine is on no network"):
        await find_tables(0.1)
    monkeypatch.undo()
    with pytest.raises(LanError, match="cannot be searched for tables"):
        await find_tables(0.1, "192.0.2.1")
