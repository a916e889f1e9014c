"""An invite: one line that says whom to dial, where, and for which table.

    ND1: base32 of  kinds | identity key (32) | token (16) | addresses | reach | more | CRC-32 (4)

`kinds` has two bits for each of up to three addresses (IPv4, IPv6 or a host name), and two for
`reach`: none, or the key of an iroh endpoint (32) and the address at which it is found (a relay's
name, or UDP).  If there are more than three addresses, `more` is another byte of kinds and up to
three addresses.  Base32 (RFC 4648) has no 0, 1 and 8 to mistake for O, I and B, survives a change
of case and reading aloud, and fits a QR code's alphanumeric mode.  A line has 97 to 154 characters,
which a QR code of version 5 holds, and with `reach` at most 312.

What it guards against: a genuine invite leads to the holder of that identity key or to nobody,
since the key is compared in full at the handshake; a mistyped character is always found (CRC-32
finds every burst of up to 32 bits).  What it does not: it is no secret channel.  Anybody who can
replace the line on its way can invite to another table, and anybody who reads it can knock at this
one; compare the fingerprint words if that matters.
"""

from __future__ import annotations

import base64
import ipaddress
import re
import unicodedata
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote

from p2p.errors import PeerError
from p2p.identity.keys import KEY_BYTES, decode_identity
from p2p.net.addresses import Address, AddressError
from p2p.net.reach_address import ENDPOINT_BYTES, AnyAddress, ReachAddress
from p2p.text.names import NAMES, is_name
from p2p.version import read_greeting, refuse_other

PREFIX: Final = "ND1:"
TOKEN_BYTES: Final = 16
ADDRESSES_MAX: Final = 6
LENGTH_MAX: Final = 154
"""Characters of a line without `reach`."""

_CHECKSUM_BYTES: Final = 4
_FIXED_BYTES: Final = 1 + KEY_BYTES + TOKEN_BYTES + _CHECKSUM_BYTES
_ADDRESSES_BYTES_MAX: Final = (LENGTH_MAX - len(PREFIX)) * 5 // 8 - _FIXED_BYTES
_PORT_BYTES: Final = 2
_GROUP: Final = 3
"""Addresses whose kinds are in one byte."""
_REACH_SHIFT: Final = 2 * _GROUP
_NONE, _IPV4, _IPV6, _NAME = range(4)
# Least bytes of an address of each kind, with its port.
_LEAST_BYTES: Final = (0, 4 + _PORT_BYTES, 16 + _PORT_BYTES, 1 + 1 + _PORT_BYTES)
_WHOLE_LETTERS: Final = frozenset((0, 2, 4, 5, 7))
"""Letters left over after groups of eight that make whole bytes (RFC 4648, section 6)."""
_WHOLE_BEFORE: Final = (0, 0, 2, 2, 4, 5, 5, 7)
"""The same for 0 to 7 letters left over: as many of them as make whole bytes."""
_LETTERS_MAX: Final = 320
"""Letters of the longest invite, and a few more."""
_START: Final = re.compile(r"(?<![A-Z0-9/])ND(\d+):", re.ASCII)
_FOREIGN: Final = re.compile(r"[0189]|[^\W\d_A-Z]")
"""Letters and digits that no invite has."""


def why_not_in(version: int, invited: bool, name: str) -> str | None:
    """Why somebody who knocks is not let in, whether to sit or to watch; None where he is.

    `version` and `name` are what he says; `invited`: his invite is for this table.
    """
    other = refuse_other(read_greeting(version))
    if other is not None:
        return other
    if not invited:
        return "the invite is for another table"
    return None if is_name(name) else NAMES


class InviteError(ValueError):
    """The text is no usable invite; the message is one sentence for the person who pasted it.

    `is_short`: it begins as an invite does, and the rest may be on the next line.
    """

    is_short = False


