"""An invite that a person pastes, or that another program hands over on standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Final

from cli.kit.output import ask_line, say
from p2p.net.invite import Invite, InviteError

TEXT_MAX: Final = 64 * 1024
"""Characters of a text that may have an invite in it, such as a whole mail."""
LINES_MAX: Final = 8
"""A mail program breaks an invite into two lines or three."""
PASTE: Final = "Paste the invite"


def read_invite() -> Invite:
    """Read the invite from standard input: all of it, or the lines that a person pastes.

    InviteError with a sentence if there is none.
    """
    if sys.stdin is None:
        return Invite.decode("")
    if sys.stdin.isatty():
        say(f"{PASTE}, then press Enter.", err=True)
        return _joined(sys.stdin.readline(), sys.stdin.readline)
    invite = Invite.decode(sys.stdin.read(TEXT_MAX))
    _take_keys_again()
    return invite


def ask_invite(what: str = PASTE) -> Invite | None:
    """Ask for an invite until it is one; None for Enter alone."""
    while said := ask_line(f"{what} (Enter alone: none)", ""):
        try:
            return pasted(said)
        except InviteError as error:
            say(str(error))
    return None


def pasted(said: str) -> Invite:
    """Return the invite that begins with this line; a broken one goes on in the next lines.

    InviteError with a sentence for what is none.
    """
    return _joined(said, lambda: ask_line("The rest of the line (Enter alone: that was all)", ""))


def _joined(said: str, more: Callable[[], str]) -> Invite:
    for _ in range(LINES_MAX):
        try:
            return Invite.decode(said)
        except InviteError as error:
            following = more() if error.is_short else ""
            if not following.strip():
                raise
        said = f"{said}\n{following}"
    return Invite.decode(said)


def _take_keys_again() -> None:
    """Let a person who sits at a terminal play, though the invite came through a pipe."""
    if not sys.stdout.isatty():
        return
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError:  # there is none: a bot plays, as without a terminal
        return
    os.dup2(terminal, sys.stdin.fileno())
    os.close(terminal)
