"""Talk at a table: signed, short, printable, once, and not too much of it."""

from __future__ import annotations

from typing import Any

import pytest

from p2p.errors import PeerError
from p2p.identity.keys import SIGNATURE_BYTES
from p2p.player.events import Chat
from p2p.protocol import wire
from p2p.protocol.chat import (
    NUMBER_MAX,
    PURPOSE,
    TEXT_MAX,
    decode_message,
    is_line,
    sign_message,
)
from p2p.protocol.frame_kinds import CHAT
from p2p.seat.chat import IN_SECONDS, LINES, ChatRoom
from p2p.version import label
from tests.peer.desk_kit import Time, World
from tests.protocol.kit import TABLE, identities

PEOPLE = identities(3)
KEYS = [who.public for who in PEOPLE]
SEATS = [(key, name) for key, name in zip(KEYS, ("Ana", "Bo", "Cy"), strict=True)]


def message(seat: int = 1, number: int = 7, text: str = "hello", **changed: Any) -> bytes:
    fields = {"table": TABLE, "seat": seat, "number": number, "text": text, **changed}
    body = wire.pack(fields)
    return body + PEOPLE[1].sign(PURPOSE, body)


def room(seat: int = 0) -> tuple[ChatRoom, World]:
    """The talk of one seat, a second after the clocks began."""
    world = World(time=Time(1.0))
    return ChatRoom(world.desk, TABLE, SEATS, (seat, PEOPLE[seat])), world


def test_a_line_is_read_as_it_was_signed() -> None:
    data = sign_message(PEOPLE[1], TABLE, 1, 7, "¡hola! 👋").data
    read = decode_message(data, KEYS)
    assert (read.seat, read.number, read.text, read.table) == (1, 7, "¡hola! 👋", TABLE)


def test_a_letter_that_this_python_does_not_know_yet_may_be_said() -> None:
    """Otherwise two versions of Python would not understand each other."""
    unassigned = "\u0378"
    assert not unassigned.isprintable()
    talk, world = room()
    assert talk.say(f"a{unassigned}\tb")
    ((frame, _),) = world.flooded
    assert decode_message(frame[1:], KEYS).text == f"a{unassigned} b"


@pytest.mark.check("chat.length")
@pytest.mark.parametrize("data", [b"", bytes(SIGNATURE_BYTES), bytes(2000)])
def test_an_impossible_length(data: bytes) -> None:
    with pytest.raises(PeerError, match="impossible length"):
        decode_message(data, KEYS)


@pytest.mark.check("chat.seat")
@pytest.mark.parametrize("seat", [3, -2])
def test_a_seat_that_does_not_exist(seat: int) -> None:
    """Minus two would be the seat that signed it."""
    with pytest.raises(PeerError, match="seat that does not exist"):
        decode_message(message(seat=seat), KEYS)


@pytest.mark.check("chat.number")
@pytest.mark.parametrize("number", [-1, NUMBER_MAX + 1])
def test_a_number_that_would_silence_its_seat(number: int) -> None:
    with pytest.raises(PeerError, match="impossible number"):
        decode_message(message(number=number), KEYS)


@pytest.mark.check("chat.text")
@pytest.mark.parametrize("text", ["", "x" * (TEXT_MAX + 1), "a\nb", "\x1b[2J", "a\u202eb"])
def test_a_text_that_would_spoil_a_screen(text: str) -> None:
    with pytest.raises(PeerError, match="too long or not printable"):
        decode_message(message(text=text), KEYS)
    assert not is_line(text)


@pytest.mark.call(
    "p2p.protocol.chat:Message.check_signature -> verify",
    "p2p.protocol.chat:decode_message -> message.check_signature",
)
def test_nobody_speaks_for_another() -> None:
    with pytest.raises(PeerError) as caught:
        decode_message(message(seat=2), KEYS)
    assert caught.value.verdict == "bad-signature"
    # something that a seat signed for another purpose is no line either
    body = message()[:-SIGNATURE_BYTES]
    with pytest.raises(PeerError):
        decode_message(body + PEOPLE[1].sign(label("entry"), body), KEYS)


def test_a_line_is_shown_and_passed_on_once() -> None:
    chat, world = room()
    for peer in (KEYS[2], KEYS[1]):
        chat.receive(peer, message())
    assert world.told == [Chat(1, "Bo", "hello")]
    assert world.flooded == [(CHAT.make(message()), KEYS[2])]


def test_an_old_line_is_not_shown_again_nor_one_of_another_table() -> None:
    chat, world = room()
    chat.receive(KEYS[1], message(number=7))
    chat.receive(KEYS[1], message(number=6, text="older"))
    chat.receive(KEYS[1], message(number=8, table=bytes(32)))
    assert (len(world.told), len(world.flooded)) == (1, 1)


def test_too_much_is_neither_shown_nor_passed_on() -> None:
    chat, world = room()
    for number in range(3 * LINES):
        chat.receive(KEYS[1], message(number=number))
    assert len(world.told) == len(world.flooded) == LINES
    world.time.pass_(IN_SECONDS)
    chat.receive(KEYS[1], message(number=100))
    assert len(world.told) == LINES + 1


def test_own_lines_are_cut_to_what_may_be_said() -> None:
    chat, world = room()
    assert chat.say("  what\na day\x1b  ")
    assert chat.say("x" * 300)
    assert not chat.say(" \n ")
    texts = [event.text for event in world.told if isinstance(event, Chat)]
    assert texts == ["what a day", "x" * TEXT_MAX]
    sent = [decode_message(frame[1:], KEYS) for frame, _ in world.flooded]
    assert [line.text for line in sent] == texts
    # the same millisecond of the clock: still another number
    assert [line.number for line in sent] == [1000, 1001]
    assert sum(chat.say("more") for _ in range(LINES)) == LINES - 2


def test_an_own_line_that_comes_back_is_not_shown_again() -> None:
    chat, world = room()
    chat.say("hello")
    chat.receive(KEYS[1], world.flooded[0][0][1:])
    assert (len(world.told), len(world.flooded)) == (1, 1)


def test_a_line_goes_round_a_ring() -> None:
    """Every seat has it once, however it is passed on."""
    rooms = [room(seat) for seat in range(3)]
    rooms[2][0].say("hello all")
    passed = [0, 0, 0]
    while any(len(world.flooded) > sent for (_, world), sent in zip(rooms, passed, strict=True)):
        for seat, (_, world) in enumerate(rooms):
            for frame, skip in world.flooded[passed[seat] :]:
                passed[seat] += 1
                for other, (chat, _) in enumerate(rooms):
                    if other != seat and KEYS[other] != skip:
                        chat.receive(KEYS[seat], frame[1:])
    assert [world.told for _, world in rooms] == [[Chat(2, "Cy", "hello all")]] * 3
