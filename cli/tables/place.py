"""Where a person sits: at the full screen, or line by line.

A place is entered before anything of the peers is imported, so that the first picture is there
at once; its other methods import what they need.
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Protocol, Self, TypeVar, TypeVarTuple

from cli.home.first_start import greet
from cli.home.preferences import BELL, setting
from cli.kit.flags import is_dumb
from cli.kit.output import say
from cli.options.asked_table import beginnings
from cli.options.settings import Settings
from cli.options.table_pace import TablePace
from cli.options.terms import next_terms, said_of
from cli.words.said import WAITS

if TYPE_CHECKING:
    from cli.line.person import Person
    from cli.options.bot_levels import LobbyBots
    from cli.words.played import Played
    from p2p.player.choosing import Choosing
    from p2p.player.player import Player
    from p2p.protocol.terms import Terms

Result = TypeVar("Result")
Given = TypeVarTuple("Given")


class Place(Protocol):
    """Runs a table for a person, and shows what is said outside it."""

    pace: TablePace
    """How long what happened stays, and how long bots at this person's table think."""

    def __enter__(self) -> Self:
        """Open the place."""

    def __exit__(self, *_: object) -> None:
        """Leave the terminal as it was."""

    def player(self, *, lobby: bool = False) -> Player:
        """The person as a player; `lobby`: told who sits down while the table fills."""

    async def get_ready(self, say: Callable[[bool], None], bots: LobbyBots | None = None) -> None:
        """In the lobby: say whether the person is ready; raises if they leave.

        `bots` may be changed.
        """

    def run(self, function: Callable[[*Given], Awaitable[Result]], *args: *Given) -> Result:
        """As `trio.run`."""

    def announce(self, lines: Sequence[str]) -> None:
        """Show how others may join."""

    def say(self, lines: Sequence[str]) -> None:
        """Show something that the table does not tell by itself."""

    async def again(self, games: Sequence[Played], choosing: Choosing) -> None:
        """A game is over: let the person agree to the next one, until they leave.

        `games` are those of the evening, the last one last.  It is cancelled when the next begins.
        """

    async def between(self, games: Sequence[Played]) -> None:
        """A game is over at which the person looked on: show how it ended until the next begins.

        It is cancelled then; `games` as for `again`.
        """

    @property
    def bot_plays(self) -> bool:
        """Whether the person has left what is played to a bot."""

    @property
    def bot_decided(self) -> frozenset[int]:
        """What it decided in the last game, each by how many answers the rules had before it."""

    def over(self, games: Sequence[Played] = ()) -> None:
        """The game is over: let the person look at the table as long as they like.

        `games` as for `again`, if the last one was played to its end.
        """


def place_for(
    settings: Settings, title: str, *, watching: bool = False, knocks: bool = False
) -> Place:
    """The full screen if the terminal can show one; lines otherwise, and with `--plain`.

    `watching`: the person only looks on, and may leave at any time.  `knocks`: a host has to let
    the person in.  Whoever has no name yet is asked for one first.
    """
    greet()
    if settings.plain or is_dumb() or not sys.stdout.isatty():
        return LinePlace(settings)
    from cli.screen.place import ScreenPlace  # noqa: PLC0415 (a tenth of a second to import)

    return ScreenPlace(settings, title, watching=watching, knocks=knocks)


class LinePlace:
    """Numbered lines."""

    def __init__(self, settings: Settings) -> None:
        self.pace = TablePace(settings.pace)
        self._settings = settings
        self._ascii = settings.ascii
        self._person: Person | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Lines leave the terminal as it is."""

    def player(self, *, lobby: bool = False) -> Player:
        """A person who reads and types lines."""
        from cli.kit.attention import Attention  # noqa: PLC0415 (none of it for bots alone)
        from cli.kit.signs import LineSigns  # noqa: PLC0415
        from cli.line.lines import terminal_lines  # noqa: PLC0415 (imports the peers)
        from cli.line.person import Person  # noqa: PLC0415

        rings = setting(BELL) == "on" and sys.stdout.isatty()
        attention = Attention(signs=LineSigns() if rings else None)
        lines = terminal_lines()
        self._person = Person(self._settings, lines, lobby=lobby, attention=attention)
        return self._person

    async def get_ready(self, say: Callable[[bool], None], bots: LobbyBots | None = None) -> None:
        """One line and Enter."""
        from cli.line.in_lobby import InLobby  # noqa: PLC0415 (after the first picture)

        assert self._person is not None  # a person is made before the lobby opens
        await self._person.get_ready(InLobby(say, bots, self._choose_bots))

    def run(self, function: Callable[[*Given], Awaitable[Result]], *args: *Given) -> Result:
        """As `trio.run`; beside it, whoever is missed can be spoken of."""
        import trio  # noqa: PLC0415

        person = self._person
        if person is None:
            return trio.run(function, *args)
        return trio.run(person.beside, function, *args)

    def announce(self, lines: Sequence[str]) -> None:
        """Print the lines."""
        for line in lines:
            say(line)

    def say(self, lines: Sequence[str]) -> None:
        """Print the lines, above what is asked just now."""
        if self._person is None:
            self.announce(lines)
        else:
            self._person.show_news(lines)

    async def again(self, games: Sequence[Played], choosing: Choosing) -> None:
        """Lines; a person who left the table, or closed the input, has had enough."""
        from cli.words.played import evening_lines, story_of  # noqa: PLC0415 (imports the peers)

        self.say(evening_lines(games))
        story = partial(story_of, games[-1].log, ascii=self._settings.ascii)
        if self._person is not None:
            await self._person.again(choosing, story, partial(self._choose, choosing))

    def _choose(self, choosing: Choosing, people: int, given_up: Event) -> Terms | None:
        """Ask line by line for another game on the old terms to propose; None for nothing."""
        from cli.menu.asked import another  # noqa: PLC0415 (only where it is asked)
        from cli.menu.lines import choose_in_lines  # noqa: PLC0415

        old = choosing.plan
        flow = another(people, said_of(old.narrowed(people)), beginnings(choosing.same, old))
        chosen = choose_in_lines(self._settings, flow, given_up)
        return None if chosen is None else next_terms(chosen, old, people)

    def _choose_bots(self, levels: Mapping[str, str], given_up: Event) -> dict[str, str] | None:
        """Ask line by line how well these bots play; None for nothing."""
        from cli.menu.asked import bots_here, read  # noqa: PLC0415 (only where it is asked)
        from cli.menu.lines import choose_in_lines  # noqa: PLC0415

        chosen = choose_in_lines(self._settings, bots_here(levels), given_up)
        return None if chosen is None else read(" ".join(chosen))

    async def between(self, games: Sequence[Played]) -> None:
        """Say how the evening stands; what happens next is told as it comes."""
        from cli.words.played import evening_lines  # noqa: PLC0415 (imports the peers)

        self.say([*evening_lines(games), WAITS])

    @property
    def bot_plays(self) -> bool:
        """As long as the person has not taken the place back."""
        return self._person is not None and self._person.bot_plays

    @property
    def bot_decided(self) -> frozenset[int]:
        """As the person's seat counts them."""
        return frozenset() if self._person is None else self._person.bot_decided

    def over(self, games: Sequence[Played] = ()) -> None:
        """What was said is still there."""
