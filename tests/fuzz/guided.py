"""One reader under the coverage-guided fuzzer, in a process of its own.

    python -m tests.fuzz.guided READER SECONDS FOLDER SEED

It goes on from what lies in FOLDER, and leaves there what reached new code, or failed
(`crash-...`).  The library ends the process when it is through.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import atheris

with atheris.instrument_imports(include=["p2p", "replay", "engine", "cli"]):
    from tests.fuzz.readers import READERS

LARGEST = 65_536


def main(name: str, seconds: str, folder: str, seed: str) -> None:
    """Fuzz it."""
    reader = READERS[name]
    examples = reader.examples
    for number, data in enumerate(examples):
        Path(folder, f"sound-{number}").write_bytes(data)

    def mutate(data: bytes, most: int, chance: int) -> bytes:
        rng = Random(chance)
        if rng.randrange(3) == 0:
            mutated: bytes = atheris.Mutate(data, most)
            return mutated
        return reader.bend(data, rng.choice(examples), rng)[:most]

    options = {
        "max_total_time": seconds,
        "seed": seed,
        "max_len": LARGEST,
        "timeout": 20,
        "rss_limit_mb": 2048,
        "print_final_stats": 1,
        "artifact_prefix": f"{folder}/",
        "verbosity": 1,
    }
    flags = [f"-{option}={value}" for option, value in options.items()]
    atheris.Setup(["fuzz", *flags, folder], reader.take, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
