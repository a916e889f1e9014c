"""A network cable that is pulled out in the middle of Flaps: no card and no trust is lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest
import trio

import p2p.peer as peer_module
from engine.question import Question
from engine.view import View
from p2p.net.addresses import Address, listening_port
from p2p.net.invite import Invite
from p2p.net.limits import Limits
from p2p.peer import Endpoint, TablePlan, host_table, join_table
from p2p.player.bots import BotPlayer
from p2p.player.events import Back, Event, Finished, Lost, Stopped
from p2p.protocol.terms import Terms
from p2p.seat import genesis as beginning
from tests.patience import PATIENCE
from tests.peer.kit import LOOPBACK, sitter, store
from tests.peer.test_match import check_equal_logs

SECONDS = 30.0
OPTIONS = {"level": 1, "turn-limit": 100, "wins": 2}
"""Two games at least: after the cable there has to be enough left for people to be told."""
PULLED_AT = 4
"""The decision of the host at which the cable is pulled that leads to it."""


class Cable:
    """The way to a port; while it is pulled out, nothing arrives and nobody is told."""

    def __init__(self) -> None:
        self.port = 0
        """Where it leads."""
        self._whole = trio.Event()
        self._whole.set()
        self.bytes_after = 0
        self._pulled = False

    async def pull(self, seconds: float) -> None:
        """Out, and after this many seconds in again."""
        self._whole, self._pulled = trio.Event(), True
        await trio.sleep(seconds)
        self._whole.set()

    async def lead(self, *, task_status: trio.TaskStatus[int]) -> None:
        """Listen at a port of its own, which it says, and pass on what comes."""

        async def serve(near: trio.SocketStream) -> None:
            await self._whole.wait()
            far = await trio.open_tcp_stream(LOOPBACK, self.port)
            async with near, far, trio.open_nursery() as nursery:
                nursery.start_soon(self._carry, near, far)
                await self._carry(far, near)

        async with trio.open_nursery() as nursery:
            listeners = await nursery.start(trio.serve_tcp, serve, 0)
            task_status.started(listeners[0].socket.getsockname()[1])

    async def _carry(self, source: trio.SocketStream, target: trio.SocketStream) -> None:
        try:
            async for data in source:
                await self._whole.wait()
                self.bytes_after += len(data) * self._pulled
                await target.send_all(data)
            await target.send_eof()
        # The other direction, which broke first, may have closed what this one reads.
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            await trio.aclose_forcefully(target)


class Player(BotPlayer):
    """A bot that remembers what it was told, and does something at one of its decisions."""

    def __init__(self, seed: int, at_decision: Callable[[], object]) -> None:
        super().__init__("flaps", Random(seed))
        self.events: list[Event] = []
        self._left, self._act = PULLED_AT, at_decision

    async def decide(self, view: View, question: Question[object]) -> object:
        self._left -= 1
        if self._left == 0:
            self._act()
        return await super().decide(view, question)

    def tell(self, event: Event) -> None:
        self.events.append(event)


@pytest.mark.full
async def test_a_pulled_cable_costs_no_card_and_no_trust(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cable, began = Cable(), trio.current_time()
    with trio.fail_after(SECONDS + PATIENCE):
        async with trio.open_nursery() as nursery:
            only_way_to_the_host(monkeypatch, cable, await nursery.start(cable.lead))
            host = Player(0, lambda: nursery.start_soon(cable.pull, SECONDS))
            players = [host, Player(1, bool), Player(2, bool)]
            await play(tmp_path, players)
            nursery.cancel_scope.cancel()
    check_equal_logs(tmp_path, 3)
    assert trio.current_time() - began > SECONDS > 2 * Limits().silence_seconds
    assert cable.bytes_after > 0
    for player in players:
        assert isinstance(player.events[-1], Finished)
        assert not any(isinstance(event, Stopped) for event in player.events)
        assert any(isinstance(event, Lost) for event in player.events)
        assert any(isinstance(event, Back) for event in player.events)


def only_way_to_the_host(monkeypatch: pytest.MonkeyPatch, cable: Cable, port: int) -> None:
    """The host tells where the cable begins; guests tell no address, so there is no other way."""

    def told(listeners: Sequence[trio.SocketListener], *_: object) -> list[Address]:
        cable.port = cable.port or listening_port(listeners)
        hosts = cable.port == listening_port(listeners)
        return [Address(LOOPBACK, port)] if hosts else []

    monkeypatch.setattr(peer_module, "listening_addresses", told)
    monkeypatch.setattr(beginning, "MEASURING_SECONDS", 0.1)


async def play(folder: Path, players: list[Player]) -> None:
    """A session of Flaps to its end."""
    folders = [folder / str(number) for number in range(3)]
    for one in folders:
        one.mkdir()
    async with trio.open_nursery() as nursery:

        async def join(number: int, invite: Invite) -> None:
            await join_table(
                sitter(f"guest {number}", players[number]),
                invite,
                store(folders[number]),
            )

        def opened(invite: Invite) -> None:
            for number in (1, 2):
                nursery.start_soon(join, number, invite)

        await host_table(
            sitter("host", players[0]),
            TablePlan(Terms.of("flaps", OPTIONS), 3),
            store(folders[0]),
            started=opened,
            endpoint=Endpoint(bind=LOOPBACK),
        )
