"""What a user can cause: one clear sentence on stderr, the right exit code, no traceback."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from engine.games import all_names
from p2p.identity.keys import Identity
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from tests.cli.conftest import Run


def assert_refused(run: Run, code: int, sentence: str, *arguments: str) -> None:
    result = run(*arguments)
    assert result.exit_code == code
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("nodealer: ")
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr


def an_invite(port: int = 9) -> str:
    key = Identity.generate(os.urandom).public
    return Invite((Address("127.0.0.1", port),), key, bytes(16)).encode()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["deal"], "No such command 'deal'"),
        (["--loud"], "No such option"),
        (["play"], "Say which game: flip-over, "),
        (["play", "poker"], f"there is no game 'poker'; the games are: {', '.join(all_names())}."),
        (["rules", "poker"], "there is no game 'poker'"),
        (["simulate", "poker"], "there is no game 'poker'"),
        (["demo", "--seats", "6"], "is for 3 to 5 players, not 6."),
        (["demo", "--seats", "many"], "'many' is not a valid integer"),
        (["demo", "--level", "3"], "has no option 'level'"),
        (["demo", "--option", "speed=2"], "has no option 'speed'; its options are: rounds"),
        (["demo", "--option", "rounds=0"], "option rounds is one of: 1 to 20 (not '0')."),
        (
            ["demo", "flaps", "--level", "3", "--option", "level=4"],
            "level cannot be 3 and 4 at once",
        ),
        (["demo", "--option", "rounds"], "wants NAME=VALUE"),
        (["play", "flaps", "--level", "8"], "option level is one of: 1 to 7 (not '8')."),
        (["play", "flaps", "--level", "two"], "option level is one of: 1 to 7 (not 'two')."),
        (["play", "flaps", "--seats", "9"], "Flaps is for 2 to 8 players, not 9."),
        (["play", "flaps", "--option", "last-card=no"], "is one of: auto, catch, off (not 'no')."),
        (["play", "sneak", "--seats", "8"], "Sneak is for 2 to 7 players, not 8."),
        (["play", "sneak", "--option", "target=30"], "is one of: 0, 25, 50, 100, 150, 200 (not"),
        (["play", "sneak", "--level", "1"], "its options are: packs, target, ranking, ending."),
        (["play", "flop-a", "--seats", "1"], "Flop-A is for 2 to 8 players, not 1."),
        (["play", "flop-a", "--option", "stack=60"], "is one of: 0, 20, 50, 100, 200, 500 (not"),
        (
            ["play", "flop-a", "--option", "chips=9"],
            "has no option 'chips'; its options are: hands",
        ),
        (["play", "you-fink", "--seats", "12"], "You Fink! is for 2 to 8 players, not 12."),
        (["play", "you-fink", "--option", "cardLimit=7"], "is one of: off, 50, 100,"),
        (["play", "you-fink", "--option", "=7"], "wants NAME=VALUE"),
        (["demo", "--seats", "3", "--option", "teams=on"], "teams are for 4 players, not 3."),
        (["play", "flip-over", "--seats", "4", "--bots", "2"], "2 bots and you are 3 seats, not 4"),
        (["host", "flip-over", "--seats", "3", "--bots", "3"], "room for 2 bots besides you"),
        (["host", "flip-over", "--carry-on", "1"], "of 4 players 3 have to carry on together"),
        (["host", "flip-over", "--seats", "5", "--carry-on", "5"], "of 5 players 3 to 4 have to"),
        (["host", "flaps", "--seats", "2", "--carry-on"], "if it has three or more"),
        (["host", "--carry-on", "flip-over"], "--carry-on takes how many players"),
        (["host", "flip-over", "--carry-on", "0"], "--carry-on takes how many players"),
        (["host", "flip-over", "--carry-on", "many"], "--carry-on takes how many players"),
        (["host", "flip-over", "--port", "70000"], "70000"),
        (["join", "hello"], "This is not an invite: an invite starts with ND1:"),
        (["join", "ND1:AHIV"], "This invite is cut off"),
        (["simulate", "flip-over", "--games", "0"], "0"),
        (["simulate", "flaps", "--leave", "2"], "the probability of leaving is 0 to 1, not 2.0"),
        (["simulate", "flaps", "--leave", "-0.1"], "is 0 to 1, not -0.1"),
        (["bench", "nothing"], "There is no benchmark 'nothing'; there are: shuffle"),
        *[
            ([name], "/home/games; name another one, or play: ")
            for name in ("audit", "fairness", "replay")
        ],
        (["audit", "no-such.ndlog"], "no-such.ndlog cannot be read: No such file"),
    ],
)
def test_wrong_use_is_one_sentence(run: Run, arguments: list[str], sentence: str) -> None:
    assert_refused(run, 2, sentence, *arguments)


def test_a_mistyped_invite(run: Run) -> None:
    line = an_invite()
    wrong = line[:40] + ("A" if line[40] != "A" else "B") + line[41:]
    assert_refused(run, 2, "mistyped", "join", wrong)


def test_a_table_that_is_not_there(run: Run) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    assert_refused(run, 1, "was not reached at 127.0.0.1", "join", an_invite(port))


def test_a_port_in_use(run: Run) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        arguments = ("host", "flip-over", "--port", port, "--bind", "127.0.0.1")
        assert_refused(run, 2, f"Port {port} on 127.0.0.1 is in use", *arguments)


@pytest.mark.parametrize(
    "arguments",
    [["demo"], ["demo", "--procs"], ["play", "flip-over"], ["host", "flip-over"], ["id"]],
)
def test_a_data_folder_that_cannot_be_written(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    home.write_text("a file where the folder should be")
    assert_refused(run, 2, str(home), *arguments)


def test_a_damaged_identity(run: Run, home: Path) -> None:
    home.mkdir()
    file = home / "identity.json"
    file.write_text("{}")
    file.chmod(0o600)
    assert_refused(run, 2, "is not an identity file", "id")


def test_a_name_that_is_none(run: Run) -> None:
    assert_refused(run, 2, "printable characters", "id", "--name", "a\tb")
