"""The audit of many logs, by whoever does the work (`replay.workers`).

Reports come out in the order of the paths.  A file that cannot be read is reported, and the rest
goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from replay.audit import UNREADABLE, Report, UnreadableError, audit, audit_bytes, read_file
from replay.workers import ALONE, Known, Promise, Workers


def audit_each(paths: Iterable[Path], workers: Workers = ALONE) -> Iterator[Report]:
    """The reports on these files.

    The bytes of each log are sent to workers elsewhere, so that their machines need nodealer but
    not our disk.
    """

    def submit(path: Path) -> Promise[Report]:
        if not workers.elsewhere:
            return workers.hand_out(audit_readable, path)
        try:
            data = read_file(path)
        except UnreadableError as error:
            return Known(_unreadable(path, error))
        return workers.hand_out(audit_bytes, data, str(path))

    yield from workers.each(submit, paths)


def audit_readable(path: Path) -> Report:
    """The verdict on one file, `unreadable` for one that cannot be read."""
    try:
        return audit(path)
    except UnreadableError as error:
        return _unreadable(path, error)


def _unreadable(path: Path, error: UnreadableError) -> Report:
    return Report(str(path), UNREADABLE, False, None, 0, 0, 0, 0.0, str(error))
