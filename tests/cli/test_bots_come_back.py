"""A host with bots is killed at any touch of its disk, and comes back with them."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from engine.game import Value
from engine.games import NAMES
from replay.audit import audit
from tests.cli.killed import PHASES
from tests.cli.test_processes import environment, start
from tests.page.test_second import case, judge, needs_node

SHORT: dict[str, dict[str, Value]] = {
    "flip-over": {"rounds": 1},
    "flaps": {"level": 3, "turn-limit": 30},
    "flop-a": {"hands": 1},
    "sneak": {"target": 25},
    "you-fink": {"cardLimit": "50"},
}
TOUCHES = {"genesis": (4, 60), "play": (0, 120), "closing": (0, 20), "over": (0, 6)}
"""Touches of the disk in each phase, of two seats or three.  Before the fourth the host has not
proposed the table, and there is nothing to go back to; after the first few of closing all may be
over, and then nobody is killed."""
BOTS = {"flip-over": 2}
"""How many bots sit there besides the host's; in the other games one, since they take longer."""
TABLE = ("--bind=127.0.0.1", "--hold=0", "--json")
NOTHING_LEFT = "There is no unfinished table to go back to."
ENDING = ("closing", "over")
SECONDS = 600


class Moment(NamedTuple):
    """When the host of a game is killed."""

    game: str
    phase: str
    touch: int

    def __str__(self) -> str:
        return f"{self.game}-{self.phase}-{self.touch}"


def moments(seed: int, games: tuple[str, ...] = NAMES) -> Iterator[Moment]:
    """For each game and phase one moment, by chance."""
    for game in games:
        for phase in PHASES:
            rng = Random(f"{seed}/{game}/{phase}")
            yield Moment(game, phase, rng.randrange(*TOUCHES[phase]))


class Table:
    """A host with two bots, and a friend; each has a data folder."""

    def __init__(self, folder: Path, moment: Moment) -> None:
        self.homes = [folder / "host", folder / "friend"]
        self._moment = moment

    @property
    def options(self) -> list[str]:
        return [f"--option={name}={value}" for name, value in SHORT[self._moment.game].items()]

    @contextmanager
    def opened(self) -> Iterator[tuple[subprocess.Popen[str], subprocess.Popen[str]]]:
        """The host, which will be killed, and the friend, who is at its table."""
        game, phase, touch = self._moment
        dying = [sys.executable, "-m", "tests.cli.killed", phase, str(touch)]
        bots = BOTS.get(game, 1)
        asked = ["host", game, f"--seats={2 + bots}", f"--bots={bots}", *TABLE, *self.options]
        with subprocess.Popen(
            [*dying, *asked],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(self.homes[0]),
        ) as host:
            assert host.stdout is not None
            invite = json.loads(host.stdout.readline())["invite"]
            with start(self.homes[1], "join", invite, "--json") as friend:
                try:
                    yield host, friend
                finally:
                    host.kill()
                    friend.kill()

    def come_back(self) -> bool:
        """The host and its bots play on; False if there was nothing to go back to."""
        with start(self.homes[0], "resume", "--json") as back:
            out, said = back.communicate(timeout=SECONDS)
        if back.returncode == 2 and NOTHING_LEFT in said:
            return False
        assert back.returncode == 0, said
        assert json.loads(out)["verdict"] == "complete"
        return True

    def logs(self) -> list[Path]:
        return [log for home in self.homes for log in (home / "games").glob("*.ndlog")]


def kill_and_come_back(folder: Path, moment: Moment) -> Path:
    """The log of a table whose host was killed, if need be, and came back."""
    table = Table(folder, moment)
    with table.opened() as (host, friend):
        _, said = host.communicate(timeout=SECONDS)
        killed = host.returncode == -signal.SIGKILL
        assert killed or (moment.phase in ENDING and host.returncode == 0), said
        resumed = table.come_back()
        assert resumed or moment.phase in ENDING
        out, said = friend.communicate(timeout=SECONDS)
    assert friend.returncode == 0, said
    assert json.loads(out)["verdict"] == "complete"
    one, other = table.logs()
    assert one.read_bytes() == other.read_bytes()
    assert audit(one).verdict == "complete"
    assert not list(folder.rglob("*.evidence"))
    return one


def all_right(folder: Path, moment: Moment) -> None:
    """Play it; both verifiers say that the log is complete, and no secret is left."""
    log = kill_and_come_back(folder, moment)
    (said,) = judge([case(log.read_bytes())])
    assert (said["verdict"], said["verified"]) == ("complete", True)
    assert not list(folder.rglob("*.ndseat"))
    assert not list((folder / "host" / "bots").glob("*"))


@needs_node
@pytest.mark.parametrize(
    "moment",
    [
        Moment("flip-over", "play", 40),
        pytest.param(Moment("flip-over", "over", 0), marks=pytest.mark.full),
    ],
    ids=str,
)
def test_a_killed_host_comes_back_with_its_bots(tmp_path: Path, moment: Moment) -> None:
    all_right(tmp_path, moment)


@needs_node
@pytest.mark.slow
@pytest.mark.parametrize(
    "moment",
    [
        *(pytest.param(Moment(game, "play", 77), marks=pytest.mark.full) for game in NAMES[1:]),
        Moment("flip-over", "genesis", 4),
        pytest.param(Moment("flip-over", "closing", 9), marks=pytest.mark.full),
    ],
    ids=str,
)
def test_in_every_game(tmp_path: Path, moment: Moment) -> None:
    all_right(tmp_path, moment)


@needs_node
@pytest.mark.full
@pytest.mark.parametrize("moment", [m for seed in range(4) for m in moments(seed)], ids=str)
def test_at_any_moment(tmp_path: Path, moment: Moment) -> None:
    all_right(tmp_path, moment)
