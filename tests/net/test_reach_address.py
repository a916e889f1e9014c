"""Addresses of iroh endpoints: their text, their place in an invite and in the dial race."""

from __future__ import annotations

import base64
import zlib

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from p2p.identity.keys import Identity
from p2p.installation import to_add
from p2p.net import transport as transport_module
from p2p.net.addresses import Address, AddressError
from p2p.net.dialler import dial_any
from p2p.net.invite import LENGTH_MAX, Invite, InviteError, fitting
from p2p.net.lan import LanTable, decode_text, encode_text
from p2p.net.limits import Limits
from p2p.net.memory_network import memory_streams
from p2p.net.reach_address import AnyAddress, ReachAddress, parse_any
from p2p.net.transport import TcpTransport
from tests.net.helpers import seeded

HOST = Identity(bytes(range(32)))
TOKEN = bytes(range(16))
LAN = Address("192.168.1.23", 7000)
ENDPOINT = bytes(range(100, 132))
RELAYED = ReachAddress(ENDPOINT, Address("euc1-1.relay.example.net", 443))
DIRECT = ReachAddress(ENDPOINT, Address("2001:db8::7", 41000))
REACH_LENGTH_MAX = 296

relays = st.from_regex(r"[a-z]{1,8}(\.[a-z]{2,6}){1,3}", fullmatch=True).map(
    lambda name: Address(name, 443)
)
udp = st.builds(Address, st.ip_addresses().map(str), st.integers(1, 65535))
reaches = st.builds(ReachAddress, st.binary(min_size=32, max_size=32), relays | udp)
direct_lists = st.lists(udp, min_size=1, max_size=2)


@pytest.mark.slow
@given(direct_lists, reaches)
def test_round_trips(addresses: list[Address], reach: ReachAddress) -> None:
    assert parse_any(str(reach)) == reach
    invite = Invite(fitting(addresses), HOST.public, TOKEN, reach)
    line = invite.encode()
    assert len(line) <= REACH_LENGTH_MAX
    assert Invite.decode(line.lower()) == invite
    assert invite.everywhere == (*invite.addresses, reach)


def test_the_longest_line() -> None:
    relay = ReachAddress(ENDPOINT, Address(f"{'a' * 59}.test", 443))
    name = Address(f"{'b' * 22}.test", 7000)
    line = Invite((name,), HOST.public, TOKEN, relay).encode()
    assert len(line) == REACH_LENGTH_MAX
    assert Invite.decode(line).reach == relay


def test_the_line_is_fixed() -> None:
    """A line printed today must be readable by every later version of format 1."""
    udp_address = ReachAddress(ENDPOINT, Address("10.0.0.1", 5000))
    body = b"\x41" + HOST.public + TOKEN + bytes([192, 168, 1, 23]) + (7000).to_bytes(2, "big")
    body += ENDPOINT + bytes([10, 0, 0, 1]) + (5000).to_bytes(2, "big")
    checksum = zlib.crc32(b"nodealer invite" + body).to_bytes(4, "big")
    line = "ND1:" + base64.b32encode(body + checksum).decode().rstrip("=")
    assert Invite((LAN,), HOST.public, TOKEN, udp_address).encode() == line


def test_every_cut_and_every_wrong_letter_is_found() -> None:
    line = Invite((LAN,), HOST.public, TOKEN, RELAYED).encode()
    for place in range(4, len(line)):
        with pytest.raises(InviteError, match=r"cut off|checksum"):
            Invite.decode(line[:place])
        with pytest.raises(InviteError):
            Invite.decode(line[:place] + ("A" if line[place] != "A" else "B") + line[place + 1 :])


@pytest.mark.parametrize(
    ("kind", "packed"),
    [
        (3, ENDPOINT + b"\x05relay" + (80).to_bytes(2, "big")),
        (3, ENDPOINT + b"\x46" + b"a" * 63 + b".aaaaaa" + (443).to_bytes(2, "big")),
        (1, ENDPOINT[:20] + bytes([10, 0, 0, 1]) + (5000).to_bytes(2, "big")),
        (1, ENDPOINT + bytes([10, 0, 0, 1]) + bytes(2)),
        (1, ENDPOINT + bytes([10, 0, 0, 1]) + (5000).to_bytes(2, "big") + b"more"),
    ],
)
def test_a_field_that_makes_no_sense(kind: int, packed: bytes) -> None:
    """The checksum is right: somebody wrote this on purpose."""
    lan = bytes([192, 168, 1, 23]) + (7000).to_bytes(2, "big")
    body = bytes([1 | kind << 6]) + HOST.public + TOKEN + lan + packed
    checksum = zlib.crc32(b"nodealer invite" + body).to_bytes(4, "big")
    line = "ND1:" + base64.b32encode(body + checksum).decode().rstrip("=")
    with pytest.raises(InviteError, match=r"damaged|cut off"):
        Invite.decode(line)


@pytest.mark.parametrize(
    "text",
    [
        "reach+",
        "reach+aaaa@10.0.0.1:5000",
        str(RELAYED).upper().replace("REACH+", "reach+"),
        str(RELAYED).replace(":443", ":444"),
        str(RELAYED) + " ",
        f"reach+{'a' * 51}b@10.0.0.1:5000",
        f"reach+{'a' * 52}@{'a' * 70}:443",
        f"reach+{'a' * 52}@10.0.0.01:5000",
        f"reach+{'a' * 52}@reach+{'a' * 52}@10.0.0.1:5000",
    ],
)
def test_texts_that_are_no_address(text: str) -> None:
    with pytest.raises(AddressError):
        parse_any(text)


def test_an_invite_without_it_is_as_short_as_before() -> None:
    invite = Invite((LAN,), HOST.public, TOKEN)
    assert invite.everywhere == (LAN,)
    assert len(invite.encode()) == 99 < LENGTH_MAX


def test_the_local_network_is_not_told_of_relays() -> None:
    """A TXT string has 255 bytes, and neighbours need no relay."""
    table = LanTable("sneak", 3, "Ana", Invite((LAN,), HOST.public, TOKEN, RELAYED))
    fields = {key.encode(): value.encode() for key, value in encode_text(table).items()}
    assert decode_text(fields).invite == Invite((LAN,), HOST.public, TOKEN)


@pytest.mark.parametrize(
    ("installed", "said"), [(False, to_add("reach")), (True, "--reach turns it on")]
)
async def test_without_it_a_sentence_says_what_is_missing(
    installed: bool, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport_module, "find_spec", lambda _name: installed or None)
    dialled = await dial_any(TcpTransport(), HOST, HOST.public, [RELAYED], Limits())
    (failure,) = dialled.failures
    assert failure.startswith("reach through euc1-1.relay.example.net: this way ")
    assert said in failure


async def test_direct_addresses_have_a_head_start(autojump_clock: trio.testing.MockClock) -> None:
    """In the order of preference, whatever the order of the list."""
    tried: list[tuple[AnyAddress, float]] = []
    began = trio.current_time()

    class Silent:
        async def dial(self, address: AnyAddress) -> trio.abc.Stream:
            tried.append((address, round(trio.current_time() - began, 3)))
            return memory_streams()[0]

    other = Address("10.0.0.9", 7000)
    limits = Limits()
    expected = Identity.generate(seeded(5)).public
    addresses = [RELAYED, LAN, DIRECT, other]
    dialled = await dial_any(Silent(), HOST, expected, addresses, limits)
    assert dialled.won is None
    assert tried == [(LAN, 0.0), (other, 0.2), (RELAYED, 0.9), (DIRECT, 1.1)]
