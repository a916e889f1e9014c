"""Sitting down: who gets a seat, and what a guest accepts as the table of its invite."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.errors import UsageError
from p2p.errors import LobbyError, OtherVersionError, PeerError
from p2p.lobby.host import HOST_FRAMES_MAX, HostLobby
from p2p.lobby.plan import (
    REFUSAL_MAX,
    TablePlan,
    agree,
    encode_plan,
    hello,
    receive_plan,
    receive_proposal,
    refusal,
)
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from p2p.net.reach_address import AnyAddress
from p2p.net.signed_addresses import SignedAddresses, sign_addresses
from p2p.player.events import OtherVersion, Waiting
from p2p.protocol import wire
from p2p.protocol.frame_kinds import HELLO, PLAN, PROPOSAL, REFUSED, payload_of
from p2p.protocol.races.terms import RaceTerms
from p2p.protocol.terms import Terms
from p2p.seat.reply import Script
from p2p.version import PROTOCOL_VERSION, UPDATE
from tests.peer.desk_kit import World
from tests.protocol.kit import identities

TOKEN = bytes(range(16))
HOME = [Address("127.0.0.1", 4000)]
PEOPLE = identities(5)
ANA = PEOPLE[0].renamed("Ana")


def listed(person: int, addresses: Sequence[AnyAddress] = HOME, number: int = 1) -> SignedAddresses:
    """Where one of these people says that it can be dialled."""
    return sign_addresses(PEOPLE[person], TOKEN, number, addresses)


def host(plan: TablePlan, *, ready: bool = True) -> tuple[HostLobby, World]:
    """Ana's lobby for this plan, in a world of her own."""
    world = World()
    return HostLobby(world.desk, ANA, TOKEN, plan, ready=ready), world


def lobby(seats: int = 3) -> tuple[HostLobby, World]:
    return host(TablePlan(Terms.of("flip-over"), seats))


def greeting(**changed: Any) -> bytes:
    fields = {
        "version": PROTOCOL_VERSION,
        "token": TOKEN,
        "name": "Bo",
        "bot": False,
        "addresses": listed(1, []).data,
        "ready": False,
        "linked": [],
    }
    return bytes([HELLO.number]) + wire.pack({**fields, **changed})


def full_lobby() -> tuple[HostLobby, World]:
    hosted, sent = lobby()
    for guest in (1, 2):
        hosted.inbox({}).take(
            PEOPLE[guest].public, hello(TOKEN, "Bo", listed(guest), hosted.plan.id)
        )
    return hosted, sent


def proposal_frame(**changed: Any) -> bytes:
    """What the host of `full_lobby` tells its guests, with fields changed."""
    hosted, _ = full_lobby()
    frame = hosted.invitation(hosted.seating(listed(0)))
    return bytes([PROPOSAL.number]) + wire.pack({**wire.unpack(frame[1:]), **changed})


def invite(token: bytes = TOKEN, host: int = 0) -> Invite:
    return Invite(tuple(HOME), PEOPLE[host].public, token)


def test_guests_are_seated_in_order_and_nobody_shares_a_name() -> None:
    hosted, _ = full_lobby()
    assert hosted.is_full
    assert hosted.is_started
    seating = hosted.seating(listed(0))
    assert seating.proposal.names == ("Ana", "Bo", "Bo 2")
    assert seating.proposal.identities == tuple(one.public for one in PEOPLE[:3])
    assert seating.lists[PEOPLE[0].public] == listed(0)


def test_a_second_greeting_changes_nothing() -> None:
    hosted, world = lobby()
    Script(hosted.gather())
    for _ in range(3):
        hosted.inbox({}).take(PEOPLE[1].public, greeting())
        world.time.pass_(1)
    seen = [event.names for event in world.told if isinstance(event, Waiting)]
    assert seen == [("Ana", "Bo")]
    assert not hosted.is_full