@dataclass(frozen=True, slots=True)
class Invite:
    """One to six addresses (best first), the host's identity key, the table's token.

    `reach` is where the host is reached by iroh, if it is.
    InviteError for parts that make no invite.
    """

    addresses: tuple[Address, ...]
    identity: bytes
    token: bytes = field(repr=False)
    reach: ReachAddress | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "addresses", tuple(self.addresses))
        if not 1 <= len(self.addresses) <= ADDRESSES_MAX:
            raise InviteError(f"An invite holds 1 to {ADDRESSES_MAX} addresses.")
        if len(self.token) != TOKEN_BYTES:
            raise InviteError(f"A table token has {TOKEN_BYTES} bytes.")
        if _size(self.addresses) > _ADDRESSES_BYTES_MAX:
            raise InviteError("These addresses are too long for one invite; leave one out.")
        _require_sound(self.identity)

    @property
    def everywhere(self) -> tuple[AnyAddress, ...]:
        """Everything that can be dialled."""
        return self.addresses if self.reach is None else (*self.addresses, self.reach)

    def encode(self) -> str:
        """The line to send."""
        first, more = self.addresses[:_GROUP], self.addresses[_GROUP:]
        kinds, packed = _kinds(first), b"".join(map(_pack, first))
        if self.reach is not None:
            kinds += _kind(self.reach.at) << _REACH_SHIFT
            packed += self.reach.endpoint + _pack(self.reach.at)
        if more:
            packed += bytes([_kinds(more)]) + b"".join(map(_pack, more))
        body = bytes([kinds]) + self.identity + self.token + packed
        return PREFIX + _base32(body + _checksum(body))

    @classmethod
    def decode(cls, text: str) -> Invite:
        """The invite in a pasted text, in any case, whatever surrounds or wraps it.

        InviteError with one sentence for each fault: no invite at all, two of them, another
        version, truncated, mistyped, or a key nobody should trust.
        """
        body = _body(text)
        identity, token = body[1:][:KEY_BYTES], body[1 + KEY_BYTES :][:TOKEN_BYTES]
        addresses, reach = _unpack_all(body[0], body[1 + KEY_BYTES + TOKEN_BYTES :])
        return cls(addresses, identity, token, reach)


def invite_to(addresses: Sequence[AnyAddress], identity: bytes, token: bytes) -> Invite | None:
    """The invite to the table of `token`, whose host is at these addresses; None without one that
    can be dialled directly.
    """
    direct = fitting(address for address in addresses if isinstance(address, Address))
    reach = next((one for one in addresses if isinstance(one, ReachAddress)), None)
    return Invite(direct, identity, token, reach) if direct else None


def fitting(candidates: Iterable[Address]) -> tuple[Address, ...]:
    """The first of `candidates` that fit into one invite together."""
    chosen: list[Address] = []
    for candidate in dict.fromkeys(candidates):
        fits = _size([*chosen, candidate]) <= _ADDRESSES_BYTES_MAX
        if len(chosen) < ADDRESSES_MAX and fits:
            chosen.append(candidate)
    return tuple(chosen)


def _size(addresses: Sequence[Address]) -> int:
    """Bytes of these, with the kinds of those that the first byte has no room for."""
    return sum(len(_pack(address)) for address in addresses) + (len(addresses) > _GROUP)


def _body(text: str) -> bytes:
    """The bytes before the checksum of the one invite in a text."""
    lines = _lines(text)
    found = {body for line in lines for body in [_sound_body(_letters(line))] if body is not None}
    if len(found) > 1:
        raise InviteError("There are different invites in this text: paste one of them.")
    if not found:
        raise _fault(lines[0])
    return found.pop()


def _lines(text: str) -> list[str]:
    """What follows each `ND1:`, upper case, without characters that cannot be seen."""
    plain = unicodedata.normalize("NFKC", unquote(text))
    plain = "".join(letter for letter in plain if unicodedata.category(letter) != "Cf").upper()
    plain = re.sub(r"(?<![A-Z0-9])N\s*D\s*(\d+)\s*:", r"ND\1:", plain, flags=re.ASCII)
    starts = list(_START.finditer(plain))
    ends = [start.start() for start in starts[1:]] + [len(plain)] * bool(starts)
    between = zip(starts, ends, strict=True)
    ours = [plain[start.end() : end] for start, end in between if start[0] == PREFIX]
    if ours:
        return ours
    if starts:
        raise InviteError(
            "This invite was made by another version of nodealer: install the one of the host."
        )
    raise InviteError(f"This is not an invite: an invite starts with {PREFIX}, ask the host for it")


def _letters(line: str) -> str:
    """The base32 letters of a line, without blanks, quotes and what else a program has put in."""
    return re.sub("[^A-Z2-7]", "", line)


def _sound_body(letters: str) -> bytes | None:
    """The bytes before the checksum, if it is right; other words may follow the invite.

    Only the right length has the right checksum (but for one text in some ten million).
    """
    for length in range(len(letters[:_LETTERS_MAX]), 0, -1):
        if length % 8 not in _WHOLE_LETTERS:
            continue
        data = base64.b32decode(letters[:length] + "=" * (-length % 8))
        body, checksum = data[:-_CHECKSUM_BYTES], data[-_CHECKSUM_BYTES:]
        # The last letter has bits to spare: only one way to write them is accepted.
        sound = len(data) > _FIXED_BYTES and checksum == _checksum(body)
        if sound and _base32(data) == letters[:length]:
            return body
    return None


