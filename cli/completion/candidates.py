"""What may stand where the cursor is, from the words before it.  Reads names of files, no more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.completion.table import CommandTold, OptionTold, arguments_in, option, program
from cli.home.folders import home
from engine.errors import UsageError
from engine.games import all_names, load
from engine.levels import LEVELS

if TYPE_CHECKING:
    from engine.game import Game, Option

NEWEST: Final = 12
"""How many saved games are offered."""
LOGS: Final = {"LOG", "PATH...", "FILE", "FOLDER", "INVITE|LOG"}
"""What arguments are called that may be a saved game."""
GAME: Final = "GAME"
FEW: Final = 20
"""How many values of one house rule are offered at most."""
COUNTED: Final = "N|LEVELS"
BOTS: Final = {COUNTED: LEVELS, "NAMES": ("random", *LEVELS)}
"""The bots that may be named, by what the value of the option is called."""


def candidates(words: Sequence[str]) -> list[str]:
    """What may be typed for the last of these words."""
    *before, begun = words or [""]
    found = [one for one in _offered(before, begun) if one.startswith(begun)]
    # A name that a shell or a terminal would act on is not offered.
    return [one for one in found if one.isprintable()]


def _offered(before: Sequence[str], begun: str) -> Iterable[str]:
    main = program()
    command = next((word for word in before if not word.startswith("-")), None)
    if command is None:
        return _options(main) if begun.startswith("-") else main["commands"]
    told = main["commands"].get(command)
    if told is None:
        return ()
    name, joined, written = begun.partition("=")
    if joined and begun.startswith("--"):
        alone = _offered([*before, name], written) if option(told, name) else ()
        return [f"{name}={one}" for one in alone]
    after = before[before.index(command) + 1 :]
    value = option(told, after[-1]) if after else None
    if value is not None and value["value"] is not None:
        return _values(value, _game(told, after), begun)
    if begun.startswith("-"):
        return _options(told)
    return _arguments(told, arguments_in(told, after))


def _options(told: CommandTold) -> Iterable[str]:
    return chain.from_iterable(one["names"] for one in told["options"])


def _arguments(told: CommandTold, given: Sequence[str]) -> Iterable[str]:
    names = told["arguments"]
    if not names:
        return ()
    many = names[-1].endswith("...")
    if len(given) >= len(names) and not many:
        return ()
    kind = names[min(len(given), len(names) - 1)]
    if kind in LOGS:
        return saved_games()
    return OFFERED.get(kind, list)()


def _values(told: OptionTold, game: Game | None, begun: str) -> Iterable[str]:
    """What may follow an option; where it is a file, the shell offers files itself."""
    bots = _listed(begun, BOTS.get(told["value"] or "", ()))
    if told["choices"] or game is None:
        return told["choices"] or bots
    match told["names"][-1]:
        case "--level":
            return _allowed(game, "level")
        case "--option":
            names = [one.name for one in game.options]
            return [f"{name}={value}" for name in names for value in _allowed(game, name)]
        case "--sweep":
            return _swept(game, begun)
        case "--seats":
            return map(str, game.seats)
        case "--bots" if told["value"] == COUNTED:
            return [*[str(seats - 1) for seats in game.seats], *bots]
    return bots


def _listed(begun: str, values: Iterable[str]) -> list[str]:
    """Each value as the next of a list with commas."""
    return [f"{begun[: begun.rfind(',') + 1]}{one}" for one in values]


def _swept(game: Game, begun: str) -> Iterable[str]:
    """Each of what a study can vary, with all its values; after a comma, the values left."""
    from engine.study import SEATS  # noqa: PLC0415 (it brings the simulation along)

    values = {one.name: _allowed(game, one.name) for one in game.options if _few(one)}
    values[SEATS] = [str(seats) for seats in game.seats]
    name, _, listed = begun.partition("=")
    chosen = listed.split(",")[:-1]
    if chosen:
        return _listed(begun, [one for one in values.get(name, ()) if one not in chosen])
    return [f"{name}={','.join(several)}" for name, several in values.items() if len(several) > 1]


def _allowed(game: Game, name: str) -> list[str]:
    """The values of a house rule, or the usual one if they are many."""
    from engine.game import spell  # noqa: PLC0415 (a Tab that asks for no rules is quicker)

    found = [one for one in game.options if one.name == name]
    allowed = [one.allowed if _few(one) else (one.default,) for one in found]
    return [spell(value) for value in chain.from_iterable(allowed)]


def _few(rule: Option) -> bool:
    return len(rule.allowed) <= FEW


def _game(told: CommandTold, after: Sequence[str]) -> Game | None:
    given = arguments_in(told, after)
    if GAME not in told["arguments"] or not given:
        return None
    try:
        return load(given[told["arguments"].index(GAME)])
    except (UsageError, IndexError):
        return None


def saved_games() -> list[str]:
    """The newest saved games, by their paths."""
    folder = home() / "games"
    logs = sorted(folder.glob("*.ndlog"), key=_written, reverse=True)
    return [str(folder), *map(str, logs[:NEWEST])] if logs else []


def _written(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except OSError:  # it is gone by now
        return 0.0


def _settings() -> list[str]:
    from cli.home.preferences import SETTINGS  # noqa: PLC0415 (no other Tab needs it)

    return [f"{one.name}={value}" for one in SETTINGS.values() for value in one.values]


OFFERED: Final[Mapping[str, Callable[[], Iterable[str]]]] = {
    GAME: all_names,
    "SHELL": lambda: ("bash", "zsh", "fish"),
    "NAME=VALUE...": _settings,
}
"""By what an argument is called."""
