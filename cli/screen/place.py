"""The full screen as the place where a person sits (see cli.tables.place)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar, TypeVarTuple

from cli.failures import LeftTableError
from cli.home.preferences import BELL, THEME, card_lines, remembering, setting
from cli.kit.bindings import GAME
from cli.kit.output import say
from cli.kit.window import colour_depth
from cli.options.asked_table import beginnings
from cli.options.settings import Settings
from cli.options.table_pace import TablePace
from cli.options.terms import next_terms, said_of
from cli.screen.app import Screen, now
from cli.screen.deciding import Deciding
from cli.screen.model import Model
from cli.words.said import LEAVES, NO_SEAT, WAITS

if TYPE_CHECKING:
    from cli.menu.asked import Flow
    from cli.options.bot_levels import LobbyBots
    from cli.screen.player import ScreenPlayer
    from cli.words.played import Played
    from p2p.player.choosing import Choosing

Result = TypeVar("Result")
Given = TypeVarTuple("Given")
OVER = "The game is over. q leaves; then the result is shown and the log is checked."


class ScreenPlace:
    """A screen that is open from `__enter__` to `__exit__`."""

    def __init__(
        self, settings: Settings, title: str, *, watching: bool = False, knocks: bool = False
    ) -> None:
        self.pace = TablePace(settings.pace)
        self._settings = settings
        self._model = Model(f"nodealer   {title}", now, pace=self.pace)
        self._model.watching, self._model.lobby.knocks = watching, knocks
        self._model.theme, self._model.card_size = setting(THEME), card_lines()
        self._model.remember = remembering(self._model.notify)
        depth, bell = colour_depth(os.environ), setting(BELL) == "on"
        self._screen = Screen(self._model, settings, depth, bell=bell)
        self._player: ScreenPlayer | None = None

    def __enter__(self) -> Self:
        self._screen.__enter__()
        return self

    def __exit__(self, *how: object) -> None:
        self._screen.__exit__(*how)
        for line in self._player.last_words if self._player is not None else ():
            say(line)

    def player(self, *, lobby: bool = False) -> ScreenPlayer:
        """The person at the keys."""
        from cli.screen.player import ScreenPlayer  # noqa: PLC0415 (imports the peers)

        attention = self._screen.attention
        self._player = ScreenPlayer(self._model, self._settings, lobby=lobby, attention=attention)
        return self._player

    def run(self, function: Callable[[*Given], Awaitable[Result]], *args: *Given) -> Result:
        """Like `trio.run`, while keys are read and pictures are drawn."""
        return self._screen.run(function, *args)

    async def get_ready(self, say: Callable[[bool], None], bots: LobbyBots | None = None) -> None:
        """One key: Enter is ready, and Enter again is not; keys that leave the table leave here."""
        import trio  # noqa: PLC0415 (after the first picture)

        model, left = self._model, trio.Event()
        leave, model.leave = model.leave, left.set
        model.lobby.set_ready = say
        if bots is not None:
            model.lobby.change_bots = partial(self._change_bots, say, bots)
            model.lobby.change_game = self._change_game
        model.changed()
        try:
            await left.wait()
        finally:
            model.leave, model.lobby.set_ready, model.lobby.change_bots = leave, None, None
            model.lobby.change_game = None
            model.over.close()
        raise LeftTableError("You left the table.")

    def _change_bots(self, say: Callable[[bool], None], bots: LobbyBots) -> str:
        """Ask how well they play; whoever does that is not ready."""
        from cli.menu.asked import bots_here, read  # noqa: PLC0415 (only where it is asked)

        say(False)
        if not (levels := bots.offered()):
            return NO_SEAT
        self._over(bots_here(levels), lambda argv: bots.change(read(" ".join(argv))))
        return ""

    def _change_game(self) -> None:
        """Ask a host for a game and its terms, and type the answer as a command."""
        from cli.menu.asked import changed  # noqa: PLC0415 (only where it is asked)

        model, lobby = self._model, self._player.gathering if self._player else None
        if lobby is None:
            return

        def chosen(argv: Sequence[str]) -> None:
            if model.send_chat is not None:
                model.send_chat(f"/{GAME.name} {' '.join(argv)}")

        begins = beginnings(lobby.terms)
        self._over(changed(len(lobby.people), lobby.seats, said_of(lobby.terms), begins), chosen)

    def _over(self, flow: Flow, chosen: Callable[[Sequence[str]], None]) -> None:
        """Ask this over the table."""
        from cli.menu.model import Menu  # noqa: PLC0415 (only where it is asked)
        from cli.menu.shelf import HomeShelf  # noqa: PLC0415

        self._model.over.open(Menu(HomeShelf(), theme=self._model.theme, flow=flow), chosen)

    def announce(self, lines: Sequence[str]) -> None:
        """Show the lines until the game begins."""
        self._model.lobby.show(lines)
        self._model.changed()

    def say(self, lines: Sequence[str]) -> None:
        """Add the lines to the events; in the lobby the newest one is shown at once."""
        self._model.happened(lines)
        if self._model.gathers:
            self._model.lobby.hear(lines)
            self._model.changed()

    async def again(self, games: Sequence[Played], choosing: Choosing) -> None:
        """Keys agree or propose; those that leave the table leave here too."""
        import trio  # noqa: PLC0415 (after the first picture)

        from cli.words.next_game import OVER, Outlook  # noqa: PLC0415 (imports the peers)

        model, left = self._model, trio.Event()
        leave, model.leave = model.leave, left.set
        outlook = Outlook(choosing.names, choosing.seat)
        model.afterwards.decide(
            Deciding(choosing, outlook, partial(self._choose, choosing), left.set)
        )
        model.ended = OVER
        self._show_result(games)
        model.changed()
        try:
            await left.wait()
        finally:
            model.leave, model.ended = leave, ""
            model.afterwards.clear()
            model.over.close()

    def _choose(self, choosing: Choosing) -> None:
        """Let the host choose another game, and propose it."""
        from cli.menu.asked import another  # noqa: PLC0415 (only where it is asked)

        model, people = self._model, choosing.people
        old = choosing.plan
        model.notice = ""

        def chosen(argv: Sequence[str]) -> None:
            deciding = model.afterwards.deciding
            if deciding is not None:
                model.notice = deciding.agree(next_terms(argv, old, people))

        self._over(
            another(people, said_of(old.narrowed(people)), beginnings(choosing.same, old)), chosen
        )

    def _show_result(self, games: Sequence[Played]) -> None:
        """The last of these games as a page over the table."""
        from cli.screen.finished import shown  # noqa: PLC0415 (imports the peers)

        log, after = games[-1].log, self._model.afterwards
        after.result = shown(games)
        after.look_back = lambda: self._screen.run_command(["replay", str(log)])
        after.story = lambda: self._screen.later(partial(self._tell_story, log))
        after.export = lambda: self._export(log)

    async def _tell_story(self, log: Path) -> None:
        """Show the game as prose; nothing of it is verified by that."""
        from cli.words.played import story_of  # noqa: PLC0415 (imports the peers)

        told = await asyncio.to_thread(story_of, log, ascii=self._settings.ascii)
        self._model.show("The story of the game", told)
        self._model.changed()

    def _export(self, log: Path) -> None:
        """Write the page of a game beside its log."""
        page = log.with_suffix(".html")

        def told(done: bool) -> None:
            self._model.notify(f"Written: {page}" if done else f"{page} could not be written.")
            self._model.changed()

        self._screen.run_command(["export", str(log), "--html", "-o", str(page)], told)

    async def between(self, games: Sequence[Played]) -> None:
        """The result, and below it what the players say."""
        import trio  # noqa: PLC0415 (after the first picture)

        model = self._model
        model.ended = f"{WAITS} {LEAVES}"
        self._show_result(games)
        model.changed()
        try:
            await trio.sleep_forever()
        finally:
            model.ended = ""
            model.afterwards.clear()

    @property
    def bot_plays(self) -> bool:
        """As long as the person has not taken the place back."""
        return self._model.going.bot_plays

    @property
    def bot_decided(self) -> frozenset[int]:
        """As the person's seat counts them."""
        return self._model.going.bot_decided

    def over(self, games: Sequence[Played] = ()) -> None:
        """Stay at the table until the person leaves it."""
        if games:
            self._show_result(games)
        self._screen.linger(OVER)
