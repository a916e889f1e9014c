"""A machine that moves to another network, while people are awaited and in the middle of a game."""

from __future__ import annotations

from collections.abc import Sequence
from ipaddress import ip_address
from pathlib import Path

import pytest
import trio

from p2p.driver import moves
from p2p.driver.connection import Connected
from p2p.driver.moves import FOLLOW_SECONDS, SEARCH_SECONDS, follow_addresses, search_again
from p2p.lobby.plan import TablePlan
from p2p.net.addresses import Address
from p2p.net.interfaces import OwnAddress
from p2p.net.invite import Invite
from p2p.net.lan import LanError, LanTable
from p2p.net.lan_search import Heard
from p2p.net.memory_network import MemoryNetwork
from p2p.net.mesh import Mesh
from p2p.peer import Endpoint, host_table, join_table
from p2p.player.events import Watchable
from p2p.protocol.terms import Terms
from p2p.table.invitation import Invitation
from p2p.table.notice import Notice
from tests.net.helpers import until
from tests.patience import PATIENCE
from tests.peer.kit import LOOPBACK, Watcher, sitter, store
from tests.peer.test_notice import Network
from tests.protocol.kit import identities

HOST, GUEST = identities(2)
TOKEN = bytes(16)
HOME, CAFE = Address("192.168.1.5", 7000), Address("10.0.0.9", 7000)
NOWHERE = Address(LOOPBACK, 7000)


async def test_a_machine_that_moves_is_noticed_once(autojump_clock: object) -> None:
    """One without a network stays where it was: it may come back there."""
    peer, seen = Connected(HOST, None), list[tuple[Address, ...]]()
    found: list[list[Address]] = [[HOME], [HOME], [NOWHERE], [HOME], [CAFE, HOME], [CAFE, HOME]]
    peer.addresses = [HOME]
    peer.on_moved = lambda: seen.append(peer.direct)
    with trio.move_on_after(5.5 * FOLLOW_SECONDS):
        await follow_addresses(peer, lambda: found.pop(0))
    assert seen == [(CAFE, HOME)]


def test_a_new_invite_is_told_once_for_each_new_address() -> None:
    peer, told = Connected(HOST, None), list[Invite]()
    peer.addresses = [HOME]
    shown = Invitation(peer, TOKEN, TablePlan(Terms.of("sneak"), 2), Notice(None, 1), told.append)
    peer.on_moved = shown.move
    for addresses in ([CAFE, HOME], [HOME], [CAFE], [HOME, CAFE]):
        peer.move(addresses)
    assert [invite.addresses for invite in told] == [(CAFE, HOME)]
    assert Invite.decode(told[0].encode()).token == TOKEN


async def test_a_host_that_has_moved_is_found_by_its_announcement(autojump_clock: object) -> None:
    """Its old address leads nowhere, and it does not know ours."""
    network, searched = MemoryNetwork(), list[float]()
    peer = Connected(GUEST, None, transport=network.transport("guest"))
    host = Mesh(HOST, {GUEST.public: []}, transport=network.transport("cafe"))
    impostor = Address("impostor", 7000)
    peer.mesh.add(HOST.public, [HOME])

    def table(key: bytes, addresses: Sequence[Address]) -> LanTable:
        return LanTable("sneak", 2, "Ana", Invite((CAFE,), key, TOKEN), tuple(addresses))

    async def search() -> Heard:
        searched.append(trio.current_time())
        if len(searched) == 1:
            raise LanError("no network yet")
        return Heard((table(GUEST.public, [impostor]), table(HOST.public, [CAFE])))

    async with trio.open_nursery() as nursery:
        await nursery.start(peer.mesh.run)
        await nursery.start(host.run, [network.listen(CAFE)])
        nursery.start_soon(search_again, peer, HOST.public, search)
        await until(lambda: peer.mesh.is_linked(HOST.public))
        count = len(searched)
        await trio.sleep(10 * SEARCH_SECONDS)
        assert len(searched) == count, "a host that is linked is not searched for"
        nursery.cancel_scope.cancel()


@pytest.mark.slow
async def test_seats_and_network_learn_where_a_host_has_moved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the lobby friends get a new invite, in the game the players and the announcement do."""
    monkeypatch.setattr(moves, "FOLLOW_SECONDS", 0.01)
    own = [OwnAddress("eth0", 1, ip_address(HOME.host))]
    network, told = Network(), list[Invite]()

    def move(host: str) -> None:
        own[:] = [OwnAddress("eth0", 1, ip_address(host))]

    async def announced(host: str) -> None:
        while not network.now or network.now[0][0].addresses[0].host != host:
            await trio.sleep(0.01)

    def decides(decided: int) -> object:
        if decided != 3:
            return None
        move("10.2.2.2")
        return announced("10.2.2.2")

    players = [Watcher(0, decides), Watcher(1)]
    for name in ("host", "guest"):
        (tmp_path / name).mkdir()

    async def join(invite: Invite) -> None:
        move(CAFE.host)
        await announced(CAFE.host)
        here = [Address(LOOPBACK, invite.addresses[0].port)]
        who = sitter("guest", players[1])
        await join_table(who, invite, store(tmp_path / "guest"), addresses=here)

    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            await host_table(
                sitter("host", players[0]),
                TablePlan(Terms.of("sneak", {"target": 25}), 2),
                store(tmp_path / "host"),
                started=lambda invite: nursery.start_soon(join, invite),
                endpoint=Endpoint(
                    announce=network.announce, find_own=lambda: list(own), moved=told.append
                ),
            )
    assert [invite.addresses[0].host for invite in told] == [CAFE.host]
    for player in players:
        invites = [event.invite for event in player.events if isinstance(event, Watchable)]
        assert "10.2.2.2" in {invite.addresses[0].host for invite in invites}