def _fault(line: str) -> InviteError:
    """What is wrong with a line that has no right checksum."""
    letters = _letters(line)
    if _FOREIGN.search("".join(line.split()[:1])):
        return InviteError(
            "This invite is mistyped: it has characters that no invite has. Copy the line again."
        )
    whole = letters[: len(letters) // 8 * 8 + _WHOLE_BEFORE[len(letters) % 8]]
    data = base64.b32decode(whole + "=" * (-len(whole) % 8))
    if len(data) < _least_bytes(data[:1]):
        cut = InviteError("This invite is cut off; copy the whole line.")
        cut.is_short = True
        return cut
    return InviteError(
        "This invite is mistyped or cut off: its checksum is wrong. Copy the whole line once more."
    )


def _least_bytes(kinds: bytes) -> int:
    """The least length of an invite whose addresses are of these kinds."""
    number = int.from_bytes(kinds, "big")
    each = (_LEAST_BYTES[number >> 2 * place & 3] for place in range(_GROUP))
    reach = _LEAST_BYTES[number >> _REACH_SHIFT & 3]
    least = max(sum(each), _LEAST_BYTES[_NAME]) + (ENDPOINT_BYTES + reach if reach else 0)
    return _FIXED_BYTES + least


def _unpack_all(kinds: int, packed: bytes) -> tuple[tuple[Address, ...], ReachAddress | None]:
    reach: ReachAddress | None = None
    kind, kinds = kinds >> _REACH_SHIFT, kinds & (1 << _REACH_SHIFT) - 1
    try:
        found, packed = _unpack_group(kinds, packed)
        if kind:
            at, rest = _unpack(kind, packed[ENDPOINT_BYTES:])
            reach, packed = ReachAddress(packed[:ENDPOINT_BYTES], at), rest
        if len(found) == _GROUP and packed:
            more, packed = _unpack_group(packed[0], packed[1:])
            found += more or [_unpack(_NONE, packed)[0]]
    except (ValueError, IndexError) as error:
        raise InviteError(
            "This invite is damaged: its addresses make no sense. Ask the host once more."
        ) from error
    if packed:
        raise InviteError(
            "This invite is damaged: something follows its addresses. Ask the host for it again."
        )
    return tuple(found), reach


def _unpack_group(kinds: int, packed: bytes) -> tuple[list[Address], bytes]:
    """The addresses of these kinds, and the bytes after them; ValueError for no addresses."""
    found: list[Address] = []
    while kinds:
        address, packed = _unpack(kinds & 3, packed)
        found.append(address)
        kinds >>= 2
    return found, packed


def _unpack(kind: int, packed: bytes) -> tuple[Address, bytes]:
    """The first address of `packed` and the bytes after it; ValueError for no address."""
    if kind == _NONE:
        raise AddressError("a gap between addresses")
    if kind == _NAME:
        start, length = 1, packed[0]
        host = packed[start : start + length].decode("ascii")
    else:
        start, length = 0, _LEAST_BYTES[kind] - _PORT_BYTES
        host = str(ipaddress.ip_address(packed[:length]))
    end = start + length + _PORT_BYTES
    port = packed[start + length : end]
    if len(port) != _PORT_BYTES:
        raise AddressError("an address is cut off")
    return Address(host, int.from_bytes(port, "big")), packed[end:]


def _kinds(addresses: Sequence[Address]) -> int:
    return sum(_kind(address) << 2 * place for place, address in enumerate(addresses))


def _kind(address: Address) -> int:
    if address.ip is None:
        return _NAME
    return _IPV4 if address.ip.version == 4 else _IPV6


def _pack(address: Address) -> bytes:
    name = address.host.encode("ascii")
    host = bytes([len(name)]) + name if address.ip is None else address.ip.packed
    return host + address.port.to_bytes(_PORT_BYTES, "big")


def _require_sound(identity: bytes) -> None:
    try:
        decode_identity(identity)
    except PeerError as error:
        raise InviteError(
            "This invite names a key that nobody should trust: do not use it, ask for a new one."
        ) from error


def _base32(data: bytes) -> str:
    return base64.b32encode(data).decode("ascii").rstrip("=")


def _checksum(body: bytes) -> bytes:
    return zlib.crc32(b"nodealer invite" + body).to_bytes(_CHECKSUM_BYTES, "big")
