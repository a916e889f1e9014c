"""A seat that comes back with files older than what it signed (protocol section 7)."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from p2p.errors import OutdatedError
from p2p.files.seat_memory import read_seat
from p2p.peer import resume_table
from p2p.player.events import Seated
from p2p.protocol.entry import Entry, Unread, decode_entry
from p2p.protocol.machine import AHEAD, Machine
from p2p.protocol.own_seat import NOTHING
from p2p.seat import table_seat
from replay.audit import Report, audit
from tests.attacks.crook import CROOK, Crook, acquit, convict, sit_down
from tests.peer.kit import Watcher, sitter, store

BACKUP_AT, KILLED_AT = 1, 14
"""Decisions of the seat; between them come far more steps than a machine holds ahead."""


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
        files = self.files
        if len(self.steps) == BACKUP_AT:
            for path in (files.seat, files.log):
                shutil.copy(path, path.with_name(path.name + ".backup"))
        if len(self.steps) >= KILLED_AT and self._was_heard():
            self.process.cancel()

    def _was_heard(self) -> bool:
        """Whether somebody has signed on top of its newest entry; if not, that may be lost."""
        last = self.table.machine.records[-1]
        return any(decode_entry(record).seat != CROOK for record in last)

    async def _restore(self, folder: Path) -> None:
        assert self.steps[-1] - self.steps[0] > AHEAD
        (seat_file,) = folder.glob("*.ndseat")
        for path in (seat_file, seat_file.with_suffix(".ndlog")):
            shutil.copy(path.with_name(path.name + ".backup"), path)
        await resume_table(sitter(self.identity, self.again), seat_file, store(folder).ledger)


async def test_a_restored_backup_plays_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat comes back with files from before many of its own moves.

    Answer: it asks the others for its own newest entries first, signs nothing twice, and plays on.
    """
    crook = _Restored()
    acquit(await sit_down(tmp_path, monkeypatch, crook, "flip-over", rounds=2))
    assert len(crook.steps) >= KILLED_AT
    assert crook.again.decided


async def test_a_restored_backup_that_signs_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A modified program comes back with old files, asks nobody, and signs the same steps again.

    Answer: the two signatures for one step convict it.
    """
    reopen = table_seat.reopen

    def reopen_and_sign(machine: Machine, *saved: Any) -> None:
        reopen(machine, *saved)
        machine._own = NOTHING
        take = machine.take

        def hear_others(record: Entry | Unread) -> None:
            """Drop what it signed before: the others may send it back before the seat signs."""
            if record.seat != CROOK:
                take(record)

        machine.take = hear_others  # type: ignore[method-assign]
        machine.allow_signing()

    monkeypatch.setattr(table_seat, "reopen", reopen_and_sign)
    crook = _Restored()
    crook.stays = False
    evening = await sit_down(tmp_path, monkeypatch, crook, "flip-over", rounds=2)
    convict(evening, "equivocation")


class _Forgetful(Crook):
    """Restores files that are older than its own secret choice; later finds the right ones."""

    def __init__(self, refusal: str) -> None:
        super().__init__(sends={"reveal": self._killed_at_the_opening})
        self._refusal = refusal
        self.reports: list[Report] = []
        self.again = Watcher(7)
        self.decides = lambda view, question: self._copy(".old")
        self.returns = self._restore

    def _paths(self) -> list[Path]:
        return [self.files.seat, self.files.log]

    def _copy(self, ending: str) -> None:
        for path in self._paths():
            shutil.copy(path, path.with_name(path.name + ending))

    def _killed_at_the_opening(self, entry: Entry) -> list[bytes]:
        """Its own is signed and on the disk, and has not left.

        It is killed once somebody else's opening comes: who opens has its choice.
        """
        machine = self.table.machine
        take = machine.take

        def hear(record: Entry | Unread) -> None:
            if record.step == entry.step:
                self.process.cancel()
            else:
                take(record)

        if machine.chain.step > entry.step or len(machine.current()) > 1:
            self.process.cancel()
        machine.take = hear  # type: ignore[method-assign]
        return []

    async def _restore(self, folder: Path) -> None:
        paths, ledger = self._paths(), store(folder).ledger
        self.sends.clear()
        self._copy(".new")
        for ending in (".old", ".new"):
            for path in paths:
                shutil.copy(path.with_name(path.name + ending), path)
            if ending == ".old":
                if "cannot open" in self._refusal:
                    shutil.rmtree(ledger)  # restored on another machine
                with pytest.raises(OutdatedError, match=self._refusal):
                    await resume_table(sitter(self.identity, Watcher(8)), paths[0], ledger)
                self.reports.append(audit(paths[1]))
                known = map(decode_entry, read_seat(paths[0].read_bytes()).own)
                game = [entry.kind for entry in known if entry.table == self.table.header.table]
                assert game == ["commit"], "what came back is on the disk, and nothing was signed"
            else:
                await resume_table(sitter(self.identity, self.again), paths[0], ledger)


@pytest.mark.parametrize(
    "refusal",
    [
        "signed step 1 before: its files are older than what it signed",
        "cannot open its own secret choice: its files are older than what it signed at step 0",
    ],
)
async def test_a_backup_that_cannot_open_its_own_choice_says_so(
    refusal: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seat restores files from before it sealed a secret choice.

    Answer: it says so and signs nothing, its log stays valid, and the others wait for the right
    files. Remains: without those files the table cannot go on.
    """
    crook = _Forgetful(refusal)
    acquit(await sit_down(tmp_path, monkeypatch, crook, "chosen-together"))
    (report,) = crook.reports
    assert (report.verdict, report.step) == ("unfinished", 1)
    # The others have finished, which they cannot without it; its own end may come a moment later.
    assert any(isinstance(event, Seated) for event in crook.again.events)
