"""Where seats can be dialled: lists that only their owners can make, and how they get around."""

from __future__ import annotations

from typing import Any

import pytest

from p2p.errors import PeerError
from p2p.lobby.plan import hello, receive_proposal
from p2p.net.addresses import Address
from p2p.net.reach_address import ReachAddress
from p2p.net.signed_addresses import (
    ADDRESSES_MAX,
    NUMBER_MAX,
    PURPOSE,
    SignedAddresses,
    decode_lists,
    read_addresses,
    sign_addresses,
)
from p2p.protocol import wire
from p2p.protocol.frame_kinds import ADDRESSES, payload_of
from p2p.protocol.proposal import propose
from p2p.protocol.terms import Terms
from p2p.seat import whereabouts
from p2p.seat.whereabouts import FRAMES, FRAMES_SECONDS, MOVES, MOVES_SECONDS, Whereabouts
from tests.peer.desk_kit import World
from tests.peer.test_lobby import HOME, PEOPLE, TOKEN, invite, listed, lobby, proposal_frame

KEYS = [one.public for one in PEOPLE]
OWNER = PEOPLE[1]
HERE = Address("10.0.0.1", 7000)
RELAYED = ReachAddress(bytes(32), Address("relay.example.org", 443))
OTHER_TOKEN = bytes(16)


def signed(body: object, token: bytes = TOKEN) -> bytes:
    """Any text, signed by the owner as a list."""
    packed = wire.pack(body)
    return packed + OWNER.sign(PURPOSE, token + OWNER.public + packed)


def test_a_list_comes_back_as_it_was_signed() -> None:
    six = [*(Address(f"10.0.0.{n}", 7000 + n) for n in range(1, 6)), RELAYED]
    said = sign_addresses(OWNER, TOKEN, 7, six)
    assert read_addresses(TOKEN, OWNER.public, said.data) == said
    assert said.addresses == tuple(six)


def test_our_own_list_holds_each_machine_once_and_no_names() -> None:
    """A name may lead to any number of machines, whoever answers for it today."""
    twice = Address(HERE.host, 7001)
    many = [Address("home.example.org", 1), HERE, twice, RELAYED, RELAYED]
    assert sign_addresses(OWNER, TOKEN, 1, many).addresses == (HERE, RELAYED)
    few = [Address(f"10.0.0.{n}", 1) for n in range(1, 20)]
    assert len(sign_addresses(OWNER, TOKEN, 1, few).addresses) == ADDRESSES_MAX


def test_a_list_fits_its_limit() -> None:
    longest = ReachAddress(bytes(32), Address("r" * 60 + ".org", 443))
    many = [*(Address(f"ffff:ffff:ffff:ffff:ffff:ffff:ffff:{n:x}", 65535) for n in range(5)),
            longest]  # fmt: skip
    said = sign_addresses(OWNER, TOKEN, NUMBER_MAX, many)
    assert read_addresses(TOKEN, OWNER.public, said.data).addresses == tuple(many)


@pytest.mark.call("p2p.net.signed_addresses:read_addresses -> verify")
@pytest.mark.parametrize("change", ["body", "signature", "token", "owner"])
def test_nobody_else_makes_a_list(change: str) -> None:
    """A peer that forwards a player's addresses changes them, or uses those of another table.

    Answer: refused: each list is signed by the player whom it leads to, for this table. Remains: it
    can be withheld.
    """
    data, token, owner = listed(1, [HERE]).data, TOKEN, OWNER.public
    if change == "body":
        data = data.replace(b"10.0.0.1", b"10.0.0.2")
    elif change == "signature":
        data = data[:-1] + bytes([data[-1] ^ 1])
    elif change == "token":
        token = OTHER_TOKEN
    else:
        owner = KEYS[2]
    with pytest.raises(PeerError, match="not signed by the player whom it leads to"):
        read_addresses(token, owner, data)


@pytest.mark.check("addresses.length")
@pytest.mark.parametrize("data", [b"", bytes(64), signed(["x" * 2000])])
def test_a_list_is_short(data: bytes) -> None:
    with pytest.raises(PeerError, match="too long"):
        read_addresses(TOKEN, OWNER.public, data)


