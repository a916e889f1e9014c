"""One seat per table for one identity, as far as this machine can tell."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cli.failures import UserMistakeError
from p2p.disk.lock import lock_file


@contextmanager
def only_here(folder: Path, token: bytes) -> Iterator[None]:
    """Hold the table of this token, so that no second program joins it with the same identity.

    Two of them would throw each other's links out.  UserMistakeError for the second one.
    """
    path = folder / f"joining-{token.hex()}.lock"
    with path.open("wb") as opened:
        try:
            lock_file(opened)
        except BlockingIOError as error:
            raise UserMistakeError(
                "Another nodealer of yours sits at this table already. Whoever else is to play "
                "on this machine needs an identity of their own: NODEALER_HOME=another-folder."
            ) from error
        try:
            yield
        finally:
            path.unlink(missing_ok=True)
