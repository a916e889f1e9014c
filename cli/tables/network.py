"""A seat at a table with others: as its host, or by invite."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import trio

from cli.home.folders import games_folder, ledger_folder
from cli.home.one_seat import only_here
from cli.home.person_identity import own_identity
from cli.options.asked_table import AskedTable
from cli.options.host_options import AskedBots, AskedEndpoint
from cli.options.reach_option import reach_news
from cli.options.settings import Settings, print_json
from cli.tables.bot_names import bot_names
from cli.tables.bots import GuestBot, bot_player
from cli.tables.evening import Evening
from cli.tables.loopback import bot_sitter, plan_of, seat_guests
from cli.tables.nearby import Nearby
from cli.tables.place import LinePlace, Place
from cli.words.invitation import invitation_lines
from cli.words.summary import Summary
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from p2p.net.reach_plan import ReachPlan
from p2p.peer import (
    Endpoint,
    Player,
    Sitter,
    Store,
    TableResult,
    host_table,
    join_table,
    resume_table,
)
from p2p.protocol.races.terms import RaceTerms
from p2p.seat.connection import AskAgain


@dataclass(frozen=True)
class Hosting:
    """How a table is opened: with which bots, and where; `ready`: the person need not be asked."""

    bots: AskedBots
    at: AskedEndpoint
    race: RaceTerms
    as_json: bool
    ready: bool


def host_match(
    asked: AskedTable, hosting: Hosting, settings: Settings, place: Place | None
) -> Summary:
    """Open a table, wait until it is full, play; your seat is a bot's unless you have a place."""
    player: Player
    if place is not None:
        player = place.player(lobby=hosting.bots.bots < asked.seats - 1)
    else:
        player = bot_player(asked.game.name, hosting.bots.seed, 0)
    at, store = place or LinePlace(settings), _store(games_folder())
    with tempfile.TemporaryDirectory(prefix="nodealer-") as scratch:
        evening = Evening(place)
        host = _Host(asked, hosting, settings, player, store, Path(scratch), at, evening.again)
        resumable = hosting.bots.bots == 0
        return evening.play(store.folder, lambda: at.run(host.run), resumable=resumable)


@dataclass(frozen=True)
class _Host:
    """A table that is being opened: for whom, with which bots, and where."""

    asked: AskedTable
    hosting: Hosting
    settings: Settings
    player: Player
    store: Store
    scratch: Path
    place: Place
    again: AskAgain | None

    @property
    def empty(self) -> int:
        """Seats for people besides the host."""
        return self.asked.seats - 1 - self.hosting.bots.bots

    @property
    def _asks(self) -> bool:
        """Whether the person has to say that they are ready; among bots nobody has to wait."""
        return self.again is not None and bool(self.empty) and not self.hosting.ready

    async def run(self) -> TableResult:
        hosting, identity = self.hosting, own_identity()[0]
        nearby = Nearby(self.asked, identity.name, hosting.at.bind, self._say)
        bots = self._bots(identity.name)
        get_ready = self.place.get_ready if self._asks else None
        async with trio.open_nursery() as nursery:

            def opened(invite: Invite) -> None:
                self._announce(invite, nearby.found)
                stay = self.again is not None
                seat_guests(nursery, invite, bots, self.scratch, hosting.race, stay=stay)

            return await host_table(
                Sitter(identity, self.player, get_ready, self.again),
                plan_of(self.asked, hosting.race),
                self.store,
                started=opened,
                endpoint=self._endpoint(nearby),
            )

    def _bots(self, host: str) -> list[Sitter]:
        game, bots = self.asked.game.name, self.hosting.bots
        names = bot_names(bots.bots, taken=[host])
        thinks = self.place.pace.thinks
        return [
            bot_sitter(name, bot_player(game, bots.seed, seat, bots.pace.pace(), thinks))
            for seat, name in enumerate(names, start=1)
        ]

    def _endpoint(self, nearby: Nearby) -> Endpoint:
        at = self.hosting.at
        local = at.bind is not None or not self.empty
        return Endpoint(
            *(at.port, at.bind, at.reach.plan(at.bind)),
            outside=None if at.no_map or local else nearby.outside,
            announce=None if at.no_announce or not self.empty else nearby.announced,
        )

    def _say(self, line: str) -> None:
        if not self.hosting.as_json:
            self.place.say([line])

    def _announce(self, invite: Invite, found: Sequence[str]) -> None:
        if self.hosting.as_json:
            addresses = [str(address) for address in invite.everywhere]
            print_json({"invite": invite.encode(), "addresses": addresses})
        elif self.empty:
            with_code = not (self.settings.ascii or self.settings.plain)
            news = [*found, *reach_news(invite.reach)]
            lines = invitation_lines(invite, self.empty, with_code=with_code, found=news)
            self.place.announce(lines)


def join_match(
    invite: Invite,
    seed: int | None,
    place: Place | None,
    *,
    race_cap_us: int,
    ready: bool = False,
    addresses: Sequence[Address] = (),
    reach: ReachPlan | None = None,
) -> Summary:
    """Sit down by invite and play; your seat is a bot's unless you have a place.

    `ready`: the person need not be asked; `addresses` are tried besides those of the invite.
    LobbyError for a table whose races credit more delay than `race_cap_us`.
    """
    identity, store = own_identity()[0], _store(games_folder())
    player = GuestBot(seed) if place is None else place.player(lobby=True)
    get_ready = None if place is None or ready else place.get_ready
    run = trio.run if place is None else place.run
    evening = Evening(place)

    async def join() -> TableResult:
        return await join_table(
            Sitter(identity, player, get_ready, evening.again),
            invite,
            store,
            endpoint=Endpoint(reach=reach),
            addresses=addresses,
            race_cap_us=race_cap_us,
        )

    with only_here(store.folder, invite.token):
        return evening.play(store.folder, lambda: run(join), resumable=True)


def resume_match(seat_file: Path, seed: int | None, place: Place | None) -> Summary:
    """Sit down again at an unfinished table; your seat is a bot's unless you have a place."""
    identity, _ = own_identity()
    player = GuestBot(seed) if place is None else place.player()
    run = trio.run if place is None else place.run
    evening = Evening(place)

    async def resume() -> TableResult:
        who = Sitter(identity, player, again=evening.again)
        return await resume_table(who, seat_file, ledger_folder())

    return evening.play(seat_file.parent, lambda: run(resume), resumable=True)


def _store(folder: Path) -> Store:
    return Store(folder, ledger_folder())
