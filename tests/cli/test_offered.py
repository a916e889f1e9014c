"""Whoever does not say what they want, or misspells it, is told what there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.tables import lan_tables
from engine.games import all_names
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from p2p.net.lan import LanTable
from p2p.net.lan_search import Heard
from tests.cli.conftest import Run
from tests.cli.terminal import Terminal
from tests.protocol.kit import identities


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["play", "flip"], "(did you mean 'flip-over'?); the games are:"),
        (["rules", "fl"], "(did you mean 'flip-over', 'flaps' or 'flop-a'?); the games are:"),
        (["bots", "fink"], "(did you mean 'you-fink'?); the games are:"),
        (["play", "flip-ovr"], "(did you mean 'flip-over'?); the games are:"),
        (["rules", "You_Fink"], "(did you mean 'you-fink'?); the games are:"),
        (["simulate", "flaps", "--option", "levl=3"], "(did you mean 'level'?); its options are:"),
        (
            ["simulate", "you-fink", "--option", "card=9"],
            "(did you mean 'cardLimit'?); its options",
        ),
        (["settings", "th=dark"], "(did you mean 'theme'?); there are:"),
        (["settings", "thme=dark"], "(did you mean 'theme'?); there are:"),
        (["paly"], "No such command 'paly' (did you mean 'play'?)."),
        (["rep"], "No such command 'rep' (did you mean 'replay' or 'report'?)."),
        (["demo", "--sea", "3"], "No such option '--sea' (did you mean '--seats'?). Help: "),
        (["join", "--name", "Bo"], "No such option '--name'. Help: "),
        (["demo", "--xyzzy"], "No such option '--xyzzy'. Help: "),
        (["xyzzy"], "No such command 'xyzzy'."),
    ],
)
def test_what_was_meant_is_named(run: Run, typed: list[str], meant: str) -> None:
    result = run(*typed)
    assert result.exit_code == 2
    assert meant in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["play", "host", "simulate", "rules"])
def test_without_a_terminal_nobody_is_asked_which_game(run: Run, command: str) -> None:
    result = run(command)
    assert result.exit_code == 2
    assert result.stderr == f"nodealer: Say which game: {', '.join(all_names())}.\n"


def test_at_a_terminal_the_games_are_listed(tmp_path: Path) -> None:
    """Longer rules than the terminal are read on a page, from its beginning."""
    with Terminal(["rules"], tmp_path) as terminal:
        terminal.until("  4)  Sneak       2 to 7 players")
        terminal.until("Which game")
        terminal.type("4")
        terminal.until("The rules of Sneak   1-22 of ")
        terminal.until("any other key goes back")
        terminal.keys("x")
        assert terminal.end() == 0
    with Terminal(["rules", "sneak", "--plain"], tmp_path) as terminal:
        terminal.until("Play: ")
        terminal.until("play sneak")
        assert terminal.end() == 0


@pytest.mark.parametrize(("typed", "sits"), [("n", False), ("y", True)])
def test_the_only_table_is_asked_about_too(
    typed: str, sits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    invite = Invite((Address("127.0.0.1", 9),), identities(1)[0].public, bytes(16))
    table = LanTable("sneak", 4, "Ann", invite)
    monkeypatch.setattr(lan_tables, "listen", lambda: Heard((table,), 0, False))
    monkeypatch.setattr(lan_tables, "ask_yes", lambda what: typed == "y")
    found = lan_tables.choose_table(as_json=False, choosing=True)
    assert found == (table if sits else None)
    assert lan_tables.choose_table(as_json=False, choosing=True, ready=True) == table


def test_an_export_is_not_poured_over_the_terminal(finished_log: Path, tmp_path: Path) -> None:
    with Terminal(["export", str(finished_log), "--html"], tmp_path) as terminal:
        terminal.until(f"Say which file to write: -o {finished_log.stem}.html.")
        assert terminal.end() == 2


@pytest.mark.parametrize(
    ("typed", "shown", "said"),
    [
        ("simulate flip-over --games 300", "Playing games", "300 games of Flip Over"),
        ("audit {log}", "Checking entries", "complete"),
        ("audit {log} {copy}", "Checking logs", "complete"),
        ("replay {log} --plain --step 3", "Reading entries", "Step 3 of"),
        ("export {log} --html -o {page}", "Reading entries", ""),
        ("export {log} --text -o {page}", "Checking entries", ""),
        ("export {log} --jsonl -o {page}", "Writing", ""),
        ("export {log} --svg -o {page}", "Drawing steps", ""),
        ("fairness {log}", "Reading entries", "known cards in"),
        ("fairness {log} {copy}", "Reading logs", "known cards in"),
        ("fairness {log}", "Testing shuffles", "known cards in"),
        ("report {log} --yes -o {page}", "Checking entries", ""),
        ("demo --option rounds=1 --json", "Playing a match", '"verified": true'),
        ("demo --option rounds=1", "Checking entries", "audit  complete"),
        pytest.param(
            *("demo --seats 3 --option rounds=1 --procs", "Playing in 3 processes", "audit  "),
            marks=pytest.mark.full,
        ),
    ],
)
def test_what_takes_long_shows_how_far_it_has_come(
    typed: str, shown: str, said: str, finished_log: Path, tmp_path: Path
) -> None:
    """Each takes seconds for many games, or a long one: 2 MB of You Fink! are audited in 15 s."""
    copy = tmp_path / "copy.ndlog"
    copy.write_bytes(finished_log.read_bytes())
    words = typed.format(log=finished_log, copy=copy, page=tmp_path / "page").split()
    with Terminal(words, tmp_path / "home") as terminal:
        terminal.until(shown)
        if said:
            terminal.until(said)
        assert terminal.end() in (0, 1)
