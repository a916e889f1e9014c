"""What this person likes: a few settings in one file that people read and change too.

`settings.toml` lies beside the identity.  A setting that it does not name has its default; a file
that makes no sense is refused in a sentence, and never written over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from cli.failures import UserMistakeError
from cli.home.folders import home
from cli.kit.themes import DEFAULT
from cli.kit.themes import NAMES as THEMES
from p2p.disk import durable as disk
from p2p.disk.outside import SETTINGS_MAX, read_outside
from p2p.text.names import NAME_MAX, NAMES, REASON_MAX, cut, is_name

FILE: Final = "settings.toml"
_MARK: Final = "\ufeff"
"""The mark that some editors put before a text, to say that it is UTF-8."""
_VALUE: Final = r"""("(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*'|[^\s#"']+)"""
"""The pattern of a value as a person writes it: a string or a word."""


class Setting(NamedTuple):
    """One setting: `values` are all it may have, none if it is any text; `text` says what it is."""

    name: str
    default: str
    values: tuple[str, ...]
    text: str


NAME: Final = Setting("name", "", (), "what others call you")
THEME: Final = Setting("theme", DEFAULT, THEMES, "colours of the screen")
PACE: Final = Setting(
    *("pace", "normal", ("slow", "normal", "fast", "off")),
    "how long things stay, and bots think",
)
BELL: Final = Setting(*("bell", "on", ("on", "off")), "says that it is your turn")
CARDS: Final = Setting(
    *("cards", "auto", ("auto", "1", "3", "5", "8", "12")),
    "lines of a card; auto: as fits",
)
SETTINGS: Final[Mapping[str, Setting]] = {one.name: one for one in (NAME, THEME, PACE, BELL, CARDS)}


def path() -> Path:
    """Where the settings are kept."""
    return home() / FILE


def setting(one: Setting) -> str:
    """What this person has chosen, or the default.

    UserMistakeError, with what is wrong and where, for a file that makes no sense.
    """
    return _read().get(one.name, one.default)


def remember(one: Setting, value: str) -> None:
    """Keep a choice: the file is replaced as a whole, or not at all.

    All else in it stays, comments too.  UserMistakeError for a value that cannot be, a file that
    makes no sense or cannot be changed here, or a full disk.
    """
    from p2p.disk.lock import one_at_a_time  # noqa: PLC0415 (after the first picture)

    _checked(one, value)
    kept = path()
    try:
        kept.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with one_at_a_time(kept.parent):
            disk.write_file(kept, _changed(one, value).encode("utf-8"))
    except OSError as error:
        raise UserMistakeError(
            f"{kept} cannot be written: {error.strerror}; NODEALER_HOME=FOLDER keeps it elsewhere."
        ) from error


def _changed(one: Setting, value: str) -> str:
    """The text of the file with this choice, and with everything else that is in it."""
    text = _text()
    wanted = {**_parsed(text), one.name: value}
    line = re.compile(rf"^({_MARK}?[ \t]*{one.name}[ \t]*=[ \t]*){_VALUE}", re.MULTILINE)
    changed, count = line.subn(lambda found: found[1] + _quoted(value), text)
    if not count:
        end = "\r\n" if "\r\n" in text else "\n"
        before = text if text.endswith("\n") or not text.strip(_MARK) else text + end
        changed = f"{before}{one.name} = {_quoted(value)}  # {_told(one.name)}{end}"
    if not _is(changed, wanted):
        raise UserMistakeError(
            f"{path()} has a form that this program cannot change; "
            f"correct it yourself: {one.name} = {_quoted(value)}"
        )
    return changed


def _is(text: str, wanted: Mapping[str, str]) -> bool:
    """Whether these are the settings in a text: it may be TOML that the pattern does not know."""
    try:
        return _parsed(text) == wanted
    except UserMistakeError:
        return False


def card_lines() -> int | None:
    """How many lines a card has; None for as many as there is room for."""
    chosen = setting(CARDS)
    return None if chosen == CARDS.default else int(chosen)


def remembering(notice: Callable[[str], None]) -> Callable[[Setting, str], None]:
    """`remember` for a table, which goes on whatever the disk says: `notice` is told why not."""

    def keep(one: Setting, value: str) -> None:
        try:
            remember(one, value)
        except UserMistakeError as error:
            notice(str(error))

    return keep


def _read() -> dict[str, str]:
    """The settings that the file names."""
    text = _text()
    return _parsed(text) if text else {}


def _text() -> str:
    """The file as it is, with its mark of an encoding if it has one; nothing if there is none."""
    kept = path()
    try:
        return read_outside(kept, SETTINGS_MAX).decode("utf-8")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise UserMistakeError(
            f"The settings {kept} cannot be read: {error.strerror}; see who may read that file."
        ) from error
    except UnicodeDecodeError as error:
        raise _no_toml(error) from error


def _parsed(text: str) -> dict[str, str]:
    """The settings in a text.  UserMistakeError tells what is wrong with it."""
    import tomllib  # noqa: PLC0415 (not before somebody has a setting)

    try:
        chosen = tomllib.loads(text.removeprefix(_MARK))
    except (ValueError, RecursionError) as error:  # no TOML, or too deep a nest
        raise _no_toml(error) from error
    try:
        return {name: _checked(known(name), _spelled(value)) for name, value in chosen.items()}
    except UserMistakeError as error:
        raise UserMistakeError(f"{path()}: {error}") from error


def _no_toml(error: Exception) -> UserMistakeError:
    why = cut(str(error), REASON_MAX)
    return UserMistakeError(
        f"The settings {path()} are no TOML: {why}. Correct the file, or delete it."
    )


def known(name: str) -> Setting:
    """The setting of this name; UserMistakeError lists all."""
    if name not in SETTINGS:
        from engine.errors import perhaps  # noqa: PLC0415 (the first picture needs no engine)

        names, meant = ", ".join(SETTINGS), perhaps(name, SETTINGS)
        raise UserMistakeError(f"no setting is called {_shown(name)}{meant}; there are: {names}.")
    return SETTINGS[name]


def refusal(one: Setting, value: str) -> str:
    """Why a setting cannot have this value, in a sentence, or nothing."""
    if one.values:
        allowed = ", ".join(one.values)
        return (
            "" if value in one.values else f"{one.name} is one of {allowed}, not {_shown(value)}."
        )
    return "" if is_name(value) else f"{NAMES.capitalize()}."


def _shown(value: str) -> str:
    """What somebody wrote, for a sentence."""
    return repr(cut(value, NAME_MAX))


def _checked(one: Setting, value: str) -> str:
    why = refusal(one, value)
    if why:
        raise UserMistakeError(why)
    return value


def _spelled(value: object) -> str:
    """A value as a person may have written it: `bell = true`, `cards = 3`."""
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def _quoted(value: str) -> str:
    """As a basic string of TOML; no value has a letter that cannot be seen."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _told(name: str) -> str:
    one = SETTINGS[name]
    return f"{', '.join(one.values)}: {one.text}" if one.values else one.text
