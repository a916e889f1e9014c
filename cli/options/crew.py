"""The options that say who does the work of a command that has much of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click

from cli.failures import UserMistakeError
from replay.workers import Workers, workers


@dataclass(frozen=True, slots=True)
class Crew:
    """How many processes of this machine, or the address of a cluster."""

    jobs: int
    cluster: str | None = None

    def at_most(self, pieces: int) -> AbstractContextManager[Workers]:
        """The workers, no more than there are pieces of work; ClusterError if nobody answers."""
        return workers(max(1, min(self.jobs, pieces)), self.cluster)


def jobs_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--jobs`."""
    return click.option(
        "--jobs", type=click.IntRange(1), default=1, metavar="N", help="Processes to use."
    )(command)


def crew_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--jobs` and `--cluster`; the command receives them as `crew`."""

    @jobs_option
    @click.option(
        "--cluster",
        metavar="ADDRESS",
        help="Use the Dask cluster of this scheduler; needs dask.distributed.",
    )
    @wraps(command)
    def wrapped(*args: Any, jobs: int, cluster: str | None, **others: Any) -> Any:
        if jobs > 1 and cluster is not None:
            raise UserMistakeError(
                "The work is done by --jobs here or by a --cluster, not by both."
            )
        return command(*args, crew=Crew(jobs, cluster), **others)

    return wrapped
