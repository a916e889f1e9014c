"""`demo --leave --lose` and `--give-up`: who goes, what others read of it, and what cannot be."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from cli.commands import demo
from cli.options import asked_table
from cli.options.asked_table import ask_for_table
from cli.options.departures_option import AskedDepartures
from cli.options.give_up_option import GIVES_UP, SHORTEST
from cli.tables import departures as departures_module
from cli.tables import network
from cli.tables.departures import STAYS, drawn
from p2p.errors import LobbyError
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from p2p.net.limits import Limits
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import split_log
from p2p.protocol.policy import WAIT, carry_on
from p2p.protocol.proposal import TOKEN_BYTES
from p2p.seat.returning import Patience
from replay.audit import audit
from tests.cli.conftest import Run
from tests.peer.kit import identity

TABLE: Final = ("flaps", "--level", "1", "--option", "turn-limit=10", "--seats", "5", "--seed", "4")
TOGETHER: Final = "players 3 have to go on together where a player is lost"
SOON: Final = Patience(gives_up=2, lingers=0.5)
"""A busy machine is silent for half a second now and then, and nobody is given up for that."""


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever goes does so at its first decision, and is given up soon."""
    monkeypatch.setattr(departures_module, "_decisions", lambda asked, seed: [2] * asked.seats)
    monkeypatch.setattr(demo, "patience", lambda give_up: SOON)


# -- the demonstration -------------------------------------------------------------------------


@pytest.mark.usefixtures("at_once")
def test_one_leaves_one_is_lost_and_the_others_play_to_the_end(run: Run) -> None:
    done = run("demo", *TABLE, "--leave", "1", "--lose", "1", "--json")
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    (left,), (lost,) = said["left"], said["lost"]
    report = audit(Path(said["log"]))
    assert (said["verdict"], report.verdict) == ("complete", "complete")
    assert [one._asdict() for one in report.left] == [left]
    assert [one._asdict() for one in report.lost] == [lost]
    assert set(left) == {"seat", "step"}
    assert set(lost) == {"seat", "step", "last"}
    assert STAYS not in (left["seat"], lost["seat"])
    header = decode_header(split_log(Path(said["log"]).read_bytes()).header)
    assert header.proposal.terms.policy == carry_on(3)


@pytest.mark.usefixtures("at_once")
def test_people_read_who_went_and_when(run: Run) -> None:
    done = run("demo", "flip-over", "--seats", "4", "--lose", "1")
    assert done.exit_code == 0, done.output
    (line,) = [line for line in done.stdout.splitlines() if " was voted out at step " in line]
    name, _, rest = line.strip().partition(" was voted out at step ")
    assert rest.endswith(", and cannot win.")
    assert f"{name} (lost)" in done.stdout
    assert "audit  complete" in done.stdout


def test_nobody_has_gone_from_an_ordinary_game(run: Run) -> None:
    done = run("demo", "flip-over", "--seats", "3", "--option", "rounds=1", "--json")
    said = json.loads(done.stdout)
    assert (said["left"], said["lost"]) == ([], [])
    assert (
        decode_header(split_log(Path(said["log"]).read_bytes()).header).proposal.terms.policy
        == WAIT
    )


