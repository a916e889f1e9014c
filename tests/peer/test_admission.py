"""A host's door: guests who are removed, newcomers who wait, and modified ones who come back."""

from __future__ import annotations

import pytest

from p2p.errors import LobbyError
from p2p.identity.keys import words
from p2p.lobby.admission import LATE, REMOVED, WAITING_MAX, Admission
from p2p.lobby.host import DOOR_SECONDS, HostLobby
from p2p.lobby.plan import refusal
from p2p.lobby.seats import decode_seats
from p2p.player.events import AtTheDoor, Chat
from p2p.protocol.frame_kinds import PLAN, REFUSED, SEATS, payload_of
from p2p.seat.reply import Script
from tests.peer.desk_kit import World
from tests.peer.test_lobby import PEOPLE, greeting, listed, lobby

KEYS = [one.public for one in PEOPLE]
WORDS = [words(key) for key in KEYS]


def gathering(seats: int = 4, *, by_hand: bool = False) -> tuple[HostLobby, World]:
    """An open lobby, perhaps one whose host lets newcomers in."""
    hosted, world = lobby(seats)
    Script(hosted.gather())
    hosted.lock(by_hand=by_hand)
    return hosted, world


def greet(hosted: HostLobby, person: int, name: str = "Bo", ready: bool | None = False) -> None:
    word = b"" if ready is False else ready and hosted.plan.id
    frame = greeting(name=name, addresses=listed(person).data, ready=word)
    hosted.inbox({}).take(KEYS[person], frame)


def seated(hosted: HostLobby) -> list[str]:
    return [one.name for one in hosted.seats()]


def refusals(world: World, person: int) -> list[str]:
    frames = [frame for key, frame in world.posted if key == KEYS[person]]
    return [frame[1:].decode() for frame in frames if frame[0] == REFUSED.number]


def waiting(world: World) -> list[list[str]]:
    """The names that the host was told, each time."""
    events = [event for event in world.told if isinstance(event, AtTheDoor)]
    return [[one.name for one in event.waiting] for event in events]


def test_removed_guest_is_told_and_others_too() -> None:
    hosted, world = gathering()
    greet(hosted, 1)
    greet(hosted, 2, "Cy")
    assert hosted.remove(WORDS[1])
    world.time.pass_(1)
    assert seated(hosted) == ["Ana", "Cy"]
    assert refusals(world, 1) == [REMOVED]
    frames = [frame for key, frame in world.posted if key == KEYS[2] and frame[0] == SEATS.number]
    assert [one.name for one in decode_seats(payload_of(frames[-1]))] == ["Ana", "Cy"]
    said = [event.text for event in world.told if isinstance(event, Chat)]
    assert said == ["I have removed Bo from this table."]
    with pytest.raises(LobbyError, match="you were removed from this table"):
        raise refusal(REMOVED.encode())


def test_removed_guest_that_greets_again_stays_out() -> None:
    """A modified guest comes back at once, with another name, readiness and list.

    Answer: its key gets the same sentence, and no seat, as long as the lobby is open.
    Remains: keys cost nothing; a host who is visited again locks the lobby.
    """
    hosted, world = gathering()
    greet(hosted, 1)
    hosted.remove(WORDS[1])
    for name, ready in (("Bo", True), ("Cy", False), ("Dee", None)):
        greet(hosted, 1, name, ready)
    hosted.lock(by_hand=True)
    hosted.lock(by_hand=False)
    greet(hosted, 1)
    world.time.pass_(5)
    assert seated(hosted) == ["Ana"]
    assert refusals(world, 1) == [REMOVED] * 5
    assert not hosted.knows(KEYS[1])


def test_newcomer_waits_until_admitted() -> None:
    hosted, world = gathering(by_hand=True)
    for _ in range(2):  # it greets again on each link
        greet(hosted, 1)
    world.time.pass_(DOOR_SECONDS)
    assert seated(hosted) == ["Ana"]
    assert hosted.knows(KEYS[1])
    assert not [frame for key, frame in world.posted if key == KEYS[1]]
    assert waiting(world)[-1] == ["Bo"]
    assert hosted.admit(WORDS[1])
    assert seated(hosted) == ["Ana", "Bo"]
    kinds = [frame[0] for key, frame in world.posted if key == KEYS[1]]
    assert kinds[:2] == [PLAN.number, SEATS.number]
    assert waiting(world)[-1] == []


