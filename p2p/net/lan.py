"""Tables on the local network, announced by DNS-SD (RFC 6763) over mDNS (RFC 6762).

A host that announces its table lets everybody on its network sit down, and watch once the game has
begun: the announcement holds the whole invite.  What others announce is input from strangers:
`decode_text` bounds it, and none of it counts before the handshake proves the key of the invite.

`zeroconf` runs its own loop in its own thread, and is imported when it is first needed.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import trio

from engine.errors import UsageError
from engine.games import load
from p2p import checks
from p2p.errors import PeerError
from p2p.identity.keys import words
from p2p.net.addresses import Address, local_addresses
from p2p.net.invite import Invite, InviteError
from p2p.text.names import NAMES, is_name, printable
from p2p.version import PROTOCOL_VERSION

if TYPE_CHECKING:
    from zeroconf import ServiceInfo, Zeroconf

SERVICE: Final = "_nodealer._tcp.local."
ADDRESSES_MAX: Final = 12
FIELD_MAX: Final = 255
"""A string of a TXT record holds its key, `=` and the value in this many bytes (RFC 6763, 6.1)."""
_NAME_DIGITS: Final = 16
_FIELDS: Final = ("v", "game", "seats", "name", "invite")
_VERSION: Final = re.compile("[1-9][0-9]{0,5}", re.ASCII)
_STATE: Final = "state"
_RUNNING: Final = "running"
"""The state of a table whose game has begun; as long as seats are free, there is none."""


class LanError(Exception):
    """The local network cannot be used for finding tables; one sentence for the user."""


class OtherTableError(PeerError):
    """A table is announced that speaks this other version of the protocol."""

    def __init__(self, version: int) -> None:
        super().__init__("malformed", f"announced by protocol version {version}")
        self.version: Final = version


@dataclass(frozen=True, slots=True)
class LanTable:
    """A table that somebody announces: `name` is the host's, `addresses` where to dial.

    `running`: the game has begun, and people may watch it.
    """

    game: str
    seats: int
    name: str
    invite: Invite
    addresses: tuple[Address, ...] = ()
    running: bool = False

    @property
    def fingerprint(self) -> str:
        """The words of the host's key: of the key itself, whatever anybody says about it."""
        return words(self.invite.identity)


# -- text --------------------------------------------------------------------------------------


def encode_text(table: LanTable) -> dict[str, str]:
    """The TXT record of a table; on one network nobody needs relays."""
    invite = replace(table.invite, reach=None).encode()
    values = (str(PROTOCOL_VERSION), table.game, str(table.seats), table.name, invite)
    state = {_STATE: _RUNNING} if table.running else {}
    return dict(zip(_FIELDS, values, strict=True)) | state


def decode_text(
    text: Mapping[bytes, bytes | None], hosts: Iterable[str] = (), port: int | None = None
) -> LanTable:
    """The table of a TXT record, heard at `hosts` and `port`.

    PeerError `malformed`; OtherTableError for one of another version, whatever else is there.
    """
    _refuse_other(_field(text.get(b"v")))
    fields = {key: _field(text.get(key.encode())) for key in _FIELDS}
    name = fields["name"]
    checks.require("lan.name", is_name(name), "malformed", NAMES)
    try:
        game = load(fields["game"])
    except UsageError as error:
        raise PeerError("malformed", "an unknown game is announced") from error
    seats = int(fields["seats"]) if fields["seats"] in map(str, game.seats) else 0
    checks.require("lan.seats", seats > 0, "malformed", "no such number of seats")
    try:
        invite = Invite.decode(fields["invite"])
    except InviteError as error:
        raise PeerError("malformed", "the invite that is announced is none") from error
    state = text.get(_STATE.encode())
    known = state in (None, _RUNNING.encode())
    checks.require("lan.state", known, "malformed", "no such state of a table")
    return LanTable(
        *(game.name, seats, name, replace(invite, reach=None), _addresses(hosts, port)),
        running=state is not None,
    )


def _refuse_other(version: str) -> None:
    sound = _VERSION.fullmatch(version) is not None
    checks.require("lan.version", sound, "malformed", "announced by no version")
    if int(version) != PROTOCOL_VERSION:
        raise OtherTableError(int(version))


