"""A host whose addresses from outside change: a new invite in the lobby and during the game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import trio

from p2p.lobby.plan import TablePlan
from p2p.net.addresses import Address
from p2p.net.endpoint import Announced, Endpoint, Found
from p2p.net.invite import Invite
from p2p.peer import host_table, join_table
from p2p.player.events import Watchable
from p2p.protocol.terms import Terms
from tests.patience import PATIENCE
from tests.peer.kit import LOOPBACK, Watcher, sitter, store

FIRST, SECOND = Address("1.2.3.4", 4433), Address("1.2.3.5", 4433)


class Router:
    """Leads the table to one address after another, as `moves` says."""

    def __init__(self) -> None:
        self.moves, self.lead = trio.open_memory_channel[Sequence[Address]](8)[::-1]

    async def outside(self, port: int, found: Found) -> None:
        async for addresses in self.moves:
            found(addresses)


async def test_changed_address_gives_one_new_invite(tmp_path: Path) -> None:
    router, invites, shown = Router(), list[Invite](), list[Invite]()
    opened, announced = trio.Event(), trio.Event()

    async def announce(table: Announced, port: int) -> None:
        shown.append(table.invite)
        if len(shown) == 2:
            announced.set()
        await trio.sleep_forever()

    def start(invite: Invite) -> None:
        invites.append(invite)
        opened.set()

    async def open_table() -> None:
        await host_table(
            sitter("host", Watcher(0)),
            TablePlan(Terms.of("sneak"), 2),
            store(tmp_path),
            started=start,
            endpoint=Endpoint(
                bind=LOOPBACK, outside=router.outside, announce=announce, moved=invites.append
            ),
        )

    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(open_table)
            router.lead.send_nowait([FIRST])
            await opened.wait()
            for addresses in ([FIRST], [SECOND], [SECOND]):
                router.lead.send_nowait(addresses)
            await announced.wait()
            nursery.cancel_scope.cancel()
    assert [invite.addresses[0] for invite in invites] == [FIRST, SECOND]
    assert shown == invites


@pytest.mark.slow
async def test_host_that_moves_in_a_game_tells_how_to_watch(tmp_path: Path) -> None:
    router = Router()

    def decides(count: int) -> object:
        if count == 3:
            router.lead.send_nowait([SECOND])
        return None

    players = [Watcher(0, decides), Watcher(1)]
    router.lead.send_nowait([FIRST])
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:

            async def join(invite: Invite) -> None:
                await join_table(sitter("guest", players[1]), invite, store(tmp_path / "guest"))

            for name in ("host", "guest"):
                (tmp_path / name).mkdir()
            await host_table(
                sitter("host", players[0]),
                TablePlan(Terms.of("sneak", {"target": 0}), 2),
                store(tmp_path / "host"),
                started=lambda invite: nursery.start_soon(join, invite),
                endpoint=Endpoint(bind=LOOPBACK, outside=router.outside),
            )
    told = [event.invite for event in players[0].events if isinstance(event, Watchable)]
    assert [invite.addresses[0] for invite in told] == [FIRST, SECOND]
