"""A program that disagrees with the others on the state: every peer writes what it sees."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p.files.state_file import read_state
from p2p.player.events import Stopped
from p2p.protocol.table import GameTable
from tests.attacks.crook import Crook, convict, sit_down


async def test_everybody_writes_the_state_that_the_crook_did_not_sign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player's program believes that the game is over, and the others do not.

    Answer: the table stops, and every machine writes what it sees, so that people can compare.
    """

    def begin(table: GameTable) -> None:
        table.session.table.over = True

    evening = await sit_down(tmp_path, monkeypatch, Crook(begins=begin), "chosen")
    convict(evening, "state-mismatch")
    texts = []
    for seat in (0, 2):
        (stopped,) = [e for e in evening.players[seat].events if isinstance(e, Stopped)]
        assert stopped.state is not None
        assert stopped.state.parent == tmp_path / str(seat)
        texts.append(stopped.state.read_text("utf-8"))
    assert texts[0] == texts[1]
    assert read_state(texts[0]).fields["over"] is False
