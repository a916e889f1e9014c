"""The one place where an exception becomes a sentence and an exit code.

Exit codes (design: interface): 0 done, 1 the thing asked for is false (an audit failed, a game was
not finished), 2 wrong use or unreadable input.  Any error not named here is a fault of ours and
stays loud, with its traceback.
"""

from __future__ import annotations

import errno
import importlib
import os
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Final, NamedTuple

import click

from cli.interrupt import STOPPED

FALSE: Final = 1
WRONG_USE: Final = 2


class UserMistakeError(Exception):
    """Wrong use or unreadable input, in one clear sentence: exit 2."""


class NotFinishedError(Exception):
    """What was asked for did not happen (a game was left), in one clear sentence: exit 1."""


class LeftTableError(NotFinishedError):
    """The user left before the end."""


def why_no_file(error: Exception) -> str:
    """Why a file cannot be opened: what the system says, or that its name is none at all."""
    return getattr(error, "strerror", None) or "this is no name of a file"


class Failure(NamedTuple):
    """What the user reads, and the exit code of the process."""

    sentence: str
    code: int


_FAMILIES: Final = (
    ("engine.errors", "UsageError", WRONG_USE, ""),
    ("p2p.net.invite", "InviteError", WRONG_USE, ""),
    ("p2p.net.addresses", "AddressError", WRONG_USE, ""),
    ("p2p.net.addresses", "ListenError", WRONG_USE, ""),
    ("p2p.net.lan", "LanError", FALSE, "With an invite it goes without: {program} join ND1:..."),
    ("p2p.identity.file", "IdentityFileError", WRONG_USE, ""),
    (
        *("p2p.errors", "StorageError", WRONG_USE),
        "Once that is mended: {program} resume goes back to the table.",
    ),
    ("p2p.errors", "OutdatedError", WRONG_USE, ""),
    (
        *("replay.audit", "UnreadableError", WRONG_USE),
        "Saved games end in .ndlog, and each player has one; {program} id tells where yours are.",
    ),
    ("cli.kit.streams", "OutputError", WRONG_USE, ""),
    ("replay.workers", "ClusterError", WRONG_USE, ""),
    ("replay.studies.kept", "StudyFileError", WRONG_USE, "Another file begins a new study."),
    ("p2p.errors", "OtherVersionError", WRONG_USE, ""),
    (
        *("p2p.errors", "LobbyError", FALSE),
        "To try again: {program} host, or {program} join with a new invite.",
    ),
    ("p2p.errors", "PeerError", FALSE, "For whoever looks into it: {program} report."),
)
"""Error families of the lower layers: (module, class, exit code, what to do next).

The last is empty where each sentence of the family says it (tests/cli/test_next_steps.py).
"""


_OF_THE_MACHINE: Final = frozenset(
    {
        *(errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP),
        *(errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOLCK),
    }
)
"""The errors of files that are never a fault of ours: what the person or the system did to them."""
_CLICK_SAYS: Final = "not a valid integer range"
"""What click says of letters where a number of some range is wanted."""


def explain(error: BaseException) -> Failure | None:
    """The failure that the user is told about, or None if `error` is a fault of ours.

    Concurrent tasks raise groups; a group is explained by its first member, and only when
    every member can be explained.
    """
    found = [_explain_one(leaf) for leaf in leaves(error)]
    return found[0] if all(found) else None


def leaves(error: BaseException) -> Iterator[BaseException]:
    """The single errors in a group; for an error that is no group, the error itself."""
    if isinstance(error, BaseExceptionGroup):
        for member in error.exceptions:
            yield from leaves(member)
    else:
        yield error


def _explain_one(error: BaseException) -> Failure | None:
    if isinstance(error, click.ClickException):
        return Failure(_said(error) + _helped(error), error.exit_code)
    if isinstance(error, UserMistakeError):
        return Failure(str(error), WRONG_USE)
    if isinstance(error, NotFinishedError):
        return Failure(str(error), FALSE)
    if isinstance(error, (KeyboardInterrupt, click.Abort)):
        ended = isinstance(error.__cause__, EOFError)  # no more input, and no Ctrl-C
        return Failure("stopped.", FALSE if ended else STOPPED)
    if isinstance(error, OSError) and error.errno in _OF_THE_MACHINE and error.filename is not None:
        name = os.fsdecode(error.filename)
        return Failure(f"{name} cannot be used: {error.strerror}.", WRONG_USE)
    for module, name, code, then in _FAMILIES:
        # Only a module that is already imported can have raised its error.
        family = getattr(sys.modules.get(module), name, None)
        if family is not None and isinstance(error, family):
            return Failure(_sentence(error, then), code)
    return None


def _said(error: click.ClickException) -> str:
    """The sentence of click, or ours where click suggests words that are only spelled alike."""
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        known = [name for one in error.ctx.command.get_params(error.ctx) for name in one.opts]
        meant = importlib.import_module("engine.errors").perhaps(error.option_name, known)
        return f"No such option {error.option_name!r}{meant}."
    return error.format_message().replace(_CLICK_SAYS, "no whole number")


def _helped(error: click.ClickException) -> str:
    """Where the words are explained that somebody typed wrong."""
    if not isinstance(error, click.UsageError):
        return ""
    # Of an option that lacks its value, click does not say which command has it.
    _, *command = error.ctx.command_path.split() if error.ctx else ("",)
    return f" Help: {' '.join([_program(), *command, '--help'])}"


def _sentence(error: BaseException, then: str) -> str:
    said = str(error)
    if isinstance(error, importlib.import_module("p2p.errors").PeerError):
        said = f"The table stopped: {said}"
        if error.evidence is not None:
            shown = _installation().command_line("audit", str(error.evidence))
            then = f"To show it to anybody: {shown} (the evidence)."
    return _followed(said, then)


def with_next_step(family: str, said: str) -> str:
    """What the user reads of an error of this family that does not end the program."""
    return _followed(said, next(then for _, name, _, then in _FAMILIES if name == family))


def _followed(said: str, then: str) -> str:
    said = said if said.endswith((".", "?", "!")) else f"{said}."
    return f"{said} {then.replace('{program}', _program())}" if then else said


def _program() -> str:
    return str(_installation().program())


def _installation() -> ModuleType:
    """Not at the top: the help needs nothing of the layers below."""
    return importlib.import_module("p2p.installation")
