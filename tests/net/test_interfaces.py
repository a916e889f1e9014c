"""The order in which others try the addresses of a machine."""

from __future__ import annotations

import pytest
import trio

from p2p.net.addresses import Address
from p2p.net.interfaces import OwnAddress, in_order, scopes
from p2p.net.transport import TcpTransport

from .test_addresses import own

HOME = "eth0 192.168.1.5"


@pytest.mark.parametrize(
    ("known", "order"),
    [
        (["lo 127.0.0.1", HOME], ["192.168.1.5"]),
        (["lo 127.0.0.1", "lo ::1"], ["127.0.0.1", "::1"]),
        (["eth0 169.254.7.1", "wlan0 10.0.0.9"], ["10.0.0.9", "169.254.7.1"]),
        (["eth0 fe80::1", "eth0 fd00::1"], ["fd00::1", "fe80::1"]),
        (["docker0 172.17.0.1", HOME], ["192.168.1.5", "172.17.0.1"]),
        (
            ["br-0123456789ab 172.18.0.1", "veth1 fe80::2", "eth0 fe80::1"],
            ["fe80::1", "172.18.0.1"],
        ),
        (["br1 172.19.0.1", "br0 192.168.1.5"], ["192.168.1.5", "172.19.0.1"]),
        (["virbr0 192.168.122.1", "eth0 172.16.0.9"], ["172.16.0.9", "192.168.122.1"]),
        (["vEthernet (WSL) 172.30.0.1", "Wi-Fi 10.0.0.9"], ["10.0.0.9", "172.30.0.1"]),
        (["tailscale0 100.64.0.9", HOME], ["192.168.1.5", "100.64.0.9"]),
        (["x0 fd7a:115c:a1e0::9", HOME], ["192.168.1.5", "fd7a:115c:a1e0::9"]),
        (
            ["tun0 10.8.0.2", "tun0 fe80::3", "eth1 fe80::2", "eth0 fe80::1", HOME],
            ["192.168.1.5", "10.8.0.2", "fe80::1", "fe80::2", "fe80::3"],
        ),
        (["wg0 10.9.0.2", "eth0 fe80::1"], ["10.9.0.2", "fe80::1"]),
        (["ztabcdefgh 10.147.17.5", "docker0 172.17.0.1"], ["10.147.17.5", "172.17.0.1"]),
        (["eth0 172.16.5.5", "eth1 10.0.0.9"], ["10.0.0.9", "172.16.5.5"]),
        (
            ["eth0 2001:db8::1", "eth0 2001:db8::2", "eth1 2001:db8:1::1"],
            ["2001:db8::1", "2001:db8:1::1", "2001:db8::2"],
        ),
    ],
)
def test_better_addresses_come_first(known: list[str], order: list[str]) -> None:
    assert [str(one.ip) for one in in_order(own(*known))][: len(order)] == order


def test_the_address_towards_the_internet_comes_first_of_its_kind() -> None:
    known = own("eth0 10.0.0.9", HOME, "tun0 10.8.0.2", "eth0 2001:db8::1")
    first = [str(one.ip) for one in in_order(known, ["10.8.0.2", "2001:db8::1"])]
    assert first == ["2001:db8::1", "10.0.0.9", "192.168.1.5", "10.8.0.2"]


def test_no_number_of_bridges_hides_the_network() -> None:
    bridges = [f"br-{n:012x} 172.{n}.0.1" for n in range(17, 32)]
    assert str(in_order(own(*bridges, HOME))[0].ip) == "192.168.1.5"


def test_link_local_addresses_are_dialled_on_each_interface_that_has_them() -> None:
    known = own("lo ::1", "docker0 fe80::1", "eth0 fe80::2", "wlan0 10.0.0.9", "eth0 fe80::3")
    assert scopes(known) == [3, 2]


async def test_a_link_local_address_without_ipv6_here_is_a_sentence() -> None:
    nowhere: list[OwnAddress] = []
    with pytest.raises(OSError, match="no IPv6 network"):
        await TcpTransport(lambda: nowhere).dial(Address("fe80::1", 7000))


async def test_a_link_local_address_is_dialled_with_each_scope(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first interface on which somebody answers is taken."""
    dialled: list[str] = []
    ours, _ = trio.testing.memory_stream_pair()

    async def dial(host: str, port: int) -> trio.abc.Stream:
        dialled.append(host)
        if host.endswith("%1"):
            raise OSError("No route to host")
        return ours

    monkeypatch.setattr(trio, "open_tcp_stream", dial)
    find = lambda: own("eth0 fe80::2", "wlan0 fe80::3")  # noqa: E731
    assert await TcpTransport(find).dial(Address("fe80::1", 7000)) is ours
    assert sorted(dialled) == ["fe80::1%1", "fe80::1%2"]
