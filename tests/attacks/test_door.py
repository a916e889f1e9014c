"""Attacks on the door of a host, over real sockets: a lobby, and a game that is being played.

The attacker is on 127.0.9.0/24, all others on 127.0.0.1.  A guest reaches the host through a
proxy that delays everything by 100 ms each way.  The host does not know her address, so she can
only come back through the door.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest
import trio

from cli.bench.delays import _carry
from p2p.driver import connection
from p2p.net.addresses import Address, listening_port
from p2p.net.invite import Invite
from p2p.net.mesh import Mesh
from p2p.net.reach_address import AnyAddress
from p2p.peer import Endpoint, TablePlan, TableResult, host_table, join_table
from p2p.protocol.terms import Terms
from tests.attacks.siege import RATE, siege
from tests.patience import PATIENCE
from tests.peer.kit import LOOPBACK, Watcher, sitter, store

AWAY = 0.1
CUT_AT = 3
"""The decision before which the guest loses all links."""
CALLS = 5
"""The guest is back at one of her first calls: within seconds, if the machine is not busy."""


class NoWayOut:
    """The transport of a host that can reach nobody."""

    async def dial(self, address: AnyAddress) -> trio.abc.Stream:
        raise ConnectionRefusedError(f"{address} cannot be reached")


@dataclass
class Table:
    """A host and two guests; the first guest loses her link and comes back."""

    host: bytes = b""
    meshes: list[Mesh] = field(default_factory=list)
    results: list[TableResult] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    """How often the guest called until she was back."""

    def mesh(self, *args: Any, **options: Any) -> Mesh:
        """Stands in for `Mesh`: the first one is the host's."""
        if not self.meshes:
            options["transport"] = NoWayOut()
        self.meshes.append(Mesh(*args, **options))
        return self.meshes[-1]

    async def cut(self, decided: int) -> None:
        """End the guest's link at one of her decisions; count her calls until she is back."""
        if decided != CUT_AT:
            return
        host, guest = self.meshes[:2]
        key = self.host
        accepted, called = host.statistics.handshakes_accepted, guest.statistics.dials
        guest._board.stop(key, "cut")
        while host.statistics.handshakes_accepted == accepted or not guest.links()[key].connected:
            await trio.sleep(0.01)
        self.calls.append(guest.statistics.dials - called)


async def far_away(nursery: trio.Nursery, port: int) -> Address:
    """A proxy to `port` that is 100 ms away."""

    async def carry(near: trio.SocketStream) -> None:
        async with near:
            try:
                far = await trio.open_tcp_stream(LOOPBACK, port)
            except OSError:
                return  # the table is over, and nobody listens: hang up on late callers
            async with far:
                await _carry(near, far, repeat(AWAY), repeat(AWAY))

    listeners = await nursery.start(partial(trio.serve_tcp, carry, 0, host=LOOPBACK))
    return Address(LOOPBACK, listening_port(listeners))


async def join(table: Table, invite: Invite, folder: Path, name: str, player: Watcher) -> None:
    (folder / name).mkdir()
    table.results.append(
        await join_table(
            sitter(name, player),
            invite,
            store(folder / name),
        )
    )


async def host(table: Table, folder: Path, started: Callable[[Invite], None]) -> None:
    (folder / "host").mkdir()
    table.results.append(
        await host_table(
            sitter("host", Watcher(0)),
            TablePlan(Terms.of("flip-over", {"rounds": 1}), 3),
            store(folder / "host"),
            started=started,
            endpoint=Endpoint(bind=LOOPBACK),
        )
    )


async def play_besieged(folder: Path, patch: pytest.MonkeyPatch, says: str, source: str) -> Table:
    """Play a whole game under siege; the guests come one second after it begins."""
    table, invites, opened = Table(), list[Invite](), trio.Event()

    def started(invite: Invite) -> None:
        invites.append(invite)
        opened.set()

    patch.setattr(connection, "Mesh", table.mesh)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(host, table, folder, started)
        await opened.wait()
        (invite,) = invites
        table.host, port = invite.identity, invite.addresses[0].port
        async with siege(port, says, source):
            await trio.sleep(1)
            invite = replace(invite, addresses=(await far_away(nursery, port),))
            async with trio.open_nursery() as guests:
                guests.start_soon(join, table, invite, folder, "Bo", Watcher(1, table.cut))
                await trio.sleep(0)
                guests.start_soon(join, table, invite, folder, "Cleo", Watcher(2))
            while len(table.results) < 3:
                await trio.sleep(0.01)
        nursery.cancel_scope.cancel()
    return table


@pytest.mark.parametrize("source", ["machine", "network"])
async def test_a_game_under_a_siege_of_silence(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody opens 200 silent connections a second to a host, before and during a game.

    Answer: a guest 100 ms away sits down, the game is played to its end, and if she loses her
    link in the middle of it, she is back after a few calls.
    """
    with trio.fail_after(PATIENCE):
        table = await play_besieged(tmp_path, monkeypatch, "nothing", source)
    assert table.calls[0] <= CALLS
    assert table.meshes[0].statistics.handshakes_crowded_out > RATE


@pytest.mark.full
@pytest.mark.parametrize("says", ["garbage", "half", "tls"])
async def test_a_game_under_a_siege_of_handshakes(
    says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same with connections that send garbage, half a handshake, or a whole one and no proof.

    Answer: the same; forty handshakes a second are begun, which takes a tenth of one processor.
    """
    with trio.fail_after(PATIENCE):
        table = await play_besieged(tmp_path, monkeypatch, says, "network")
    assert table.calls[0] <= CALLS
