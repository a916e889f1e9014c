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
    "wrapping",
    [
        " {}\n",
        "'{}'",
        "\u201c{}\u201d.",
        "<{}>",
        "`{}`",
        "**{}**",
        "\ufeff{}",
        "\u200b{}\u2060",
        "{},",
        "nodealer join {}",
        "$ nodealer join '{}' --yes",
        "Join me: {} now, or at 8",
        "[20:41] Ana: {}\n[20:42] Bo: thanks",
        "{0} {0}",
        "(see {})!",
    ],
)
def test_what_surrounds_a_pasted_line_is_left_out(wrapping: str) -> None:
    invite = Invite((LAN,), HOST.public, TOKEN)
    assert Invite.decode(wrapping.format(invite.encode())) == invite
    assert Invite.decode(wrapping.format(invite.encode().lower())) == invite


@pytest.mark.parametrize(
    "inside",
    [
        "\r\n",
        "\n> ",
        "\n>> ",
        "=\r\n",
        "\u200b",
        "\u2060",
        "\ufeff",
        "\u00ad",
        " ",
        "-",
        "\u2011",
        "\t",
    ],
)
@pytest.mark.parametrize("place", [4, 30, 76])
def test_a_line_broken_by_a_program_is_put_together(inside: str, place: int) -> None:
    line = Invite((LAN, FORWARDED), HOST.public, TOKEN).encode()
    assert Invite.decode(line[:place] + inside + line[place:]).token == TOKEN


@pytest.mark.parametrize(
    ("usual", "written"),
    [(":", "\uff1a"), (":", "%3A"), (":", " : "), ("I", "\u0131"), ("A", "\uff21")],
)
def test_letters_of_another_keyboard_are_understood(usual: str, written: str) -> None:
    line = Invite((LAN,), HOST.public, TOKEN).encode()
    assert Invite.decode(line.replace(usual, written)).token == TOKEN


def test_two_different_invites_in_one_text_are_refused() -> None:
    one, other = (Invite((at,), HOST.public, TOKEN).encode() for at in (LAN, GLOBAL))
    with pytest.raises(InviteError, match="different invites"):
        Invite.decode(f"{one} or {other}")
    assert Invite.decode(f"{one[:40]}... sorry: {other}").addresses == (GLOBAL,)


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
    assert 1 <= len(invite.addresses) <= 6
    assert all(address in fitting(invite.addresses) for address in invite.addresses)


def test_unfit_parts_are_refused() -> None:
    for addresses, token in [((), TOKEN), ((LAN,) * 7, TOKEN), ((LAN,), TOKEN[1:])]:
        with pytest.raises(InviteError):
            Invite(addresses, HOST.public, token)
    with pytest.raises(InviteError, match="too long"):
        Invite((GLOBAL, Address("2001:db8::2", 1), LAN), HOST.public, TOKEN)


def test_fitting_takes_the_best_that_fit() -> None:
    other_global = Address("2001:db8::2", 1)
    assert fitting([LAN, GLOBAL, other_global, LAN, FORWARDED]) == (LAN, GLOBAL, FORWARDED)
    many = [Address(f"10.0.0.{n}", 7000) for n in range(1, 9)]
    assert fitting(many) == tuple(many[:6])


@pytest.mark.parametrize("count", [4, 5, 6])
def test_addresses_after_the_third_have_kinds_of_their_own(count: int) -> None:
    """The first byte has no room for them; a line of version 5 of the QR code has."""
    many = (*tuple(Address(f"10.0.0.{n}", 7000) for n in range(count - 1)), FORWARDED)
    invite = Invite(many, HOST.public, TOKEN)
    assert len(invite.encode()) <= LENGTH_MAX
    assert Invite.decode(invite.encode()) == invite
    four = bytes([10, 0, 0, 1, 0, 80]) * 3
    for more in (b"\x00", b"\x01", b"\x04" + four[:6], b"\x01" + four[:6] + b"\x00"):
        with pytest.raises(InviteError, match="damaged"):
            Invite.decode(forged(0x15, HOST.public, four + more))
