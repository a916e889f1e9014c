"""What a host tells the network while seats are free, while a game runs, and after it."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from p2p.driver.connection import TableResult
from p2p.errors import LobbyError
from p2p.lobby.plan import TablePlan
from p2p.lobby.rematch import next_token
from p2p.net.addresses import Address
from p2p.net.endpoint import Announced
from p2p.net.invite import Invite, invite_to
from p2p.net.reach_address import AnyAddress
from p2p.peer import Endpoint, host_table, join_table
from p2p.player.choosing import Choosing
from p2p.player.events import Arrived, Event, Noted, Watchable
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import split_log
from p2p.protocol.terms import Terms
from p2p.spectators.client import watch_table
from p2p.table.notice import Notice
from tests.patience import PATIENCE
from tests.peer.kit import LOOPBACK, Watcher, identity, sitter, store
from tests.peer.test_lobby import PEOPLE, TOKEN
from tests.protocol.kit import identities

KEY = PEOPLE[0].public


class Network:
    """What is announced now, and all that was."""

    def __init__(self) -> None:
        self.now: list[tuple[Invite, bool]] = []
        self.ever: list[tuple[bytes, bool]] = []
        self.games: list[tuple[str, int]] = []

    async def announce(self, table: Announced, port: int) -> None:
        invite, game, seats, running = table
        self.now.append((invite, running))
        self.ever.append((invite.token, running))
        self.games.append((game, seats))
        try:
            await trio.sleep_forever()
        finally:
            self.now.remove((invite, running))


async def test_what_was_announced_is_taken_back_before_the_next(autojump_clock: object) -> None:
    network = Network()
    notice = Notice(network.announce, 4000)
    invite = Invite((Address(LOOPBACK, 1),), KEY, TOKEN)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(notice.run)
        for shown, running in ((invite, False), (invite, True), (None, False), (invite, True)):
            notice.show(shown and Announced(shown, "sneak", 3, running))
            await trio.sleep(1)
            assert network.now == ([] if shown is None else [(shown, running)])
        notice.show(Announced(invite, "sneak", 3, running=True))
        await trio.sleep(1)
        nursery.cancel_scope.cancel()
    assert len(network.ever) == 3
    assert network.now == []


async def test_a_table_that_was_not_announced_stays_so(autojump_clock: object) -> None:
    notice = Notice(None, 4000)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(notice.run)
        invite = Invite((Address(LOOPBACK, 1),), KEY, TOKEN)
        notice.show(Announced(invite, "sneak", 3, running=True))
        await trio.sleep(1)
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("addresses", "direct"),
    [([], 0), ([Address(f"192.0.2.{n}", 4433) for n in range(9)], 6)],
)
def test_an_invite_holds_what_of_a_list_fits(addresses: list[AnyAddress], direct: int) -> None:
    invite = invite_to(addresses, KEY, TOKEN)
    assert len(invite.addresses if invite else ()) == direct
    assert invite is None or (invite.identity, invite.token) == (KEY, TOKEN)


async def test_a_host_that_moves_announces_again_what_it_shows(autojump_clock: object) -> None:
    network = Network()
    notice = Notice(network.announce, 4000)
    invite = Invite((Address(LOOPBACK, 1),), KEY, TOKEN)
    moved = [Address(f"10.0.0.{n}", 1) for n in range(1, 9)]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(notice.run)
        notice.move(moved)
        await trio.testing.wait_all_tasks_blocked()
        assert network.ever == []
        notice.show(Announced(invite, "sneak", 3, running=True))
        await trio.testing.wait_all_tasks_blocked()
        notice.move(moved)
        await trio.testing.wait_all_tasks_blocked()
        ((shown, running),) = network.now
        assert (shown.addresses, running) == (tuple(moved[:6]), True)
        notice.move([*moved[:6], moved[7]])  # one that only the announcement has room for
        await trio.testing.wait_all_tasks_blocked()
        assert len(network.ever) == 3
        nursery.cancel_scope.cancel()


@pytest.mark.slow
async def test_each_game_of_an_evening_is_announced_and_so_is_what_may_follow(
    tmp_path: Path,
) -> None:
    """With the invite of that game, which everybody at the table is told.

    It leads to the game, also for somebody who comes before that begins.
    """
    network, seen = Network(), list[list[tuple[Invite, bool]]]()
    watched: list[bytes] = []
    results: list[TableResult] = []

    async def look(result: TableResult, choosing: Choosing) -> bool:
        results.append(result)
        following = next_token(result.table_id)
        while following not in [invite.token for invite, running in network.now if running]:
            await trio.sleep(0.01)
        ((invite, _),) = network.now
        if len(results) == 1:
            arrives = trio.Event()
            nursery.start_soon(watch, invite, arrives, Arrived)
            await arrives.wait()
            choosing.agree(Terms.of("sneak", {"target": 25}))
            await trio.sleep_forever()
        return False

    async def follow(result: TableResult, choosing: Choosing) -> bool:
        return True

    async def watch(invite: Invite, sees: trio.Event, what: type[Event] = Noted) -> None:
        def tell(event: Event) -> None:
            if isinstance(event, what):
                sees.set()

        result = await watch_table(identity("Eve"), invite, tell)
        watched.append(result.table_id)

    def decides(decided: int) -> object:
        """In the middle of each game somebody comes to watch it, and the game waits for that."""
        if decided not in (3, 11):
            return None
        seen.append(list(network.now))
        sees = trio.Event()
        nursery.start_soon(watch, network.now[0][0], sees)
        return sees.wait()

    players = [Watcher(0, decides), Watcher(1), Watcher(2)]
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:

            async def join(number: int, invite: Invite) -> None:
                own = tmp_path / str(number)
                own.mkdir()
                who = sitter(identities(4)[number], players[number], again=follow)
                try:
                    await join_table(who, invite, store(own))
                except LobbyError:
                    return  # the host plays no third game

            def opened(invite: Invite) -> None:
                for number in (1, 2):
                    nursery.start_soon(join, number, invite)

            (tmp_path / "0").mkdir()
            await host_table(
                sitter("host", players[0], again=look),
                TablePlan(Terms.of("flip-over", {"rounds": 1}), 3),
                store(tmp_path / "0"),
                started=opened,
                endpoint=Endpoint(bind=LOOPBACK, announce=network.announce),
            )
    headers = [decode_header(split_log(one.log.read_bytes()).header) for one in results]
    tokens = [header.proposal.token for header in headers]
    last = next_token(results[1].table_id)
    assert [game for game, _ in network.games] == [*["flip-over"] * 3, "sneak", "sneak"]
    assert network.ever == [
        (tokens[0], False),
        *((token, True) for token in (tokens[0], tokens[1], tokens[1], last)),
    ]
    assert [[(one.token, running) for one, running in now] for now in seen] == [
        [(token, True)] for token in tokens
    ]
    for player in players:
        told = [event.invite for event in player.events if isinstance(event, Watchable)]
        assert [invite.token for invite in told] == [tokens[0], tokens[1], tokens[1], last]
    assert watched == [headers[1].table] * 3, "who watches one game stays for the next"
