"""Readers under the coverage-guided fuzzer, one after another, each in a process of its own.

    python -m tests.fuzz.guided SECONDS FOLDER SEED READER...

The reader of number n goes on from what lies in FOLDER/n, and leaves there what reached new code,
or failed (`crash-...`).  What its process says goes to FOLDER/n.said, and a line on the output
tells when it has ended, and how.  Everything is imported, and made to count what it reaches, only
once: that takes as long as a short turn.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from random import Random
from typing import Never

import atheris

with atheris.instrument_imports(include=["p2p", "replay", "engine", "cli"]):
    from tests.fuzz.reader import Reader
    from tests.fuzz.readers import READERS
    from tests.fuzz.turn import Turn

LARGEST = 65_536


def fuzz(reader: Reader, seconds: float, folder: Path, seed: str) -> Never:
    """Fuzz it until its turn is over, and end this process."""
    examples = reader.examples
    for number, data in enumerate(examples):
        (folder / f"sound-{number}").write_bytes(data)
    turn = Turn(reader, seconds)

    def read(data: bytes) -> None:
        turn.take(data)
        if turn.is_over:
            print(f"read {turn.runs}", file=sys.stderr, flush=True)  # noqa: T201
            os._exit(0)

    def mutate(data: bytes, most: int, chance: int) -> bytes:
        rng = Random(chance)
        if rng.randrange(3) == 0:
            mutated: bytes = atheris.Mutate(data, most)
            return mutated
        return reader.bend(data, rng.choice(examples), rng)[:most]

    options = {
        "seed": seed,
        "max_len": LARGEST,
        "timeout": 20,
        "rss_limit_mb": 2048,
        "artifact_prefix": f"{folder}/",
        "verbosity": 1,
    }
    flags = [f"-{option}={value}" for option, value in options.items()]
    atheris.Setup(["fuzz", *flags, str(folder)], read, custom_mutator=mutate)
    atheris.Fuzz()
    sys.exit("the fuzzer has ended by itself")


def apart(reader: Reader, seconds: float, folder: Path, seed: str) -> int:
    """Fuzz it in a process of its own; its exit code."""
    process = os.fork()
    if process == 0:
        said = os.open(folder.with_suffix(".said"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(said, 1)
        os.dup2(said, 2)
        try:
            fuzz(reader, seconds, folder, seed)
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def main(seconds: str, folder: str, seed: str, *names: str) -> None:
    """Give each reader its turn."""
    for number, name in enumerate(names):
        code = apart(READERS[name], float(seconds), Path(folder, str(number)), seed)
        print(code, flush=True)  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
