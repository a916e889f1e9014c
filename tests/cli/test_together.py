"""Finding each other, watching, talking, and playing again, from the command line."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from cli.failures import UserMistakeError
from cli.home.folders import unfinished
from cli.home.one_seat import only_here
from cli.line.person import spoken
from cli.tables import lan_tables
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from p2p.net.lan import LanTable
from p2p.net.lan_search import Heard
from tests.cli.conftest import Run
from tests.cli.terminal import ASKED, Terminal
from tests.cli.test_processes import finish, start
from tests.patience import PATIENCE
from tests.protocol.kit import identities

TABLE = ("--bind", "127.0.0.1", "--option", "rounds=1", "--no-announce", "--plain")


def test_two_people_talk_play_and_play_again(tmp_path: Path) -> None:
    """One of the two others is a bot, who stays as long as the host does."""
    table = ["host", "flip-over", "--seats", "3", "--bots", "1", *TABLE]
    with Terminal(table, tmp_path / "host") as host:
        host.until("Seated 2 of 3")
        invite = host.shown[host.shown.index("ND1:") :].split()[0]
        with Terminal(["join", invite, "--plain", "--yes"], tmp_path / "guest") as guest:
            host.until("Enter: I'm ready")
            guest.until("Read the words to each other")
            host.type("c good evening")
            guest.until(": good evening")
            host.type("")
            for game in range(2):
                for card in range(8):
                    both_play(host, guest, talks=game == card == 0)
                for terminal in (host, guest):
                    terminal.until("play again with the same people")
                if game == 0:
                    another_one(host, guest)
            for terminal in (host, guest):
                terminal.type("q")
            host.until("audit  complete")
            guest.until("audit  complete")
            assert ": hello out there" in guest.shown
            assert (host.end(), guest.end()) == (0, 0)
        assert host.shown.count("audit  complete") == 2
    for who in ("host", "guest"):
        assert len(list((tmp_path / who / "games").glob("*.ndlog"))) == 2
        assert not list((tmp_path / who / "games").glob("*.lock"))


def another_one(host: Terminal, guest: Terminal) -> None:
    """The host proposes a game by its list, and the guest agrees."""
    host.type("o")
    host.until("Which [1]>")
    host.type("flip over")
    host.until("Enter goes on>")
    host.type("rounds=1")
    host.until("Enter goes on>")
    host.type("")
    guest.until("proposes Flip Over")
    guest.until("Enter: agree")
    guest.type("r")
    while guest.until("Waiting.", "Enter: agree") != "Waiting.":
        guest.type("r")  # a line that ends too soon was begun before that, and means nothing


def both_play(host: Terminal, guest: Terminal, *, talks: bool) -> None:
    """Each plays a card, in whichever order they are asked; the host may say something first."""
    waiting = [host, guest]
    while waiting:
        for terminal in waiting:
            if terminal.asked():
                terminal.until(*ASKED)
                terminal.until(">")
                if talks and terminal is host:
                    host.type("c hello out there")
                    host.until(": hello out there")
                    host.type("w")
                    host.until("direct")
                terminal.type("1")
                waiting.remove(terminal)
                break


def test_a_game_is_watched_by_invite_and_from_its_log(tmp_path: Path, run: Run) -> None:
    homes = [tmp_path / name for name in ("host", "bot", "watcher", "other")]
    host = start(homes[0], "host", "flip-over", "--seats", "3", *TABLE[:-1], "--json")
    assert host.stdout is not None
    invite = json.loads(host.stdout.readline())["invite"]
    watcher = start(homes[2], "watch", invite)
    assert watcher.stdout is not None
    assert watcher.stdout.readline().startswith("At the table of ")
    guests = [start(home, "join", invite, "--json") for home in (homes[1], homes[3])]
    said = finish([host, *guests, watcher])
    assert "audit  complete" in said[3][0]
    log, seen = (next((home / "games").glob("*.ndlog")) for home in (homes[0], homes[2]))
    assert seen.read_bytes() == log.read_bytes()
    told = run("watch", str(log))
    assert told.exit_code == 0
    assert "The game is over" in told.stdout
    assert told.stdout.rstrip().endswith("every shuffle, share, oath, move and signature is right")


def test_an_unfinished_log_is_told_as_far_as_it_goes(
    run: Run, finished_log: Path, tmp_path: Path
) -> None:
    cut = tmp_path / "cut.ndlog"
    cut.write_bytes(finished_log.read_bytes()[:-700])
    result = run("watch", str(cut), "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["verified"] is False


@pytest.mark.parametrize("text", ["nothing.ndlog", "ND1:AAAA", "ND9:AAAA"])
def test_nothing_to_watch_is_a_sentence(run: Run, text: str) -> None:
    result = run("watch", text)
    assert result.exit_code == 2
    assert result.stderr.startswith("nodealer: ")
    assert result.stderr.count("\n") == 1


# -- tables nearby -----------------------------------------------------------------------------


def nearby(*names: str) -> list[LanTable]:
    address = Address("127.0.0.1", 9)
    return [
        LanTable("flip-over", 3, name, Invite((address,), who.public, bytes(16)), (address,))
        for name, who in zip(names, identities(len(names)), strict=True)
    ]


def test_tables_nearby_are_listed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = Heard(tuple(nearby("Ana", "Bo")), garbled=3, more=True, other=2)
    monkeypatch.setattr(lan_tables, "listen", lambda: heard)
    told = run("join")
    assert told.exit_code == 0
    assert "Flip Over, 3 seats, at Bo's (" in told.stdout
    assert "Left out: 3 announcements that make no sense." in told.stdout
    assert "More tables are announced here than are listed" in told.stdout
    assert "Left out: a table that speaks protocol version 2, and this program " in told.stdout
    found = json.loads(run("join", "--json").stdout)
    tables = found["tables"]
    assert (found["garbled"], found["more"], found["other_version"]) == (3, True, 2)
    assert [table["name"] for table in tables] == ["Ana", "Bo"]
    assert Invite.decode(tables[0]["invite"]) == nearby("Ana")[0].invite


def test_a_table_that_is_being_played_is_there_to_be_watched(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, bo = nearby("Ana", "Bo")
    monkeypatch.setattr(lan_tables, "listen", lambda: Heard((ana, replace(bo, running=True))))
    told = run("join").stdout
    assert "Already being played, and to be watched (nodealer watch): 1." in told
    assert "at Ana's (" in told
    assert "at Bo's (" not in told
    told = run("watch").stdout
    assert [line.endswith(", being played") for line in told.splitlines()[1:]] == [False, True]
    for command in ("join", "watch"):
        tables = json.loads(run(command, "--json").stdout)["tables"]
        assert [table["running"] for table in tables] == [False, True]
    monkeypatch.setattr(lan_tables, "listen", lambda: Heard((replace(bo, running=True),)))
    assert run("join").exit_code == 1
    assert run("watch").exit_code == 0


def test_no_table_nearby_is_a_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan_tables, "listen", Heard)
    told = run("join")
    assert told.exit_code == 1
    assert "Nobody announces a table" in told.stderr
    assert json.loads(run("join", "--json").stdout)["tables"] == []


# -- whose seat --------------------------------------------------------------------------------


def test_a_second_program_of_the_same_person_is_told_so(tmp_path: Path) -> None:
    with only_here(tmp_path, bytes(16)):
        with (
            pytest.raises(UserMistakeError, match="needs an identity of their own"),
            only_here(tmp_path, bytes(16)),
        ):
            raise AssertionError("both hold the table")
        with only_here(tmp_path, bytes(15) + b"\1"):
            assert len(list(tmp_path.iterdir())) == 2
    assert list(tmp_path.iterdir()) == []


def test_one_s_own_invite_leads_nowhere(tmp_path: Path) -> None:
    host = start(tmp_path, "host", "flip-over", "--seats", "3", *TABLE[:-1], "--json")
    assert host.stdout is not None
    invite = json.loads(host.stdout.readline())["invite"]
    for command in ("join", "watch"):
        guest = start(tmp_path, command, invite, "--json")
        _, said = guest.communicate(timeout=PATIENCE)
        assert guest.returncode == 1
        assert "this invite is your own" in said
    host.terminate()
    host.communicate(timeout=PATIENCE)


def test_unfinished_tables_newest_first(tmp_path: Path) -> None:
    for age, name in enumerate(("newest", "older", "oldest")):
        seat = tmp_path / f"{name}.ndseat"
        seat.write_bytes(b"")
        os.utime(seat, (time.time() - 100 * age,) * 2)
    assert [path.stem for path in unfinished(tmp_path)] == ["newest", "older", "oldest"]


@pytest.mark.parametrize(
    ("typed", "line"),
    [("c hello", "hello"), ("/say  a b ", "a b"), ("c", None), ("7c", None), ("C ok", "ok")],
)
def test_what_is_said_and_what_is_played(typed: str, line: str | None) -> None:
    assert spoken(typed) == line
