"""Talk in the lobby: of whoever sits there, signed for this table, once, and not too much of it."""

from __future__ import annotations

from typing import Any

import pytest
import trio

from p2p.errors import PeerError
from p2p.identity.keys import SIGNATURE_BYTES
from p2p.lobby.seats import Taken
from p2p.lobby.talk import AT_ONCE, FLOOD, KEPT, RECENT, LobbyTalk
from p2p.player.events import Chat, Talk
from p2p.protocol import wire
from p2p.protocol.chat import (
    IN_LOBBY,
    NUMBER_MAX,
    TEXT_MAX,
    read_lobby_line,
    sign_lobby_line,
    sign_message,
)
from p2p.protocol.frame_kinds import CHAT, LOBBY_TALK, SMALL_MAX
from p2p.seat.chat import IN_SECONDS, LINES
from tests.peer.desk_kit import World
from tests.peer.test_gathering import guest, shown
from tests.peer.test_lobby import PEOPLE, TOKEN
from tests.peer.test_lobby_links import NAMES as AT_LINKS
from tests.peer.test_lobby_links import SETTLED, evening
from tests.protocol.kit import identities

KEYS = [one.public for one in PEOPLE]
THERE = [Taken(key, name, False) for key, name in zip(KEYS, ("Ana", "Bo", "Cy"), strict=False)]
HOST, BO, CY, STRANGER = range(4)


def sit(person: int) -> tuple[LobbyTalk, World]:
    """This person's talk, in a lobby of three."""
    world = World()
    return LobbyTalk(world.desk, PEOPLE[person], KEYS[HOST], TOKEN, lambda: THERE), world


def line(person: int = CY, number: int = 7, text: str = "hello", token: bytes = TOKEN) -> bytes:
    return sign_lobby_line(PEOPLE[person], token, number, text).data


def bent(signer: int = CY, **changed: Any) -> bytes:
    """A line of Cy with other fields, signed by somebody."""
    body = wire.pack({"speaker": KEYS[CY], "number": 7, "text": "hello", **changed})
    return body + PEOPLE[signer].sign(IN_LOBBY, TOKEN + body)


# -- a line ------------------------------------------------------------------------------------


def test_a_line_is_read_as_it_was_signed_and_the_longest_fits_its_frame() -> None:
    longest = line(number=NUMBER_MAX, text="👋" * TEXT_MAX)
    read = read_lobby_line(longest)
    read.check_signature(TOKEN)
    assert (read.speaker, read.number, read.text) == (KEYS[CY], NUMBER_MAX, "👋" * TEXT_MAX)
    assert len(LOBBY_TALK.make(longest)) <= SMALL_MAX


@pytest.mark.call(
    "p2p.lobby.talk:LobbyTalk.receive -> line.check_signature",
    "p2p.protocol.chat:LobbyLine.check_signature -> verify",
)
@pytest.mark.parametrize(
    "said",
    [
        pytest.param(bent(signer=BO), id="by somebody else"),
        pytest.param(line(token=bytes(16)), id="for another table"),
        pytest.param(line()[:-1] + bytes([line()[-1] ^ 1]), id="changed"),
    ],
)
def test_a_line_counts_only_as_its_speaker_signed_it_for_this_table(said: bytes) -> None:
    for person in (HOST, BO):
        talk, world = sit(person)
        with pytest.raises(PeerError) as caught:
            talk.receive(KEYS[CY], said)
        assert caught.value.verdict == "bad-signature"
        assert (world.told, world.posted) == ([], [])


@pytest.mark.check("chat.length")
@pytest.mark.parametrize("said", [b"", bytes(SIGNATURE_BYTES), bytes(1057)])
def test_an_impossible_length(said: bytes) -> None:
    with pytest.raises(PeerError, match="impossible length"):
        read_lobby_line(said)


@pytest.mark.check("chat.number")
@pytest.mark.parametrize("number", [-1, NUMBER_MAX + 1])
def test_an_impossible_number(number: int) -> None:
    with pytest.raises(PeerError, match="impossible number"):
        read_lobby_line(bent(number=number))


@pytest.mark.check("chat.text")
@pytest.mark.parametrize("text", ["", "x" * (TEXT_MAX + 1), "a\nb", "\x1b[2J"])
def test_a_text_that_would_spoil_a_screen(text: str) -> None:
    with pytest.raises(PeerError, match="too long or not printable"):
        read_lobby_line(bent(text=text))


@pytest.mark.call("p2p.protocol.chat:read_lobby_line -> wire.octets")
@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_speaker_is_a_key(size: int) -> None:
    with pytest.raises(PeerError, match="the speaker's key has the wrong length"):
        read_lobby_line(bent(speaker=bytes(size)))


