"""Two machines on networks of each kind: tables are announced, found, and played by invite."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from p2p.net.invite import Invite
from replay.audit import audit
from tests.patience import PATIENCE

NETWORKS = ("10.77.0", "10.78.0")


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True)


@contextmanager
def namespace(name: str) -> Iterator[str]:
    ip("netns", "add", name)
    try:
        ip("-n", name, "link", "set", "lo", "up")
        yield name
    finally:
        ip("netns", "del", name)


@pytest.fixture
def machines() -> Iterator[tuple[str, str]]:
    """Two network namespaces with a cable for each network; skipped if they are impossible."""
    if shutil.which("ip") is None:
        pytest.skip("there is no program ip here")
    with ExitStack() as stack:
        try:
            names = [f"nodealer{os.getpid()}{end}" for end in "ab"]
            one, other = (stack.enter_context(namespace(name)) for name in names)
            for number, network in enumerate(NETWORKS):
                ends = (f"one{number}", f"other{number}")
                peer = ("peer", "name", ends[1], "netns", other)
                ip("link", "add", ends[0], "netns", one, "type", "veth", *peer)
                for place, (name, end) in enumerate(zip((one, other), ends, strict=True), 1):
                    ip("-n", name, "addr", "add", f"{network}.{place}/24", "dev", end)
                    ip("-n", name, "link", "set", end, "up")
            ip("-n", one, "route", "add", "default", "via", f"{NETWORKS[0]}.2")
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no network namespaces here: {error.stderr.strip()}")
        yield one, other


IPV4_LINK, IPV6_LINK = ("169.254.7.1/16", "169.254.9.2/16"), ("fe80::a/64", "fe80::b/64")
LAN = ("192.168.77.1/24", "192.168.77.2/24")


@contextmanager
def cable(*addresses: tuple[str, str], bridges: int = 0) -> Iterator[tuple[str, str]]:
    """Two namespaces with one cable between them, and these addresses at its two ends.

    The first has as many container bridges besides, which the system lists first; neither has a
    route that leads out.
    """
    if shutil.which("ip") is None:
        pytest.skip("there is no program ip here")
    with ExitStack() as stack:
        try:
            names = [f"nodealer{os.getpid()}{end}" for end in "cd"]
            one, other = (stack.enter_context(namespace(name)) for name in names)
            for number in range(bridges):
                bridge = f"br-{number:012x}"
                ip("-n", one, "link", "add", bridge, "type", "bridge")
                ip("-n", one, "addr", "add", f"172.{17 + number}.0.1/16", "dev", bridge)
                ip("-n", one, "link", "set", bridge, "up")
            peer = ("peer", "name", "net0", "netns", other)
            ip("link", "add", "net0", "netns", one, "type", "veth", *peer)
            for place, name in enumerate((one, other)):
                # No other address than those that are given.
                ip("-n", name, "link", "set", "net0", "addrgenmode", "none")
                ip("-n", name, "link", "set", "net0", "up")
                for ends in addresses:
                    flags = ("nodad",) if ":" in ends[place] else ()
                    ip("-n", name, "addr", "add", ends[place], "dev", "net0", *flags)
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no network namespaces here: {error.stderr.strip()}")
        yield one, other


def start(machine: str, home: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        ["ip", "netns", "exec", machine, sys.executable, "-m", "cli.main", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NODEALER_HOME": str(home)},
    )


def said(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    return out


@pytest.mark.full
def test_tables_are_found_over_two_networks(tmp_path: Path, machines: tuple[str, str]) -> None:
    here, there = machines
    table = ("host", "flip-over", "--seats", "3", "--bots", "1", "--option", "rounds=1", "--json")
    host = start(here, tmp_path / "host", *table)
    second = start(here, tmp_path / "second", "host", "flaps", "--seats", "2", "--json")
    try:
        assert host.stdout is not None
        assert second.stdout is not None
        invites = [json.loads(one.stdout.readline())["invite"] for one in (host, second)]
        tokens = {Invite.decode(invite).token for invite in invites}
        found: dict[bytes, list[str]] = {}
        for _ in range(5):  # the second host may still be starting
            listed = json.loads(said(start(there, tmp_path / "guest", "join", "--json")))
            found = {
                Invite.decode(table["invite"]).token: table["addresses"]
                for table in listed["tables"]
            }
            if len(found) == 2:
                break
        assert found.keys() == tokens
        for addresses in found.values():
            hosts = {address.partition(":")[0] for address in addresses}
            assert hosts >= {f"{network}.1" for network in NETWORKS}
        guest = start(there, tmp_path / "guest", "join", invites[0], "--json")
        assert json.loads(said(guest))["verdict"] == "complete"
        assert said(host) == ""
        log = next((tmp_path / "guest" / "games").glob("*.ndlog"))
        assert audit(log).verified
    finally:
        for process in (host, second):
            process.terminate()
            process.communicate(timeout=PATIENCE)


@pytest.mark.full
@pytest.mark.parametrize(
    ("addresses", "bridges", "found_at"),
    [
        ([LAN], 0, "192.168.77.1"),
        ([LAN], 9, "192.168.77.1"),
        ([IPV4_LINK], 0, "169.254.7.1"),
        ([IPV6_LINK], 0, "[fe80::a]"),
        ([("fd00:77::1/64", "fd00:77::2/64"), IPV6_LINK], 0, "[fd00:77::1]"),
    ],
    ids=["no route", "bridges", "IPv4 link-local", "IPv6 link-local", "IPv6"],
)
def test_a_table_is_found_and_joined_on_any_network(
    addresses: list[tuple[str, str]], bridges: int, found_at: str, tmp_path: Path
) -> None:
    table = ("host", "flop-a", "--seats", "2", "--option", "hands=1", "--no-map", "--json")
    with cable(*addresses, bridges=bridges) as (here, there):
        host = start(here, tmp_path / "host", *table)
        try:
            assert host.stdout is not None
            opened = json.loads(host.stdout.readline())
            assert opened["addresses"][0].startswith(f"{found_at}:")
            tables: list[dict[str, list[str]]] = []
            for _ in range(5):  # the host may still be starting
                listed = said(start(there, tmp_path / "guest", "join", "--json"))
                if tables := json.loads(listed)["tables"]:
                    break
            assert tables[0]["addresses"][0].startswith(f"{found_at}:")
            guest = start(there, tmp_path / "guest", "join", opened["invite"], "--json")
            assert json.loads(said(guest))["verdict"] == "complete"
            assert said(host) == ""
        finally:
            host.terminate()
            host.communicate(timeout=PATIENCE)
