"""The gateway in the routing tables of Linux, macOS, the BSDs and Windows."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from p2p.net import gateway as gateway_module
from p2p.net.gateway import default_gateway, default_gateway_v6

PORT = 4433


MACOS = """Routing tables

Internet:
Destination        Gateway            Flags               Netif Expire
default            link#18            UCSg                utun4
default            192.168.0.1        UGScIg              en0
127                127.0.0.1          UCS                 lo0
192.168.0.1        bc:67:1c:40:3:f6   UHLWIir             en0   1193
"""
MACOS_V6 = """Routing tables

Internet6:
Destination                             Gateway                         Flags         Netif Expire
default                                 fe80::%utun0                    UGcIg         utun0
default                                 fe80::1%en0                     UGcg            en0
::1                                     ::1                             UHL             lo0
"""
OLDER_MACOS = """Routing tables

Internet:
Destination        Gateway            Flags        Refs      Use   Netif Expire
default            10.10.10.1         UGSc           20       16     en0
10.10.10/24        link#4             UCS             1        0     en0
"""
WINDOWS = """===========================================================================
Schnittstellenliste
 12...00 12 3f a7 17 ba ......Intel(R) Ethernet
===========================================================================

IPv4-Routentabelle
===========================================================================
Aktive Routen:
     Netzwerkziel    Netzwerkmaske          Gateway    Schnittstelle Metrik
          0.0.0.0          0.0.0.0      10.8.0.1         10.8.0.7    281
          0.0.0.0          0.0.0.0      192.168.178.1    192.168.178.20     35
        127.0.0.0        255.0.0.0   Auf Verbindung         127.0.0.1    331
===========================================================================
"""
WINDOWS_V6 = """IPv6 Route Table
===========================================================================
Active Routes:
 If Metric Network Destination      Gateway
 12    291 ::/0                     fe80::3ea6:2fff:fe12:3456
  9     18 ::/0                     On-link
  1    331 ::1/128                  On-link
===========================================================================
"""
LINUX = """Iface Destination Gateway Flags RefCnt Use Metric Mask MTU Window IRTT
eth0 000200C0 00000000 0001 0 0 0 00FFFFFF 0 0 0
wlan0 00000000 FE0200C0 0003 0 0 600 00000000 0 0 0
eth0 00000000 010200C0 0003 0 0 100 00000000 0 0 0
"""
ZERO = "0" * 32
LINUX_V6 = f"""{"fd" + "0" * 30} 40 {ZERO} 00 {ZERO} 00000100 00000001 00000000 00000001 eth0
{ZERO} 00 {ZERO} 00 {"fe80" + "0" * 27 + "1"} 00000400 00000003 00000000 00000003 eth0
{ZERO} 00 {ZERO} 00 {ZERO} ffffffff 00000001 00000000 00200200 lo
"""


@pytest.mark.parametrize(
    ("platform", "table", "found"),
    [
        ("darwin", MACOS, "192.168.0.1"),
        ("darwin", OLDER_MACOS, "10.10.10.1"),
        ("win32", WINDOWS, "192.168.178.1"),
        *((platform, "", None) for platform in ("darwin", "win32")),
    ],
)
def test_a_printed_routing_table_names_the_gateway(
    platform: str, table: str, found: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(gateway_module, "_output", lambda *command: table)
    assert default_gateway() == found


@pytest.mark.parametrize(
    ("platform", "table", "found"),
    [
        ("darwin", MACOS_V6, "fe80::%utun0"),
        ("darwin", MACOS_V6.replace("fe80::%utun0", "link#18"), "fe80::1%en0"),
        ("win32", WINDOWS_V6, "fe80::3ea6:2fff:fe12:3456%12"),
        ("win32", "", None),
    ],
)
def test_a_printed_routing_table_names_the_ipv6_gateway(
    platform: str, table: str, found: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(gateway_module, "_output", lambda *command: table)
    assert default_gateway_v6() == found


def test_the_gateway_is_the_best_default_route(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    routes = tmp_path / "route"
    routes.write_text(LINUX)
    assert default_gateway(routes) == "192.0.2.1"
    routes.write_text(LINUX_V6)
    assert default_gateway_v6(routes) == "fe80::1%eth0"


def test_without_a_default_route_no_gateway_is_guessed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    routes = tmp_path / "route"
    routes.write_text(LINUX.replace("00000000 FE0200C0", "0000A8C0 FE0200C0").splitlines()[0])
    assert default_gateway(routes) is None
    routes.write_text("tun0 00000000 00000000 0001 0 0 0 00000000 0 0 0\n")
    assert default_gateway(routes) is None
    assert default_gateway(tmp_path / "nothing") is None


def test_a_program_that_is_not_there_names_no_gateway() -> None:
    assert gateway_module._output("nodealer-no-such-program") == ""
