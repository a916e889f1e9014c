"""Table ids, hashes and digests have their lengths wherever they come in."""

from __future__ import annotations

import pytest

from p2p.errors import PeerError
from p2p.protocol import ballot, chat, entry, wire
from p2p.protocol.entry import Chain
from tests.protocol.kit import TABLE, identities

PEOPLE = identities(3)
KEYS = [one.public for one in PEOPLE]
CHAIN = Chain(TABLE)
ENTRY = "p2p.protocol.entry:decode_entry -> wire.octets"
BALLOT = "p2p.protocol.ballot:decode_ballot -> wire.octets"


def signed_again(record: bytes, purpose: bytes, field: str, value: bytes) -> bytes:
    """What seat 0 signed, with another value of a field, signed by it again."""
    fields = {**wire.unpack(record[: -entry.SIGNATURE_BYTES]), field: value}
    body = wire.pack(fields)
    return body + PEOPLE[0].sign(purpose, body)


@pytest.mark.parametrize("size", [0, 15, 17, 31, 33])
@pytest.mark.parametrize(
    ("field", "what"),
    [
        pytest.param("table", "table id", marks=pytest.mark.call(ENTRY)),
        pytest.param("previous", "previous hash", marks=pytest.mark.call(f"{ENTRY} #2")),
        pytest.param("state", "state digest", marks=pytest.mark.call(f"{ENTRY} #3")),
    ],
)
def test_in_an_entry(field: str, what: str, size: int) -> None:
    record = entry.sign_entry(PEOPLE[0], CHAIN, 0, "choose", 1, bytes(entry.STATE_BYTES)).record
    with pytest.raises(PeerError, match=f"{what} has the wrong length"):
        entry.decode_entry(signed_again(record, entry.PURPOSE, field, bytes(size)))


@pytest.mark.parametrize("size", [0, 31, 33])
@pytest.mark.parametrize(
    ("field", "what"),
    [
        pytest.param("table", "table id", marks=pytest.mark.call(BALLOT)),
        pytest.param("previous", "previous hash", marks=pytest.mark.call(f"{BALLOT} #2")),
    ],
)
def test_in_a_ballot(field: str, what: str, size: int) -> None:
    record = ballot.sign_ballot(PEOPLE[0], CHAIN, 0, 1).record
    with pytest.raises(PeerError, match=f"{what} has the wrong length"):
        ballot.decode_ballot(signed_again(record, ballot.PURPOSE, field, bytes(size)), KEYS)


@pytest.mark.call("p2p.protocol.chat:decode_message -> wire.octets")
@pytest.mark.parametrize("size", [0, 31, 33])
def test_in_a_line_of_talk(size: int) -> None:
    line = chat.sign_message(PEOPLE[0], bytes(size), 0, 1, "hello")
    with pytest.raises(PeerError, match="table id has the wrong length"):
        chat.decode_message(line.data, KEYS)