def test_admitted_guest_may_come_back_without_waiting() -> None:
    hosted, _ = gathering(by_hand=True)
    greet(hosted, 1)
    hosted.admit(WORDS[1])
    greet(hosted, 1, ready=None)
    assert seated(hosted) == ["Ana"]
    greet(hosted, 1)
    assert seated(hosted) == ["Ana", "Bo"]


def test_seated_guests_stay_when_the_lobby_is_locked() -> None:
    hosted, _ = gathering()
    greet(hosted, 1)
    hosted.lock(by_hand=True)
    greet(hosted, 1, ready=True)
    greet(hosted, 2, "Cy")
    assert seated(hosted) == ["Ana", "Bo"]
    hosted.lock(by_hand=False)
    assert seated(hosted) == ["Ana", "Bo", "Cy"]


def test_newcomer_without_a_link_waits_no_longer() -> None:
    hosted, world = gathering(by_hand=True)
    greet(hosted, 1)
    hosted.link_changed(KEYS[1], False)
    world.time.pass_(5)
    assert not hosted.knows(KEYS[1])
    assert not hosted.admit(WORDS[1])


def test_newcomer_is_turned_away_for_good() -> None:
    hosted, world = gathering(by_hand=True)
    greet(hosted, 1)
    assert hosted.remove(WORDS[1])
    greet(hosted, 1)
    assert refusals(world, 1) == [REMOVED] * 2
    assert not [event for event in world.told if isinstance(event, Chat)]


def test_full_table_admits_nobody_and_sends_the_waiting_home() -> None:
    hosted, world = gathering(seats=3, by_hand=True)
    for person, name in ((1, "Bo"), (2, "Cy"), (3, "Dee")):
        greet(hosted, person, name, ready=True)
    assert hosted.admit(WORDS[1])
    assert hosted.admit(WORDS[2])
    assert hosted.is_started
    assert refusals(world, 3) == [LATE]
    assert not hosted.admit(WORDS[3])
    assert not hosted.remove(WORDS[1])
    assert seated(hosted) == ["Ana", "Bo", "Cy"]


def test_closed_lobby_tells_those_who_wait() -> None:
    hosted, world = gathering(by_hand=True)
    greet(hosted, 1)
    hosted.close()
    assert refusals(world, 1) == ["the table was closed before it began"]


def test_flood_of_newcomers_is_bounded_and_told_seldom() -> None:
    """Somebody with the invite comes with key after key to a locked lobby.

    Answer: a few wait, the oldest of the busiest network goes for each further one, and the host
    reads a list every few seconds at most.
    """
    hosted, world = gathering(by_hand=True)
    for number in range(2000):
        person = 1 + number % 4
        greet(hosted, person, f"Bo{number % 7}")
        if number % 3 == 0:
            hosted.link_changed(KEYS[person], False)
        world.time.pass_(0.01)
    assert len(waiting(world)) <= 2 + 20 / DOOR_SECONDS
    assert seated(hosted) == ["Ana"]


def key(number: int) -> bytes:
    return number.to_bytes(32, "big")


def test_newcomer_replaces_the_oldest_of_the_busiest_network() -> None:
    networks = {key(number): "crowd" for number in range(WAITING_MAX)} | {key(3): "home"}
    admission = Admission[str](lambda one: networks.get(one, "elsewhere"))
    admission.lock(True, ())
    gone = [admission.wait(key(number), "Bo") for number in range(WAITING_MAX)]
    assert gone == [None] * WAITING_MAX
    assert admission.wait(key(2), "Bo") is None
    assert admission.wait(key(99), "Cy") == key(0)
    assert len(admission.waiting) == WAITING_MAX
    assert key(3) in admission.waiting