def test_what_is_said_in_the_lobby_is_no_line_of_a_table_and_the_other_way_round() -> None:
    body = wire.pack({"speaker": KEYS[CY], "number": 7, "text": "hello"})
    at_table = sign_message(PEOPLE[CY], bytes(32), 2, 7, "hello").data
    with pytest.raises(PeerError):
        read_lobby_line(at_table)
    spoilt = read_lobby_line(body + at_table[-SIGNATURE_BYTES:])
    with pytest.raises(PeerError):
        spoilt.check_signature(TOKEN)


# -- who speaks, and who passes on -------------------------------------------------------------


def test_the_host_passes_a_line_on_to_the_others_once() -> None:
    talk, world = sit(HOST)
    for _ in range(2):
        talk.receive(KEYS[CY], line())
    assert world.told == [Chat(CY, "Cy", "hello")]
    assert world.posted == [(KEYS[BO], LOBBY_TALK.make(line()))]


def test_a_guest_hears_a_line_once_from_its_speaker_and_from_the_host() -> None:
    talk, world = sit(BO)
    talk.receive(KEYS[CY], line())
    talk.receive(KEYS[HOST], line())
    talk.receive(KEYS[HOST], line(HOST))
    talk.receive(KEYS[HOST], line(number=8, text="more"))
    assert world.told == [
        Chat(CY, "Cy", "hello"),
        Chat(HOST, "Ana", "hello"),
        Chat(CY, "Cy", "more"),
    ]
    assert world.posted == []


@pytest.mark.check("lobby.speaker")
@pytest.mark.parametrize("person", [HOST, BO])
def test_no_guest_brings_what_another_one_said(person: int) -> None:
    """A guest sends a genuine line of another person's, once more or for the first time.

    Answer: only the host passes on what others say; the line is not read, and ends the guest's
    link.
    """
    talk, world = sit(person)
    whose = ({HOST, BO, CY} - {person, CY}).pop()
    with pytest.raises(PeerError, match="of somebody else's"):
        talk.receive(KEYS[CY], line(whose))
    assert (world.told, world.posted) == ([], [])


@pytest.mark.check("lobby.sits")
@pytest.mark.parametrize("person", [HOST, BO])
def test_a_stranger_says_nothing(person: int) -> None:
    talk, world = sit(person)
    with pytest.raises(PeerError, match="nobody who sits here"):
        talk.receive(KEYS[STRANGER], line(STRANGER))
    assert (world.told, world.posted) == ([], [])


def test_a_host_cannot_bring_talk_of_nobody_s() -> None:
    """A host forwards a line of a key that has no seat.

    Answer: it is ignored: somebody may just have sat down or left.
    """
    talk, world = sit(BO)
    talk.receive(KEYS[HOST], line(STRANGER))
    assert world.told == []


def test_our_own_line_goes_to_everybody_and_does_not_come_back() -> None:
    talk, world = sit(BO)
    talk.open()
    talk.open()
    (asked,) = world.told
    assert isinstance(asked, Talk)
    assert asked.say("  hello\tall ")
    assert not asked.say("\n")
    (to_host, frame), (to_cy, same) = world.posted
    assert {to_host, to_cy} == {KEYS[HOST], KEYS[CY]}
    assert frame == same
    assert world.told[1:] == [Chat(BO, "Bo", "hello all")]
    talk.receive(KEYS[HOST], frame[1:])
    assert len(world.told) == 2


async def test_whoever_sits_down_later_reads_what_was_said(autojump_clock: object) -> None:
    """The newest lines, once, of people who still sit there."""
    async with evening("Bo", "Di") as there:
        await trio.sleep(SETTLED)
        for name in ("Ana", "Bo", "Di", "Bo"):
            say = next(one.say for one in there.told[name] if isinstance(one, Talk))
            assert say(f"I am {name}")
            await trio.sleep(0.1)
        await there.guests["Di"].leave()
        await there.sit("Cy")
        await trio.sleep(SETTLED)
        heard = [(one.name, one.text) for one in there.told["Cy"] if isinstance(one, Chat)]
        assert heard == [("Ana", "I am Ana"), ("Bo", "I am Bo"), ("Bo", "I am Bo")]


def test_of_a_long_talk_the_newest_lines_are_kept() -> None:
    talk, world = sit(HOST)
    for number in range(3 * LINES):
        talk.receive(KEYS[BO], line(BO, number))
        world.time.pass_(IN_SECONDS / LINES)
    assert len(talk.recent()) == RECENT < 3 * LINES
    assert talk.recent()[-1] == LOBBY_TALK.make(line(BO, 3 * LINES - 1))


# -- how much ----------------------------------------------------------------------------------


def test_too_much_is_neither_shown_nor_passed_on() -> None:
    talk, world = sit(HOST)
    for number in range(2 * LINES):
        talk.receive(KEYS[CY], line(number=number))
    assert len(world.told) == len(world.posted) == LINES
    world.time.pass_(IN_SECONDS)
    talk.receive(KEYS[CY], line(number=100))
    assert len(world.told) == LINES + 1
    assert sum(talk.say("hello") for _ in range(2 * LINES)) == LINES


