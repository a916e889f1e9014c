"""Looks for inputs that a reader cannot bear, for so many minutes: `make fuzz MINUTES=30`.

    python -m tests.fuzz.run MINUTES [READER]

The minutes are those of a processor, shared evenly: each reader gets its turn (`turn.py`) in a
process of its own, guided by coverage (`guided.py`); without `atheris` its bytes are bent at
random.  Inputs that reach code which none before reached are kept in `corpus/`, and `make test`
reads them from then on.  What fails is left in a file, whose name is told.  The exit code is 1
then, and also if a reader has read nothing.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, NamedTuple

from tests.fuzz import corpus
from tests.fuzz.reader import Reader
from tests.fuzz.readers import READERS
from tests.fuzz.turn import Turn
from tests.repo.sources import ROOT

LEAST_SECONDS = 5.0
_RUNS = re.compile(r"^read (\d+)$", re.MULTILINE)
_COVER = re.compile(r"\bcov: (\d+)")


class Outcome(NamedTuple):
    """What became of one reader: how often it read, the edges it reached, what failed."""

    reader: Reader
    runs: int
    edges: int = 0
    failed: Sequence[Path] = ()
    said: str = ""

    @property
    def is_good(self) -> bool:
        """Whether it has read, and nothing failed."""
        return self.runs > 0 and not self.failed and not self.said


def guided(readers: Sequence[Reader], seconds: float, folder: Path, seed: int) -> Iterator[Outcome]:
    """Fuzz by coverage, in other processes."""
    command = [sys.executable, "-m", "tests.fuzz.guided", str(seconds), str(folder), str(seed)]
    process = subprocess.Popen(
        [*command, *(reader.name for reader in readers)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # what the fuzzer says while it imports
        text=True,
    )
    with process:
        assert process.stdout is not None  # it was started with a pipe
        for number, reader in enumerate(readers):
            code = process.stdout.readline().strip()
            yield _outcome(reader, folder / str(number), code)


def _outcome(reader: Reader, folder: Path, code: str) -> Outcome:
    path = folder.with_suffix(".said")
    said = path.read_text(errors="replace") if path.exists() else "its process never began"
    edges = max(map(int, _COVER.findall(said)), default=0)
    runs = sum(map(int, _RUNS.findall(said)))
    failed = [path for path in folder.iterdir() if re.match("crash-|timeout-|oom-", path.name)]
    broken = failed or code != "0"
    return Outcome(reader, runs, edges, failed, said[-3000:] if broken else "")


def at_random(
    readers: Sequence[Reader], seconds: float, folder: Path, seed: int
) -> Iterator[Outcome]:
    """Bend at random, for so many seconds each."""
    for number, reader in enumerate(readers):
        yield _bent(Turn(reader, seconds), reader, folder / str(number), seed)


def _bent(turn: Turn, reader: Reader, folder: Path, seed: int) -> Outcome:
    rng = Random(f"{reader.name} {seed}")
    while not turn.is_over:
        data = reader.bent(rng)
        try:
            turn.take(data)
        except Exception as error:  # noqa: BLE001 (whatever it is, it is told)
            path = folder / f"crash-{turn.runs}"
            path.write_bytes(data)
            return Outcome(reader, turn.runs, 0, [path], repr(error))
    return Outcome(reader, turn.runs)


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


def run(readers: Sequence[Reader], seconds: float, seed: int) -> Iterator[Outcome]:
    """Fuzz these readers and keep what is new."""
    has_guide = find_spec("atheris") is not None
    with tempfile.TemporaryDirectory(prefix="nodealer-fuzz-") as name:
        for number, reader in enumerate(readers):
            folder = Path(name, str(number))
            folder.mkdir()
            for old, data in enumerate(corpus.of(reader.name)):
                (folder / f"kept-{old}").write_bytes(data)
        outcomes = (guided if has_guide else at_random)(readers, seconds, Path(name), seed)
        for number, outcome in enumerate(outcomes):
            if outcome.is_good and has_guide:
                found = (path.read_bytes() for path in Path(name, str(number)).iterdir())
                corpus.keep(outcome.reader.name, worth_keeping(outcome.reader, found))
            failed = [_moved(path, outcome.reader.name) for path in outcome.failed]
            yield outcome._replace(failed=failed)


def _moved(path: Path, reader: str) -> Path:
    """Where an input that failed is left."""
    kept = Path(tempfile.gettempdir()) / f"{corpus.path_of(reader).stem}-{path.name}"
    kept.write_bytes(path.read_bytes())
    return kept


def say(line: str) -> None:
    """Tell whoever waits, at once."""
    print(line, flush=True)  # noqa: T201


def main(minutes: str, name: str = "") -> int:
    """Fuzz all readers, or the one of this name; 1 if any of them failed, or read nothing."""
    chosen = [READERS[name]] if name else list(READERS.values())
    seconds = max(LEAST_SECONDS, 60 * float(minutes) / len(chosen))
    if find_spec("atheris") is None:
        say("There is no atheris here (pip install atheris): bytes are bent at random.")
    seed = int.from_bytes(os.urandom(4), "big")
    say(f"{len(chosen)} readers, {seconds:.1f} s of a processor each, seed {seed}")
    outcomes = []
    for outcome in run(chosen, seconds, seed):
        outcomes.append(outcome)
        say(_told(outcome))
    runs, failed = sum(one.runs for one in outcomes), sum(len(one.failed) for one in outcomes)
    say(f"{runs} inputs read by {len(outcomes)} readers, {failed} failed")
    return int(not all(one.is_good for one in outcomes))


def _told(one: Outcome) -> str:
    found = "".join(f"\n  failed: {path}" for path in one.failed)
    said = "".join(f"\n  | {line}" for line in one.said.splitlines())
    nothing = "" if one.runs or one.failed else "\n  failed: it has read nothing"
    return f"{one.reader}: {one.runs} inputs, {one.edges} edges{nothing}{found}{said}"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
