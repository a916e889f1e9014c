"""A seat that is killed when its log is whole comes back, tells the others, and is through."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import trio

from p2p.net.invite import Invite
from p2p.peer import Endpoint, Sitter, Store, TableResult, join_table, resume_table
from p2p.table.at_table import AtTable
from tests.patience import PATIENCE
from tests.peer.kit import Watcher, play_table
from tests.peer.test_match import check_equal_logs

VICTIM = "guest 1"


@pytest.mark.slow
async def test_killed_before_its_secrets_are_erased(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_away = AtTable._put_away

    def killed(table: AtTable) -> None:
        if table.seat.proposal.names[table.seat.seat] != VICTIM:
            put_away(table)
            return
        monkeypatch.setattr(AtTable, "_put_away", put_away)
        table.driver.files.close(erase_secrets=False)

    monkeypatch.setattr(AtTable, "_put_away", killed)

    async def sit(who: Sitter, invite: Invite, kept: Store, *, endpoint: Endpoint) -> TableResult:
        result = await join_table(who, invite, kept, endpoint=endpoint)
        for seat_file in kept.folder.glob("*.ndseat"):
            again = await resume_table(replace(who, player=Watcher(7)), seat_file, kept.ledger)
            assert (again.returns, again.log) == (result.returns, result.log)
        return result

    with trio.fail_after(PATIENCE):
        await play_table(tmp_path, [Watcher(seed) for seed in range(3)], guest=sit, rounds=1)
    check_equal_logs(tmp_path, 3)
    assert not list(tmp_path.rglob("*.ndseat"))
