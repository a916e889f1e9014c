"""A whole table where one disk fails, or tears what it was writing; its seat comes back."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from threading import get_ident
from typing import Any

import pytest
import trio

from p2p.disk import durable as disk
from p2p.errors import StorageError
from p2p.files.storage import SeatFile
from p2p.net.invite import Invite
from p2p.peer import Sitter, Store, join_table, resume_table
from tests.patience import PATIENCE
from tests.peer.kit import Watcher, play_table
from tests.peer.test_match import check_equal_logs
from tests.shares import every_second

VICTIM = "guest 1"


class _Disk:
    """Takes `items` items of one seat file; then a part of one, and no more until it is mended."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, items: int, fault: str) -> None:
        self.failed = False
        self._left, self._fault = items, fault
        self._path: Path | None = None
        self._failing: int | None = None
        """The thread whose write is about to fail: other seats' disks are sound."""
        append, write, sync = SeatFile.append, disk.write_all, disk.sync

        def appended(file: SeatFile, item: list[Any]) -> None:
            if file.path.parent == self._path and not self.failed:
                self._left -= 1
                if self._left < 0:
                    self.failed, self._failing = True, get_ident()
            append(file, item)

        def written(descriptor: int, data: bytes) -> None:
            if self._fault == "full" and self._fails():
                os.write(descriptor, data[: len(data) // 2])
                raise OSError(28, "No space left on device")
            write(descriptor, data)

        def synced(descriptor: int) -> None:
            if self._fails():
                raise OSError(5, "Input/output error")
            sync(descriptor)

        monkeypatch.setattr(SeatFile, "append", appended)
        monkeypatch.setattr(disk, "write_all", written)
        monkeypatch.setattr(disk, "sync", synced)

    def _fails(self) -> bool:
        """Whether this thread's write fails; it does so once."""
        if self._failing != get_ident():
            return False
        self._failing = None
        return True

    async def sit(self, who: Sitter, invite: Invite, kept: Store, **rest: Any) -> object:
        """Sit down; whoever's disk fails sits down again, with a log that is torn as well."""
        if who.identity.name != VICTIM:
            return await join_table(who, invite, kept, **rest)
        self._path = folder = kept.folder
        with pytest.raises(StorageError, match="ndseat cannot be written: "):
            await join_table(who, invite, kept, **rest)
        (seat_file,) = folder.glob("*.ndseat")
        for log in folder.glob("*.ndlog"):
            data = log.read_bytes()
            log.write_bytes(data[:-200] + bytes(100) if len(data) > 9000 else data[:-1])
        return await resume_table(replace(who, player=Watcher(7)), seat_file, kept.ledger)


@pytest.mark.slow
@pytest.mark.parametrize("fault", ["full", "failing"])
@pytest.mark.parametrize("items", every_second([0, 1, 2, 3, 4, 7, 12]))
async def test_a_disk_that_fails_ends_our_table_and_nothing_is_signed_twice(
    items: int, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the genesis (items 0 to 2), at the header (3), and in the game."""
    broken = _Disk(monkeypatch, items, fault)
    with trio.fail_after(PATIENCE):
        await play_table(tmp_path, [Watcher(seed) for seed in range(3)], guest=broken.sit, rounds=1)
    assert broken.failed
    check_equal_logs(tmp_path, 3)
