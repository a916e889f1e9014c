"""Two programs of one protocol version and different revisions, before they sit down."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.games import load
from p2p.errors import OtherVersionError, PeerError, StorageError
from p2p.files.saved import left_by_another, saved_seat
from p2p.files.seat_items import MAGIC, encode_item
from p2p.lobby.plan import REFUSAL_MAX, hello, receive_proposal, refusal
from p2p.net.addresses import Address
from p2p.net.invite import Invite
from p2p.player.events import Event, OtherVersion
from p2p.protocol.frame_kinds import HEADER, REFUSED, WATCH, payload_of
from p2p.spectators.client import _Watcher
from p2p.spectators.gallery import watch_frame
from p2p.version import (
    PROTOCOL_VERSION,
    SAME,
    Spoken,
    greeting,
    own_revision,
    read_greeting,
)
from tests.peer.kit import LOOPBACK
from tests.peer.seat_files import memory_of
from tests.peer.test_gallery import STRANGERS, gallery
from tests.peer.test_lobby import PEOPLE, TOKEN, invite, listed, lobby, proposal_frame
from tests.protocol.kit import make_header
from tests.revision import OF_TESTS, OTHER, another_revision

OURS = f"the table speaks protocol version {PROTOCOL_VERSION}, revision 000000"
TOLD = f"{OURS}, you run 3fa9c2: {SAME}"
READ = f"the table runs revision 000000, and this program 3fa9c2: {SAME}"


def test_guest_of_other_revision_and_host_are_told() -> None:
    hosted, world = lobby()
    with another_revision():
        frame = hello(TOKEN, "Bo", listed(1))
    hosted.inbox({}).take(PEOPLE[1].public, frame)
    assert world.posted == [(PEOPLE[1].public, REFUSED.make(TOLD.encode()))]
    assert world.told == [OtherVersion(PROTOCOL_VERSION, OTHER)]
    assert [seat.name for seat in hosted.seats()] == ["Ana"]


def test_refused_guest_reads_both_revisions() -> None:
    assert len(TOLD) <= REFUSAL_MAX
    with another_revision():
        error = refusal(TOLD.encode())
    assert isinstance(error, OtherVersionError)
    assert str(error) == READ


def test_refusal_naming_own_revision_is_quoted() -> None:
    error = refusal(TOLD.encode())
    assert not isinstance(error, OtherVersionError)
    assert "the host refuses" in str(error)


def test_spectator_of_other_revision_is_refused() -> None:
    shown, world = gallery()
    with another_revision():
        frame = watch_frame(TOKEN, "Eve")
    shown.receive(STRANGERS[1], payload_of(frame))
    assert world.posted == [(STRANGERS[1], REFUSED.make(TOLD.encode()))]
    assert shown.names == ()


def test_greeting_carries_version_and_revision() -> None:
    assert read_greeting(greeting()) == (PROTOCOL_VERSION, own_revision())
    with another_revision():
        assert greeting() == 0x3FA9C2_04
        assert read_greeting(greeting()) == (PROTOCOL_VERSION, OTHER)
        assert WATCH.read(payload_of(watch_frame(TOKEN, "Eve")))["version"] == greeting()


@pytest.mark.parametrize("version", [3, 255])
def test_greeting_of_other_version_has_no_revision(version: int) -> None:
    assert read_greeting(version) == Spoken(version, OF_TESTS)


@pytest.mark.parametrize("field", [-1, -(2**63), 2**32, 2**64 - 1])
def test_number_of_no_greeting_is_no_version_of_ours(field: int) -> None:
    assert read_greeting(field) == Spoken(field, OF_TESTS)


@pytest.mark.check("lobby.revision")
def test_guest_refuses_proposal_of_other_revision() -> None:
    """A host proposes a table of another revision than it has greeted with.

    Answer: a guest signs only proposals of its own revision, so that no table has two.
    """
    frame = payload_of(proposal_frame())
    receive_proposal(invite(), PEOPLE[1].public, frame)
    with another_revision(), pytest.raises(PeerError, match="written by revision 000000, this"):
        receive_proposal(invite(), PEOPLE[1].public, frame)


@pytest.mark.check("watch.revision")
async def test_spectator_refuses_header_of_other_revision() -> None:
    header = make_header(load("flip-over"), 3)
    key = header.proposal.identities[0]
    told: list[Event] = []
    watched = Invite((Address(LOOPBACK, 9),), key, header.proposal.token)
    watcher = _Watcher(PEOPLE[3], watched, told.append, None)
    with another_revision(), pytest.raises(PeerError, match="written by revision 000000, this"):
        await watcher.take(key, HEADER.make(header.encode()))
    assert told == []


def test_seat_file_of_other_revision_stays_untouched(tmp_path: Path) -> None:
    seat_file = tmp_path / "table.ndseat"
    whole = MAGIC + encode_item(memory_of(make_header(load("flip-over"), 3), 2).first_item())
    seat_file.write_bytes(whole)
    assert left_by_another(seat_file) is None
    saved_seat(seat_file)
    with another_revision():
        why = left_by_another(seat_file)
        assert why is not None
        assert why.startswith("it was written by revision 000000, this program is revision 3fa9c2")
        with pytest.raises(StorageError, match=why):
            saved_seat(seat_file)
    assert seat_file.read_bytes() == whole
