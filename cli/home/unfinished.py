"""Tables that were begun here and not closed: which one to go back to."""

from __future__ import annotations

from pathlib import Path

from cli.failures import UserMistakeError
from cli.home.folders import unfinished, when
from cli.kit.choice import choose
from p2p.errors import StorageError
from p2p.files.storage import saved_seat
from p2p.protocol.proposal import decode_proposal
from p2p.text.names import called


def seat_to_go_back_to(folder: Path, *, choosing: bool) -> Path:
    """The seat file of the newest unfinished table in `folder`, or of the one that is chosen.

    UserMistakeError if there is none.
    """
    found = unfinished(folder)
    if not found:
        raise UserMistakeError("There is no unfinished table to go back to.")
    if not choosing or len(found) == 1:
        return found[0]
    return found[choose([line_of(path) for path in found], "Which table")]


def line_of(path: Path) -> str:
    """The game, its players, and when something was last written."""
    try:
        left = when(path.stat().st_mtime).strftime("%d %B, %H:%M")
        proposal = decode_proposal(saved_seat(path).proposal)
    except (OSError, StorageError):
        return f"{path.stem} (its seat file is damaged)"
    return f"{proposal.game.title} with {', '.join(map(called, proposal.names))}, left {left}"
