"""A seat that comes back with old files: older than what it signed (protocol section 3)."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import p2p.peer as peer_module
from p2p.peer import resume_table
from p2p.protocol.machine import AHEAD
from p2p.protocol.table import GameTable
from tests.attacks.crook import Crook, acquit, convict, sit_down
from tests.peer.kit import Watcher, quick

BACKUP_AT, KILLED_AT = 1, 7
"""Decisions of the seat; in between the table takes far more steps than machines hold ahead."""


class _Restored(Crook):
    """Saves its files early, is killed later, and comes back with the old ones."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[int] = []
        self.again = Watcher(7)
        self.decides = self._decide
        self.returns = self._restore

    def _decide(self, view: Any, question: Any) -> None:
        self.steps.append(self.table.machine.chain.step)
        assert self.runner is not None
        files = self.runner.files
        assert files is not None
        if len(self.steps) == BACKUP_AT:
            for path in (files.seat, files.log):
                shutil.copy(path, path.with_name(path.name + ".backup"))
        if len(self.steps) == KILLED_AT:
            self.process.cancel()

    async def _restore(self, folder: Path) -> None:
        assert self.steps[-1] - self.steps[0] > AHEAD
        (seat_file,) = folder.glob("*.ndseat")
        for path in (seat_file, seat_file.with_suffix(".ndlog")):
            shutil.copy(path.with_name(path.name + ".backup"), path)
        await resume_table(self.identity, seat_file, self.again, patience=quick())


async def test_a_restored_backup_plays_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It asks the others for its own newest entries first, and signs nothing twice."""
    crook = _Restored()
    acquit(await sit_down(tmp_path, monkeypatch, crook, "flip-over"))
    assert len(crook.steps) == KILLED_AT
    assert crook.again.decided


async def test_a_restored_backup_that_signs_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A modified peer does not ask: what it signs now contradicts what it signed then."""
    reopen = peer_module.reopen

    def reopen_and_sign(*memory: Any) -> GameTable:
        table = reopen(*memory)
        table.machine.allow_signing()
        return table

    monkeypatch.setattr(peer_module, "reopen", reopen_and_sign)
    crook = _Restored()
    crook.stays = False
    evening = await sit_down(tmp_path, monkeypatch, crook, "flip-over")
    convict(evening, "equivocation")
