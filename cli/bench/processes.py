"""Tables of which every seat is a process of its own, over TLS on loopback."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from cli.bench.seat_process import SeatPlan
from cli.failures import NotFinishedError

SEATS: Final = 4
Process = subprocess.Popen[str]


@dataclass(frozen=True, slots=True)
class Seen:
    """What the probes of all seats noted (`probe.Times`), and the host's log if it was played.

    `began` is when the last process started genesis: then all are seated.  `computed` is the
    processor time of all of them together until the deal.
    """

    began: float
    computed: float
    answered: Sequence[Sequence[tuple[str, float]]]
    decided: Sequence[dict[int, float]]
    log: bytes | None


def play(plan: SeatPlan) -> Seen:
    """One table as `plan` says.  NotFinishedError when a process fails."""
    with tempfile.TemporaryDirectory(prefix="nodealer-") as scratch, ExitStack() as running:
        host = running.enter_context(_started(plan, Path(scratch) / "0"))
        invited = replace(plan, invite=_line(host)["invite"])
        guests = [
            running.enter_context(_started(invited, Path(scratch) / str(seat)))
            for seat in range(1, plan.seats)
        ]
        said = [_line(process) for process in (host, *guests)]
        log = said[0].get("log")
        return Seen(
            max(one["began"] for one in said),
            sum(one["computed"] for one in said),
            [[(kind, at) for kind, at in one["answered"]] for one in said],
            [{int(number): at for number, at in one["decided"].items()} for one in said],
            Path(log).read_bytes() if log else None,
        )


@contextmanager
def _started(plan: SeatPlan, folder: Path) -> Iterator[Process]:
    """The process of one seat; it does not outlive the block."""
    folder.mkdir()
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "cli.bench.seat_process"),
            json.dumps(asdict(replace(plan, folder=str(folder)))),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def _line(process: Process) -> dict[str, Any]:
    assert process.stdout is not None
    assert process.stderr is not None
    line = process.stdout.readline()
    if not line:
        raise NotFinishedError(f"A seat's process failed: {process.stderr.read().strip()}")
    said: dict[str, Any] = json.loads(line)
    return said
