"""Whole peers over TLS on loopback, in one process."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import trio

from engine.bots import random_bot
from engine.question import Question
from engine.view import View
from p2p.driver.connection import Connected
from p2p.driver.driver import Driver
from p2p.identity.keys import Identity
from p2p.lobby.guest import GuestLobby
from p2p.lobby.plan import Seating
from p2p.net.invite import Invite
from p2p.net.reach_plan import ReachPlan
from p2p.peer import (
    Endpoint,
    Player,
    Sitter,
    Store,
    TablePlan,
    TableResult,
    _sit_down,
    host_table,
    join_table,
)
from p2p.player.bots import BotPlayer
from p2p.player.events import Event
from p2p.protocol.terms import Terms
from p2p.seat.returning import Patience

LOOPBACK = "127.0.0.1"


class Watcher(BotPlayer):
    """A random bot that remembers what it was told and may be interrupted."""

    def __init__(self, seed: int, before: Callable[[int], Any] | None = None) -> None:
        super().__init__("flip-over", Random(seed), random_bot)
        self.events: list[Event] = []
        self.decided = 0
        self._before = before

    async def decide(self, view: View, question: Question[object]) -> object:
        self.decided += 1
        if self._before is not None:
            outcome = self._before(self.decided)
            if outcome is not None:
                await outcome
        return await super().decide(view, question)

    def tell(self, event: Event) -> None:
        self.events.append(event)


def quick() -> Patience:
    """Patience for tests: ask again soon, do not linger for peers that are gone."""
    return Patience(asks_again=0.3, lingers=2.0)


def identity(name: str) -> Identity:
    return Identity.generate(os.urandom, name)


def sitter(who: Identity | str, player: Player, **how: Any) -> Sitter:
    """Somebody who is ready at once and plays one game, but for what `how` says."""
    who = identity(who) if isinstance(who, str) else who
    return Sitter(who, player, **{"patience": quick(), **how})


class Sitting:
    """A guest who sits down at the table of an invite, over the links of `peer`."""

    def __init__(
        self, peer: Connected, invite: Invite, name: str, player: Player, *, ready: bool = True
    ) -> None:
        self._driver = Driver(peer.mesh, player)
        self.lobby = GuestLobby(
            *(self._driver.desk, peer.identity.renamed(name), invite, peer.list_for(invite.token)),
            race_cap_us=80_000,
            ready=ready,
        )
        _sit_down(peer, self._driver, self.lobby)

    async def seated(self) -> Seating:
        """The table that the host proposes."""
        return await self._driver.run(self.lobby.seated(), drains=False)


def store(folder: Path) -> Store:
    """A folder of games, and its ledger beside it."""
    return Store(folder, folder.with_name(f"ledger {folder.name}"))


async def play_table(
    folder: Path,
    players: Sequence[Player],
    *,
    guest: Callable[..., Any] = join_table,
    host: Callable[..., Any] = host_table,
    reach_plan: ReachPlan | None = None,
    game: str = "flip-over",
    **options: Any,
) -> list[TableResult]:
    """A table, of Flip Over as a rule; results in the order of `players`, the first one hosts."""
    results: list[TableResult | None] = [None] * len(players)
    folders = [folder / str(number) for number in range(len(players))]
    for one in folders:
        one.mkdir()

    async with trio.open_nursery() as nursery:

        async def join(number: int, invite: Invite) -> None:
            results[number] = await guest(
                sitter(f"guest {number}", players[number]),
                invite,
                store(folders[number]),
                endpoint=Endpoint(reach=reach_plan),
            )

        def opened(invite: Invite) -> None:
            for number in range(1, len(players)):
                nursery.start_soon(join, number, invite)

        results[0] = await host(
            sitter("host", players[0]),
            TablePlan(Terms.of(game, options), len(players)),
            store(folders[0]),
            started=opened,
            endpoint=Endpoint(bind=LOOPBACK, reach=reach_plan),
        )
    return [result for result in results if result is not None]
