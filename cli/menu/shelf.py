"""What the menu offers: games, tables that were left, saved games, tables nearby.

Everything is looked up when it is first asked for, so that the first picture waits for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from cli.home.folders import Logs, home, logs_in, unfinished
from cli.home.preferences import SETTINGS, setting
from cli.menu.asked import Choice, Field, Offered
from cli.words.length import length

if TYPE_CHECKING:
    from engine.game import Option, Options

LEVEL: Final = "level"
SHOWN: Final = 200
"""The most saved games that are listed."""


class HomeShelf:
    """What is in this user's data folder, and what is heard on the network."""

    def __init__(self) -> None:
        self._folder: Final = home() / "games"
        self.heard: Sequence[Choice] | None = None
        """The tables that were heard of; see `listen`."""

    def games(self) -> Sequence[Offered]:
        return self._games

    @cached_property
    def _games(self) -> Sequence[Offered]:
        from engine.games import NAMES  # noqa: PLC0415 (after the first picture)

        return [_offered(name) for name in NAMES]

    def unfinished(self) -> Sequence[Choice]:
        return self._unfinished

    @cached_property
    def _unfinished(self) -> Sequence[Choice]:
        from cli.home.unfinished import left_tables  # noqa: PLC0415 (imports the peers)

        able = [table for table in left_tables(self._folder) if table.goes_on]
        return [Choice(str(one.seat_file.with_suffix(".ndlog")), one.about) for one in able]

    def saved(self) -> Sequence[Choice]:
        return self._saved

    @cached_property
    def _saved(self) -> Sequence[Choice]:
        from cli.words.saved import saved_games  # noqa: PLC0415 (imports the peers)

        found = saved_games(self._logs, SHOWN)
        return [Choice(str(one.log), one.title, one.about) for one in found]

    @cached_property
    def _logs(self) -> Logs:
        return logs_in(self._folder)

    def counts(self) -> tuple[int, int]:
        return self._counts

    @cached_property
    def _counts(self) -> tuple[int, int]:
        return len(unfinished(self._folder)), len(self._logs)

    def nearby(self) -> Sequence[Choice] | None:
        return self.heard

    def listen(self) -> Sequence[Choice]:
        """Listen for tables on this network for some seconds; none if that is impossible."""
        from cli.words.lan import line_of  # noqa: PLC0415 (imports the peers)
        from p2p.net.lan import LanError  # noqa: PLC0415
        from p2p.net.lan_search import listen  # noqa: PLC0415

        try:
            return [
                Choice(table.invite.encode(), line_of(table), begun=table.running)
                for table in listen().tables
            ]
        except LanError:
            return []

    def settings(self) -> Sequence[Field]:
        return [
            Field(one.name, one.name, one.values, setting(one), f"{one.text.capitalize()}.")
            for one in SETTINGS.values()
            if one.values
        ]

    def own_name(self) -> str:
        return self._own_name

    @cached_property
    def _own_name(self) -> str:
        from cli.home.person_identity import own_name  # noqa: PLC0415 (imports the peers)

        return own_name()

    def refuse_invite(self, text: str) -> str:
        from p2p.net.invite import Invite, InviteError  # noqa: PLC0415 (imports the peers)

        try:
            Invite.decode(text)
        except InviteError as error:
            return f"{str(error).rstrip('.')}."
        return ""

    def refuse_name(self, text: str) -> str:
        from p2p.identity.file import IdentityFileError, check_name  # noqa: PLC0415

        try:
            check_name(text)
        except IdentityFileError as error:
            return f"{str(error).rstrip('.')}."
        return ""


def _offered(name: str) -> Offered:
    from engine.errors import UsageError  # noqa: PLC0415
    from engine.games import load, load_text  # noqa: PLC0415

    game, text = load(name), load_text(name)
    options = tuple(map(_field, game.options))
    about = f"{game.seats[0]} to {game.seats[-1]} players"
    about += "".join(f", levels {one.range}" for one in options if one.name == LEVEL)

    def checked(chosen: Mapping[str, str]) -> tuple[int, Options]:
        written = {one.name: chosen[one.name] for one in options}
        seats, values = int(chosen["seats"]), game.parse_options(written)
        game.check(seats, values)
        return seats, values

    def refuse(chosen: Mapping[str, str]) -> str:
        try:
            checked(chosen)
        except UsageError as error:
            return f"{error}."
        return ""

    def lasts(chosen: Mapping[str, str]) -> str:
        try:
            return length(text, *checked(chosen))
        except UsageError:
            return ""

    return Offered(
        *(name, game.title, about, tuple(game.seats), options, refuse),
        cloth=text.cloth,
        carries=game.lose is not None,
        races=game.races,
        lasts=lasts,
    )


def _field(option: Option) -> Field:
    from engine.game import spell  # noqa: PLC0415

    values, is_level = tuple(map(spell, option.allowed)), option.name == LEVEL
    # A new player begins with the first level, whatever the complete game is.
    default = values[0] if is_level else spell(option.default)
    text = option.text[0].upper() + option.text[1:]
    return Field(
        *(option.name, option.name, values, default, text, option.meanings), rule=not is_level
    )
