"""A seat at a table with others: as its host, or by invite."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

import trio

from cli.asked_table import AskedTable
from cli.bot_names import bot_names
from cli.bots import GuestBot, bot_player
from cli.folders import games_folder
from cli.invitation import invitation_lines
from cli.leaving import to_the_end
from cli.loopback import bot_sitter, plan_of, seat_guests
from cli.person_identity import own_identity
from cli.place import LinePlace, Place
from cli.settings import Settings, print_json
from cli.summary import Summary, audited
from p2p.bots import Pace
from p2p.net.invite import Invite
from p2p.peer import Player, TableResult, host_table, join_table, resume_table
from p2p.protocol.race_terms import RaceTerms


@dataclass(frozen=True)
class Hosting:
    """How a table is opened; `port` 0 takes any free one, `bind` None all interfaces."""

    bots: int
    port: int
    bind: str | None
    race: RaceTerms
    pace: Pace
    seed: int | None
    as_json: bool


def host_match(
    asked: AskedTable, hosting: Hosting, settings: Settings, place: Place | None
) -> Summary:
    """Open a table, wait until it is full, play; your seat is a bot's unless you have a place."""
    player: Player
    if place is not None:
        player = place.player(lobby=True)
    else:
        player = bot_player(asked.game.name, hosting.seed, 0)
    at = place or LinePlace(settings)
    folder = games_folder()
    with tempfile.TemporaryDirectory(prefix="nodealer-") as scratch:
        done = to_the_end(
            folder,
            lambda: at.run(_host, asked, hosting, settings, player, folder, Path(scratch), at),
            resumable=hosting.bots == 0,
        )
    if place is not None:
        place.over()
    return audited(done.log, done.seconds)


async def _host(
    asked: AskedTable,
    hosting: Hosting,
    settings: Settings,
    player: Player,
    folder: Path,
    scratch: Path,
    place: Place,
) -> TableResult:
    identity, _ = own_identity()
    names = bot_names(hosting.bots, taken=[identity.name])
    bots = [
        bot_sitter(name, bot_player(asked.game.name, hosting.seed, seat, hosting.pace))
        for seat, name in enumerate(names, start=1)
    ]
    async with trio.open_nursery() as nursery:

        def opened(invite: Invite) -> None:
            _announce(invite, asked.seats - 1 - hosting.bots, hosting, settings, place)
            seat_guests(nursery, invite, bots, scratch, hosting.race)

        return await host_table(
            identity,
            plan_of(asked, hosting.race),
            player,
            folder=folder,
            port=hosting.port,
            bind=hosting.bind,
            started=opened,
            name=identity.name,
        )


def _announce(
    invite: Invite, empty: int, hosting: Hosting, settings: Settings, place: Place
) -> None:
    if hosting.as_json:
        addresses = [str(address) for address in invite.addresses]
        print_json({"invite": invite.encode(), "addresses": addresses})
    elif empty:
        with_code = not (settings.ascii or settings.plain)
        place.announce(invitation_lines(invite, empty, with_code=with_code))


def join_match(
    invite: Invite, seed: int | None, place: Place | None, *, race_cap_us: int
) -> Summary:
    """Sit down by invite and play; your seat is a bot's unless you have a place.

    LobbyError for a table whose races credit more delay than `race_cap_us`.
    """
    identity, _ = own_identity()
    folder = games_folder()
    player = GuestBot(seed) if place is None else place.player()
    run = trio.run if place is None else place.run

    async def join() -> TableResult:
        return await join_table(
            *(identity, invite, player),
            folder=folder,
            name=identity.name,
            race_cap_us=race_cap_us,
        )

    done = to_the_end(folder, lambda: run(join), resumable=True)
    if place is not None:
        place.over()
    return audited(done.log, done.seconds)


def resume_match(seat_file: Path, seed: int | None, place: Place | None) -> Summary:
    """Sit down again at an unfinished table; your seat is a bot's unless you have a place."""
    identity, _ = own_identity()
    player = GuestBot(seed) if place is None else place.player()
    run = trio.run if place is None else place.run

    async def resume() -> TableResult:
        return await resume_table(identity, seat_file, player)

    done = to_the_end(seat_file.parent, lambda: run(resume), resumable=True)
    if place is not None:
        place.over()
    return audited(done.log, done.seconds)
