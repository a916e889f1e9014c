"""A match of bots, one operating-system process per seat, over loopback TLS.

The processes are ordinary `nodealer host` and `nodealer join` without a terminal, each with
its own data folder, and therefore its own identity.  Those that go before the end are told at which
decision (`cli.tables.departures`): one that is lost kills itself there.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from cli.failures import NotFinishedError
from cli.home.folders import games_folder
from cli.kit.bar import bar_for
from cli.options.asked_table import AskedTable
from cli.options.terms import Said
from cli.tables.bot_names import bot_names, levels_of
from cli.tables.departures import Departures
from cli.words.summary import Summary, concluded
from engine.game import spell
from engine.zone import Seat
from p2p.disk import durable as disk
from p2p.errors import StorageError
from p2p.identity.file import create_identity
from p2p.installation import once_more, program

Process = subprocess.Popen[str]


def match_of_processes(asked: AskedTable, seed: int | None, departures: Departures) -> Summary:
    """Play a whole match; the host's log is kept in the folder of saved games.

    NotFinishedError if a seat's process failed that was to stay, with what it said.
    """
    games = games_folder()
    with tempfile.TemporaryDirectory(prefix="nodealer-") as scratch, ExitStack() as running:
        began = time.monotonic()
        homes = _homes(Path(scratch), levels_of(asked, asked.seats))
        patience = f"--give-up={departures.patience.gives_up:.0f}"
        host = running.enter_context(
            _seat(_host_arguments(asked, departures.said, patience), homes[0], seed)
        )
        join = ["join", _invite(host), patience]
        guests = [
            running.enter_context(_seat([*join, *_departs(departures, seat)], home, seed))
            for seat, home in enumerate(homes[1:], 1)
        ]
        with bar_for(f"in {asked.seats} processes", "Playing", counted=False):
            for seat, process in enumerate((host, *guests)):
                _end(process, may_die=departures.is_lost(seat))
        seconds = time.monotonic() - began
        log = _kept(homes[0] / "games", games)
    return concluded(log, seconds)


def _departs(departures: Departures, seat: Seat) -> list[str]:
    """What tells a guest when to go."""
    one = departures.seats.get(seat)
    if one is None:
        return []
    return [f"--die-at={one.at}" if one.lost else f"--leave-at={one.at}"]


def _host_arguments(asked: AskedTable, said: Said, patience: str) -> list[str]:
    options = [f"--option={name}={spell(value)}" for name, value in asked.options.items()]
    terms = [f"--{name}={value}" for name, value in said.items()]
    return [
        *("host", asked.game.name, f"--seats={asked.seats}", "--bind=127.0.0.1"),
        "--hold=0",  # bots only
        *([*terms, patience] if said else []),
        *options,
    ]


def _homes(scratch: Path, levels: Sequence[str]) -> list[Path]:
    """A data folder for each seat, with a bot's identity in it; its name says how well it plays."""
    names = bot_names(levels)
    for name in names:
        create_identity(scratch / name / "identity.json", name)
    return [scratch / name for name in names]


@contextmanager
def _seat(arguments: Sequence[str], home: Path, seed: int | None) -> Iterator[Process]:
    """One seat's process; it does not outlive the block."""
    seeded = [] if seed is None else [f"--seed={seed}"]
    process = subprocess.Popen(
        [*once_more(), *arguments, "--json", *seeded],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NODEALER_HOME": str(home)},
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


def _invite(host: Process) -> str:
    assert host.stdout is not None  # it was started with a pipe
    line = host.stdout.readline()
    if not line:
        _end(host)
    return str(json.loads(line)["invite"])


def _end(process: Process, *, may_die: bool = False) -> None:
    _, said = process.communicate()
    if process.returncode != 0 and not may_die:
        raise NotFinishedError(
            f"A seat's process failed; {program()} demo -v says more: {said.strip()}"
        )


def _kept(folder: Path, games: Path) -> Path:
    (log,) = folder.glob("*.ndlog")
    kept = games / log.name
    try:
        disk.write_file(kept, log.read_bytes())
    except OSError as error:
        raise StorageError.of(kept, error) from error
    return kept
