"""Two machines, joined by two networks: two tables are announced, found, and one is played."""

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
