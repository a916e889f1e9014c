"""A whole table on this machine: every seat has its own keys, its own links, its own log."""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

import trio

from cli.home.own_bots import OwnBot
from cli.options.asked_table import AskedTable
from cli.options.terms import AMONG_BOTS, plan_of
from cli.words.stopped import to_the_end
from p2p.driver.connection import one_error
from p2p.errors import LobbyError
from p2p.identity.keys import Identity
from p2p.logs import logger
from p2p.net.invite import Invite
from p2p.peer import (
    Endpoint,
    Player,
    Sitter,
    Store,
    TablePlan,
    TableResult,
    host_table,
    join_table,
)
from p2p.player.choosing import Choosing
from p2p.protocol.races.terms import CAPS_US

LOG: Final = logger("cli")
Run = Callable[..., TableResult]
LOOPBACK: Final = "127.0.0.1"
"""Bots have nothing to hide behind a pause."""


class VanishedError(Exception):
    """A player on this machine is gone, as if its program had been killed."""


@dataclass(frozen=True, slots=True)
class Local:
    """Somebody who plays on this machine, and where the seat keeps its games."""

    who: Sitter
    store: Store


def bot_sitter(name: str, player: Player) -> Sitter:
    """A bot with a fresh key, which is forgotten with it."""
    return Sitter(Identity.generate(os.urandom, name).as_bot(), player)


def beside(bot: OwnBot, player: Player) -> Local:
    """A bot of this user, for whom `player` decides: it can come back."""
    return Local(Sitter(bot.identity, player), bot.store)


def play_here(
    asked: AskedTable,
    first: Sitter,
    others: Sequence[Sitter],
    folder: Path,
    plan: TablePlan | None = None,
    run: Run = trio.run,
) -> TableResult:
    """Play the whole game over loopback; the log of `first` is left in `folder`.

    Nobody can come back to it: all else that the seats write goes.
    `plan` is the table, if it is not on the usual terms of bots; `run` is what runs it: `trio.run`,
    or the place where a person sits.

    NotFinishedError if somebody left, with a sentence that says where the log is; PeerError
    if a peer was found cheating.
    """
    with tempfile.TemporaryDirectory(prefix="nodealer-") as scratch:
        guests = [Local(one, _scratch(Path(scratch, str(n)))) for n, one in enumerate(others)]
        host = Local(first, Store(folder, Path(scratch, "ledger")))
        return to_the_end(
            folder,
            lambda: run(play_table, plan or plan_of(asked, AMONG_BOTS), host, guests),
            resumable=False,
        )


def _scratch(folder: Path) -> Store:
    folder.mkdir()
    return Store(folder, folder / "ledger")


async def play_table(plan: TablePlan, host: Local, guests: Sequence[Local]) -> TableResult:
    """A whole table over loopback; the result of its host."""
    async with with_bots() as nursery:

        def opened(invite: Invite) -> None:
            stay = host.who.again is not None
            seat_guests(nursery, invite, guests, stay=stay)

        return await host_table(
            *(host.who, plan, host.store),
            started=opened,
            endpoint=Endpoint(bind=LOOPBACK),
        )


@asynccontextmanager
async def with_bots() -> AsyncIterator[trio.Nursery]:
    """For bots that play beside a seat of this process; one error of it or them comes as itself."""
    with one_error():
        async with trio.open_nursery() as nursery:
            yield nursery


def seat_guests(
    nursery: trio.Nursery,
    invite: Invite,
    guests: Sequence[Local],
    *,
    stay: bool = False,
) -> None:
    """Start a task for each guest, a bot of the host, to join."""
    for guest in guests:
        nursery.start_soon(stay_on, guest.who, partial(sits_down, invite, guest.store), stay)


async def sits_down(invite: Invite, store: Store, guest: Sitter) -> TableResult:
    """A bot of the host plays by this invite, whatever race cap the host proposes."""
    return await join_table(guest, invite, store, race_cap_us=CAPS_US[-1])


async def stay_on(guest: Sitter, sit: Callable[[Sitter], Awaitable[object]], stay: bool) -> None:
    """One guest's evening, which `sit` begins; if it is to `stay`, it plays again as long as the
    host does.  Whoever has vanished is missed by the others alone.
    """
    played: list[TableResult] = []

    async def again(result: TableResult, choosing: Choosing) -> bool:
        played.append(result)
        return True

    try:
        await sit(replace(guest, again=again if stay else None))
    except VanishedError:
        LOG.info("a guest on this machine has vanished")
    except LobbyError:
        if not played:
            raise
