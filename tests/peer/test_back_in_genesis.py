"""A seat that comes back in the midst of a genesis knows what it has signed upon."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from p2p.errors import PeerError
from p2p.files.seat_memory import Known
from p2p.files.storage import Store
from p2p.protocol import step_kinds
from p2p.protocol.entry import Chain, decode_entry, no_state, sign_entry
from p2p.protocol.frame_kinds import RECORD, TOLD
from p2p.protocol.parts import Parts
from p2p.protocol.proposal import ProposedSeat, propose
from p2p.protocol.table import GameTable
from p2p.protocol.terms import Terms
from p2p.seat.reply import Script
from p2p.seat.returning import Patience
from p2p.seat.table_seat import TableSeat
from replay.audit import audit
from tests.peer.desk_kit import Nobody, World
from tests.protocol.kit import TOKEN, identities, seeded

LIAR, HONEST = 0, 1
PEOPLE = identities(2)
SEATS = [ProposedSeat(one.public, one.name) for one in PEOPLE]
PROPOSAL = propose(TOKEN, Terms.of("flaps"), SEATS)
PATIENCE = Patience()


class _Company(Nobody):
    def proposable(self) -> None:
        """Everybody knows the proposal."""

    def open(self, table: GameTable) -> None:
        """Nobody is around."""


class _Program:
    """A program of the honest seat, on the files of a folder."""

    def __init__(self, folder: Path) -> None:
        (folder / "ledger").mkdir(exist_ok=True)
        self.files = Store(folder, folder / "ledger").files("table")
        self.world = World([PEOPLE[LIAR].public], self.files)
        self.core = TableSeat(self.world.desk, PEOPLE[HONEST], PROPOSAL, PATIENCE, _Company())
        self._script: Script[GameTable] | None = None

    def plays(self) -> None:
        known = {one.public: Known() for one in PEOPLE}
        self._script = Script(self.core.play(known, Parts(seeded("parts"))))
        self.world.settle()

    def goes_back(self) -> None:
        self._script = Script(self.core.go_back(self.files.resume(), Parts(seeded("parts"))))
        self.world.settle()

    def hears(self, frame: bytes) -> None:
        self.core.runner.receive(PEOPLE[LIAR].public, frame)
        self.world.settle()

    def said(self) -> list[Any]:
        """Its own entries that left, each once, in their order."""
        records = [frame[1:] for frame in self.world.frames if frame[0] == RECORD.number]
        mine = dict.fromkeys(one for one in records if decode_entry(one).seat == HONEST)
        return [decode_entry(record) for record in mine]

    def dies(self) -> None:
        assert self._script is not None
        self._script.close()
        self.files.close(erase_secrets=False)

    def outcome(self) -> object:
        assert self._script is not None
        return self._script.outcome.result()


def _commit(said: bytes) -> bytes:
    """The first entry of the liar, who says this."""
    chain, kind = Chain(PROPOSAL.id), str(step_kinds.COMMIT)
    return sign_entry(PEOPLE[LIAR], chain, LIAR, kind, said * 64, no_state()).record


def _until_it_reveals(folder: Path) -> bytes:
    """The seat has signed upon a commitment of the liar, and then its program dies; its entry."""
    first = _Program(folder)
    first.plays()
    first.hears(RECORD.make(_commit(b"a")))
    commit, reveal = first.said()
    assert (commit.kind, reveal.kind) == (step_kinds.COMMIT, step_kinds.REVEAL)
    first.dies()
    return bytes(reveal.record)


def test_who_shows_another_genesis_to_a_seat_that_comes_back_is_named(tmp_path: Path) -> None:
    """Nobody else has what was signed first: the seat itself has kept it."""
    _until_it_reveals(tmp_path)
    back = _Program(tmp_path)
    back.goes_back()
    other = _commit(b"b")
    back.hears(RECORD.make(other))
    back.hears(TOLD.make({"table": PROPOSAL.id, "step": 1}))
    with pytest.raises(PeerError, match="two different entries") as caught:
        back.outcome()
    assert (caught.value.verdict, caught.value.seat) == ("equivocation", LIAR)
    assert caught.value.evidence is not None
    report = audit(caught.value.evidence)
    assert (report.verdict, report.seat, report.step) == ("equivocation", LIAR, 0)
    assert {RECORD.make(other), RECORD.make(_commit(b"a"))} <= set(back.world.frames)
    back.files.close(erase_secrets=True)


def test_a_seat_that_comes_back_goes_on_with_what_it_signed(tmp_path: Path) -> None:
    """It sends its last entry again as soon as the others have told, and asks for nothing more."""
    reveal = _until_it_reveals(tmp_path)
    back = _Program(tmp_path)
    back.goes_back()
    assert back.said() == []
    back.hears(TOLD.make({"table": PROPOSAL.id, "step": 1}))
    assert [entry.record for entry in back.said()] == [reveal]
    back.dies()