def test_whoever_had_no_time_to_go_is_told_of(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(departures_module, "_decisions", lambda asked, seed: [10**9] * 3)
    table = ("flip-over", "--seats", "3", "--option", "rounds=1", "--seed", "1")
    done = run("demo", *table, "--leave", "1")
    assert done.exit_code == 0, done.output
    assert "  left  " not in done.stdout
    assert "0 of 1 went: the game was over first" in done.stdout


@pytest.mark.full
def test_in_processes_of_which_one_is_killed(run: Run) -> None:
    done = run("demo", *TABLE, "--leave", "1", "--lose", "1", "--procs", "--json")
    assert done.exit_code == 0, done.output
    said = json.loads(done.stdout)
    assert said["verdict"] == "complete"
    assert len({one["seat"] for one in (*said["left"], *said["lost"])}) == 2


def test_the_seed_decides_who_goes_and_when() -> None:
    asked = ask_for_table("flaps", 5, ["level=1"])
    found = [drawn(asked, seed, AskedDepartures(1, 1), SOON).seats for seed in (*range(20), 0)]
    assert found[0] == found[-1]
    assert len({tuple(sorted(one)) for one in found}) > 3
    assert all(STAYS not in one and len(one) == 2 for one in found)
    assert all(sorted(gone.lost for gone in one.values()) == [False, True] for one in found)
    assert len({gone.at for one in found for gone in one.values()}) > 5


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (
            ("flaps", "--seats", "5", "--leave", "2", "--lose", "1"),
            f"Of 5 {TOGETHER}: --leave and --lose can be 2 at most, not 3.",
        ),
        (
            ("sneak", "--seats", "4", "--lose", "2"),
            f"Of 4 {TOGETHER}: --lose can be 1 at most, not 2.",
        ),
        (
            ("sneak", "--seats", "4", "--leave", "3"),
            "Of 4 players 2 have to play on: --leave can be 2 at most, not 3.",
        ),
        (
            ("flaps", "--seats", "2", "--lose", "1"),
            "A table of 2 cannot go on without a player: take --seats 3 or more.",
        ),
        (
            ("flaps", "--seats", "2", "--leave", "1"),
            "A table of 2 cannot go on without a player: take --seats 3 or more.",
        ),
        (("flaps", "--seats", "5", "--lose", "-1"), "-1 is not in the range x>=0"),
    ],
)
@pytest.mark.parametrize("procs", [(), ("--procs",)])
def test_more_than_can_go_is_one_sentence(
    run: Run, table: tuple[str, ...], sentence: str, procs: tuple[str, ...]
) -> None:
    done = run("demo", *table, *procs)
    assert (done.exit_code, done.stdout) == (2, "")
    assert sentence in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_game_that_cannot_lose_a_player_is_one_sentence(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = asked_table.load
    monkeypatch.setattr(asked_table, "load", lambda name: replace(load(name), lose=None))
    for option in ("--leave", "--lose"):
        done = run("demo", "flaps", "--seats", "4", option, "1")
        assert done.exit_code == 2
        assert "Flaps cannot go on without a player: leave out --leave and --lose." in done.stderr


# -- after how long ----------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", ["1", "14", "3601", "-5"])
@pytest.mark.parametrize(
    "command", [("host", "flaps"), ("join", "ND1:X"), ("resume",), ("demo", "flaps")]
)
def test_too_short_a_patience_is_one_sentence(
    run: Run, command: tuple[str, ...], seconds: str
) -> None:
    done = run(*command, "--give-up", seconds)
    assert (done.exit_code, done.stdout) == (2, "")
    said = (
        f"--give-up is 15 to 3600 seconds (not {seconds}): whoever is cut off may need 15 to be "
        "back."
    )
    assert done.stderr.strip().endswith(said)


def test_the_shortest_leaves_time_to_come_back() -> None:
    """The longest pause between two dials, the longest dial, and 1.5 s for the program."""
    limits = Limits()
    assert 1.25 * limits.longest_pause_seconds + limits.dial_seconds + 1.5 <= SHORTEST
    assert Patience().gives_up == GIVES_UP


def test_it_is_the_patience_of_ones_own_seat(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[float] = []

    async def no_table(who: Any, *rest: Any, **options: Any) -> None:
        found.append(who.patience.gives_up)
        raise LobbyError("no table here")

    monkeypatch.setattr(network, "host_table", no_table)
    monkeypatch.setattr(network, "join_table", no_table)
    address, key = Address("127.0.0.1", 1), identity("host").public
    invite = Invite((address,), key, bytes(TOKEN_BYTES)).encode()
    assert run("host", "flaps", "--carry-on", "--json", "--give-up", "20").exit_code == 1
    assert run("join", invite, "--json", "--give-up", "30").exit_code == 1
    assert run("join", invite, "--json").exit_code == 1
    assert found == [20.0, 30.0, GIVES_UP]


@pytest.mark.parametrize(
    ("command", "needed"),
    [(("host", "flaps"), "--carry-on"), (("demo", "flaps", "--leave", "1"), "--lose")],
)
def test_whoever_sets_it_where_nobody_can_be_lost_is_told(
    run: Run, command: tuple[str, ...], needed: str
) -> None:
    done = run(*command, "--give-up", "60")
    assert (done.exit_code, done.stdout) == (2, "")
    said = f"--give-up needs {needed}: without it a table waits for whoever is lost."
    assert done.stderr.strip().endswith(said)
