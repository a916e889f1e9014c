"""Invites: what goes round trip, and one sentence for each way to get them wrong."""

from __future__ import annotations

import base64
import string
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.identity.keys import Identity
from p2p.net.addresses import Address
from p2p.net.invite import LENGTH_MAX, PREFIX, Invite, InviteError, fitting

LETTERS = string.ascii_uppercase + "234567"
HOST = Identity(bytes(range(32)))
TOKEN = bytes(range(16))
LAN = Address("192.168.1.23", 7000)
FORWARDED = Address("203.0.113.77", 45678)
GLOBAL = Address("2001:db8::1234:5678", 7000)

ports = st.integers(1, 65535)
ip_addresses = st.ip_addresses().map(str)
names = st.from_regex(r"[a-z]{1,8}(\.[a-z]{2,6}){1,2}", fullmatch=True)
address_lists = st.lists(st.builds(Address, ip_addresses | names, ports), min_size=1, max_size=5)


@pytest.mark.slow
@given(address_lists, st.binary(min_size=32, max_size=32), st.binary(min_size=16, max_size=16))
def test_round_trip(addresses: list[Address], secret: bytes, token: bytes) -> None:
    invite = Invite(fitting(addresses), Identity(secret).public, token)
    line = invite.encode()
    assert len(line) <= LENGTH_MAX
    assert Invite.decode(line) == invite


def test_lengths_as_planned() -> None:
    assert len(Invite((LAN,), HOST.public, TOKEN).encode()) == 99
    assert len(Invite((LAN, FORWARDED, GLOBAL), HOST.public, TOKEN).encode()) == 137


def test_the_line_is_fixed() -> None:
    """A line printed today must be readable by every later version of format 1."""
    body = b"\x01" + HOST.public + TOKEN + bytes([192, 168, 1, 23]) + (7000).to_bytes(2, "big")
    checksum = zlib.crc32(b"nodealer invite" + body).to_bytes(4, "big")
    line = "ND1:" + base64.b32encode(body + checksum).decode().rstrip("=")
    assert Invite((LAN,), HOST.public, TOKEN).encode() == line


@pytest.mark.parametrize("addresses", [(LAN,), (LAN, FORWARDED, GLOBAL), (GLOBAL, LAN)])
def test_every_substitution_of_one_character_is_refused(addresses: tuple[Address, ...]) -> None:
    line = Invite(addresses, HOST.public, TOKEN).encode()
    for place, right in enumerate(line):
        for wrong in LETTERS + "018:":
            if wrong != right:
                with pytest.raises(InviteError):
                    Invite.decode(line[:place] + wrong + line[place + 1 :])


def test_every_swap_of_neighbours_is_refused() -> None:
    line = Invite((LAN, FORWARDED), HOST.public, TOKEN).encode()
    for place in range(len(PREFIX), len(line) - 1):
        swapped = line[:place] + line[place + 1] + line[place] + line[place + 2 :]
        if swapped != line:
            with pytest.raises(InviteError):
                Invite.decode(swapped)


@pytest.mark.parametrize("addresses", [(LAN,), (LAN, FORWARDED, GLOBAL)])
def test_every_cut_is_refused_and_called_so(addresses: tuple[Address, ...]) -> None:
    line = Invite(addresses, HOST.public, TOKEN).encode()
    for length in range(len(PREFIX), len(line) - 1):
        with pytest.raises(InviteError, match="cut off"):
            Invite.decode(line[:length])


@pytest.mark.parametrize(
    "wrapping", [" {}\n", "'{}'", "\u201c{}\u201d.", "<{}>", "`{}`", "\ufeff{}"]
)
def test_what_surrounds_a_pasted_line_is_left_out(wrapping: str) -> None:
    invite = Invite((LAN,), HOST.public, TOKEN)
    assert Invite.decode(wrapping.format(invite.encode())) == invite
    assert Invite.decode(wrapping.format(invite.encode().lower())) == invite


def test_a_line_broken_by_a_mail_program_is_put_together() -> None:
    line = Invite((LAN, FORWARDED), HOST.public, TOKEN).encode()
    assert Invite.decode(line[:76] + "\r\n" + line[76:]).token == TOKEN


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "not an invite"),
        ("hello there", "not an invite"),
        ("https://example.org/ND1:AAAA", "not an invite"),
        ("ND2:" + "A" * 95, "another version"),
        ("ND1:", "cut off"),
        ("ND1:" + "A" * 60, "cut off"),
        ("ND1:" + "A" * 95, "mistyped"),
        ("ND1:" + "0" * 95, "characters that no invite has"),
        ("ND1:Ä" + "A" * 94, "characters that no invite has"),
    ],
)
def test_each_fault_has_its_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InviteError, match=sentence):
        Invite.decode(text)


def forged(kinds: int, identity: bytes, packed: bytes) -> str:
    """An invite with a right checksum around whatever it is given."""
    body = bytes([kinds]) + identity + TOKEN + packed
    checksum = zlib.crc32(b"nodealer invite" + body).to_bytes(4, "big")
    return PREFIX + base64.b32encode(body + checksum).decode().rstrip("=")


@pytest.mark.call(
    "p2p.net.invite:Invite.__post_init__ -> _require_sound",
    "p2p.net.invite:_require_sound -> decode_identity",
)
def test_a_key_of_small_order_is_refused() -> None:
    with pytest.raises(InviteError, match="nobody should trust"):
        Invite.decode(forged(1, b"\x01" + bytes(31), bytes([10, 0, 0, 1, 0, 80])))


@pytest.mark.parametrize(
    ("kinds", "packed"),
    [
        (0, b""),
        (0, bytes(6)),
        (1, bytes(6)),
        (1, bytes([10, 0, 0, 1, 0, 80, 9])),
        (4, bytes([10, 0, 0, 1, 0, 80])),
        (5, bytes([10, 0, 0, 1, 0, 80])),
        (2, bytes([10, 0, 0, 1, 0, 80])),
        (3, b"\x09abc\x00\x50"),
        (3, b"\x03\xff\xff\xff\x00\x50"),
        (3, b"\x03a b\x00\x50"),
        (0x55, bytes([10, 0, 0, 1, 0, 80]) * 4),
    ],
)
def test_senseless_addresses_are_refused(kinds: int, packed: bytes) -> None:
    with pytest.raises(InviteError):
        Invite.decode(forged(kinds, HOST.public, packed))


@given(st.text())
def test_no_text_raises_anything_else(text: str) -> None:
    for attempt in (text, PREFIX + text):
        with pytest.raises(InviteError):
            Invite.decode(attempt)


@given(st.integers(0, 255), st.binary(max_size=60))
def test_no_forged_body_raises_anything_else(kinds: int, packed: bytes) -> None:
    line = forged(kinds, HOST.public, packed)
    try:
        invite = Invite.decode(line)
    except InviteError:
        return
    assert 1 <= len(invite.addresses) <= 3
    assert all(address in fitting(invite.addresses) for address in invite.addresses)


def test_unfit_parts_are_refused() -> None:
    for addresses, token in [((), TOKEN), ((LAN,) * 4, TOKEN), ((LAN,), TOKEN[1:])]:
        with pytest.raises(InviteError):
            Invite(addresses, HOST.public, token)
    with pytest.raises(InviteError, match="too long"):
        Invite((GLOBAL, Address("2001:db8::2", 1), LAN), HOST.public, TOKEN)


def test_fitting_takes_the_best_that_fit() -> None:
    other_global = Address("2001:db8::2", 1)
    assert fitting([GLOBAL, other_global, LAN, LAN, FORWARDED]) == (GLOBAL, LAN, FORWARDED)
