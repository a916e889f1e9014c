"""Somebody who only watches: a table by its invite, or a log as it grows."""

from __future__ import annotations

import os
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import trio

from cli.failures import NotFinishedError
from cli.home.folders import games_folder, logs_in, newest_log
from cli.home.person_identity import own_identity
from cli.kit.output import say
from cli.line.told import Teller
from cli.options.settings import Settings
from cli.tables.place import LinePlace, Place
from cli.words.played import Played, played
from cli.words.summary import Summary, concluded
from engine.view import SPECTATOR, View
from p2p.errors import PeerError
from p2p.net.invite import Invite
from p2p.net.reach_plan import ReachPlan
from p2p.player.events import Event, Finished, Opened, Seated
from p2p.player.news import seated
from p2p.protocol.ballot import is_ballot
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import header_of, whole_records
from p2p.spectators.client import WatchResult, watch_table
from p2p.spectators.spectator import Spectator
from replay.audit import UnreadableError, read_file

LOOKS_SECONDS: Final = 0.5
"""How often to look at a log that grows."""


class Seen(NamedTuple):
    """What was watched: its log, and whether it was played to its end."""

    log: Path
    is_whole: bool


class Story:
    """Tells what happens, at the full screen of a place, or in lines (None).

    In lines the table is shown at the end; `silent` tells nothing.
    """

    def __init__(self, settings: Settings, place: Place | None, *, silent: bool) -> None:
        self._teller = Teller(settings, later=self._print)
        self._settings = settings
        self._place = place
        self._player = None if place is None else place.player()
        self._silent = silent
        self._view: View | None = None
        self._games: list[Played] = []
        self._is_between = False
        """Whether a game was seen to its end, and no other one has begun."""

    def tell(self, event: Event) -> None:
        """Show the news."""
        if self._silent or isinstance(event, Finished):
            return
        if isinstance(event, Seated):
            self._is_between, self._view = False, None
        if self._player is not None:
            self._player.tell(event)
            return
        self._print(self._teller.news(event))
        if isinstance(event, Opened):
            self._view = event.view

    def _print(self, lines: Sequence[str]) -> None:
        for line in lines:
            say(self._settings.paint(line))

    async def between(self, log: Path) -> None:
        """A game is over: show how it ended until the next begins, which cancels this."""
        if not self._silent:
            await self._look_back(log)
            self._is_between = True
            await (self._place or LinePlace(self._settings)).between(self._games)

    async def _look_back(self, log: Path) -> None:
        """Note a game that is over, once."""
        if not self._games or self._games[-1].log != log:
            self._games.append(await trio.to_thread.run_sync(played, log))

    def run(self, watch: Callable[[], Awaitable[Seen]], folder: Path | None = None) -> Summary:
        """Watch to the end; the audit of the last log that `watch` gives.

        NotFinishedError if the person leaves during a game; what was seen is then in `folder`, if
        there is one.
        """
        began, before = time.monotonic(), None if folder is None else logs_in(folder)

        async def look() -> Path:
            log, is_whole = await watch()
            if is_whole and self._place is not None:
                await self._look_back(log)
            return log

        try:
            log = trio.run(look) if self._place is None else self._place.run(look)
        except NotFinishedError:
            if self._is_between:
                return concluded(self._games[-1].log, time.monotonic() - began)
            seen = None if folder is None else newest_log(folder, before)
            kept = "" if seen is None else f" What you saw is saved: {seen}"
            raise NotFinishedError(f"You stopped watching.{kept}") from None
        if self._place is not None:
            self._place.over(self._games if self._games and self._games[-1].log == log else ())
        self._show_table()
        return concluded(log, time.monotonic() - began)

    def _show_table(self) -> None:
        """Print the table as it stands."""
        if self._view is not None:
            self._print(["", *self._teller.table(self._view)])


def watch_live(invite: Invite, story: Story, reach: ReachPlan | None) -> Summary:
    """Follow a table to its end, and those that follow it; what was seen is kept in logs, and the
    last of them is audited.
    """
    identity, _ = own_identity()
    folder = games_folder()

    async def between(result: WatchResult) -> None:
        if result.log is not None and result.returns is not None:
            await story.between(result.log)

    async def watch() -> Seen:
        done = await watch_table(
            *(identity, invite, story.tell),
            folder=folder,
            reach_plan=reach,
            between=between,
        )
        assert done.log is not None  # there is one if a folder was given
        return Seen(done.log, done.returns is not None)

    return story.run(watch, folder)


def watch_log(path: Path, story: Story) -> Summary:
    """Tell a log from its beginning; if it still grows, follow it to its end."""

    async def follow() -> Seen:
        return Seen(path, await _follow(path, story))

    return story.run(follow)


async def _follow(path: Path, story: Story) -> bool:
    """Tell the game in a log; whether it was played to its end."""
    data = read_file(path)
    try:
        header = decode_header(header_of(data))
    except PeerError as error:
        raise UnreadableError(f"{path} cannot be watched: {error.reason}") from error
    story.tell(seated(header, SPECTATOR))
    spectator = Spectator(header, story.tell, os.urandom)
    await spectator.start()
    taken = 0
    while True:
        records = whole_records(data)
        for record in records[taken:]:
            if is_ballot(record):
                spectator.machine.ballots.receive(record)
            else:
                await spectator.receive(record)
        taken = len(records)
        # The table of a log that lies beside a seat file is not closed yet.
        over = spectator.returns is not None or spectator.closed_without
        if over or not path.with_suffix(".ndseat").exists():
            return spectator.returns is not None
        await trio.sleep(LOOKS_SECONDS)
        data = read_file(path)
