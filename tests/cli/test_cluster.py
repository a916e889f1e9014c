"""`--cluster` as people use it: a scheduler and a worker of Dask, each started by its command."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.repo.sources import ROOT

STUDY = ("simulate", "flip-over", "--sweep", "seats=3,4", "--games", "30", "--seed", "4")

pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(
        find_spec("distributed") is None, reason="dask.distributed is not installed (`cluster`)"
    ),
]

DEMO = ["demo", "flip-over", "--seats", "3", "--option", "rounds=1", "--json"]


LACKING = """
import sys

class Lacks:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("engine", "p2p", "replay", "cli"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Lacks())
"""
"""A `sitecustomize` for Python without nodealer."""


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a scheduler that has a worker; both are programs of their own."""
    with cluster(tmp_path_factory.mktemp("elsewhere"), ROOT) as address:
        yield address


@contextmanager
def cluster(elsewhere: Path, sources: Path, *, worker: bool = True) -> Iterator[str]:
    """The address of a cluster whose modules are in `sources`."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
    scheduling = ["scheduler", "--host", address, "--no-dashboard"]
    working = ["worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny"]
    with ExitStack() as running:
        for words in (scheduling, working) if worker else (scheduling,):
            running.enter_context(Dask(words, elsewhere, sources))
        yield address


class Dask:
    """A command of Dask while it runs, in a folder that holds nothing of ours."""

    def __init__(self, words: list[str], folder: Path, sources: Path) -> None:
        self._running = subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(sources)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def __enter__(self) -> None:
        """It runs."""

    def __exit__(self, *_: object) -> None:
        self._running.terminate()
        self._running.wait(PATIENCE)


def nodealer(*arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cli.main", *arguments],
        cwd=ROOT,
        env={**os.environ, "NODEALER_HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_a_study_on_a_cluster_prints_the_same_bytes(scheduler: str, tmp_path: Path) -> None:
    told = (*STUDY, "--no-times", "--json")
    there = nodealer(*told, "--cluster", scheduler, home=tmp_path)
    assert (there.returncode, there.stderr) == (0, "")
    assert there.stdout == nodealer(*told, home=tmp_path).stdout


def test_an_audit_on_a_cluster_comes_to_the_same_verdicts(scheduler: str, tmp_path: Path) -> None:
    """The worker is given bytes, not our disk; an altered log is found there too."""
    games = tmp_path / "games"
    games.mkdir()
    played = nodealer(*DEMO, home=tmp_path / "home")
    data = Path(json.loads(played.stdout)["log"]).read_bytes()
    (games / "whole.ndlog").write_bytes(data)
    (games / "altered.ndlog").write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    there = nodealer("audit", str(games), "--cluster", scheduler, home=tmp_path)
    assert (there.returncode, there.stderr) == (1, "")
    assert there.stdout.endswith("1 of 2 logs verified\n")
    assert "bad-signature" in there.stdout


@pytest.mark.parametrize(
    ("worker", "sentence"), [(True, "lacks nodealer: install it"), (False, "has no worker: add")]
)
def test_cluster_that_cannot_play_is_one_sentence(
    worker: bool, sentence: str, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(LACKING, "utf-8")
    with cluster(tmp_path, tmp_path, worker=worker) as address:
        if not worker:
            (tmp_path / "sitecustomize.py").unlink()
        there = nodealer(*STUDY, "--cluster", address, home=tmp_path)
    assert (there.returncode, there.stdout, there.stderr.count("\n")) == (2, "", 1)
    assert sentence in there.stderr
