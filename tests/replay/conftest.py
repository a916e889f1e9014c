"""A cluster for the tests of what is handed out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a Dask cluster of two processes on this machine."""
    distributed = pytest.importorskip(
        "distributed", reason="dask.distributed is not installed (extra `cluster`)"
    )
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        dashboard_address=":0",
        silence_logs=50,
        preload="tests.revision",
    ) as running:
        running.wait_for_workers(2)
        yield running.scheduler_address