@pytest.mark.slow
def test_who_sits_down_and_leaves_at_speed_is_told_of_twice_a_second() -> None:
    """Somebody with the invite sits down and leaves again with other keys, as fast as he can.

    Answer: host and guests hear of it twice a second at most, and no guest hears so much of it
    that it takes the host for a flood.
    Remains: as long as a seat is free, anybody who has the invite may take it.
    """
    hosted, sent = lobby(seats=4)
    hosted.inbox({}).take(PEOPLE[1].public, greeting())
    Script(hosted.gather())
    for number in range(3000):
        key, said = PEOPLE[2 + number % 3].public, listed(2 + number % 3, []).data
        hosted.inbox({}).take(key, greeting(addresses=said))
        sent.time.pass_(0.01)
        hosted.inbox({}).take(key, greeting(addresses=said, ready=None))
        sent.time.pass_(0.01)
    heard = [frame for key, frame in sent.posted if key == PEOPLE[1].public]
    assert 100 < len(heard) < HOST_FRAMES_MAX / 2 + 5
    assert len(sent.told) < 4 * 61


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"version": 99}, "protocol version"),
        ({"token": bytes(16)}, "another table"),
        ({"name": ""}, "printable"),
        ({"name": "x" * 25}, "printable"),
        ({"name": "a\x1b[2J"}, "printable"),
    ],
)
def test_a_guest_is_told_why_it_is_refused(changed: dict[str, Any], said: str) -> None:
    hosted, sent = lobby()
    hosted.inbox({}).take(PEOPLE[1].public, greeting(**changed))
    ((_, frame),) = sent.posted
    assert frame[0] == REFUSED.number
    with pytest.raises(LobbyError, match=said):
        raise refusal(payload_of(frame))


OF_VERSION_2 = bytes.fromhex(
    "2087a776657273696f6e02a5746f6b656ec410000102030405060708090a0b0c0d0e0fa46e616d65a2426fa3626f74"
    "c2a9616464726573736573c443920190eaad711acbfc0229c6c6b3cac308fee719d47b0ac93bdbf15802ab4275282f"
    "baa40abafdbc5492cd9b8dce321c230559dba6641bc64af844dd7dfac06a4d8b0aa57265616479c3a66c696e6b6564"
    "90"
)
"""How a program of version 2 greets the table of TOKEN."""


def test_a_program_of_version_2_is_told_the_two_numbers_and_so_is_the_host() -> None:
    """Whatever later versions add, these bytes have to be answered with a refusal."""
    hosted, world = lobby()
    for peer in (1, 2):
        hosted.inbox({}).take(PEOPLE[peer].public, OF_VERSION_2)
    told = f"the table speaks protocol version {PROTOCOL_VERSION}, you speak 2: {UPDATE}"
    assert len(told) <= REFUSAL_MAX
    refused = REFUSED.make(told.encode())
    assert world.posted == [(PEOPLE[peer].public, refused) for peer in (1, 2)]
    assert world.told == [OtherVersion(2, bytes(3))]


def test_no_stranger_without_the_invite_makes_the_host_read_that() -> None:
    hosted, world = lobby()
    hosted.inbox({}).take(PEOPLE[1].public, greeting(version=2, token=bytes(16)))
    assert world.told == []


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ("the table speaks protocol version 2", 2),
        ("the table speaks protocol version 99, you speak 3: wait", 99),
    ],
)
def test_what_a_table_of_another_version_says_is_told_with_both_numbers(
    said: str, version: int
) -> None:
    error = refusal(said.encode())
    assert isinstance(error, OtherVersionError)
    ours = f"and this program {PROTOCOL_VERSION}: {UPDATE}"
    assert str(error) == f"the table speaks protocol version {version}, {ours}"


@pytest.mark.parametrize("number", [str(PROTOCOL_VERSION), "x", "", "9" * 30])
def test_a_host_that_says_so_of_no_other_version_is_quoted(number: str) -> None:
    said = f"the table speaks protocol version {number}"
    error = refusal(said.encode())
    assert not isinstance(error, OtherVersionError)
    assert said in str(error)


def test_a_full_table_says_so() -> None:
    hosted, sent = full_lobby()
    hosted.inbox({}).take(PEOPLE[4].public, greeting(addresses=listed(4).data))
    assert sent.posted[-1] == (PEOPLE[4].public, REFUSED.make(b"the table is full"))


