"""Writes the test vectors anew: `python -m tests.vectors.make`.

Everything comes from seeds, so the same program writes the same bytes; a change of the
protocol or of a game's rules shows as a difference.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from replay.audit import audit_bytes
from tests.protocol.kit import seeded
from tests.vectors.altered import altered_logs
from tests.vectors.begun import begun_tables
from tests.vectors.bent import bent_tables
from tests.vectors.good import good_logs
from tests.vectors.schemed import schemed_tables
from tests.vectors.spoilt import spoilt_files
from tests.vectors.vector import Vector

HERE: Final = Path(__file__).parent
LOGS: Final = HERE / "logs"
INDEX: Final = HERE / "index.json"


def all_vectors() -> Iterator[Vector]:
    """Every vector, good ones first."""
    yield from good_logs()
    yield from bent_tables()
    yield from begun_tables()
    yield from altered_logs()
    yield from schemed_tables()
    yield from spoilt_files()


def describe(vector: Vector) -> dict[str, Any]:
    """A vector's line in the index."""
    return {
        "file": f"logs/{vector.name}",
        "sha256": hashlib.sha256(vector.data).hexdigest(),
        "verdict": vector.verdict,
        "seat": vector.seat,
        "step": vector.step,
        "level": vector.level.value,
        "about": vector.about,
    }


def write_all() -> None:
    """The files and the index; AssertionError where our own audit says otherwise."""
    vectors = list(all_vectors())
    LOGS.mkdir(exist_ok=True)
    wrong = [vector.name for vector in vectors if not _as_expected(vector)]
    if wrong:
        raise AssertionError(f"the audit says otherwise of {wrong}")
    for old in LOGS.iterdir():
        old.unlink()
    for vector in vectors:
        (LOGS / vector.name).write_bytes(vector.data)
    index = {"log version": 1, "vectors": [describe(vector) for vector in vectors]}
    INDEX.write_text(json.dumps(index, indent=1) + "\n", "utf-8")


def _as_expected(vector: Vector) -> bool:
    report = audit_bytes(vector.data, vector.name, seeded("vectors"))
    said = (report.verdict, report.seat, report.step)
    expected = (vector.verdict, vector.seat, vector.step)
    if said != expected:
        print(f"{vector.name}: {said} instead of {expected}: {report.reason}")  # noqa: T201
    return said == expected


if __name__ == "__main__":
    write_all()
