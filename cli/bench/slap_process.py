"""Tables of `slapping`, one after another in a process: `python -m cli.bench.slap_process`.

Its arguments are a `Slaps` as JSON and how many tables to play.  After each table it prints the
outcome.
"""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import asdict, replace
from pathlib import Path

import trio

from cli.bench.slap_table import Slaps, play, register


def main() -> None:
    """Play the tables of the arguments."""
    slaps, tables = Slaps(**json.loads(sys.argv[1])), int(sys.argv[2])
    register()
    for number in range(tables):
        one = replace(slaps, seed=f"{slaps.seed}/{number}")
        with tempfile.TemporaryDirectory(prefix="nodealer-") as folder:
            slapped = trio.run(play, one, Path(folder))
        print(json.dumps(asdict(slapped)), flush=True)


if __name__ == "__main__":
    main()
