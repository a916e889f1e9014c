"""Which logs of an audit are of one table: they are compared once all are judged.

Only the name and the verdict of each log are kept; those of one table are read again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from p2p.errors import PeerError
from replay.audit import Report, UnreadableError, read_file
from replay.compare import Comparison, Copy, compare


class _Judged(NamedTuple):
    path: str
    verdict: str
    proven_to: int | None


class Tables:
    """The logs that were audited, by the table that they are of."""

    def __init__(self) -> None:
        self._logs: Final[defaultdict[str, list[_Judged]]] = defaultdict(list)

    def take(self, report: Report) -> None:
        """Note a log whose header is sound; others are of no table."""
        if report.table:
            judged = _Judged(report.path, report.verdict, report.proven_to)
            self._logs[report.table].append(judged)

    def compared(self) -> Iterator[Comparison]:
        """Each table with several logs.  UnreadableError if one has changed."""
        for table, logs in self._logs.items():
            if len(logs) > 1:
                yield _compare(table, logs)


def _compare(table: str, logs: list[_Judged]) -> Comparison:
    copies = [Copy(*judged, read_file(Path(judged.path))) for judged in logs]
    try:
        return compare(copies)
    except PeerError as error:
        raise UnreadableError(f"a log of table {table[:16]} changed while it was read") from error
