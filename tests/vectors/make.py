"""Writes all test vectors again: `python -m tests.vectors.make`.

Everything comes from seeds, so the same program writes the same bytes; a change of the
protocol or of a game's rules shows as a difference.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from p2p.protocol.frame_kinds import KINDS, FrameKind
from p2p.protocol.wire import Shape
from p2p.version import PROTOCOL_VERSION, own_revision
from replay.audit import COMPLETE, audit_bytes
from tests.page.second import questions_of as asked_in
from tests.protocol.kit import seeded
from tests.vectors import revision
from tests.vectors.altered import altered_logs
from tests.vectors.begun import begun_tables
from tests.vectors.bent import bent_tables
from tests.vectors.good import good_logs
from tests.vectors.left import left_tables
from tests.vectors.lost import lost_tables
from tests.vectors.scenes import known_scenes
from tests.vectors.schemed import schemed_tables
from tests.vectors.sealed import sealed_tables
from tests.vectors.spoilt import spoilt_files
from tests.vectors.staged import staged_tables
from tests.vectors.vector import Vector

HERE: Final = Path(__file__).parent
LOGS: Final = HERE / "logs"
QUESTIONS: Final = HERE / "questions"
INDEX: Final = HERE / "index.json"


def all_vectors() -> Iterator[Vector]:
    """Every vector."""
    yield from good_logs()
    yield from bent_tables()
    yield from begun_tables()
    yield from altered_logs()
    yield from schemed_tables()
    yield from spoilt_files()
    yield from staged_tables()
    yield from left_tables()
    yield from sealed_tables()
    yield from lost_tables()


def describe(vector: Vector) -> dict[str, Any]:
    """A vector's line in the index."""
    beside = {"questions": f"questions/{vector.scene}.json"} if vector.scene else {}
    return {
        "file": f"logs/{vector.name}",
        "sha256": hashlib.sha256(vector.data).hexdigest(),
        "verdict": vector.verdict,
        "seat": vector.seat,
        "step": vector.step,
        "level": vector.level.value,
        "about": vector.about,
        **beside,
    }


def frames() -> dict[str, dict[str, Any]]:
    """The kinds of frames by number, with the fields of those that are maps."""
    return {f"{number:02x}": _frame(kind) for number, kind in sorted(KINDS.items())}


def _frame(kind: FrameKind) -> dict[str, Any]:
    shape: Shape = getattr(kind.codec, "shape", {})
    fields = {name: _types(types) for name, types in shape.items()}
    return {"name": kind.name, **({"fields": fields} if fields else {})}


def _types(types: type | tuple[type, ...]) -> str:
    return ", ".join(one.__name__ for one in (types if isinstance(types, tuple) else (types,)))


def questions_of(data: bytes) -> str:
    """What the rules asked in a whole log, in the form of log format, "Questions"."""
    return json.dumps(asked_in(data), indent=1) + "\n"


def write_all() -> None:
    """Write the files and the index; AssertionError if our own audit disagrees."""
    vectors = list(all_vectors())
    with known_scenes():
        wrong = [vector.name for vector in vectors if not _as_expected(vector)]
        told = {one.scene: questions_of(one.data) for one in vectors if _is_whole_scene(one)}
    if wrong:
        raise AssertionError(f"the audit says otherwise of {wrong}")
    for folder in (LOGS, QUESTIONS):
        folder.mkdir(exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
    for vector in vectors:
        (LOGS / vector.name).write_bytes(vector.data)
    for scene, text in told.items():
        (QUESTIONS / f"{scene}.json").write_text(text, "utf-8")
    described = [describe(vector) for vector in vectors]
    index = {
        "log version": PROTOCOL_VERSION,
        "revision": own_revision().hex(),
        "frames": frames(),
        "vectors": described,
    }
    INDEX.write_text(json.dumps(index, indent=1) + "\n", "utf-8")
    revision.write()


def _is_whole_scene(vector: Vector) -> bool:
    return vector.scene is not None and vector.verdict == COMPLETE


def _as_expected(vector: Vector) -> bool:
    report = audit_bytes(vector.data, vector.name, seeded("vectors"))
    said = (report.verdict, report.seat, report.step)
    expected = (vector.verdict, vector.seat, vector.step)
    if said != expected:
        print(f"{vector.name}: {said} instead of {expected}: {report.reason}")  # noqa: T201
    return said == expected


if __name__ == "__main__":
    write_all()
