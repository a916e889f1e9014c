"""The addresses of this machine's own interfaces, in the order in which others should try them."""

from __future__ import annotations

import ipaddress
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

_CONTAINERS: Final = re.compile(
    r"docker|br-|veth|virbr|vnet|lxc|lxd|incus|podman|cni|flannel|cali|cilium|kube|weave"
    r"|bridge1\d\d|vmnet|vboxnet|virtualbox|vmware|vethernet|hyper-v",
    re.IGNORECASE,
)
"""Names of interfaces behind which are only this machine's own containers and virtual machines:
Docker, libvirt, LXC, Kubernetes, macOS, VMware, VirtualBox, Hyper-V."""
_OVERLAYS: Final = re.compile(
    r"tailscale|wg|wireguard|zt|zerotier|feth|utun|tun|tap|ppp|nebula|ham|netbird|wt\d|nordlynx"
    r"|ipsec|wintun|.*tunnel|.*\bvpn\b",
    re.IGNORECASE,
)
"""Names of interfaces of networks that are laid over others."""
_OVERLAY_NETWORKS: Final = (
    ipaddress.ip_network("100.64.0.0/10"),  # Tailscale, NetBird; carriers (RFC 6598)
    ipaddress.ip_network("fd7a:115c:a1e0::/48"),  # Tailscale
    ipaddress.ip_network("200::/7"),  # Yggdrasil
)
_POOLS: Final = ipaddress.ip_network("172.16.0.0/12")
"""Containers get their networks from here, if nobody says otherwise."""


class Nearness(IntEnum):
    """The peers that an address leads to; the lowest is tried first."""

    LAN = 0
    OVERLAY = 1
    LINK = 2
    CONTAINERS = 3
    MACHINE = 4


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """An address of an interface of this machine; `index` is the number of the interface, the
    scope of its link-local addresses.
    """

    interface: str
    index: int
    ip: IpAddress

    @property
    def nearness(self) -> Nearness:
        """Which peers reach this machine here."""
        if self.ip.is_loopback:
            return Nearness.MACHINE
        bridge = self.interface.startswith("br") and self.ip in _POOLS
        if bridge or _CONTAINERS.match(self.interface):
            return Nearness.CONTAINERS
        if self.ip.is_link_local:
            return Nearness.LINK
        laid_over = any(self.ip in network for network in _OVERLAY_NETWORKS)
        return Nearness.OVERLAY if laid_over or _OVERLAYS.match(self.interface) else Nearness.LAN


_LINKS: Final = {Nearness.LINK: 1, Nearness.OVERLAY: 2}
"""The order of link-local addresses, by the best address of their interface."""

FindOwn = Callable[[], list[OwnAddress]]
"""Lists the addresses of this machine's interfaces, in any order."""


def system_addresses() -> list[OwnAddress]:
    """Ask the system for all addresses of all interfaces."""
    import ifaddr  # noqa: PLC0415 (only where a table is opened or looked for)

    return [
        OwnAddress(adapter.nice_name, adapter.index or 0, _ip(known.ip))
        for adapter in ifaddr.get_adapters()
        for known in adapter.ips
    ]


def _ip(host: str | tuple[str, int, int]) -> IpAddress:
    text = host if isinstance(host, str) else host[0]
    return ipaddress.ip_address(text.partition("%")[0])


def in_order(own: Iterable[OwnAddress], first: Iterable[str] = ()) -> list[OwnAddress]:
    """The addresses at which others reach this machine, best first.

    `first` are those from which this machine reaches the Internet.  Loopback is last, and left out
    unless there is nothing else.  Of several addresses of one kind that an interface has, the
    second comes after the first one of each other interface.  A link-local address is tried first
    on an interface that leads to a LAN, and last on one that leads to an overlay.
    """
    known, preferred = list(dict.fromkeys(own)), set(first)
    leads_to: dict[str, Nearness] = {}
    for one in known:
        leads_to[one.interface] = min(one.nearness, leads_to.get(one.interface, one.nearness))
    known.sort(key=lambda one: (str(one.ip) not in preferred, one.ip.version, one.ip in _POOLS))
    taken: Counter[object] = Counter()
    ranked = []
    for one in known:
        kind = (one.interface, one.ip.version, one.nearness)
        ranked.append((one.nearness, taken[kind], _LINKS.get(leads_to[one.interface], 0), one))
        taken[kind] += 1
    ranked.sort(key=lambda row: row[:3])
    everything = [row[-1] for row in ranked]
    return [one for one in everything if one.nearness is not Nearness.MACHINE] or everything


def scopes(own: Iterable[OwnAddress]) -> list[int]:
    """The numbers of the interfaces on which an IPv6 link-local address can be dialled."""
    local = [one for one in own if one.ip.version == 6 and one.ip.is_link_local]
    return list(dict.fromkeys(one.index for one in in_order(local)))
