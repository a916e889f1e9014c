"""Looking for tables on the local network: one question by mDNS, and the answers to it.

Answers are input from strangers, and anybody on the network may send any number of them under any
name, and from any address: an UDP packet's sender is what it says.  So nothing from one sender
replaces, ends or hides what another one said: each packet is read by itself, each sender has its
share of the list, and the search ends when its time is over, whatever is heard.  If more tables
are announced than can be listed, those come first at which somebody proves the key of the invite.
  That is why `zeroconf` only reads the packets
here: its browser keeps one cache for all senders, and asks for missing parts name by name.
"""

from __future__ import annotations

import ipaddress
import select
import socket
import struct
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from typing import Any, Final, TypeVar, final

import trio

from p2p.errors import PeerError
from p2p.net.addresses import Address
from p2p.net.handshake import holds
from p2p.net.interfaces import OwnAddress, in_order, scopes, system_addresses
from p2p.net.invite import fitting
from p2p.net.lan import SERVICE, LanError, LanTable, OtherTableError, decode_text
from p2p.net.transport import TcpTransport

GROUP: Final = ("224.0.0.251", 5353)
GROUP_6: Final = ("ff02::fb", 5353)
LISTEN_SECONDS: Final = 2.5
"""How long to listen: a host may take 0.12 s to answer, and says nothing twice within a second
(RFC 6762, sections 6 and 6.3)."""
ASKED_AT: Final = (0.0, 0.4, 1.3)
"""Seconds after which the question is asked: some packets get lost."""
TABLES_MAX: Final = 64
"""How many tables are listed; a home has fewer."""
KEPT_MAX: Final = 2048
"""How many tables are kept until the search ends."""
PROOFS_AT_ONCE: Final = 128
WAYS_MAX: Final = 3
"""Addresses at which a table of a crowd is asked to prove its key."""
WAY_SECONDS: Final = 1.0
PROOF_SECONDS: Final = 5.0
"""How long one address, and all of a crowd, have for that."""
ADDRESSES_MAX: Final = 12
"""Addresses kept for one table, whoever said them; they are dialled 0.2 s apart."""
PACKET_MAX: Final = 9000
"""Bytes (RFC 6762, section 17)."""
_BUFFER: Final = 1 << 20
_A, _PTR, _TXT, _AAAA, _SRV = 1, 12, 16, 28, 33
_LABELS: Final = [label.encode() for label in SERVICE.rstrip(".").split(".")]
QUESTION: Final = (
    bytes([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
    + b"".join(bytes([len(label)]) + label for label in _LABELS)
    + bytes([0, 0, _PTR, 0, 1])
)
"""One question: the names of our service (RFC 1035, section 4.1)."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Heard:
    """What a search found.  `garbled` counts announcements that make no sense.

    `more`: there were more tables, or more senders, than are kept.  `other` is the version of the
    protocol that a table speaks which is left out for that, None if all speak ours.
    """

    tables: tuple[LanTable, ...] = ()
    garbled: int = 0
    more: bool = False
    other: int | None = None


@final
class Search:
    """Takes packets, and says at the end what was found.

    Up to `KEPT_MAX` tables are kept.  Beyond, a new one replaces the oldest of the sender that has
    most.  So whoever forges senders has to announce that many sound tables, under as many names,
    between an answer of a real host and the end of the search.
    """

    def __init__(self) -> None:
        self._senders: dict[str, dict[LanTable, str]] = {}
        """The tables that each address announces, oldest first, and the names of those
        announcements."""
        self._kept = 0
        self._garbled = 0
        self._more = False
        self._other: int | None = None

    def take(self, packet: bytes, host: str) -> None:
        """Read a packet from `host`, which may hold anything."""
        if _LABELS[0] in packet.lower():  # else it is somebody else's printer
            self._read(packet, host)

    def crowd(self) -> list[LanTable]:
        """All tables, if they are more than can be listed."""
        rows = distinct([list(tables) for tables in self._senders.values()])
        return rows if len(rows) > TABLES_MAX else []

    def heard(self, proven: Iterable[LanTable] = ()) -> Heard:
        """The tables, by name of the host; of a crowd those that are `proven`, and some others."""
        senders = [list(tables) for tables in self._senders.values()]
        rows = distinct([list(proven), *senders])
        listed = list(with_all_ways(rows[:TABLES_MAX], senders))
        listed.sort(key=lambda table: (table.name, table.game))
        more = self._more or len(rows) > TABLES_MAX
        return Heard(tuple(listed), self._garbled, more, self._other)

    def _read(self, packet: bytes, host: str) -> None:
        from zeroconf import DNSIncoming  # type: ignore[attr-defined]  # noqa: PLC0415 (slow)

        message = DNSIncoming(packet)
        if message.is_query():
            return
        records = message.answers()
        self._garbled += not message.valid
        for record in records:
            name = record.name.lower()
            if record.type == _TXT and name.endswith(f".{SERVICE}"):
                self._hear(record, records, name, host)

    def _hear(self, text: Any, records: Sequence[Any], name: str, host: str) -> None:
        """Keep or drop the table of an announcement."""
        if text.ttl == 0:  # a farewell
            self._forget([table for table, said in self._of(host).items() if said == name], host)
            return
        try:
            table = _table(text, records)
        except OtherTableError as error:
            self._other = error.version
        except PeerError:
            self._garbled += 1
        else:
            self._keep(table, name, host)

    def _keep(self, table: LanTable, name: str, host: str) -> None:
        self._forget([table] if table in self._of(host) else [], host)  # it is the newest now
        self._senders.setdefault(host, {})[table] = name
        self._kept += 1
        if self._kept > KEPT_MAX:
            self._more = True
            largest = max(self._senders, key=lambda one: len(self._senders[one]))
            self._forget([next(iter(self._senders[largest]))], largest)

    def _of(self, host: str) -> Mapping[LanTable, str]:
        return self._senders.get(host, {})

    def _forget(self, tables: Sequence[LanTable], host: str) -> None:
        for table in tables:
            del self._senders[host][table]
            self._kept -= 1
        if not self._of(host):
            self._senders.pop(host, None)


def _table(text: Any, records: Sequence[Any]) -> LanTable:
    """The table of a TXT record, with what is in the same packet.  PeerError `malformed`."""
    from zeroconf import ServiceInfo  # noqa: PLC0415 (a sixth of a second to import)

    fields = ServiceInfo(SERVICE, f"table.{SERVICE}", properties=text.text).properties
    name = text.name.lower()
    for place in records:
        if place.type == _SRV and place.name.lower() == name:
            return decode_text(fields, _hosts(place.server.lower(), records), place.port)
    return decode_text(fields)


def _hosts(server: str, records: Sequence[Any]) -> list[str]:
    return [
        str(ipaddress.ip_address(record.address))
        for record in records
        if record.type in (_A, _AAAA) and record.name.lower() == server
    ]


# -- several senders ---------------------------------------------------------------------------


def in_turn(queues: Iterable[Iterable[T]]) -> Iterator[T]:
    """The first of each queue, then the second of each, and so on."""
    for row in zip_longest(*queues):
        yield from (one for one in row if one is not None)


def distinct(senders: Sequence[Sequence[LanTable]]) -> list[LanTable]:
    """Each table once, those of the senders in turn.

    An announcement is not signed, so two may say different things about one key and token.  Both
    are listed, and both lead to the holder of that key: it is proven at the handshake.
    """
    rows: dict[object, LanTable] = {}
    for table in in_turn(senders):
        said = (_key(table), table.game, table.seats, table.name, table.running)
        rows.setdefault(said, table)
    return list(rows.values())


def with_all_ways(
    rows: Iterable[LanTable], senders: Sequence[Sequence[LanTable]]
) -> Iterator[LanTable]:
    """These tables with all the addresses that anybody gave for them."""
    said: dict[bytes, dict[int, list[LanTable]]] = {}
    for number, tables in enumerate(senders):
        for table in tables:
            said.setdefault(_key(table), {}).setdefault(number, []).append(table)
    for row in rows:
        yield _with_all_ways(row, said[_key(row)].values())


def _key(table: LanTable) -> bytes:
    return table.invite.identity + table.invite.token


def _with_all_ways(row: LanTable, senders: Iterable[Sequence[LanTable]]) -> LanTable:
    """A table with the addresses of all who announce it, in turn; its invite has the first."""
    queues = [
        list(in_turn((*table.invite.addresses, *table.addresses) for table in tables))
        for tables in senders
    ]
    addresses = tuple(dict.fromkeys(in_turn(queues)))[:ADDRESSES_MAX]
    return replace(
        row, invite=replace(row.invite, addresses=fitting(addresses)), addresses=addresses
    )


# -- the network -------------------------------------------------------------------------------


async def find_tables(seconds: float = LISTEN_SECONDS, bind: str | None = None) -> Heard:
    """The tables that are announced on the local network.

    LanError if the network cannot be asked.
    """
    return await trio.to_thread.run_sync(partial(listen, seconds, bind), abandon_on_cancel=True)


def listen(seconds: float = LISTEN_SECONDS, bind: str | None = None) -> Heard:
    """The same, blocking for this long and no longer (but in a crowd, which has to be asked).

    `bind` is the one IPv4 address of ours whose network is searched.
    """
    search, began = Search(), time.monotonic()
    to_ask = [at for at in ASKED_AT if at < seconds]
    try:
        with ExitStack() as stack:
            ears = _ears(bind)
            for ear in ears:
                stack.enter_context(closing(ear.socket))
            while (now := time.monotonic() - began) < seconds:
                if to_ask and to_ask[0] <= now:
                    to_ask.pop(0)
                    _on_each(ear.ask for ear in ears)
                _hear_some(ears, search, min([seconds, *to_ask]) - now)
    except OSError as error:
        reason = error.strerror or error
        raise LanError(f"The local network cannot be searched for tables: {reason}.") from error
    crowd = search.crowd()
    return search.heard(trio.run(proven, crowd) if crowd else ())


@dataclass(frozen=True, slots=True)
class _Ear:
    """A socket in mDNS's group, and the networks on which it asks."""

    socket: socket.socket
    asks: tuple[Callable[[], object], ...]

    def ask(self) -> None:
        """Ask by multicast, on every network that lets us.

        Ask from mDNS's own port, so that answers come by multicast: an answer to us alone would go
        to one of the programs on this machine that share the port, perhaps not to this one.
        """
        _on_each(self.asks)


def _ears(bind: str | None) -> list[_Ear]:
    """A socket for each IP version of this machine's networks; OSError if there is none."""
    if bind is not None:
        return [_ear_4([bind])]
    own = _interfaces()
    ipv4 = [str(one.ip) for one in own if one.ip.version == 4]
    opened: list[_Ear] = []
    kinds: list[Callable[[], _Ear]] = []
    if ipv4:
        kinds.append(partial(_ear_4, ipv4))
    if indexes := scopes(own):
        kinds.append(partial(_ear_6, indexes))
    _on_each(partial(_keep, opened, kind) for kind in kinds)
    return opened


def _interfaces() -> list[OwnAddress]:
    """The addresses of this machine, best first: a system may limit how many groups are joined."""
    return in_order(system_addresses())


def _keep(opened: list[_Ear], kind: Callable[[], _Ear]) -> None:
    opened.append(kind())


def _ear_4(interfaces: Sequence[str]) -> _Ear:
    """Hear what is sent over IPv4 on the networks of these addresses of ours."""
    own = [socket.inet_aton(interface) for interface in interfaces]
    group = socket.inet_aton(GROUP[0])

    def ask(listening: socket.socket, one: bytes) -> None:
        listening.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, one)
        listening.sendto(QUESTION, GROUP)

    def prepare(listening: socket.socket) -> None:
        listening.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        listening.bind(("", GROUP[1]))
        join = partial(listening.setsockopt, socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP)
        _on_each(partial(join, group + one) for one in own)

    listening = _open(socket.AF_INET, prepare)
    return _Ear(listening, tuple(partial(ask, listening, one) for one in own))


def _ear_6(indexes: Sequence[int]) -> _Ear:
    """Hear what is sent over IPv6 on the interfaces of these numbers."""
    group = socket.inet_pton(socket.AF_INET6, GROUP_6[0])

    def ask(listening: socket.socket, index: int) -> None:
        listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
        listening.sendto(QUESTION, (*GROUP_6, 0, index))

    def prepare(listening: socket.socket) -> None:
        listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
        listening.bind(("::", GROUP_6[1]))
        join = partial(listening.setsockopt, socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP)
        _on_each(partial(join, group + struct.pack("@I", index)) for index in indexes)

    listening = _open(socket.AF_INET6, prepare)
    return _Ear(listening, tuple(partial(ask, listening, index) for index in indexes))


def _open(family: socket.AddressFamily, prepare: Callable[[socket.socket], None]) -> socket.socket:
    """A socket that shares mDNS's port with other programs; OSError if that is impossible."""
    listening = socket.socket(family, socket.SOCK_DGRAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
        listening.setblocking(False)
        prepare(listening)
    except BaseException:
        listening.close()
        raise
    return listening


def _on_each(acts: Iterable[Callable[[], object]]) -> None:
    """Do each of these that is possible; OSError if none is."""
    done, failures = 0, []
    for act in acts:
        try:
            act()
            done += 1
        except OSError as error:  # one without multicast, or a second address of one that joined
            failures.append(error)
    if not done:
        raise failures[0] if failures else OSError("this machine is on no network")


def _hear_some(ears: Sequence[_Ear], search: Search, seconds: float) -> None:
    """Take a packet from each socket that has one, once there is one, or this time is over."""
    ready, _, _ = select.select([ear.socket for ear in ears], [], [], max(seconds, 0.001))
    for listening in ready:
        with suppress(BlockingIOError):  # the system has found its checksum wrong since
            packet, sender = listening.recvfrom(PACKET_MAX)
            search.take(packet, sender[0])


# -- a crowd -----------------------------------------------------------------------------------


async def proven(tables: Sequence[LanTable]) -> list[LanTable]:
    """The tables at which somebody holds the key of the invite, as far as that is seen in time.

    The address of a packet's sender is easily forged, so this is asked where more tables are
    announced than can be listed.
    """
    found: list[LanTable] = []
    at_once = trio.CapacityLimiter(PROOFS_AT_ONCE)

    async def ask(table: LanTable) -> None:
        ways = dict.fromkeys((*table.addresses, *table.invite.addresses))
        for address in list(ways)[:WAYS_MAX]:
            async with at_once:
                if table not in found and await _proves(table.invite.identity, address):
                    found.append(table)

    with trio.move_on_after(PROOF_SECONDS):
        async with trio.open_nursery() as nursery:
            for table in tables:
                nursery.start_soon(ask, table)
    return found


async def _proves(key: bytes, address: Address) -> bool:
    with trio.move_on_after(WAY_SECONDS):
        try:
            return await holds(await TcpTransport().dial(address), key)
        except (OSError, PeerError):
            return False
    return False
