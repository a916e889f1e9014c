"""`nodealer` in a process that is killed (SIGKILL) at one chosen touch of the disk.

    python -m tests.cli.killed PHASE NUMBER ARGUMENTS...

A touch is a write, a sync or an erasing by `p2p.disk.durable`, of whichever seat of this process:
seat file, ledger, log.  The process dies at touch NUMBER (from 0) of the PHASE: `genesis` from the
first seat file on, `play` after the first log is begun, `closing` after the first seat has signed
the close, `over` after the first seat is through.  Of a write that it dies at, half is written.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

from p2p.disk import durable
from p2p.files.seat_memory import SeatMemory
from p2p.files.storage import TableFiles
from p2p.protocol import step_kinds
from p2p.protocol.effects import Write
from p2p.protocol.entry import decode_entry

PHASES = ("genesis", "play", "closing", "over")


class Death:
    """Counts touches of the disk since the phase began."""

    def __init__(self, phase: str, number: int) -> None:
        self._left = number
        self._phase = phase
        self._begun = False

    def enter(self, phase: str) -> None:
        """This phase begins for some seat."""
        self._begun = self._begun or phase == self._phase

    def touch(self, half: Callable[[], object] = lambda: None) -> None:
        """The disk is about to be touched; `half` does half of it."""
        if not self._begun:
            return
        if self._left == 0:
            half()
            os.kill(os.getpid(), signal.SIGKILL)
        self._left -= 1


def arm(death: Death) -> None:
    """Let the disk and the files of tables tell `death` what happens."""
    write, sync, erase = durable.write_all, durable.sync, durable.erase
    begin_log, own, keep_hand = TableFiles.begin_log, TableFiles.write, TableFiles.keep_hand
    begin = TableFiles.begin

    def writes(descriptor: int, data: bytes) -> None:
        death.touch(lambda: write(descriptor, data[: len(data) // 2]))
        write(descriptor, data)

    def syncs(descriptor: int) -> None:
        death.touch()
        sync(descriptor)

    def erases(path: Any) -> None:
        death.touch()
        erase(path)

    def begins(self: TableFiles, memory: SeatMemory) -> None:
        death.enter("genesis")
        begin(self, memory)

    def begins_log(self: TableFiles, *signed: Any) -> None:
        begin_log(self, *signed)
        death.enter("play")

    def writes_own(self: TableFiles, asked: Write) -> None:
        own(self, asked)
        if asked.kind == "own" and decode_entry(asked.record).kind == step_kinds.CLOSE:
            death.enter("closing")

    def keeps_hand(self: TableFiles, text: str) -> None:
        keep_hand(self, text)
        death.enter("over")

    replaced = {
        durable: {"write_all": writes, "sync": syncs, "erase": erases},
        TableFiles: {
            "begin": begins,
            "begin_log": begins_log,
            "write": writes_own,
            "keep_hand": keeps_hand,
        },
    }
    for place, functions in replaced.items():
        for name, function in functions.items():
            setattr(place, name, function)


if __name__ == "__main__":
    arm(Death(sys.argv[1], int(sys.argv[2])))
    sys.argv[1:3] = []
    from cli.main import main

    main()
