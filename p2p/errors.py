"""The families of errors between peers.

`PeerError` is the peer's fault: it carries a stable verdict name (protocol section 6), the guilty
seat if it is known, and a sentence for people.  Input from a peer or from a file may raise nothing
else.  `LocalError` is a bug of ours, and loud; `OutdatedError` means that somebody restored an old
backup, `StorageError` that the disk failed, `LobbyError` that no table comes about.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from p2p.text.names import REASON_MAX, cut

VERDICTS: Final = frozenset(
    {
        "bad-shuffle",
        "bad-share",
        "bad-oath",
        "bad-witness",
        "bad-transfer",
        "bad-opening",
        "bad-key",
        "bad-signature",
        "bad-handshake",
        "illegal-move",
        "equivocation",
        "state-mismatch",
        "broken-chain",
        "malformed",
        "unfinished",
    }
)


class LocalError(Exception):
    """A fault of our own code: never caught, and never shown as anybody's guilt."""


class OutdatedError(Exception):
    """Our own files lack what we signed before: one sentence for the user."""


class LobbyError(Exception):
    """No table comes about, or we are not seated: one sentence for the user."""


class OtherVersionError(LobbyError):
    """The table is of another version of the protocol: the sentence names both numbers."""


class StorageError(Exception):
    """A file cannot be written or read: one sentence for the user."""

    @classmethod
    def of(cls, path: object, error: OSError, what: str = "written") -> StorageError:
        """The error for a file that the system lets nobody write, or do `what` else was wanted."""
        return cls(f"{path} cannot be {what}: {error.strerror}")


class PeerError(Exception):
    """Something that a peer (or a file) sent is refused.

    `verdict` is one of `VERDICTS`; `reason` is one sentence, of which at most 120 letters are kept,
    made safe for a terminal: parts of it may come from the peer.  `seat` and `step` are filled in
    by the layer that knows them (the crypto layer knows neither), `evidence` by the peer that wrote
    a file that proves it.
    """

    def __init__(
        self, verdict: str, reason: str, *, seat: int | None = None, step: int | None = None
    ) -> None:
        if verdict not in VERDICTS:
            raise LocalError(f"no such verdict: {verdict}")
        self.verdict: Final = verdict
        self.reason: Final = cut(reason, REASON_MAX)
        super().__init__(self.reason)
        self.seat = seat
        self.step = step
        self.evidence: Path | None = None

    def blame(self, seat: int | None = None, step: int | None = None) -> PeerError:
        """This error, with the seat and the step filled in if they were unknown."""
        if self.seat is None:
            self.seat = seat
        if self.step is None:
            self.step = step
        return self

    def __str__(self) -> str:
        who = "" if self.seat is None else f", seat {self.seat}"
        when = "" if self.step is None else f", step {self.step}"
        return f"{self.verdict}{who}{when}: {self.reason}"


@contextmanager
def blaming(seat: int, step: int | None = None) -> Iterator[None]:
    """Blame whatever is refused in this block on `seat`, in `step` if that is known here."""
    try:
        yield
    except PeerError as error:
        raise error.blame(seat, step) from None
