"""The other guests of a lobby: how they are told of, dialled and forgotten."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p.errors import PeerError
from p2p.lobby.neighbours import LISTS, LISTS_SECONDS, Neighbours
from p2p.lobby.seats import Taken, decode_linked, decode_seats, encode_seats
from p2p.lobby.shown import LINK_SECONDS, Apart
from p2p.net.addresses import Address
from p2p.protocol import wire
from p2p.protocol.proposal import SEATS_MAX
from p2p.protocol.races.relays import Pair
from p2p.seat.reply import Script
from tests.peer.desk_kit import World
from tests.peer.test_lobby import HOME, PEOPLE, TOKEN, greeting, listed, lobby

KEYS = [one.public for one in PEOPLE]


def took(place: int, *linked: int, ready: bool | None = True) -> Taken:
    keys = frozenset(KEYS[one] for one in linked)
    return Taken(KEYS[place], f"seat {place}", ready, linked=keys)


def test_keys_that_come_and_go_draw_a_bounded_number_of_dials() -> None:
    """Somebody sits down with key after key, and each lists the machine of the same stranger.

    Answer: of all these lists, fourteen are dialled at once, and one more a minute.
    Remains: for each of them, eight connections at most from each guest.
    """
    world = World()
    there = Neighbours(world.desk, TOKEN, KEYS[1], KEYS[0])
    lists = [listed(person, HOME, number) for number in range(50) for person in (2, 3)]
    learned = 0
    for number, said in enumerate(lists):
        key = KEYS[2 + number % 2]
        there.hear([took(0), took(1), Taken(key, "Eve", True, said.data)])
        assert list(world.dialled) == [key]
        learned += world.dialled[key] != ()
    assert learned == LISTS
    world.time.pass_(3 * LISTS_SECONDS)
    for _ in range(3):
        there.dial()
    assert world.dialled[KEYS[3]] == tuple(HOME)


def test_only_a_newer_list_of_a_seat_is_dialled() -> None:
    world = World()
    there = Neighbours(world.desk, TOKEN, KEYS[1], KEYS[0])
    elsewhere = [Address("10.0.0.9", 9)]
    for said in (listed(2, HOME, 5), listed(2, elsewhere, 4), listed(2, elsewhere, 5)):
        there.hear([took(0), took(1), Taken(KEYS[2], "Cy", True, said.data)])
        assert world.dialled == {KEYS[2]: tuple(HOME)}
    there.hear([took(0), took(1), Taken(KEYS[2], "Cy", True, listed(2, elsewhere, 6).data)])
    assert world.dialled == {KEYS[2]: tuple(elsewhere)}


def test_nobody_is_let_in_but_who_sits_there() -> None:
    """The host and we ourselves are no neighbours; who is there may dial us before it is told."""
    world = World()
    there = Neighbours(world.desk, TOKEN, KEYS[1], KEYS[0])
    there.hear([took(0), took(1), took(2)])
    assert world.dialled == {KEYS[2]: ()}
    world.known.peers.extend([KEYS[0], KEYS[2], KEYS[3]])
    assert there.linked() == {KEYS[2]}
    there.hear([took(0), took(1)])
    assert world.dialled == {}
    assert there.linked() == frozenset()


def test_a_false_list_changes_nothing_of_who_is_there() -> None:
    world = World()
    there = Neighbours(world.desk, TOKEN, KEYS[1], KEYS[0])
    false = Taken(KEYS[3], "Di", True, listed(2).data)
    with pytest.raises(PeerError, match="not signed"):
        there.hear([took(0), took(1), Taken(KEYS[2], "Cy", True, listed(2).data), false])
    assert world.dialled == {}


# -- who is linked -----------------------------------------------------------------------------


def test_both_ends_count_and_only_after_a_while() -> None:
    world = World(KEYS)
    apart = Apart(world.desk, KEYS[0])
    alone, told = [took(0), took(1), took(2), took(3)], [took(0), took(1, 2), took(2), took(3)]
    assert apart.look(alone) == ()
    world.time.pass_(LINK_SECONDS - 0.1)
    assert apart.look(alone) == ()
    world.time.pass_(0.1)
    assert [pair.seats for pair in apart.look(alone)] == [(1, 2), (1, 3), (2, 3)]
    assert apart.look(told) == (Pair((1, 3), (0,)), Pair((2, 3), (0,)))
    away = [took(0), took(1, ready=None), took(2), took(3)]
    assert apart.look(away) == (Pair((2, 3), (0,)),)
    assert [pair.seats for pair in apart.look(alone)] == [(2, 3)], "who is back has time again"
    assert apart.look(alone[:2]) == ()


# -- frames ------------------------------------------------------------------------------------


def test_seats_come_back_as_they_were_told() -> None:
    seats = (took(0, 1, 2), took(1, 0), Taken(KEYS[2], "Cy", None, listed(2).data, bot=True))
    assert decode_seats(encode_seats(seats)[1:]) == seats
    gone = replace(seats[1], linked=frozenset({KEYS[0], KEYS[4]}))
    assert decode_seats(encode_seats((seats[0], gone))[1:])[1].linked == {KEYS[0]}


@pytest.mark.check("lobby.links")
@pytest.mark.parametrize("links", [[0], [2], [-1], [1, 1], [2**40]])
def test_links_lead_to_other_seats_once(links: list[int]) -> None:
    seats = [[KEYS[0], "Ana", False, True, b"", links], [KEYS[1], "Bo", True, True, b"", []]]
    with pytest.raises(PeerError, match="links with seats that do not exist"):
        decode_seats(wire.pack(seats))


@pytest.mark.parametrize(
    "row", [["", []], [None, []], [b"", {}], [b"", ["1"]], [b"", [True]], [b"", None]]
)
def test_addresses_and_links_of_a_seat_are_of_their_kind(row: list[object]) -> None:
    with pytest.raises(PeerError, match="wrong type"):
        decode_seats(wire.pack([[KEYS[0], "Ana", False, True, *row]]))


@pytest.mark.check("lobby.few")
def test_seats_are_counted_before_a_key_is_looked_at() -> None:
    """A host lists thousands of seats, and it takes a millisecond to check one key.

    Answer: refused, unread.
    """
    with pytest.raises(PeerError, match="more seats than a table can have"):
        decode_seats(wire.pack([[bytes(32), "Ana", False, True, b"", []]] * (SEATS_MAX + 1)))


@pytest.mark.check("lobby.linked")
def test_guest_names_no_more_links_than_any_table_has_seats() -> None:
    hosted, _ = lobby()
    keys = [bytes([number]) * 32 for number in range(SEATS_MAX + 1)]
    with pytest.raises(PeerError, match="more people than there are"):
        hosted.inbox({}).take(KEYS[1], greeting(linked=keys))
    for garbage in ([b"short"], ["x" * 32], [7]):
        with pytest.raises(PeerError, match="an identity key has the wrong length"):
            hosted.inbox({}).take(KEYS[1], greeting(linked=garbage))
    with pytest.raises(PeerError):
        hosted.inbox({}).take(KEYS[1], greeting(linked=b"x"))
    assert len(hosted.seats()) == 1
    assert decode_linked([KEYS[1], KEYS[1]], 2) == {KEYS[1]}


def test_the_host_tells_links_with_those_who_are_there() -> None:
    hosted, _ = lobby(4)
    hosted.inbox({}).take(KEYS[1], greeting(ready=False, linked=[KEYS[2], KEYS[3], KEYS[1]]))
    assert hosted.seats()[1].linked == frozenset()
    hosted.inbox({}).take(KEYS[2], greeting(name="Cy", addresses=listed(2).data))
    assert [one.linked for one in hosted.seats()] == [{KEYS[1], KEYS[2]}, {KEYS[2]}, set()]
    assert [one.addresses for one in hosted.seats()] == [b"", listed(1, []).data, listed(2).data]
    hosted.link_changed(KEYS[2], up=False)
    assert hosted.seats()[0].linked == {KEYS[1]}


@pytest.mark.slow
def test_a_guest_that_says_other_links_all_the_time_is_heard_twice_a_second() -> None:
    hosted, sent = lobby(4)
    hosted.inbox({}).take(KEYS[1], greeting())
    hosted.inbox({}).take(KEYS[2], greeting(name="Cy", addresses=listed(2).data))
    Script(hosted.gather())
    before = len(sent.posted)
    for press in range(1000):
        hosted.inbox({}).take(KEYS[1], greeting(linked=[KEYS[2]] if press % 2 else []))
        sent.time.pass_(0.01)
    assert 15 <= sum(key == KEYS[2] for key, _ in sent.posted[before:]) <= 22
