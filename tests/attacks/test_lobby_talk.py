"""Attacks on the talk of a lobby, over real sockets: others' names, strangers, floods, garbage."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest
import trio

from p2p.identity.keys import Identity
from p2p.net.link import Channel
from p2p.net.mesh import Mesh
from p2p.player.events import Chat, Talk
from p2p.protocol import wire
from p2p.protocol.chat import IN_LOBBY, sign_lobby_line
from p2p.protocol.frame_kinds import CHAT, LOBBY_TALK, SEATS
from p2p.seat.chat import LINES
from p2p.spectators.gallery import watch_frame
from tests.attacks.test_strangers import (
    Evening,
    fresh,
    greeting,
    is_closed,
    linked,
    seated,
    until_kind,
)
from tests.patience import PATIENCE
from tests.peer.kit import Watcher

SEATS_OF_IT = 4
"""One stays free, so that no table begins."""


def heard(evening: Evening, number: int) -> list[tuple[str, str]]:
    return [(one.name, one.text) for one in evening.players[number].events if isinstance(one, Chat)]


async def lobby(folder: Path, attack: Callable[[Evening], Awaitable[None]]) -> Evening:
    """A host and a guest sit in a lobby until the attack is over; what they were told."""

    async def begin(evening: Evening) -> None:
        evening.join(1)
        await evening.until(0, seated(2))
        await attack(evening)
        nursery.cancel_scope.cancel()

    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            evening = Evening(folder, nursery, [Watcher(n) for n in range(SEATS_OF_IT)])
            await evening.host(begin)
    return evening


@pytest.fixture
def dropped(monkeypatch: pytest.MonkeyPatch) -> list[tuple[bytes, str]]:
    """Whose links were ended for garbage, and why."""
    drop, seen = Mesh.drop, list[tuple[bytes, str]]()

    def note(mesh: Mesh, key: bytes, reason: str) -> None:
        seen.append((key, reason))
        drop(mesh, key, reason)

    monkeypatch.setattr(Mesh, "drop", note)
    return seen


async def sit(channel: Channel, who: Identity, token: bytes) -> list[bytes]:
    """Take a seat; the keys of all who have one."""
    await channel.frames.send(greeting(who, token))
    seats = wire.unpack((await until_kind(channel, SEATS))[1:])
    return [key for key, *_ in seats]


def in_the_name_of(key: bytes, who: Identity, token: bytes) -> bytes:
    body = wire.pack({"speaker": key, "number": 7, "text": "I leave"})
    return body + who.sign(IN_LOBBY, token + body)


SAYS: dict[str, tuple[Callable[[Identity, bytes, list[bytes]], bytes], str]] = {
    "in the name of a guest": (
        lambda who, token, keys: in_the_name_of(keys[1], who, token),
        "of somebody else's",
    ),
    "in the name of the host": (
        lambda who, token, keys: in_the_name_of(keys[0], who, token),
        "of somebody else's",
    ),
    "signed by another key": (
        lambda who, token, keys: in_the_name_of(who.public, fresh(), token),
        "does not verify",
    ),
    "for another table": (
        lambda who, token, keys: sign_lobby_line(who, bytes(16), 7, "hello").data,
        "does not verify",
    ),
    "garbage": (lambda who, token, keys: bytes(500), "cannot be read"),
    "much garbage": (lambda who, token, keys: bytes(2000), "larger than its kind"),
    "nothing": (lambda who, token, keys: b"", "impossible length"),
}


@pytest.mark.parametrize("what", SAYS)
async def test_a_guest_says_in_the_lobby_what_is_not_its_own(
    what: str, tmp_path: Path, dropped: list[tuple[bytes, str]]
) -> None:
    """A guest speaks in the lobby in the name of the host or of another guest, with a false
    signature, with one for another table, or sends garbage as talk.

    Answer: such a line ends the link, and nobody is shown anything.
    """
    make, reason = SAYS[what]
    crook = fresh()

    async def attack(evening: Evening) -> None:
        assert evening.invite is not None
        async with linked(evening.invite, crook) as channel:
            keys = await sit(channel, crook, evening.invite.token)
            said = make(crook, evening.invite.token, keys)
            await channel.frames.send(LOBBY_TALK.make(said))
            await is_closed(channel)

    evening = await lobby(tmp_path, attack)
    ((key, why),) = dropped
    assert key == crook.public
    assert reason in why
    assert heard(evening, 0) == heard(evening, 1) == []


async def test_a_stranger_and_a_spectator_say_nothing_in_the_lobby(
    tmp_path: Path, dropped: list[tuple[bytes, str]]
) -> None:
    """A stranger, somebody who waits to watch, and somebody who has given a seat back send talk to
    the lobby, with valid signatures.

    Answer: only people who have a seat may talk; the first such line ends the link.
    """

    async def attack(evening: Evening) -> None:
        assert evening.invite is not None
        token = evening.invite.token
        for before in ((), (watch_frame(token, "Eve"),), None):
            who = fresh()
            async with linked(evening.invite, who) as channel:
                if before is None:
                    await sit(channel, who, token)
                    before = (greeting(who, token, ready=None),)  # noqa: PLW2901
                for frame in before:
                    await channel.frames.send(frame)
                await channel.frames.send(
                    LOBBY_TALK.make(sign_lobby_line(who, token, 7, "hello").data)
                )
                await is_closed(channel)

    evening = await lobby(tmp_path, attack)
    assert [why for _, why in dropped if "nobody who sits here" in why] == [dropped[0][1]] * 3
    assert heard(evening, 0) == heard(evening, 1) == []


async def test_a_guest_that_never_stops_talking(
    tmp_path: Path, dropped: list[tuple[bytes, str]]
) -> None:
    """A guest says a thousand lines in the lobby as fast as it can, each signed.

    Answer: 6 in 10 s are shown, and after 24 it loses its link; the others talk on.
    """
    crook = fresh()

    async def attack(evening: Evening) -> None:
        assert evening.invite is not None
        token = evening.invite.token
        async with linked(evening.invite, crook) as channel:
            await sit(channel, crook, token)
            await evening.until(1, seated(3))
            with suppress(trio.BrokenResourceError):  # it is closed before all was said
                for number in range(40):
                    said = sign_lobby_line(crook, token, number, f"line {number}")
                    await channel.frames.send(LOBBY_TALK.make(said.data))
            await is_closed(channel)
        say = next(one.say for one in evening.players[1].events if isinstance(one, Talk))
        assert say("hello")
        await evening.until(0, lambda player: heard(evening, 0)[-1:] == [("guest 1", "hello")])

    evening = await lobby(tmp_path, attack)
    assert [(key, "more talk" in why) for key, why in dropped] == [(crook.public, True)]
    for number in (0, 1):
        told = heard(evening, number)
        assert told == [*(("Bo", f"line {one}") for one in range(LINES)), ("guest 1", "hello")]


async def test_talk_of_a_table_means_nothing_in_a_lobby(
    tmp_path: Path, dropped: list[tuple[bytes, str]]
) -> None:
    """A guest sends in the lobby what it once said at a table.

    Answer: the frame is of another kind; it is not read, and ends the link.
    """
    crook = fresh()

    async def attack(evening: Evening) -> None:
        assert evening.invite is not None
        async with linked(evening.invite, crook) as channel:
            await sit(channel, crook, evening.invite.token)
            await channel.frames.send(CHAT.make(bytes(200)))
            await is_closed(channel)

    evening = await lobby(tmp_path, attack)
    assert [key for key, _ in dropped] == [crook.public]
    assert heard(evening, 0) == heard(evening, 1) == []
