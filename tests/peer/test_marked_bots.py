"""A bot is marked for everybody: what its own program says travels as far as its name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import trio

from p2p.errors import LobbyError
from p2p.lobby.guest import GuestLobby
from p2p.lobby.plan import TablePlan, encode_plan, hello
from p2p.lobby.seats import encode_seats
from p2p.net.invite import Invite
from p2p.peer import Endpoint, TableResult, host_table, join_table
from p2p.player.choosing import Choosing
from p2p.player.events import Event, Gathering, Seated
from p2p.protocol.terms import Terms
from p2p.spectators.client import watch_table
from replay.game import open_game
from tests.peer.desk_kit import World
from tests.peer.kit import LOOPBACK, Watcher, identity, sitter, store
from tests.peer.test_gathering import HERE, KEYS, PLANNED
from tests.peer.test_lobby import HOME, PEOPLE, TOKEN, host, invite, listed


def marked(event: Event) -> frozenset[str]:
    """The names that are marked as bots in what somebody was told."""
    if isinstance(event, Gathering):
        return frozenset(one.name for one in event.people if one.bot)
    assert isinstance(event, Seated)
    return frozenset(event.names[seat] for seat in event.bots)


@pytest.mark.slow
async def test_everybody_sees_who_is_a_bot_from_the_lobby_to_the_next_game(tmp_path: Path) -> None:
    """Two people, each with a bot, and somebody who watches: two games of an evening."""
    names = ("Ana", "Bo", "Cy", "Di")
    people = {name: identity(name) for name in names}
    for name in ("Bo", "Di"):
        people[name] = people[name].as_bot()
    players = {name: Watcher(seed) for seed, name in enumerate(names)}
    seen: list[Event] = []
    played: list[TableResult] = []
    is_watching = trio.Event()

    def again(result: TableResult, choosing: Choosing) -> bool:
        played.append(result)
        return len(played) <= len(names)

    async def stays(result: TableResult, choosing: Choosing) -> bool:
        return again(result, choosing)

    def tell(event: Event) -> None:
        seen.append(event)
        is_watching.set()

    async with trio.open_nursery() as nursery:

        async def sit(name: str, at: Invite) -> None:
            await is_watching.wait()
            who = sitter(people[name], players[name], again=stays)
            await join_table(who, at, store(tmp_path / name))

        async def watch(at: Invite) -> None:
            await watch_table(identity("Eve"), at, tell)

        def opened(at: Invite) -> None:
            nursery.start_soon(watch, at)
            for name in names[1:]:
                nursery.start_soon(sit, name, at)

        for name in names:
            (tmp_path / name).mkdir()
        await host_table(
            sitter(people["Ana"], players["Ana"], again=stays),
            TablePlan(Terms.of("flip-over", {"rounds": 1}), 4),
            store(tmp_path / "Ana"),
            started=opened,
            endpoint=Endpoint(bind=LOOPBACK),
        )
    bots = frozenset({"Bo", "Di"})
    for told in (seen, *(player.events for player in players.values())):
        seated = [marked(event) for event in told if isinstance(event, Seated)]
        assert seated == [bots, bots]
    for player in players.values():
        gathered = [event for event in player.events if isinstance(event, Gathering)]
        assert marked(gathered[-1]) == bots
    proposal = open_game(played[0].log).header.proposal
    assert {proposal.names[seat] for seat in proposal.bots} == bots


def test_a_host_says_what_each_program_has_said_of_itself() -> None:
    hosted, _ = host(TablePlan(Terms.of("flip-over"), 3))
    inbox = hosted.inbox({})
    inbox.take(KEYS[1], hello(TOKEN, "Bo", listed(1), bot=True))
    inbox.take(KEYS[2], hello(TOKEN, "Cy", listed(2), hosted.plan.id))
    assert [one.bot for one in hosted.seats()] == [False, True, False]
    # A person takes the seat of a bot with the same key, before anything is proposed.
    inbox.take(KEYS[1], hello(TOKEN, "Bo", listed(1, HOME, number=2), hosted.plan.id))
    assert [one.bot for one in hosted.seats()] == [False, False, False]
    assert hosted.is_started
    inbox.take(KEYS[1], hello(TOKEN, "Bo", listed(1, HOME, number=2), hosted.plan.id, bot=True))
    assert hosted.seating(listed(0)).proposal.bots == frozenset()


@pytest.mark.parametrize("bot", [True, False])
def test_nobody_signs_a_table_at_which_its_own_mark_is_wrong(bot: bool) -> None:
    """The host may not know better: it is a sentence, and no accusation."""
    who = PEOPLE[1].renamed("Bo")
    who = who.as_bot() if bot else who
    cap_us = PLANNED.terms.race.cap_us
    table = GuestLobby(World([KEYS[0]]).desk, who, invite(), listed(1), race_cap_us=cap_us)
    table.receive(encode_plan(PLANNED))
    right = [HERE[0], replace(HERE[1], bot=bot), HERE[2]]
    table.receive(encode_seats(right))
    with pytest.raises(LobbyError, match="the host says that your seat is a"):
        table.receive(encode_seats([HERE[0], replace(HERE[1], bot=not bot), HERE[2]]))
