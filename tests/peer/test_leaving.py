"""A player leaves for good between whole peers over TLS on loopback."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.question import Question
from engine.view import View
from p2p.net.invite import Invite
from p2p.peer import Sitter, Store, TableResult, join_table
from p2p.player.bots import BotPlayer
from p2p.player.events import Event, Finished, Noted, Seated
from p2p.player.events import Lost as LinkLost
from p2p.protocol.step import LEAVE
from p2p.spectators.client import WatchResult, watch_table
from replay.audit import audit
from tests.peer.kit import Watcher, play_table


class Sensible(Watcher):
    """Plays well, and leaves for good at the decision with this number, if there is one."""

    def __init__(self, game: str, seed: int, leaves: int | None = None) -> None:
        super().__init__(seed)
        self._plays = BotPlayer(game, Random(seed))
        self._leaves = leaves
        self.told: list[Event] = []

    async def decide(self, view: View, question: Question[Any]) -> object:
        self.decided += 1
        if self.decided == self._leaves:
            return LEAVE
        return await self._plays.decide(view, question)


def logs(folder: Path, seats: int) -> list[bytes]:
    return [next((folder / str(seat)).glob("*.ndlog")).read_bytes() for seat in range(seats)]


@pytest.mark.slow
@pytest.mark.parametrize("leaver", [0, 2], ids=["the host", "a guest"])
async def test_the_others_play_on_and_their_log_is_complete(tmp_path: Path, leaver: int) -> None:
    players = [Sensible("sneak", seed, 3 if seed == leaver else None) for seed in range(4)]
    results = await play_table(tmp_path, list(players), game="sneak", target=25)
    stay = [seat for seat in range(4) if seat != leaver]
    assert results[leaver].returns is None
    assert len({results[seat].returns for seat in stay}) == 1
    saved = logs(tmp_path, 4)
    assert len({saved[seat] for seat in stay}) == 1
    assert saved[stay[0]].startswith(saved[leaver])
    assert len(saved[stay[0]]) > len(saved[leaver])
    found = audit(next((tmp_path / str(stay[0])).glob("*.ndlog")))
    (seat,) = {event.seat for event in players[leaver].events if isinstance(event, Seated)}
    assert (found.verdict, [one.seat for one in found.left]) == ("complete", [seat])
    assert found.returns == results[stay[0]].returns
    assert not list(tmp_path.glob("*/*.ndseat")), "a secret of a table that is over"
    for number, player in enumerate(players):
        assert Noted(("leaves", seat)) in player.events
        assert not any(isinstance(event, LinkLost) for event in player.events)
        last = player.events[-1]
        assert isinstance(last, Finished)
        assert (last.returns is None) == (number == leaver)


@pytest.mark.slow
async def test_who_has_left_may_watch_the_rest(tmp_path: Path) -> None:
    """The invite that it came with lets it in again, as somebody who looks on."""
    players = [Sensible("sneak", seed, 2 if seed == 2 else None) for seed in range(4)]
    seen: list[WatchResult] = []

    async def guest(who: Sitter, invite: Invite, store: Store, **how: Any) -> TableResult:
        result = await join_table(who, invite, store, **how)
        if result.returns is None:
            folder = store.folder / "watched"
            folder.mkdir()
            seen.append(await watch_table(who.identity, invite, lambda event: None, folder=folder))
        return result

    results = await play_table(tmp_path, list(players), guest=guest, game="sneak", target=25)
    assert [result.returns for result in seen] == [results[0].returns]
    assert seen[0].log is not None
    assert audit(seen[0].log).verdict == "complete"
