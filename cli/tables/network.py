"""A seat at a table with others: as its host, or by invite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import trio

from cli.home.one_seat import only_here
from cli.home.own_bots import MakeBot, OwnBot, new_bots
from cli.home.person_identity import own_identity, own_store
from cli.options.asked_table import AskedTable
from cli.options.bot_levels import OUT
from cli.options.give_up_option import patience
from cli.options.host_options import AskedBot, AskedBots, AskedEndpoint, AskedGuest, AskedHost
from cli.options.reach_option import reach_news
from cli.options.settings import Settings, print_json
from cli.options.terms import Said, plan_of
from cli.tables.bot_names import bot_names, level_of
from cli.tables.bots import GuestBot, bot_player
from cli.tables.departures import Departing, dies, leaves
from cli.tables.evening import Evening
from cli.tables.host_bots import Chair, HostBots
from cli.tables.host_door import HostDoor
from cli.tables.loopback import Local, beside, sits_down, stay_on, with_bots
from cli.tables.nearby import Nearby
from cli.tables.place import LinePlace, Place
from cli.words.invitation import invitation_lines
from cli.words.summary import Summary
from engine.levels import NORMAL
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from p2p.net.lan_search import find_tables
from p2p.peer import (
    Endpoint,
    Player,
    Sitter,
    TablePlan,
    TableResult,
    host_table,
    join_table,
)
from p2p.player.player import GetReady

MOVED: Final = "Your network has changed. Friends who are not here yet need this new line."


@dataclass(frozen=True)
class Hosting:
    """A table to be opened: its bots, its endpoint and its terms."""

    bots: AskedBots
    at: AskedEndpoint
    said: Said
    own: AskedHost
    as_json: bool


def host_match(
    asked: AskedTable, hosting: Hosting, settings: Settings, place: Place | None
) -> Summary:
    """Open a table, wait until it is full, play; your seat is a bot's unless you have a place."""
    player: Player
    identity, store = own_identity()[0], own_store()
    if place is not None:
        player = place.player(lobby=hosting.bots.count < asked.seats - 1)
    else:
        level, seed = level_of(identity.name), hosting.bots.seed
        identity, player = identity.as_bot(), bot_player(asked.game.name, seed, 0, level=level)
    at = place or LinePlace(settings)
    with new_bots() as make_bot:
        evening = Evening(place)
        waits = patience(hosting.own.give_up)
        me = Sitter(identity, player, again=evening.again, patience=waits)
        host = _Host(asked, hosting, settings, Local(me, store), make_bot, at)
        return evening.play(store.folder, lambda: at.run(host.run))


@dataclass(frozen=True)
class _Host:
    """A table that is being opened: for whom, with which bots, and where."""

    asked: AskedTable
    hosting: Hosting
    settings: Settings
    me: Local
    make_bot: MakeBot
    place: Place

    @property
    def plan(self) -> TablePlan:
        """The table that is proposed."""
        return plan_of(self.asked, self.hosting.said)

    @property
    def empty(self) -> int:
        """Seats for people besides the host."""
        return self.asked.seats - 1 - self.hosting.bots.count

    @property
    def _asks(self) -> bool:
        """Whether the person has to say that they are ready; among bots nobody has to wait."""
        return self._stays and bool(self.empty) and not self.hosting.own.ready

    @property
    def _stays(self) -> bool:
        """Whether another game with the same people may follow."""
        return self.me.who.again is not None

    async def run(self) -> TableResult:
        hosting, who = self.hosting, self.me.who
        nearby = Nearby(who.identity.name, hosting.at.bind, self._say)
        async with with_bots() as nursery:
            bots = HostBots(self._chairs(), self.make_bot, self._say if self._asks else None)

            def opened(invite: Invite) -> None:
                self._announce(invite, nearby.with_invite())
                bots.open(nursery, partial(self._bot_sits, invite))

            door = HostDoor(self._say, bots.has, by_hand=hosting.at.accept)
            get_ready = partial(bots.get_ready, self.place.get_ready) if self._asks else None
            return await host_table(
                replace(who, player=door.beside(bots.beside(who.player)), get_ready=get_ready),
                self.plan,
                self.me.store,
                started=opened,
                endpoint=self._endpoint(nearby),
            )

    def _chairs(self) -> list[Chair]:
        """For bots that are wanted from the beginning, and for all that may be wanted yet."""
        levels = self.hosting.bots.bots.levels
        each = [*levels, *[OUT] * self.empty]
        names = bot_names([NORMAL] * len(each), taken=[self.me.who.identity.name])
        return [Chair(name, level) for name, level in zip(names, each, strict=True)]

    async def _bot_sits(
        self, invite: Invite, number: int, bot: OwnBot, get_ready: GetReady
    ) -> None:
        game, asked = self.asked.game.name, self.hosting.bots
        level, thinks = level_of(bot.identity.name), self.place.pace.thinks
        player = bot_player(game, asked.seed, number + 1, asked.pace.pace(), thinks, level)
        one = beside(bot, player)
        sits = partial(sits_down, invite, one.store)
        await stay_on(replace(one.who, get_ready=get_ready), sits, self._stays)

    def _endpoint(self, nearby: Nearby) -> Endpoint:
        at = self.hosting.at
        local = at.bind is not None or not self.empty
        return Endpoint(
            *(at.port, at.bind, at.reach.plan(at.bind)),
            outside=None if at.no_map or local else nearby.outside,
            announce=None if at.no_announce or not self.empty else nearby.announced,
            moved=self._move,
            say=nearby.tell,
        )

    def _say(self, line: str) -> None:
        if not self.hosting.as_json:
            self.place.say([line])

    def _move(self, invite: Invite) -> None:
        """Tell the invite again: this machine is on another network now."""
        self._announce(invite, [MOVED])

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
    guest: AskedGuest,
    bot: AskedBot,
    place: Place | None,
    addresses: Sequence[Address] = (),
) -> Summary:
    """Sit down by invite and play; your seat is a bot's unless you have a place.

    `addresses` are tried besides those of the invite.  LobbyError for a table whose races credit
    more delay than the guest grants.
    """
    identity, store = own_identity()[0], own_store()
    if place is not None:
        player = place.player(lobby=True)
    else:
        identity, player = identity.as_bot(), _departing(GuestBot(bot.seed), bot)
    get_ready = None if place is None or guest.ready else place.get_ready
    run = trio.run if place is None else place.run
    evening = Evening(place)

    async def join() -> TableResult:
        return await join_table(
            Sitter(identity, player, get_ready, evening.again, patience(guest.give_up)),
            invite,
            store,
            endpoint=Endpoint(reach=guest.reach.plan(), search=find_tables),
            addresses=addresses,
            race_cap_us=1_000 * guest.race_cap,
        )

    with only_here(store.folder, invite.token):
        return evening.play(store.folder, lambda: run(join))


def _departing(player: Player, bot: AskedBot) -> Player:
    """The bot of a guest, who may be to go before the end."""
    if bot.leave_at is not None:
        player = Departing(player, bot.leave_at, leaves)
    return player if bot.die_at is None else Departing(player, bot.die_at, dies)
