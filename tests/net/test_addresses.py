"""Addresses as people write them, and sockets opened with sentences for what goes wrong."""

from __future__ import annotations

import errno
from ipaddress import ip_address

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from p2p.net.addresses import (
    Address,
    AddressError,
    ListenError,
    PortInUse,
    close_listeners,
    listening_addresses,
    listening_port,
    local_addresses,
    open_listeners,
)
from p2p.net.interfaces import OwnAddress, system_addresses


@given(st.ip_addresses().map(str) | st.just("example.org"), st.integers(1, 65535))
def test_round_trip(host: str, port: int) -> None:
    address = Address(host, port)
    assert Address.parse(str(address)) == address


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (" 192.168.1.5:7000\n", "192.168.1.5:7000"),
        ("[2001:DB8:0:0::1]:7000", "[2001:db8::1]:7000"),
        ("[::1]:1", "[::1]:1"),
        ("Table.Example.org.:65535", "table.example.org:65535"),
    ],
)
def test_equal_addresses_have_one_form(text: str, shown: str) -> None:
    assert str(Address.parse(text)) == shown


@pytest.mark.parametrize(
    "text",
    [
        "",
        "host",
        "host:",
        ":7000",
        "host:0",
        "host:65536",
        "host:-1",
        "::1:7000",
        "1.2.3:7000",
        "a b:7000",
        "-a:7000",
        "a..b:7000",
        "[host:7000",
        "host:٣",
        "ä:7",
        "a" * 64 + ":7",
    ],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(AddressError):
        Address.parse(text)


def own(*known: str) -> list[OwnAddress]:
    """Addresses of a machine, each written as `interface address`."""
    pairs = [one.rsplit(" ", 1) for one in known]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(p[0] for p in pairs), 1)}
    return [OwnAddress(name, numbers[name], ip_address(ip)) for name, ip in pairs]


MACHINE = own("lo 127.0.0.1", "lo ::1", "eth0 192.168.1.5", "eth0 fe80::5", "wlan0 2001:db8::5")


def test_every_address_of_this_machine_is_told() -> None:
    found = local_addresses(7000, lambda: MACHINE)
    assert [str(one) for one in found] == [
        "192.168.1.5:7000",
        "[2001:db8::5]:7000",
        "[fe80::5]:7000",
    ]
    assert local_addresses(7000, lambda: MACHINE[:1]) == [Address("127.0.0.1", 7000)]
    assert local_addresses(7000, list) == [Address("127.0.0.1", 7000)]


def test_the_system_lists_loopback() -> None:
    assert any(one.ip.is_loopback for one in system_addresses())


@pytest.mark.parametrize(
    ("bind", "hosts"),
    [
        (None, {"192.168.1.5", "2001:db8::5", "fe80::5"}),
        ("0.0.0.0", {"192.168.1.5"}),
        ("::", {"2001:db8::5", "fe80::5"}),
        ("127.0.0.1", {"127.0.0.1"}),
        ("localhost", {"127.0.0.1", "::1"}),
    ],
)
async def test_a_listener_is_reached_at_what_it_is_bound_to(
    bind: str | None, hosts: set[str]
) -> None:
    """0.0.0.0 and :: mean all interfaces, and nobody can dial them."""
    listeners = await open_listeners(0, bind)
    found = listening_addresses(listeners, lambda: MACHINE)
    assert {one.host for one in found} <= hosts
    assert found
    assert {one.port for one in found} == {listening_port(listeners)}
    await close_listeners(listeners)


def test_an_address_has_no_scope() -> None:
    """A scope is a number of one machine, and means nothing to another."""
    assert Address("fe80::1%eth0", 7000) == Address.parse("[fe80::1]:7000")


async def test_a_name_that_no_resolver_takes_is_one_sentence() -> None:
    with pytest.raises(ListenError, match="is no address of this machine"):
        await open_listeners(0, "a" * 64)


async def test_a_port_in_use_is_one_sentence() -> None:
    listeners = await open_listeners(0, "127.0.0.1")
    port = listening_port(listeners)
    with pytest.raises(PortInUse, match=f"Port {port} on 127.0.0.1 is in use"):
        await open_listeners(port, "127.0.0.1")
    await close_listeners(listeners)


async def test_an_address_of_another_machine_cannot_be_opened() -> None:
    with pytest.raises(ListenError, match=r"Port 7000 on 192\.0\.2\.77 cannot be opened"):
        await open_listeners(7000, "192.0.2.77")


async def test_every_address_family_listens_on_the_same_port() -> None:
    listeners = await open_listeners(0)
    assert len({listener.socket.getsockname()[1] for listener in listeners}) == 1
    await close_listeners(listeners)


async def test_a_port_that_one_family_has_not_free_is_given_up_for_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real, asked = trio.open_tcp_listeners, list[int]()

    async def taken_twice(port: int, *, host: str | None) -> list[trio.SocketListener]:
        asked.append(port)
        if len(asked) <= 2:
            raise OSError(errno.EADDRINUSE, "Address already in use")
        return await real(port, host=host)

    monkeypatch.setattr(trio, "open_tcp_listeners", taken_twice)
    await close_listeners(await open_listeners(0, "127.0.0.1"))
    assert asked == [0, 0, 0]
    asked.clear()
    with pytest.raises(PortInUse):
        await open_listeners(7000, "127.0.0.1")
    assert asked == [7000]
