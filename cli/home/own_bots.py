"""The bots that sit down with this user: a data folder each, so that they come back as people do.

`bots/EVENING/NUMBER/` holds what a person's data folder holds: identity, games and ledger.  A
bot's key never leaves it: one that has begun to sign a table goes on from these files, or not at
all.  When no unfinished table needs the bots of an evening any more, their keys are overwritten
and their folder goes.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from cli.failures import UserMistakeError
from cli.home.folders import home, unfinished
from p2p.disk import durable as disk
from p2p.disk.lock import lock_file
from p2p.errors import StorageError
from p2p.files.ledger import Ledger
from p2p.files.saved import left_by_another, saved_seat, seat_files, was_played
from p2p.files.seat_items import is_cut_short
from p2p.files.seat_memory import SeatMemory
from p2p.files.storage import Store
from p2p.identity.file import IdentityFileError, create_identity, load_identity
from p2p.identity.keys import Identity
from p2p.logs import logger
from p2p.protocol.proposal import Proposal, decode_proposal

LOG: Final = logger("cli")
_IDENTITY: Final = "identity.json"
_LOCK: Final = "lock"


class Stand(Enum):
    """How far a bot has come at a table."""

    FRESH = "it has signed nothing"
    BEGUN = "its seat file is there"
    OVER = "it was there to the end"
    LOST = "what it signed is gone"


def is_whole(seat_file: Path) -> bool:
    """Whether this seat file can be read: not one that a crash left while it was made or erased."""
    return _memory(seat_file) is not None


def _memory(seat_file: Path) -> SeatMemory | None:
    try:
        return saved_seat(seat_file)
    except StorageError:
        return None


@dataclass(frozen=True, slots=True)
class OwnBot:
    """A bot of this user: its key and name, and where its games and ledger are."""

    identity: Identity
    store: Store

    def stand(self, proposal: Proposal) -> Stand:
        """How far it has come at this table."""
        files = seat_files(self.store.folder, proposal.id)
        if any(map(is_whole, files)):
            return Stand.BEGUN
        noted = Ledger(self.store.ledger).has_signed(proposal.id)
        if not noted and all(is_cut_short(path.read_bytes()) for path in files):
            return Stand.FRESH
        return Stand.OVER if was_played(self.store.folder, proposal.id) else Stand.LOST


MakeBot = Callable[[str], OwnBot]
"""Makes a bot of that name, with a fresh key that is on the disk before anybody sees it.

StorageError if the disk refuses."""


@contextmanager
def new_bots() -> Iterator[MakeBot]:
    """Makes the bots of one evening; after the block those stay that an unfinished table needs."""
    with ExitStack() as held:
        held.callback(sweep)
        yield _Evening(held).make


class _Evening:
    """A folder with bots, which is there, and `held`, from the first of them on."""

    def __init__(self, held: ExitStack) -> None:
        self._folder: Final = _bots_folder() / os.urandom(8).hex()
        self._held: Final = held
        self._made = 0

    def make(self, name: str) -> OwnBot:
        """As `MakeBot`; one at a time."""
        try:
            if not self._made:
                self._folder.mkdir(parents=True, mode=0o700)
                self._held.enter_context(_held(self._folder))
            bot = _new_bot(self._folder / str(self._made), name)
            for folder in (self._folder, self._folder.parent, home()):
                disk.sync_folder(folder)
        except OSError as error:
            raise StorageError.of(self._folder, error) from error
        self._made += 1
        return bot


def _new_bot(folder: Path, name: str) -> OwnBot:
    bot = OwnBot(create_identity(folder / _IDENTITY, name).as_bot(), _store(folder))
    for inside in (bot.store.folder, bot.store.ledger):
        inside.mkdir(mode=0o700)
    disk.sync_folder(folder)
    return bot


@contextmanager
def bots_at(proposal: Proposal) -> Iterator[list[OwnBot]]:
    """The bots of this user that have a seat at this table, held against other programs.

    UserMistakeError if another program of this user plays with them.
    """
    found = _bots_by_evening(proposal)
    with ExitStack() as held:
        held.callback(sweep)
        for evening in found:
            held.enter_context(_held(evening))
        yield [bot for bots in found.values() for bot in bots]


def own_bots(proposal: Proposal) -> list[OwnBot]:
    """The bots of this user that have a seat at this table."""
    return [bot for bots in _bots_by_evening(proposal).values() for bot in bots]


def _bots_by_evening(proposal: Proposal) -> dict[Path, list[OwnBot]]:
    found: dict[Path, list[OwnBot]] = {}
    for evening in _evenings():
        bots = [bot for bot in _bots_in(evening) if bot.identity.public in proposal.identities]
        if bots:
            found[evening] = bots
    return found


def sweep() -> None:
    """Erase the bots of all evenings that are over: no unfinished table of this user needs them.

    Bots that another program plays with stay.  What cannot be erased now is tried next time.
    A table of another version or revision does not say here whom it needs: while there is one, all
    stay.
    """
    if any(map(left_by_another, unfinished(home() / "games"))):
        return
    evenings = _evenings()
    needed = _needed() if evenings else set()
    for evening in evenings:
        if needed.isdisjoint(bot.identity.public for bot in _bots_in(evening)):
            try:
                _erase(evening)
            except UserMistakeError:
                LOG.debug("bots: another program plays with them")
            except OSError as error:
                LOG.warning("bots: their folder cannot be erased: %s", error.strerror)


def _needed() -> set[bytes]:
    """The keys of all who sit at unfinished tables of this user."""
    keys: set[bytes] = set()
    for memory in map(_memory, unfinished(home() / "games")):
        if memory is not None:
            keys.update(decode_proposal(memory.proposal).identities)
    return keys


def _erase(evening: Path) -> None:
    """Overwrite what is secret, then remove the folder.

    A bot's key goes last: while it is there, the rest is tried again.
    """
    with _held(evening):
        for secret in [*evening.glob("*/games/*.ndseat"), *evening.glob(f"*/{_IDENTITY}")]:
            disk.erase(secret)
    shutil.rmtree(evening)


def _bots_folder() -> Path:
    return home() / "bots"


def _evenings() -> set[Path]:
    """The evenings with bots: the first one's key is written after the folder is held."""
    return {path.parent.parent for path in _bots_folder().glob(f"*/*/{_IDENTITY}")}


def _bots_in(evening: Path) -> list[OwnBot]:
    """The bots of an evening whose key is on the disk: no other has sat down anywhere."""
    found = []
    for path in sorted(evening.glob(f"*/{_IDENTITY}")):
        try:
            found.append(OwnBot(load_identity(path).as_bot(), _store(path.parent)))
        except IdentityFileError:
            LOG.warning("bots: a key cannot be read")
    return found


def _store(folder: Path) -> Store:
    return Store(folder / "games", folder / "ledger")


@contextmanager
def _held(evening: Path) -> Iterator[None]:
    """Hold the bots of an evening; UserMistakeError if another program does."""
    with (evening / _LOCK).open("wb") as opened:
        try:
            lock_file(opened)
        except BlockingIOError as error:
            raise UserMistakeError(
                "Another nodealer of yours plays with the bots of this table: close that one first."
            ) from error
        yield
