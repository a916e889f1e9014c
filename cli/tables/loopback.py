"""A whole table on this machine: every seat has its own keys, its own links, its own log."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import trio

from cli.options.asked_table import AskedTable
from cli.words.stopped import to_the_end
from p2p.identity.keys import Identity
from p2p.lobby.host import LobbyError
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
from p2p.protocol.races.terms import RaceTerms

Run = Callable[..., TableResult]
LOOPBACK: Final = "127.0.0.1"
AMONG_BOTS: Final = RaceTerms(hold_us=0)
"""Bots have nothing to hide behind a pause."""


def bot_sitter(name: str, player: Player) -> Sitter:
    """A bot with a fresh key, which is forgotten with it."""
    return Sitter(Identity.generate(os.urandom, name), player)


def plan_of(asked: AskedTable, race: RaceTerms) -> TablePlan:
    """The table that somebody asked for, as the peers need it."""
    return TablePlan(asked.game.name, asked.seats, asked.options, race=race)


def play_here(
    asked: AskedTable,
    first: Sitter,
    others: Sequence[Sitter],
    folder: Path,
    race: RaceTerms = AMONG_BOTS,
    run: Run = trio.run,
) -> TableResult:
    """Play the whole game over loopback; the log of `first` is left in `folder`.

    `run` is what runs it: `trio.run`, or the place where a person sits.

    NotFinishedError if somebody left, with a sentence that says where the log is; PeerError
    if a peer was found cheating.
    """
    with tempfile.TemporaryDirectory(prefix="nodealer-") as scratch:
        return to_the_end(
            folder,
            lambda: run(_play, plan_of(asked, race), first, others, folder, Path(scratch)),
            resumable=False,
        )


async def _play(
    plan: TablePlan, first: Sitter, others: Sequence[Sitter], folder: Path, scratch: Path
) -> TableResult:
    async with trio.open_nursery() as nursery:

        def opened(invite: Invite) -> None:
            seat_guests(nursery, invite, others, scratch, plan.race)

        return await host_table(
            *(first, plan, Store(folder, scratch / "ledger")),
            started=opened,
            endpoint=Endpoint(bind=LOOPBACK),
        )


def seat_guests(
    nursery: trio.Nursery,
    invite: Invite,
    guests: Sequence[Sitter],
    scratch: Path,
    race: RaceTerms,
    *,
    stay: bool = False,
) -> None:
    """Start a task for each guest to join, with its own folder under `scratch`.

    They are the host's own bots and agree to what it proposes for `race`.
    """
    for number, guest in enumerate(guests):
        own = scratch / str(number)
        own.mkdir()
        nursery.start_soon(_join, invite, guest, own, race.cap_us, stay)


async def _join(invite: Invite, guest: Sitter, folder: Path, race_cap_us: int, stay: bool) -> None:
    """One guest's evening; if it is to `stay`, it plays again as long as the host does."""
    played: list[TableResult] = []

    async def again(result: TableResult) -> bool:
        played.append(result)
        return True

    try:
        await join_table(
            replace(guest, again=again if stay else None),
            invite,
            Store(folder, folder / "ledger"),
            race_cap_us=race_cap_us,
        )
    except LobbyError:
        if not played:
            raise