@pytest.mark.check("lobby.talk")
def test_a_flood_of_talk_costs_the_link() -> None:
    """A guest says thousands of lines at once, each signed; a host sends old lines without end.

    Answer: 6 are shown; after 24 of a guest, or 24 for each seat of a host, the link ends.
    """
    for person, source, most in ((HOST, CY, FLOOD), (BO, HOST, 16 * FLOOD)):
        talk, world = sit(person)
        lines = [line(source, number) for number in range(20)]
        for number in range(most):
            talk.receive(KEYS[source], lines[number % 20])
        with pytest.raises(PeerError, match="more talk than anybody can read"):
            talk.receive(KEYS[source], lines[0])
        assert len(world.told) == LINES


def test_who_comes_with_key_after_key_cannot_fill_the_lobby_with_talk() -> None:
    """Somebody with the invite sits down, speaks and leaves, hundreds of times with other keys.

    Answer: of all people together 48 lines are shown at once, and five a second after that; eight
    honest people never say more.
    Remains: meanwhile nobody else is heard in the lobby.
    """
    crowd = identities(3 * AT_ONCE)[5:]
    talk, world = sit(HOST)
    here = list(THERE)
    talk._people = lambda: here  # type: ignore[misc]
    for who in crowd:
        here[2] = Taken(who.public, "Eve", False)
        talk.receive(who.public, sign_lobby_line(who, TOKEN, 7, "buy this").data)
    assert len(world.told) == len(world.posted) == AT_ONCE
    assert talk.say("what is that?")
    world.time.pass_(10)
    for number in range(6 * 3):
        talk.receive(KEYS[BO], line(BO, number))
    assert len(world.told) == AT_ONCE + 1 + LINES


def test_an_old_line_is_not_shown_again_nor_is_its_signature_looked_at() -> None:
    talk, world = sit(BO)
    talk.receive(KEYS[CY], line(number=7))
    talk.receive(KEYS[CY], bent(signer=BO, number=6))
    assert world.told == [Chat(CY, "Cy", "hello")]


def test_people_who_spoke_and_left_are_forgotten_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Somebody with the invite sits down, speaks and leaves, with key after key."""
    monkeypatch.setattr("p2p.lobby.talk.KEPT", 2)
    assert KEPT > 2
    talk, world = sit(HOST)
    here = list(THERE)
    talk._people = lambda: here  # type: ignore[misc]
    for person in range(1, 5):
        here[1:] = [Taken(KEYS[person], f"guest {person}", False)]
        talk.receive(KEYS[person], line(person))
    assert len(world.told) == 4
    assert len(talk._links) <= 3
    assert len(talk._speakers) <= 3


# -- a guest's links ---------------------------------------------------------------------------


@pytest.mark.call("p2p.lobby.guest:GuestLobby.overhear -> self._spoken.take")
@pytest.mark.call("p2p.lobby.guest:GuestLobby.take -> self.overhear")
def test_a_guest_hears_nobody_before_it_was_told_who_is_there() -> None:
    """Neither is our own person heard by anybody then, and cannot speak."""
    table, world = guest()
    with pytest.raises(PeerError, match="nobody who sits here"):
        table.take(KEYS[HOST], LOBBY_TALK.make(line(HOST)))
    for frame in shown():
        table.take(KEYS[HOST], frame)
    assert sum(isinstance(one, Talk) for one in world.told) == 1
    for frame in (LOBBY_TALK.make(line(HOST)), CHAT.make(line(HOST, 8))):
        table.take(KEYS[HOST], frame)
    table.take(KEYS[CY], LOBBY_TALK.make(line()))
    assert [one for one in world.told if isinstance(one, Chat)] == [
        Chat(HOST, "Ana", "hello"),
        Chat(CY, "Cy", "hello"),
    ]


@pytest.mark.parametrize("way", ["all linked", "apart", "host withholds"])
async def test_everybody_in_a_lobby_hears_what_is_said(way: str, autojump_clock: object) -> None:
    """Also two guests without a link of their own, and also if the host passes nothing on."""
    apart = [("Bo", "Cy")] if way == "apart" else []
    async with evening("Bo", "Cy", apart=apart) as there:
        await trio.sleep(SETTLED)
        if way == "host withholds":
            there.talk._host = b"somebody else"  # type: ignore[misc]
        for name in AT_LINKS[:3]:
            say = next(one.say for one in there.told[name] if isinstance(one, Talk))
            assert say(f"I am {name}")
            await trio.sleep(0.1)
        for name in AT_LINKS[:3]:
            heard = [(one.name, one.text) for one in there.told[name] if isinstance(one, Chat)]
            assert heard == [(one, f"I am {one}") for one in AT_LINKS[:3]]
