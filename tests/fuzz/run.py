"""Looks for inputs that a reader cannot bear, for so many minutes: `make fuzz MINUTES=30`.

    python -m tests.fuzz.run MINUTES [READER]

Each reader gets an equal part of the time in a process of its own, guided by coverage
(`guided.py`); without `atheris` its bytes are bent at random.  Inputs that reach code which none
before reached are kept in `corpus/`, and `make test` reads them from then on.  What fails is left
in a file, whose name is told, and the exit code is 1.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, NamedTuple

from tests.fuzz import corpus
from tests.fuzz.reader import Reader
from tests.fuzz.readers import READERS
from tests.repo.sources import ROOT

LEAST_SECONDS = 5
_STATS = re.compile(r"stat::number_of_executed_units: +(\d+)")
_COVER = re.compile(r"\bcov: (\d+)")


class Outcome(NamedTuple):
    """What became of one reader: how often it read, the edges it reached, what failed."""

    reader: str
    runs: int
    edges: int
    failed: list[Path]
    said: str = ""


def guided(reader: Reader, seconds: float, folder: Path, seed: int) -> Outcome:
    """Fuzz by coverage, in another process."""
    command = [sys.executable, "-m", "tests.fuzz.guided", reader.name]
    done = subprocess.run(
        [*command, str(max(1, int(seconds))), str(folder), str(seed)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    said = done.stdout + done.stderr
    edges = max(map(int, _COVER.findall(said)), default=0)
    runs = sum(map(int, _STATS.findall(said)))
    failed = [path for path in folder.iterdir() if re.match("crash-|timeout-|oom-", path.name)]
    broken = done.returncode != 0 and not failed
    return Outcome(reader.name, runs, edges, failed, said[-3000:] if failed or broken else "")


def at_random(reader: Reader, seconds: float, folder: Path, seed: int) -> Outcome:
    """Bend at random, for so many seconds."""
    rng, runs, until = Random(f"{reader.name} {seed}"), 0, time.monotonic() + seconds
    while time.monotonic() < until:
        data = reader.bent(rng)
        runs += 1
        try:
            reader.take(data)
        except Exception as error:  # noqa: BLE001 (whatever it is, it is told)
            path = folder / f"crash-{runs}"
            path.write_bytes(data)
            return Outcome(reader.name, runs, 0, [path], repr(error))
    return Outcome(reader.name, runs, 0, [])


def reached(reader: Reader, data: bytes) -> frozenset[tuple[str, int]]:
    """The lines of the product that run when these bytes are read."""
    lines: set[tuple[str, int]] = set()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        name = frame.f_code.co_filename
        if "/tests/" in name or not name.startswith(str(ROOT)):
            return None
        lines.add((name, frame.f_lineno))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        reader.take(data)
    finally:
        sys.settrace(before)
    return frozenset(lines)


def worth_keeping(reader: Reader, inputs: Iterable[bytes]) -> Iterator[bytes]:
    """Those that reach a line which neither sound examples nor smaller ones reach."""
    known = {line for data in reader.examples for line in reached(reader, data)}
    for data in sorted(set(inputs), key=len):
        if len(data) <= corpus.INPUT_MAX:
            new = reached(reader, data) - known
            if new:
                known |= new
                yield data


def run(reader: Reader, seconds: float, seed: int) -> Outcome:
    """Fuzz one reader and keep what is new."""
    with tempfile.TemporaryDirectory(prefix="nodealer-fuzz-") as name:
        folder = Path(name)
        for number, data in enumerate(corpus.of(reader.name)):
            (folder / f"kept-{number}").write_bytes(data)
        look = guided if find_spec("atheris") else at_random
        outcome = look(reader, seconds, folder, seed)
        failed = [_moved(path, reader.name) for path in outcome.failed]
        found = [path.read_bytes() for path in folder.iterdir() if path not in outcome.failed]
    if not failed and find_spec("atheris"):
        corpus.keep(reader.name, worth_keeping(reader, found))
    return outcome._replace(failed=failed)


def _moved(path: Path, reader: str) -> Path:
    """Where an input that failed is left."""
    kept = Path(tempfile.gettempdir()) / f"{corpus.path_of(reader).stem}-{path.name}"
    kept.write_bytes(path.read_bytes())
    return kept


def say(line: str) -> None:
    """Tell whoever waits, at once."""
    print(line, flush=True)  # noqa: T201


def main(minutes: str, name: str = "") -> int:
    """Fuzz all readers, or the one of this name; 1 if any of them failed."""
    chosen = [READERS[name]] if name else list(READERS.values())
    seconds = max(LEAST_SECONDS, 60 * float(minutes) / len(chosen))
    if find_spec("atheris") is None:
        say("There is no atheris here (pip install atheris): bytes are bent at random.")
    seed = int.from_bytes(os.urandom(4), "big")
    say(f"{len(chosen)} readers, {seconds:.0f} s each, seed {seed}")
    outcomes = []
    for reader in chosen:
        outcomes.append(run(reader, seconds, seed))
        say(_told(outcomes[-1]))
    runs, failed = sum(one.runs for one in outcomes), sum(len(one.failed) for one in outcomes)
    say(f"{runs} inputs read, {failed} failed")
    return int(any(one.said for one in outcomes))


def _told(one: Outcome) -> str:
    found = "".join(f"\n  failed: {path}" for path in one.failed)
    said = "".join(f"\n  | {line}" for line in one.said.splitlines())
    return f"{one.reader}: {one.runs} inputs, {one.edges} edges{found}{said}"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
