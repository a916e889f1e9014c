"""Seats that come back at other addresses: the others pass on where they are now."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio

from p2p.files.seat_memory import read_seat
from p2p.net.addresses import close_listeners, open_listeners
from p2p.net.invite import Invite
from p2p.net.seat_links import Way
from p2p.peer import Sitter, Store, join_table, resume_table
from p2p.player.events import Event, LinkNews
from tests.patience import PATIENCE
from tests.peer.kit import LOOPBACK, Watcher, play_table
from tests.peer.test_match import check_equal_logs

KILLED_AT = 3


class Back(Watcher):
    """Decides nothing before it is linked directly with everybody."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.direct = trio.Event()

    async def decide(self, view: Any, question: Any) -> object:
        await self.direct.wait()
        return await super().decide(view, question)

    def tell(self, event: Event) -> None:
        super().tell(event)
        if isinstance(event, LinkNews) and all(one.way is Way.DIRECT for one in event.links):
            self.direct.set()


@pytest.mark.slow
async def test_two_guests_who_both_have_moved_find_each_other(tmp_path: Path) -> None:
    """Neither can be dialled where the other knows it; the host passes on what both sign anew."""
    scopes = {1: trio.CancelScope(), 2: trio.CancelScope()}
    back = {seat: Back(seat) for seat in scopes}
    both_gone, gone = trio.Event(), list[int]()

    def killed(seat: int) -> Watcher:
        return Watcher(seat, lambda n: scopes[seat].cancel() if n == KILLED_AT else None)

    players = [Watcher(0), killed(1), killed(2)]

    async def guest(who: Sitter, invite: Invite, kept: Store, **rest: Any) -> object:
        seat = [one is who.player for one in players].index(True)
        with scopes[seat]:
            await join_table(who, invite, kept, **rest)
        gone.append(seat)
        if len(gone) == len(scopes):
            both_gone.set()
        else:  # the table waits for this seat: the other one goes too
            scopes[3 - seat].cancel()
        await both_gone.wait()
        (seat_file,) = kept.folder.glob("*.ndseat")
        memory = read_seat(seat_file.read_bytes())
        (old,) = memory.lists(invite.token)[who.identity.public].addresses
        others = await open_listeners(old.port, LOOPBACK)  # somebody else has the port now
        result = await resume_table(replace(who, player=back[seat]), seat_file, kept.ledger)
        await close_listeners(others)
        return result

    with trio.fail_after(PATIENCE):
        await play_table(tmp_path, players, guest=guest)
    check_equal_logs(tmp_path, 3)
    assert all(player.direct.is_set() for player in back.values())
