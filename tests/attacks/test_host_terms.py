"""Tables that never begin: people are told whom they wait for, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import trio

from p2p.errors import LobbyError
from p2p.lobby.plan import Seating, TablePlan, encode_plan, encode_proposal
from p2p.lobby.seats import encode_seats
from p2p.peer import Sitter, join_table
from p2p.player import waits
from p2p.player.events import Event, HeldUp
from p2p.player.waits import Awaited, Why
from p2p.protocol.proposal import propose
from p2p.protocol.terms import Terms
from p2p.seat import genesis as beginning
from p2p.seat import standstill
from p2p.table import at_table
from p2p.table.at_table import AtTable
from tests.attacks.crook import Crook, nothing, sit_down
from tests.patience import PATIENCE
from tests.peer.kit import Watcher, play_table

SAYS, GIVES_UP = 0.5, 2.0


def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the ten seconds to half a second, and the thirty to two."""
    monkeypatch.setattr(waits, "SAYS_SECONDS", SAYS)
    monkeypatch.setattr(standstill, "LOOKS_SECONDS", 0.05)
    monkeypatch.setattr(beginning, "AWAY_SECONDS", GIVES_UP)
    monkeypatch.setattr(beginning, "LOOKS_SECONDS", 0.05)


def _tell_two_things(table: AtTable) -> None:
    """The host's proposal; the last guest is shown and proposed another number of rounds."""
    peer, seating, lobby = table._sitting.peer, table.seating, table._lobby
    if lobby is None:
        return  # a guest proposes nothing
    token = seating.proposal.token
    *others, last = seating.proposal.identities[1:]
    for key in others:
        peer.mesh.send(key, encode_proposal(seating))
    plan = TablePlan(Terms.of("flip-over", {"rounds": 7}), 3)
    other = propose(token, plan.terms, seating.proposal.seats)
    for frame in (
        encode_plan(plan),
        encode_seats(lobby.seats()),
        encode_proposal(Seating(other, 0, seating.lists)),
    ):
        peer.mesh.send(last, frame)


def _held(player: Watcher) -> list[HeldUp]:
    return [event for event in player.events if isinstance(event, HeldUp)]


async def test_a_host_that_tells_its_guests_different_terms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host shows and proposes one game to one guest, and a different one to the other.

    Answer: no table begins; after ten seconds each guest is told who is at another table, and
    after thirty it leaves and says why. Nobody is accused: the guests have signed rightly.
    """
    _hurry(monkeypatch)
    monkeypatch.setattr(AtTable, "proposable", _tell_two_things)
    # Over a second link it would answer with the proposal of the others.
    monkeypatch.setattr(at_table, "from_lobby", lambda *table: lambda key, payload: None)
    players = [Watcher(seed) for seed in range(3)]
    ended: dict[str, str] = {}
    done = trio.CancelScope()

    async def guest(who: Sitter, *args: Any, **rest: Any) -> object:
        try:
            return await join_table(who, *args, **rest)
        except LobbyError as error:
            ended[who.identity.name] = str(error)
            if len(ended) == 2:
                done.cancel()
            return None

    with trio.fail_after(PATIENCE), done:
        try:
            await play_table(tmp_path, players, guest=guest)
        except* LobbyError:  # the host's own: no table began for it either
            pass
    said = [held.awaited for player in players[1:] for held in _held(player)]
    assert said
    whys = {(one.name, one.why) for awaited in said for one in awaited}
    assert {("guest 1", Why.ELSEWHERE), ("guest 2", Why.ELSEWHERE)} <= whys
    assert all("no game has begun" in sentence for sentence in ended.values()), ended
    assert not list(tmp_path.glob("*/*.evidence"))


async def test_a_seat_that_signs_nothing_at_the_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player sits down, stays linked, and sends nothing while the table is being signed.

    Answer: after ten seconds everybody is told whom the table waits for. Remains: nobody can be
    made to sign; no game has begun, and nothing is lost.
    """
    _hurry(monkeypatch)
    crook = Crook(starts={"commit": nothing})
    silent, told = HeldUp((Awaited("guest 1", Why.SILENT),)), set[Watcher]()
    real = Watcher.tell

    def tell(self: Watcher, event: Event) -> None:
        real(self, event)
        if event == silent:
            told.add(self)
            if len(told) == 2:
                assert crook.nursery is not None
                crook.nursery.cancel_scope.cancel()

    monkeypatch.setattr(Watcher, "tell", tell)
    await sit_down(tmp_path, monkeypatch, crook, "flip-over")
    assert len(told) == 2
