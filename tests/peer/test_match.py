"""Matches between whole peers over TLS on loopback."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio

import p2p.peer as peer_module
from p2p.driver import connection
from p2p.errors import LobbyError
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from p2p.net.mesh import Mesh
from p2p.peer import Player, Sitter, Store, join_table, resume_table
from p2p.player.events import Finished, Lost, Seated
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import split_log
from p2p.seat import genesis as beginning
from p2p.seat.runner import Runner
from replay.audit import audit
from tests.peer.kit import Watcher, play_table


def check_equal_logs(folder: Path, seats: int) -> Path:
    """All seats' logs are equal, audited, and no secret is left on the disk."""
    logs = sorted(folder.glob("*/*.ndlog"))
    assert len(logs) == seats
    assert len({log.read_bytes() for log in logs}) == 1
    assert not list(folder.glob("*/*.ndseat"))
    assert audit(logs[0]).verdict == "complete"
    return logs[0]


@pytest.mark.slow
async def test_three_peers_play_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beginning, "MEASURING_SECONDS", 30.0)  # however busy this machine is
    players = [Watcher(seed) for seed in range(3)]
    results = await play_table(tmp_path, players)
    log = check_equal_logs(tmp_path, 3)
    assert len({result.returns for result in results}) == 1
    assert audit(log).returns == results[0].returns
    _check_pings(log)
    for player in players:
        kinds = [type(event) for event in player.events]
        assert Seated in kinds
        assert kinds[-1] is Finished
        assert Lost not in kinds


def _check_pings(log: Path) -> None:
    """Every seat stated what it measured to every other."""
    header = decode_header(split_log(log.read_bytes()).header)
    for seat, row in enumerate(header.pings):
        assert [ping is None for ping in row] == [other == seat for other in range(len(row))]
    assert header.race_cap_us == audit(log).race_cap_us
    assert 1_000 <= header.race_cap_us <= header.proposal.terms.race.cap_us


@pytest.mark.slow
async def test_a_line_of_three_finishes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A and C can never connect: B carries what they say to each other."""
    real_addresses, real_changed = peer_module.listening_addresses, Runner.link_changed
    asked: list[object] = []
    linked: set[tuple[str, str]] = set()

    def only_the_host(listeners: object, *args: Any) -> list[Address]:
        asked.append(listeners)
        return real_addresses(listeners, *args) if listeners is asked[0] else []

    def changed(self: Runner, peer: bytes, up: bool) -> None:
        names, known = self.proposal.names, self.proposal.identities
        linked.add((names[self.seat], names[known.index(peer)]))
        real_changed(self, peer, up)

    monkeypatch.setattr(peer_module, "listening_addresses", only_the_host)
    monkeypatch.setattr(Runner, "link_changed", changed)
    await play_table(tmp_path, [Watcher(seed) for seed in range(3)])
    check_equal_logs(tmp_path, 3)
    assert not linked & {("guest 1", "guest 2"), ("guest 2", "guest 1")}


@pytest.mark.slow
async def test_cut_links_come_back_by_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meshes: list[Mesh] = []

    def remember(*args: Any, **rest: Any) -> Mesh:
        meshes.append(Mesh(*args, **rest))
        return meshes[-1]

    monkeypatch.setattr(connection, "Mesh", remember)

    def cut(decided: int) -> None:
        if decided in (4, 9):
            for mesh in meshes:
                for key in list(mesh.links()):
                    mesh._board.stop(key, "the test cut it")

    await play_table(tmp_path, [Watcher(0, cut), Watcher(1), Watcher(2)])
    check_equal_logs(tmp_path, 3)


@pytest.mark.slow
async def test_a_killed_peer_resumes_and_signs_nothing_twice(tmp_path: Path) -> None:
    scope = trio.CancelScope()
    stopped = Watcher(1, lambda decided: scope.cancel() if decided == 5 else None)
    again = Watcher(7)

    async def fragile(who: Sitter, invite: Invite, kept: Store, **rest: Any) -> object:
        if who.player is not stopped:
            return await join_table(who, invite, kept, **rest)
        with scope:
            await join_table(who, invite, kept, **rest)
        assert scope.cancelled_caught
        (seat_file,) = kept.folder.glob("*.ndseat")
        assert seat_file.stat().st_mode & 0o077 == 0
        return await resume_table(replace(who, player=again), seat_file, kept.ledger)

    await play_table(tmp_path, [Watcher(0), stopped, Watcher(2)], guest=fragile)
    check_equal_logs(tmp_path, 3)
    assert again.decided > 5


@pytest.mark.slow
async def test_who_joins_again_in_the_middle_is_sent_to_resume(tmp_path: Path) -> None:
    """A program started anew would sign other keys for its seat; the first one plays on."""
    seats: dict[Player, tuple[Sitter, Invite]] = {}

    async def remember(who: Sitter, invite: Invite, kept: Store, **rest: Any) -> object:
        seats[who.player] = who, invite
        return await join_table(who, invite, kept, **rest)

    async def join_again() -> None:
        who, invite = seats[players[1]]
        again = replace(who, player=Watcher(9))
        with pytest.raises(LobbyError, match="nodealer resume goes back to it"):
            await join_table(again, invite, Store(tmp_path, tmp_path / "ledger"))

    players = [Watcher(0), Watcher(1, lambda n: join_again() if n == 4 else None), Watcher(2)]
    await play_table(tmp_path, players, guest=remember)
    check_equal_logs(tmp_path, 3)
