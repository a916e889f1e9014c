"""The machine that leads out of this network, as the system's routing table names it.

Linux has its table in files; macOS, the BSDs and Windows print theirs.  Nothing is guessed: a
machine without a default route has no gateway.
"""

from __future__ import annotations

import ipaddress
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

ROUTES: Final = Path("/proc/net/route")
ROUTES_V6: Final = Path("/proc/net/ipv6_route")
_GATEWAY: Final = 0x2
_COMMAND_SECONDS: Final = 2.0


def default_gateway(routes: Path = ROUTES) -> str | None:
    """The IPv4 gateway of this machine; None if it has no default route.  Blocks."""
    if sys.platform == "linux":
        return _first(linux_gateways(_file(routes)), 4)
    if sys.platform == "win32":
        return _first(windows_gateways(_output("route", "print", "-4")), 4)
    return _first(bsd_gateways(_output("netstat", "-rn", "-f", "inet")), 4)


def default_gateway_v6(routes: Path = ROUTES_V6) -> str | None:
    """The IPv6 gateway of this machine, with the scope of a link-local one.  Blocks."""
    if sys.platform == "linux":
        return _first(linux_gateways_v6(_file(routes)), 6)
    if sys.platform == "win32":
        return _first(windows_gateways_v6(_output("route", "print", "-6")), 6)
    return _first(bsd_gateways(_output("netstat", "-rn", "-f", "inet6")), 6)


def own_address_towards(host: str, port: int) -> str:
    """This machine's IPv4 address on the way to `host`; OSError if there is no way."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as prober:
        prober.connect((host, port))  # sends nothing
        own: str = prober.getsockname()[0]
    return own


def _first(hosts: Iterator[str], version: int) -> str | None:
    return next((host for host in hosts if _is_host(host, version)), None)


def _is_host(text: str, version: int) -> bool:
    """Whether this is an address of that version that a datagram can be sent to.

    A route through an interface has words in this place.
    """
    try:
        ip = ipaddress.ip_address(text)
    except ValueError:
        return False
    scoped = not (ip.version == 6 and ip.is_link_local) or "%" in text
    return ip.version == version and not ip.is_unspecified and scoped


def _file(path: Path) -> str:
    try:
        return path.read_text("ascii")
    except (OSError, UnicodeDecodeError):
        return ""


def _output(*command: str) -> str:
    """What a program of the system prints; nothing if it is not there or does not end."""
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            check=False,
            timeout=_COMMAND_SECONDS,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("ascii", "replace")  # some systems have words in other alphabets


# -- tables ------------------------------------------------------------------------------------


def linux_gateways(table: str) -> Iterator[str]:
    """Read /proc/net/route (proc(5))."""
    found = []
    for fields in _rows(table, 8):
        default = fields[1] == fields[7] == "00000000"
        if default and int(fields[3], 16) & _GATEWAY:
            host = socket.inet_ntoa(struct.pack("<L", int(fields[2], 16)))
            found.append((int(fields[6]), host))
    return _by_metric(found)


def linux_gateways_v6(table: str) -> Iterator[str]:
    """Read /proc/net/ipv6_route: destination, source, next hop, metric, flags, interface."""
    found = []
    for fields in _rows(table, 10):
        default = int(fields[0], 16) == int(fields[1], 16) == 0
        if default and int(fields[8], 16) & _GATEWAY:
            ip = ipaddress.IPv6Address(int(fields[4], 16))
            found.append((int(fields[5], 16), f"{ip}%{fields[9]}" if ip.is_link_local else str(ip)))
    return _by_metric(found)


def bsd_gateways(table: str) -> Iterator[str]:
    """Read `netstat -rn` of macOS and the BSDs: the default routes, in the order of their use."""
    return (fields[1] for fields in _rows(table, 2) if fields[0] == "default")


def windows_gateways(table: str) -> Iterator[str]:
    """Read `route print -4`: destination, mask, gateway, interface, metric; the rest is words."""
    found = []
    for fields in _rows(table, 5):
        if fields[:2] == ["0.0.0.0", "0.0.0.0"] and fields[4].isdecimal():
            found.append((int(fields[4]), fields[2]))
    return _by_metric(found)


def windows_gateways_v6(table: str) -> Iterator[str]:
    """Read `route print -6`: number of the interface, metric, destination, gateway."""
    found = []
    for fields in _rows(table, 4):
        if fields[2] == "::/0" and fields[0].isdecimal() and fields[1].isdecimal():
            link_local = fields[3].lower().startswith("fe80:")
            host = f"{fields[3]}%{fields[0]}" if link_local else fields[3]
            found.append((int(fields[1]), host))
    return _by_metric(found)


def _rows(table: str, least: int) -> Iterator[list[str]]:
    """The rows with at least so many fields, without the heading of a file."""
    rows = (line.split() for line in table.splitlines() if not line.startswith("Iface"))
    return (fields for fields in rows if len(fields) >= least)


def _by_metric(found: Sequence[tuple[int, str]]) -> Iterator[str]:
    return (host for _, host in sorted(found, key=lambda one: one[0]))
