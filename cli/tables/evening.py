"""Several games with the same people: each is summed up, and the person is asked for another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import trio

from cli.failures import NotFinishedError
from cli.home.folders import logs_in, newest_log, regular_files
from cli.kit.output import say
from cli.tables.place import Place
from cli.words.played import Played, played
from cli.words.stopped import to_the_end
from cli.words.summary import Summary, audited, concluded
from p2p.driver.connection import AskAgain, TableResult, one_error
from p2p.errors import LobbyError
from p2p.player.choosing import Choosing
from p2p.supervisor import Supervisor
from replay.by_bot import note_bot


class Evening:
    """Plays at a table, and at those that follow it; `place` None: one game, then leave."""

    def __init__(self, place: Place | None) -> None:
        self._place = place
        self._games: list[Summary] = []
        self._played: list[Played] = []

    @property
    def again(self) -> AskAgain | None:
        """What the peers ask after each game."""
        return None if self._place is None else partial(self._ask, self._place)

    async def _ask(self, place: Place, result: TableResult, choosing: Choosing) -> bool:
        """The audit, which may take seconds, goes on while the person looks at the result."""
        await trio.to_thread.run_sync(partial(self._note_bot, result.log, over=True))
        self._played.append(await trio.to_thread.run_sync(played, result.log))
        try:
            with one_error():
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._audit, place, result)
                    await place.again(self._played, choosing)
        finally:
            if choosing.is_settled and len(self._games) == len(self._played):
                place.say(self._games[-1].as_lines())
        return False

    async def _audit(self, place: Place, result: TableResult) -> None:
        with Supervisor("audit", lambda sentence: place.say([f"*** {sentence}"])).contained():
            summary = await trio.to_thread.run_sync(audited, result.log, result.seconds)
            self._games.append(summary)

    def play(self, folder: Path, run: Callable[[], TableResult]) -> Summary:
        """Play until somebody has had enough; the summary of the last game.

        Errors as in `to_the_end`; but once a game is over, it is no failure if nobody plays
        another one.
        """
        before = logs_in(folder)
        try:
            done = to_the_end(folder, run, resumable=True)
        except (LobbyError, NotFinishedError) as error:
            if (log := newest_log(folder, before)) is not None:
                self._note_bot(log, over=False)
            if not self._games or self._is_playing(folder):
                raise
            say(f"nodealer: {error}", err=True)
            return self._games[-1]
        if done.returns is None:
            self._note_bot(done.log, over=False)
            return replace(concluded(done.log, done.seconds), left=True)
        if self._games and self._games[-1].log == done.log:  # else its audit has failed
            return self._games[-1]
        if self._place is not None:
            self._place.over()
        return concluded(done.log, done.seconds)

    def _note_bot(self, log: Path, *, over: bool) -> None:
        """Note what a bot decided for the person in this game, if it did."""
        place = self._place
        if place is not None and (place.bot_decided or place.bot_plays):
            note_bot(log, place.bot_decided, finished=over and place.bot_plays)

    def _is_playing(self, folder: Path) -> bool:
        """Whether another game has begun since the last that was summed up."""
        last = self._games[-1].log
        ended = last.stat().st_mtime
        seats = regular_files(folder, "*.ndseat").values()
        return any(state.st_mtime > ended for state in seats)
