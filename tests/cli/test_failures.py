"""Which errors become a sentence, and which stay loud."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from cli.failures import Failure, NotFinishedError, UserMistakeError, explain
from cli.main import main
from engine.errors import EngineError, UsageError
from p2p.errors import LobbyError, LocalError, OutdatedError, PeerError

AGAIN = "To try again: nodealer host, or nodealer join with a new invite."


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (UserMistakeError("No."), Failure("No.", 2)),
        (UsageError("no such table"), Failure("no such table.", 2)),
        (NotFinishedError("You left."), Failure("You left.", 1)),
        (LobbyError("the table is full"), Failure(f"the table is full. {AGAIN}", 1)),
        (click.UsageError("what?"), Failure("what? Help: nodealer --help", 2)),
        (OutdatedError("The files are too old"), Failure("The files are too old.", 2)),
        (KeyboardInterrupt(), Failure("stopped.", 130)),
        (
            PeerError("bad-share", "a share is wrong", seat=2, step=7),
            Failure(
                "The table stopped: bad-share, seat 2, step 7: a share is wrong. "
                "For whoever looks into it: nodealer report.",
                1,
            ),
        ),
    ],
)
def test_what_a_user_or_a_peer_can_cause(error: BaseException, failure: Failure) -> None:
    assert explain(error) == failure
    assert explain(BaseExceptionGroup("tasks", [error])) == failure


def test_who_stops_a_table_reads_where_the_evidence_is() -> None:
    """Even if no screen shows the news of the table, as in a script."""
    error = PeerError("bad-key", "a key is wrong", seat=1)
    error.evidence = Path("a game.evidence")
    said = "The table stopped: bad-key, seat 1: a key is wrong. To show it to anybody: "
    assert explain(error) == Failure(f"{said}nodealer audit 'a game.evidence' (the evidence).", 1)


@pytest.mark.parametrize("error", [LocalError("bug"), EngineError("bug"), ValueError("bug")])
def test_a_fault_of_ours_is_not_explained(error: Exception) -> None:
    assert explain(error) is None
    assert explain(ExceptionGroup("tasks", [UserMistakeError("No."), error])) is None


def test_a_fault_of_ours_stays_loud(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> None:
        raise ValueError("bug")

    monkeypatch.setattr("cli.commands.rules.load", broken)
    with pytest.raises(ValueError, match="bug"):
        CliRunner().invoke(main, ["rules", "flip-over"], catch_exceptions=False)
