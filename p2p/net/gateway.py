"""The machine that leads out of this network."""

from __future__ import annotations

import ipaddress
import socket
import struct
from pathlib import Path
from typing import Final

from p2p.net.addresses import local_addresses

ROUTES: Final = Path("/proc/net/route")
_GATEWAY: Final = 0x2


def default_gateway(routes: Path = ROUTES) -> str | None:
    """The address of the IPv4 gateway; if the system does not tell, the usual guess.

    None if this machine is in no network.
    """
    told = _from_routes(routes)
    if told is not None:
        return told
    own = local_addresses(1)[0].ip
    if own is None or own.version != 4 or own.is_loopback:
        return None
    # Home gateways usually have the first address of the network.
    return str(ipaddress.ip_network(f"{own}/24", strict=False)[1])


def own_address_towards(host: str, port: int) -> str:
    """This machine's address on the way to `host`; OSError if there is no way."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as prober:
        prober.connect((host, port))  # sends nothing
        own: str = prober.getsockname()[0]
    return own


def _from_routes(routes: Path) -> str | None:
    """The gateway of the default route as Linux lists it (proc(5), /proc/net/route)."""
    try:
        lines = routes.read_text("ascii").splitlines()[1:]
    except (OSError, UnicodeDecodeError):
        return None
    for line in lines:
        fields = line.split()
        default = len(fields) > 7 and fields[1] == fields[7] == "00000000"
        if default and int(fields[3], 16) & _GATEWAY:
            return socket.inet_ntoa(struct.pack("<L", int(fields[2], 16)))
    return None