GARBLED: list[tuple[object, str]] = [
    ({}, "wrong type"),
    ([1], "garbled"),
    ([1, [], 2], "garbled"),
    ([-1, []], "impossible number"),
    ([NUMBER_MAX + 1, []], "impossible number"),
    ([True, []], "wrong type"),
    ([1, "10.0.0.1:1"], "wrong type"),
    ([1, ["nowhere"]], "an address is garbled"),
    ([1, ["127.0.0.1:99999"]], "an address is garbled"),
    ([1, [7]], "wrong type"),
    ([1, [f"10.0.0.{n}:1" for n in range(ADDRESSES_MAX + 1)]], "too many"),
    ([1, ["10.0.0.1:1", "10.0.0.1:2"]], "no list may hold"),
    ([1, ["10.0.0.1:1", "[::ffff:10.0.0.1]:1"]], "no list may hold"),
    ([1, ["home.example.org:1"]], "no list may hold"),
    ([1, [str(RELAYED), str(RELAYED)]], "no list may hold"),
]


@pytest.mark.check("addresses.pair", "addresses.number", "addresses.few", "addresses.hosts")
@pytest.mark.parametrize(("body", "said"), GARBLED)
def test_what_no_list_may_hold_is_refused_though_it_is_signed(body: object, said: str) -> None:
    """A player lists names that lead anywhere, one machine many times, or no addresses at all.

    Answer: refused: a list holds at most six machines, each once, by IP address, or a relay.
    """
    with pytest.raises(PeerError, match=said):
        read_addresses(TOKEN, OWNER.public, signed(body))


@pytest.mark.check("addresses.book", "addresses.owner")
@pytest.mark.parametrize(
    ("book", "said"),
    [
        ([[1]], "garbled"),
        (["x"], "garbled"),
        ([[KEYS[1], listed(1).data, 3]], "garbled"),
        ([["name", listed(1).data]], "wrong type"),
        ([[KEYS[4], listed(4).data]], "no seat, or twice"),
        ([[KEYS[1], listed(1).data]] * 2, "no seat, or twice"),
        ([[KEYS[1], listed(2).data]], "not signed"),
    ],
)
def test_a_proposal_holds_one_signed_list_of_each_seat(book: list[Any], said: str) -> None:
    with pytest.raises(PeerError, match=said):
        receive_proposal(invite(), KEYS[1], payload_of(proposal_frame(addresses=book)))


def test_the_host_passes_on_what_each_seat_has_signed() -> None:
    seating = receive_proposal(invite(), KEYS[1], payload_of(proposal_frame()))
    assert seating is not None
    assert seating.lists == {KEYS[n]: listed(n) for n in range(3)}


# -- at the table ------------------------------------------------------------------------------


TABLE = propose(TOKEN, Terms.of("flip-over"), [(KEYS[n], f"seat{n}", False) for n in range(3)])


def sit(*known: SignedAddresses) -> tuple[Whereabouts, World]:
    world = World()
    table = Whereabouts(world.desk, TABLE, KEYS[0], dict(zip(KEYS, known, strict=False)))
    table.open()
    assert {key for key, _ in world.posted} == {KEYS[1], KEYS[2]}
    world.left.clear()
    return table, world


def passed_on(world: World, key: bytes) -> list[dict[bytes, SignedAddresses]]:
    """The lists that this seat was sent, frame by frame."""
    return [said_in(frame) for seat, frame in world.posted if seat == key]


def told(lists: dict[int, SignedAddresses], proposal: bytes = TABLE.id) -> bytes:
    pairs = [[KEYS[n], one.data] for n, one in lists.items()]
    return wire.pack({"proposal": proposal, "lists": pairs})


def said_in(frame: bytes) -> dict[bytes, SignedAddresses]:
    assert frame[0] == ADDRESSES.number
    lists = wire.unpack(frame[1:])["lists"]
    return dict(decode_lists(lists, TOKEN, KEYS[:3]))


def test_a_newer_list_is_dialled_and_passed_on_and_an_older_one_is_not() -> None:
    table, world = sit(listed(0), listed(1), listed(2))
    assert world.dialled == {KEYS[n]: tuple(HOME) for n in range(3)}
    moved = listed(2, [HERE], 5)
    table.receive(KEYS[1], told({2: moved}))
    assert world.dialled[KEYS[2]] == (HERE,)
    assert passed_on(world, KEYS[2]) == [{KEYS[2]: moved}]
    sent = list(world.left)
    for older in (moved, listed(2, [HERE], 4), listed(2, [], 1)):
        table.receive(KEYS[1], told({2: older}))
    assert world.dialled[KEYS[2]] == (HERE,)
    assert world.left == sent


