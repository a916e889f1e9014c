"""Many pieces of work: done in this process, in several, or on a Dask cluster.

Results come out in the order of the pieces, each as soon as it is known, and nothing is kept: the
memory does not grow with the number of pieces.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import active_children, parent_process
from threading import Thread
from typing import Any, Final, Generic, Protocol, TypeVar

from p2p.installation import to_add

AHEAD: Final = 4
"""How many pieces are handed out for each process before the first result is taken."""
PATIENCE: Final = 10
"""Seconds to wait for a cluster to answer."""
Piece = TypeVar("Piece")
Made_co = TypeVar("Made_co", covariant=True)
Made = TypeVar("Made")


class ClusterError(Exception):
    """A cluster that cannot be used: one sentence for the user."""


class Promise(Protocol[Made_co]):
    """A result that is being made elsewhere."""

    def result(self) -> Made_co:
        """Wait for it."""


@dataclass(frozen=True, slots=True)
class Known(Generic[Made]):
    """A result that is there at once."""

    made: Made

    def result(self) -> Made:
        return self.made


@dataclass(frozen=True, slots=True)
class Workers:
    """Who does the work: `hand_out(function, *arguments)` gives a promise.

    `ahead` is how many pieces are handed out before the first result is taken; if they are
    `elsewhere`, they do not see our disk.
    """

    hand_out: Callable[..., Promise[Any]]
    ahead: int
    elsewhere: bool = False

    def each(
        self, submit: Callable[[Piece], Promise[Made]], pieces: Iterable[Piece]
    ) -> Iterator[Made]:
        """The results in the order of the pieces, which are taken only as they are handed out."""
        waiting: deque[Promise[Made]] = deque()
        for piece in pieces:
            waiting.append(submit(piece))
            if len(waiting) >= self.ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def here(function: Callable[..., Made], *arguments: Any) -> Known[Made]:
    """Do it at once, in this process."""
    return Known(function(*arguments))


ALONE: Final = Workers(here, 1)
"""This process."""


@contextmanager
def workers(jobs: int = 1, cluster: str | None = None) -> Iterator[Workers]:
    """`jobs` processes, or the Dask cluster whose scheduler is at the address `cluster`.

    What they are handed has to be importable there by its name.  When this ends, for whatever
    reason, what nobody has begun is dropped.  ClusterError if `dask.distributed` is not installed
    here, nobody answers, or the cluster has no worker or lacks nodealer.
    """
    if cluster is not None:
        with _client(cluster) as client:
            yield Workers(
                lambda *work: client.submit(*work, pure=False),
                AHEAD * max(1, len(client.scheduler_info()["workers"])),
                elsewhere=True,
            )
    elif jobs == 1:
        yield ALONE
    else:
        others = active_children()
        pool = ProcessPoolExecutor(jobs, initializer=_obey_only_the_parent)
        try:
            # All processes are begun here, before a bar or anybody else has a thread.
            pool.submit(os.getpid).result()
            yield Workers(pool.submit, AHEAD * jobs)
        except BaseException:
            # Who stops it does not wait for a piece of a review, which may take a minute.
            for worker in active_children():
                if worker not in others:
                    worker.terminate()
            raise
        finally:
            pool.shutdown(cancel_futures=True)


def _obey_only_the_parent() -> None:
    """Ctrl-C reaches every process of a terminal: only the parent decides what it means.

    If the parent is killed, its workers go too: nobody else ends them.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_follow, daemon=True).start()


def _follow() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


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
        _require_nodealer(client, address)
        yield client


def _require_nodealer(client: Any, address: str) -> None:
    """ClusterError unless the scheduler and every worker can import what they are handed."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
        client.run_on_scheduler(import_module, __name__)
        client.run(import_module, __name__)
    except TimeoutError as error:
        raise ClusterError(
            f"The Dask cluster at {address} has no worker: add one, or leave out --cluster."
        ) from error
    except ImportError as error:
        raise ClusterError(
            f"The Dask cluster at {address} lacks nodealer: install it for the scheduler and all "
            "workers, or leave out --cluster."
        ) from error
