"""Looking for tables on the local network: one question by mDNS, and the answers to it.

Answers are input from strangers, and anybody on the network may send any number of them under any
name.  So nothing from one sender (the address a packet came from) replaces, ends or hides what
another one said: each packet is read by itself, each sender has its share of the list, and the
search ends when its time is over, whatever is heard.  That is why `zeroconf` only reads the packets
here: its browser keeps one cache for all senders, and asks for missing parts name by name.
"""

from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import zip_longest
from typing import Any, Final, TypeVar, final

import trio

from p2p.errors import PeerError
from p2p.net.invite import fitting
from p2p.net.lan import SERVICE, LanError, LanTable, OtherTableError, decode_text

GROUP: Final = ("224.0.0.251", 5353)
LISTEN_SECONDS: Final = 2.5
"""How long to listen: a host may take 0.12 s to answer, and says nothing twice within a second
(RFC 6762, sections 6 and 6.3)."""
ASKED_AT: Final = (0.0, 0.4, 1.3)
"""Seconds after which the question is asked: some packets get lost."""
TABLES_MAX: Final = 64
"""How many tables are listed, and kept from one sender; a home has fewer."""
SENDERS_MAX: Final = 256
PACKETS_MAX: Final = 256
"""How many packets about tables are read from one sender."""
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


@dataclass(slots=True)
class _Sender:
    """What one address announces: tables, each under the name of its announcement."""

    packets: int = 0
    tables: dict[LanTable, str] = field(default_factory=dict)


@final
class Search:
    """Takes packets, and says at the end what was found."""

    def __init__(self) -> None:
        self._senders: dict[str, _Sender] = {}
        self._garbled = 0
        self._more = False
        self._other: int | None = None

    def take(self, packet: bytes, host: str) -> None:
        """Read a packet from `host`, which may hold anything."""
        if _LABELS[0] not in packet.lower():
            return  # somebody else's printer
        sender = self._senders.get(host)
        if sender is None and len(self._senders) < SENDERS_MAX:
            sender = self._senders[host] = _Sender()
        if sender is None or sender.packets >= PACKETS_MAX:
            self._more = True
            return
        sender.packets += 1
        self._read(packet, sender)

    def heard(self) -> Heard:
        """The tables, by name of the host."""
        senders = [list(sender.tables) for sender in self._senders.values()]
        rows = distinct(senders)
        listed = list(with_all_ways(rows[:TABLES_MAX], senders))
        listed.sort(key=lambda table: (table.name, table.game))
        more = self._more or len(rows) > TABLES_MAX
        return Heard(tuple(listed), self._garbled, more, self._other)

    def _read(self, packet: bytes, sender: _Sender) -> None:
        from zeroconf import DNSIncoming  # type: ignore[attr-defined]  # noqa: PLC0415 (slow)

        message = DNSIncoming(packet)
        if message.is_query():
            return
        records = message.answers()
        self._garbled += not message.valid
        for record in records:
            name = record.name.lower()
            if record.type == _TXT and name.endswith(f".{SERVICE}"):
                self._hear(record, records, name, sender)

    def _hear(self, text: Any, records: Sequence[Any], name: str, sender: _Sender) -> None:
        """Keep or drop the table of an announcement."""
        if text.ttl == 0:  # a farewell
            sender.tables = {kept: said for kept, said in sender.tables.items() if said != name}
            return
        try:
            table = _table(text, records)
        except OtherTableError as error:
            self._other = error.version
            return
        except PeerError:
            self._garbled += 1
            return
        if len(sender.tables) < TABLES_MAX or table in sender.tables:
            sender.tables[table] = name
        else:
            self._more = True


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
    """The same, blocking for this long and no longer."""
    search, began = Search(), time.monotonic()
    to_ask = [at for at in ASKED_AT if at < seconds]
    try:
        interfaces = [bind] if bind else _interfaces()
        with closing(_open(interfaces)) as listening:
            while (now := time.monotonic() - began) < seconds:
                if to_ask and to_ask[0] <= now:
                    to_ask.pop(0)
                    _ask(listening, interfaces)
                _hear_one(listening, search, min([seconds, *to_ask]) - now)
    except OSError as error:
        raise LanError(f"The local network cannot be searched for tables: {error}.") from error
    return search.heard()


def _interfaces() -> list[str]:
    """The IPv4 addresses of this machine, of every network that it is on."""
    import ifaddr  # noqa: PLC0415 (only where tables are looked for)

    return [str(ip.ip) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4]


def _open(interfaces: Sequence[str]) -> socket.socket:
    """A socket that hears what is sent to mDNS's group; OSError if no interface can."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
        listening.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, 255)
        listening.bind(("", GROUP[1]))
        _on_each(interfaces, partial(_join, listening))
    except BaseException:
        listening.close()
        raise
    return listening


def _join(listening: socket.socket, interface: str) -> None:
    group = socket.inet_aton(GROUP[0]) + socket.inet_aton(interface)
    listening.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group)


def _ask(listening: socket.socket, interfaces: Sequence[str]) -> None:
    """Ask by multicast.

    Ask from mDNS's own port, so that answers come by multicast: an answer to us alone would go to
    one of the programs on this machine that share the port, perhaps not to this one.
    """

    def ask(interface: str) -> None:
        address = socket.inet_aton(interface)
        listening.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, address)
        listening.sendto(QUESTION, GROUP)

    _on_each(interfaces, ask)


def _on_each(interfaces: Sequence[str], act: Callable[[str], None]) -> None:
    """Do it on every interface that lets us; OSError if none does."""
    failures = []
    for interface in interfaces:
        try:
            act(interface)
        except OSError as error:  # one without multicast, or a second address of one that joined
            failures.append(error)
    if len(failures) == len(interfaces):
        raise failures[0] if failures else OSError("this machine is on no network")


def _hear_one(listening: socket.socket, search: Search, seconds: float) -> None:
    """Take a packet, if one comes within this many seconds."""
    listening.settimeout(max(seconds, 0.001))
    try:
        packet, (host, _) = listening.recvfrom(PACKET_MAX)
    except TimeoutError:
        return
    search.take(packet, host)
