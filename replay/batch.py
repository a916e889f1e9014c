"""The audit of many logs: in this process, in several, or on a Dask cluster.

Reports come out in the order of the paths, each as soon as it is known, and nothing is kept:
the memory does not grow with the number of logs.  A file that cannot be read is reported, and
the rest goes on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

from p2p.installation import to_add
from replay.audit import Report, UnreadableError, audit, audit_bytes, read_file

UNREADABLE: Final = "unreadable"
"""The verdict on a file that cannot be read; the reason says why."""
AHEAD: Final = 4
"""How many logs are handed out for each process before the first report is taken."""
PATIENCE: Final = 10
"""Seconds to wait for a cluster to answer."""


class ClusterError(Exception):
    """A cluster that cannot be used: one sentence for the user."""


class Promise(Protocol):
    """A report that is being made elsewhere."""

    def result(self) -> Report:
        """Wait for it."""


Submit = Callable[[Path], Promise]


def audit_each(paths: Iterable[Path], jobs: int = 1) -> Iterator[Report]:
    """The reports on these files, from this process or from `jobs` others."""
    if jobs == 1:
        yield from map(audit_readable, paths)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from _in_order(lambda path: pool.submit(audit_readable, path), paths, AHEAD * jobs)


def audit_on_cluster(paths: Iterable[Path], address: str) -> Iterator[Report]:
    """The reports on these files from the Dask cluster whose scheduler is at `address`.

    The bytes of each log are sent there, so that its machines need nodealer but not our disk.
    ClusterError if `dask.distributed` is not installed here or nobody answers.
    """
    with _client(address) as client:
        workers = max(1, len(client.scheduler_info()["workers"]))

        def submit(path: Path) -> Promise:
            try:
                data = read_file(path)
            except UnreadableError as error:
                return _Known(_unreadable(path, error))
            made: Promise = client.submit(audit_bytes, data, str(path), pure=False)
            return made

        yield from _in_order(submit, paths, AHEAD * workers)


def audit_readable(path: Path) -> Report:
    """The verdict on one file, `unreadable` for one that cannot be read."""
    try:
        return audit(path)
    except UnreadableError as error:
        return _unreadable(path, error)


def _unreadable(path: Path, error: UnreadableError) -> Report:
    return Report(str(path), UNREADABLE, False, None, 0, 0, 0, 0.0, str(error))


class _Known:
    """A report that is there at once."""

    def __init__(self, report: Report) -> None:
        self._report = report

    def result(self) -> Report:
        return self._report


def _in_order(submit: Submit, paths: Iterable[Path], ahead: int) -> Iterator[Report]:
    """Hand out `ahead` files at a time, and no more before the first of them is reported."""
    waiting: deque[Promise] = deque()
    for path in paths:
        waiting.append(submit(path))
        if len(waiting) >= ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


@contextmanager
def _client(address: str) -> Iterator[Any]:
    try:
        distributed: Any = import_module("distributed")
    except ModuleNotFoundError as missing:
        raise ClusterError(
            f"A cluster needs dask.distributed; {to_add('cluster')} adds it."
        ) from missing
    try:
        client = distributed.Client(address, timeout=PATIENCE)
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterError(
            f"No Dask scheduler answers at {address}: start one, or leave out --cluster."
        ) from error
    with client:
        yield client
