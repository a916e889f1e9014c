"""How a host shows an invite: the line to send, and its QR code."""

from __future__ import annotations

import io
import shutil
import textwrap
from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from p2p.installation import program
from p2p.net.invite import Invite
from p2p.net.reach_address import shown

WIDTH: Final = 80
ROWS: Final = 24
FRAME_ROWS: Final = 2
"""The rows that the full screen has above and below it."""
_WATCH: Final = (
    "Whoever has the line below may watch, and sees no hidden card: {program} watch LINE."
)


def invitation_lines(
    invite: Invite,
    empty_seats: int,
    *,
    with_code: bool,
    found: Sequence[str] = (),
    rows: int | None = None,
) -> list[str]:
    """What a host reads while the table fills, within 80 x 24; the invite comes last.

    The QR code is included only if it can be drawn and seen: that of a line with `reach` is too
    high for a terminal of 24 rows.  `found` is what else there is to say.
    """
    line = invite.encode()
    code = qr_lines(invite) if with_code else []
    room = max(rows or shutil.get_terminal_size().lines, ROWS) - FRAME_ROWS
    if len(code) + -(-len(line) // WIDTH) > room:
        code = []
    return [*_beside(code, [*_paragraphs(invite, empty_seats), *found]), line]


def moved_line(invite: Invite) -> str:
    """What a host reads once its table is reached at other addresses; it ends with the invite."""
    return f"*** The addresses of your table have changed. The new invite: {invite.encode()}"


def watching_lines(invite: Invite) -> list[str]:
    """What a player reads who wants others to watch; the invite comes last."""
    told = [f"{_WATCH.format(program=program())} {_leads_to(invite)}"]
    return [line for text in told for line in textwrap.wrap(text, WIDTH)] + [invite.encode()]


def qr_lines(invite: Invite) -> list[str]:
    """The invite as a QR code of half blocks, two rows of it in each line."""
    import segno  # noqa: PLC0415 (only a host at a terminal needs it)

    drawn = io.StringIO()
    segno.make(invite.encode(), error="l").terminal(out=drawn, compact=True, border=1)
    return drawn.getvalue().splitlines()


def _paragraphs(invite: Invite, empty_seats: int) -> list[str]:
    people = "1 more player" if empty_seats == 1 else f"{empty_seats} more players"
    return [
        f"Waiting for {people}. Ctrl-C closes the table.",
        "Send them the line below as it is; they type: nodealer join LINE",
        _leads_to(invite),
        "It is not a secret: anybody who reads it can knock here.",
    ]


def _leads_to(invite: Invite) -> str:
    return f"It leads to {', '.join(map(shown, invite.everywhere))}."


def _beside(code: Sequence[str], paragraphs: Sequence[str]) -> list[str]:
    """The paragraphs, to the right of the code or alone."""
    left = max(map(len, code), default=0)
    room = WIDTH - left - 2 if code else WIDTH
    told: list[str] = []
    for paragraph in paragraphs:
        told += [*textwrap.wrap(paragraph, room, break_on_hyphens=False), *([""] if code else [])]
    return [
        f"{row:<{left}}  {text}".rstrip() if code else text
        for row, text in zip_longest(code, told, fillvalue="")
    ]