def test_all_seats_are_told_when_this_machine_has_moved() -> None:
    table, world = sit(listed(0), listed(1), listed(2))
    moved = listed(0, [HERE], 5)
    table.move(moved)
    for key in KEYS[1:3]:
        assert passed_on(world, key) == [{KEYS[0]: moved}]
    table.link_changed(KEYS[1], up=True)
    assert passed_on(world, KEYS[1])[-1][KEYS[0]] == moved


def test_who_knows_less_is_told_once_on_each_link() -> None:
    table, world = sit(listed(0), listed(1, number=3))
    table.link_changed(KEYS[1], up=True)
    for _ in range(5):
        table.receive(KEYS[1], told({1: listed(1, number=3)}))
    answers = passed_on(world, KEYS[1])
    assert answers == [{KEYS[0]: listed(0), KEYS[1]: listed(1, number=3)}, {KEYS[0]: listed(0)}]
    table.link_changed(KEYS[1], up=True)
    assert len(world.left) == 3


def test_what_is_of_another_table_or_ours_is_left_aside() -> None:
    table, world = sit(listed(0))
    table.receive(KEYS[1], told({2: listed(2, [HERE], 9)}, proposal=bytes(32)))
    table.receive(KEYS[1], told({0: listed(0, [HERE], 9)}))
    assert world.dialled == {KEYS[0]: tuple(HOME), KEYS[1]: (), KEYS[2]: ()}


def test_own_new_list_is_told_to_each_seat() -> None:
    table, world = sit(listed(0), listed(1), listed(2))
    newer = listed(0, [HERE], 2)
    table.move(newer)
    for key in KEYS[1:3]:
        assert passed_on(world, key)[-1] == {KEYS[0]: newer}
    table.link_changed(KEYS[1], True)
    assert passed_on(world, KEYS[1])[-1][KEYS[0]] == newer


@pytest.mark.check("addresses.seat")
def test_a_stranger_says_nobodys_address_and_a_seat_no_false_one() -> None:
    table, world = sit(listed(0))
    with pytest.raises(PeerError, match="nobody's seat"):
        table.receive(KEYS[3], told({1: listed(1)}))
    forged = SignedAddresses(1, (), listed(2).data)
    with pytest.raises(PeerError, match="not signed"):
        table.receive(KEYS[2], told({1: forged}))
    assert world.dialled[KEYS[1]] == world.dialled[KEYS[2]] == ()


def test_a_seat_that_moves_all_the_time_is_followed_slowly() -> None:
    """A player signs new addresses without end, to have the others dial and pass them on.

    Answer: four are accepted at once, and then two per minute; the others are ignored.
    """
    table, world = sit()
    for number in range(1, 100):
        table.receive(KEYS[1], told({1: listed(1, [HERE], number)}))
        world.time.pass_(FRAMES_SECONDS / 10)
    assert len(passed_on(world, KEYS[2])) == MOVES
    world.time.pass_(MOVES_SECONDS + 1)
    table.receive(KEYS[1], told({1: listed(1, [HERE], 100)}))
    table.receive(KEYS[1], told({1: listed(1, [HERE], 101)}))
    assert len(passed_on(world, KEYS[2])) == MOVES + 1


@pytest.mark.slow
def test_lists_without_number_cost_a_few_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    """A player sends frame after frame of old lists, to keep the others busy with signatures.

    Answer: sixteen frames are read at once, and then one a second.
    """
    table, world = sit(listed(0), listed(1))
    read = []
    monkeypatch.setattr(whereabouts, "decode_lists", lambda *_: read.append(1) or {})
    for _ in range(4000):
        table.receive(KEYS[1], told({1: listed(1)}))
    assert len(read) == FRAMES
    world.time.pass_(3 * FRAMES_SECONDS)
    for _ in range(4000):
        table.receive(KEYS[1], told({1: listed(1)}))
    assert len(read) == FRAMES + 3


def test_the_lobby_takes_no_list_of_somebody_else() -> None:
    """A guest greets with the addresses of another guest.

    Answer: refused: only the owner of a key lists where it is.
    """
    hosted, _ = lobby()
    with pytest.raises(PeerError, match="not signed"):
        hosted.inbox({}).take(KEYS[1], hello(TOKEN, "Bo", listed(2)))
