"""A seat that is killed when its log is whole comes back, tells the others, and is through."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import trio

from p2p.net.invite import Invite
from p2p.peer import Endpoint, Sitter, Store, TableResult, join_table, resume_table
from p2p.seat.runner import Runner
from p2p.table import games as playing
from tests.peer.kit import Watcher, play_table
from tests.peer.test_match import check_equal_logs

VICTIM = "guest 1"


@pytest.mark.slow
async def test_killed_before_its_secrets_are_erased(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave = playing._leave

    def killed(runner: Runner) -> None:
        if runner.proposal.names[runner.seat] != VICTIM:
            leave(runner)
            return
        monkeypatch.setattr(playing, "_leave", leave)
        runner.files.close(erase_secrets=False)

    monkeypatch.setattr(playing, "_leave", killed)

    async def sit(who: Sitter, invite: Invite, kept: Store, *, endpoint: Endpoint) -> TableResult:
        result = await join_table(who, invite, kept, endpoint=endpoint)
        for seat_file in kept.folder.glob("*.ndseat"):
            again = await resume_table(replace(who, player=Watcher(7)), seat_file, kept.ledger)
            assert (again.returns, again.log) == (result.returns, result.log)
        return result

    with trio.fail_after(60):
        await play_table(tmp_path, [Watcher(seed) for seed in range(3)], guest=sit, rounds=1)
    check_equal_logs(tmp_path, 3)
    assert not list(tmp_path.rglob("*.ndseat"))