def _field(value: bytes | None) -> str:
    sound = value if value is not None and len(value) <= FIELD_MAX else None
    said = checks.present("lan.field", sound, "malformed", "a part of an announcement is missing")
    try:
        return said.decode("utf-8")
    except UnicodeDecodeError as error:
        raise PeerError("malformed", "an announcement is garbled") from error


def _addresses(hosts: Iterable[str], port: int | None) -> tuple[Address, ...]:
    """Where to dial; a link-local address is dialled on every interface (`p2p.net.transport`)."""
    if port is None or not 1 <= port <= 65535:
        return ()
    found = []
    for host in hosts:
        try:
            ip = ipaddress.ip_address(host)
        except ValueError:
            continue
        if not (ip.is_multicast or ip.is_unspecified):
            found.append(Address(str(ip), port))
    return tuple(dict.fromkeys(found))[:ADDRESSES_MAX]


def instance_name(invite: Invite) -> str:
    """What distinguishes this table's announcement from all others, and says nothing else."""
    digest = hashlib.sha512(b"nodealer announcement\0" + invite.identity + invite.token)
    return digest.hexdigest()[:_NAME_DIGITS]


# -- announcing --------------------------------------------------------------------------------


async def announce(
    table: LanTable,
    port: int,
    bind: str | None = None,
    *,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Announce a table until cancelled, on all networks or on that of the address `bind`.

    The addresses of the table are announced, or those of this machine if it has none.
    LanError if that cannot be done.  Started once the network knows.
    """
    stop, heard = threading.Event(), trio.Event()
    token = trio.lowlevel.current_trio_token()
    failures: list[LanError] = []

    def work() -> None:
        try:
            own = [bind] if bind else [one.host for one in local_addresses(port)]
            hosts = [one.host for one in table.addresses if one.ip is not None] or own
            with _zeroconf(own) as zeroconf:
                info = _service(table, port, hosts[:ADDRESSES_MAX])
                # Do not ask first whether the name is free: it is a hash of key and token, and
                # anybody who hears the question could claim it.
                zeroconf.register_service(info, cooperating_responders=True)
                trio.from_thread.run_sync(heard.set, trio_token=token)
                stop.wait()
                zeroconf.unregister_service(info)
        except LanError as error:
            failures.append(error)

    async def started() -> None:
        await heard.wait()
        task_status.started()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(started)
        nursery.start_soon(_stop_when_cancelled, stop)
        # Shielded: the thread takes the announcement back, which a killed one does not.
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(work)
        nursery.cancel_scope.cancel()
    for failure in failures:
        raise failure


async def _stop_when_cancelled(stop: threading.Event) -> None:
    try:
        await trio.sleep_forever()
    finally:
        stop.set()


def _service(table: LanTable, port: int, hosts: Sequence[str]) -> ServiceInfo:
    from zeroconf import ServiceInfo  # noqa: PLC0415 (a sixth of a second to import)

    name = instance_name(table.invite)
    packed = [ipaddress.ip_address(host).packed for host in hosts]
    return ServiceInfo(
        SERVICE,
        f"{name}.{SERVICE}",
        port=port,
        addresses=packed,
        properties=dict(encode_text(table)),
        server=f"{name}.local.",
    )


@contextmanager
def _zeroconf(hosts: Sequence[str]) -> Iterator[Zeroconf]:
    """What announces on the networks of these own addresses, or on those of IPv4 alone."""
    from zeroconf import Error, Zeroconf  # noqa: PLC0415 (a sixth of a second to import)

    ipv4 = [host for host in hosts if ":" not in host]
    try:
        try:
            zeroconf = Zeroconf(interfaces=list(hosts))
        except (OSError, RuntimeError):  # a system without IPv6 sockets, an address that has gone
            if not ipv4:
                raise
            zeroconf = Zeroconf(interfaces=ipv4)
    except (OSError, RuntimeError, Error) as error:
        raise _not_announced(error) from error
    try:
        yield zeroconf
    except (OSError, Error) as error:
        raise _not_announced(error) from error
    finally:
        zeroconf.close()


def _not_announced(error: Exception) -> LanError:
    reason = printable(str(error)) or type(error).__name__
    return LanError(f"Tables cannot be announced here: {reason}.")