@pytest.mark.check("lobby.kind")
@pytest.mark.call("p2p.lobby.host:HostLobby.inbox -> _greets")
def test_only_a_greeting_opens_a_conversation() -> None:
    hosted, _ = lobby()
    with pytest.raises(PeerError, match="greeting"):
        hosted.inbox({}).take(PEOPLE[1].public, bytes([PLAN.number]) + greeting()[1:])


def test_a_guest_learns_the_plan_and_then_the_table() -> None:
    hosted, sent = lobby()
    hosted.inbox({}).take(PEOPLE[1].public, greeting())
    (_, frame), _ = sent.posted
    assert receive_plan(payload_of(frame)) == TablePlan(Terms.of("flip-over"), 3)
    seating = receive_proposal(invite(), PEOPLE[2].public, payload_of(proposal_frame()))
    assert seating.seat == 2
    assert seating.lists[PEOPLE[0].public] == listed(0)


@pytest.mark.check("lobby.plan")
@pytest.mark.parametrize(
    "plan",
    [
        TablePlan(Terms.of("flip-over"), 9),
        TablePlan(Terms("whist", 1, {}), 4),
        TablePlan(Terms.of("flip-over", {"a": 1}), 3),
    ],
)
@pytest.mark.call("p2p.lobby.plan:receive_plan -> terms.check")
def test_a_plan_that_cannot_be_is_garbage(plan: TablePlan) -> None:
    with pytest.raises(PeerError, match="cannot be"):
        receive_plan(payload_of(encode_plan(plan)))


@pytest.mark.check("lobby.token")
def test_the_table_is_that_of_the_invite() -> None:
    """A host seats a guest at a table that is not the one of its invite.

    Answer: the guest refuses.
    """
    with pytest.raises(PeerError, match="another table"):
        receive_proposal(invite(token=bytes(16)), PEOPLE[1].public, payload_of(proposal_frame()))


@pytest.mark.check("lobby.seated")
def test_the_host_of_the_invite_sits_at_the_table() -> None:
    """Somebody passes a guest on to a table at which the host of the invite does not sit.

    Answer: the guest refuses.
    """
    with pytest.raises(PeerError, match="leaves us or the host out"):
        receive_proposal(invite(host=4), PEOPLE[1].public, payload_of(proposal_frame()))


def test_who_is_started_anew_is_dialled_where_it_listens_now() -> None:
    hosted, sent = lobby()
    moved = listed(1, [Address("127.0.0.1", 4002)], 2)
    hosted.inbox({}).take(PEOPLE[1].public, greeting(addresses=listed(1, HOME, 1).data))
    assert sent.renewed == []
    hosted.inbox({}).take(PEOPLE[1].public, greeting(addresses=listed(1, HOME, 1).data))
    assert sent.renewed == []
    hosted.inbox({}).take(PEOPLE[1].public, greeting(addresses=moved.data))
    assert sent.renewed == [PEOPLE[1].public]
    hosted.inbox({}).take(PEOPLE[2].public, greeting(name="Cy", addresses=listed(2).data))
    assert hosted.seating(listed(0)).lists[PEOPLE[1].public] == moved


def test_a_guest_agrees_to_the_cap_or_leaves() -> None:
    hosted, _ = host(TablePlan(Terms.of("flaps", race=RaceTerms(cap_us=120_000)), 2))
    hosted.inbox({}).take(PEOPLE[1].public, greeting())
    frame = hosted.invitation(hosted.seating(listed(0)))
    seating = receive_proposal(invite(), PEOPLE[1].public, payload_of(frame))
    assert seating.proposal.terms.race == RaceTerms(120_000, 600_000)
    agree(seating.proposal.terms.race, 120_000)
    with pytest.raises(LobbyError, match="120 ms of delay in races, more than the 80 ms"):
        agree(seating.proposal.terms.race, 80_000)


@pytest.mark.call("p2p.lobby.host:HostLobby.__init__ -> plan.terms.check")
def test_a_host_cannot_plan_what_cannot_be() -> None:
    with pytest.raises(UsageError, match="policy"):
        host(TablePlan(Terms.of("flip-over", policy="x"), 3))
    with pytest.raises(UsageError):
        lobby(7)
    with pytest.raises(LobbyError, match="name"):
        hello(TOKEN, "", listed(1))
