"""Tables where every seat is a process of its own, over TLS on loopback."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from cli.bench.seat_process import SeatPlan
from cli.failures import NotFinishedError
from p2p.installation import program

SEATS: Final = 4
Process = subprocess.Popen[str]


@dataclass(frozen=True, slots=True)
class Seen:
    """What the probes of all seats noted (`probe.Times`), and the host's log if it was played.

    `began` is when the last process started genesis: then all are seated.  `computed` is the total
    processor time of all processes until the deal.
    """

    began: float
    computed: float
    answered: Sequence[Sequence[tuple[str, float]]]
    decided: Sequence[dict[int, float]]
    log: bytes | None


def play(plan: SeatPlan) -> Seen:
    """Play one table as `plan` says.  NotFinishedError if a process fails."""
    with tempfile.TemporaryDirectory(prefix="nodealer-") as scratch, ExitStack() as running:
        host = running.enter_context(_sit_down(plan, Path(scratch) / "0"))
        invited = replace(plan, invite=line(host)["invite"])
        guests = [
            running.enter_context(_sit_down(invited, Path(scratch) / str(seat)))
            for seat in range(1, plan.seats)
        ]
        said = [line(process) for process in (host, *guests)]
        log = said[0].get("log")
        return Seen(
            max(one["began"] for one in said),
            sum(one["computed"] for one in said),
            [[(kind, at) for kind, at in one["answered"]] for one in said],
            [{int(number): at for number, at in one["decided"].items()} for one in said],
            Path(log).read_bytes() if log else None,
        )


def _sit_down(plan: SeatPlan, folder: Path) -> AbstractContextManager[Process]:
    """The process of one seat."""
    folder.mkdir()
    return started("cli.bench.seat_process", json.dumps(asdict(replace(plan, folder=str(folder)))))


@contextmanager
def started(module: str, *arguments: str) -> Iterator[Process]:
    """A process that runs a module of ours; it does not outlive the block."""
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def line(process: Process) -> dict[str, Any]:
    """The next line of JSON that it prints.  NotFinishedError if it has failed."""
    assert process.stdout is not None  # it was started with pipes
    assert process.stderr is not None  # likewise
    printed = process.stdout.readline()
    if not printed:
        raise NotFinishedError(
            f"A process of ours failed; say so, with what follows ({program()} report): "
            f"{process.stderr.read().strip()}"
        )
    said: dict[str, Any] = json.loads(printed)
    return said
