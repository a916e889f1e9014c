"""An invite that is pasted at a question, or comes on standard input."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from cli.failures import NotFinishedError
from cli.tables import lan_tables, pasted
from p2p.net.addresses import Address
from p2p.net.invite import Invite, InviteError
from p2p.net.lan import LanError
from p2p.net.lan_search import Heard
from tests.cli.conftest import Run
from tests.cli.terminal import Terminal
from tests.cli.test_together import nearby

INVITE = nearby("Cid")[0].invite
LINE = INVITE.encode()
CLOSED = Invite((Address("127.0.0.1", 9),), INVITE.identity, bytes(16)).encode()


def typing(monkeypatch: pytest.MonkeyPatch, *lines: str) -> list[str]:
    """Answer each question with the next of these lines; the questions."""
    asked, left = list[str](), [*lines]

    def answer(what: str, default: str) -> str:
        asked.append(what)
        return left.pop(0) or default

    monkeypatch.setattr(pasted, "ask_line", answer)
    monkeypatch.setattr(lan_tables, "ask_line", answer)
    return asked


def chosen(monkeypatch: pytest.MonkeyPatch, *names: str) -> object:
    monkeypatch.setattr(lan_tables, "listen", lambda: Heard(tuple(nearby(*names))))
    return lan_tables.choose_table(as_json=False, choosing=True, pasting=True)


def test_an_invite_is_pasted_where_no_table_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    typing(monkeypatch, "hello", f"nodealer join {LINE}")
    assert chosen(monkeypatch) == INVITE
    typing(monkeypatch, "")
    with pytest.raises(NotFinishedError):
        chosen(monkeypatch)


def test_an_invite_is_pasted_where_no_network_can_be_searched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_network() -> Heard:
        raise LanError("no network")

    typing(monkeypatch, LINE)
    monkeypatch.setattr(lan_tables, "listen", no_network)
    assert lan_tables.choose_table(as_json=False, choosing=True, pasting=True) == INVITE
    with pytest.raises(LanError):
        lan_tables.choose_table(as_json=False, choosing=False, pasting=True)


def test_an_invite_is_pasted_beside_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    typing(monkeypatch, "9", "ND1:AAAA", "", LINE)
    assert chosen(monkeypatch, "Ana", "Bo") == INVITE
    typing(monkeypatch, "2")
    assert chosen(monkeypatch, "Ana", "Bo") == nearby("Ana", "Bo")[1]
    typing(monkeypatch, LINE)
    monkeypatch.setattr(lan_tables, "ask_yes", lambda what: False)
    assert chosen(monkeypatch, "Ana") == INVITE


def test_a_line_that_was_broken_goes_on_in_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = typing(monkeypatch, LINE[:40], LINE[40:])
    assert pasted.ask_invite() == INVITE
    assert len(asked) == 2


@pytest.mark.parametrize("text", [LINE, f"Come!\n\n> {LINE[:60]}\n> {LINE[60:]}\n\nBo\n"])
def test_an_invite_comes_on_standard_input(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    assert pasted.read_invite() == INVITE


@pytest.mark.parametrize("text", ["", "\n", "hello", LINE[:30]])
def test_standard_input_without_an_invite_is_a_sentence(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    with pytest.raises(InviteError):
        pasted.read_invite()


def test_a_whole_pasted_command_is_understood(run: Run) -> None:
    told = run("join", "nodealer", "join", CLOSED, "--json")
    assert told.exit_code == 1
    assert "was not reached" in told.stderr


def test_words_without_an_invite_are_refused(run: Run) -> None:
    told = run("join", "me", "please")
    assert told.exit_code == 2
    assert "This is not an invite" in told.stderr


@pytest.mark.parametrize("bind", ["no.such.name.invalid", "a" * 64, ""])
def test_an_impossible_address_to_listen_at_is_refused(run: Run, bind: str) -> None:
    told = run("host", "sneak", "--seats", "2", "--bind", bind)
    assert told.exit_code == 2
    assert "--bind needs an address of this machine" in told.stderr


@pytest.mark.slow
def test_an_invite_is_typed_at_a_terminal_and_no_program_lists_it(tmp_path: Path) -> None:
    with Terminal(["join", "-", "--plain"], tmp_path) as terminal:
        terminal.until("Paste the invite, then press Enter.")
        terminal.type(CLOSED)
        terminal.until("was not reached")
        arguments = Path(f"/proc/{terminal.process.pid}/cmdline")
        assert not arguments.exists() or b"ND1:" not in arguments.read_bytes()
        assert terminal.end() == 1
