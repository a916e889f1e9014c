"""A person at a terminal, from the command to the summary."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.terminal import ASKED, LEAVES, Terminal

COLOUR = re.compile(r"\x1b\[[0-9;]*\b(3[1-6]|94)m")
PLAY = ("play", "flip-over", "--bots", "2", "--option", "rounds=1", "--pace", "off")


def test_a_match_at_the_full_screen(tmp_path: Path) -> None:
    """Enter plays the marked card; if nothing is asked, it does nothing, and it never leaves."""
    with Terminal(PLAY, tmp_path) as terminal:
        terminal.until("q leaves", press="\r")
        terminal.until("audit  complete", press="q")
        assert terminal.end() == 0
    assert list((tmp_path / "games").glob("*.ndseat")) == []


@pytest.mark.parametrize("extra", [["--plain"], ["--plain", "--ascii"]])
def test_a_match_in_lines(tmp_path: Path, extra: list[str]) -> None:
    with Terminal([*PLAY, *extra], tmp_path) as terminal:
        for _ in range(8):
            terminal.until(*ASKED)
            terminal.until(">")
            terminal.type("1")
        terminal.until("play again with the same people")
        terminal.type("")  # as in the game, once too often
        terminal.until("play again with the same people")
        terminal.type("q")
        terminal.until("audit  complete")
        assert terminal.end() == 0
    assert list((tmp_path / "games").glob("*.ndseat")) == []


@pytest.mark.parametrize("extra", [[], ["--plain"]])
@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_control_c_and_control_d_leave_cleanly(tmp_path: Path, extra: list[str], key: str) -> None:
    with Terminal([*PLAY, *extra], tmp_path) as terminal:
        terminal.until(*ASKED)
        terminal.until(">" if extra else "Enter:")
        terminal.type(key)
        if not extra:
            terminal.until(*LEAVES)
            terminal.type("l")
        terminal.until("nodealer: You left the table. The unfinished game is saved:")
        assert terminal.end() == 1
        assert "Traceback" not in terminal.shown


@pytest.mark.parametrize(("no_color", "coloured"), [("", True), ("1", False)])
def test_colours_only_where_they_are_wanted(tmp_path: Path, no_color: str, coloured: bool) -> None:
    with Terminal(PLAY, tmp_path, NO_COLOR=no_color) as terminal:
        terminal.until(*ASKED)
        terminal.until("Enter:")
        terminal.type("\x03")
        terminal.until(*LEAVES)
        terminal.type("l")
        assert terminal.end() == 1
        assert "You left the table." in terminal.shown
        assert bool(COLOUR.search(terminal.raw)) is coloured


def test_a_host_sees_the_invite_and_can_close_the_table(tmp_path: Path) -> None:
    with Terminal(["host", "flip-over", "--seats", "3", "--bind", "127.0.0.1"], tmp_path) as host:
        host.until("ND1:")
        host.type("\x03")
        host.until(*LEAVES)
        host.type("y")
        host.until("nodealer: You left the table. The game had not begun")
        assert host.end() == 1
        assert "▀" in host.shown


def test_a_person_hosts_and_a_person_joins(tmp_path: Path) -> None:
    table = ["host", "flip-over", "--seats", "3", "--bots", "1", "--bind", "127.0.0.1", "--plain"]
    with Terminal([*table, "--option", "rounds=1"], tmp_path / "host") as host:
        host.until("Waiting for 1 more player")
        host.until("Seated 2 of 3")
        invite = host.shown[host.shown.index("ND1:") :].split()[0]
        with Terminal(["join", invite, "--plain"], tmp_path / "guest") as guest:
            both_get_ready(host, guest)
            for _ in range(8):
                play_one(host, guest)
            for terminal in (host, guest):
                terminal.until("play again with the same people")
            for terminal in (host, guest):  # where the host leaves first, nobody is asked any more
                terminal.type("q")
            host.until("audit  complete")
            guest.until("audit  complete")
            assert (host.end(), guest.end()) == (0, 0)
    logs = [next((tmp_path / who / "games").glob("*.ndlog")) for who in ("host", "guest")]
    assert logs[0].read_bytes() == logs[1].read_bytes()


def both_get_ready(host: Terminal, guest: Terminal) -> None:
    """One line and Enter; a player may take this back until all are ready."""
    guest.until("lost players: the table waits")
    guest.until("Enter: I'm ready")
    guest.type("")
    guest.until("You are ready")
    guest.type("n")
    host.until(" is ready.")
    host.until(" is not ready.")
    guest.type("")
    host.until(" is ready.")
    host.until("Enter: I'm ready")
    host.type("")


def play_one(host: Terminal, guest: Terminal) -> None:
    """Each of the two plays one card of a trick, in whichever order they are asked."""
    waiting = [host, guest]
    while waiting:
        for terminal in waiting:
            if terminal.asked():
                terminal.until(*ASKED)
                terminal.until(">")
                terminal.type("1")
                waiting.remove(terminal)
                break
