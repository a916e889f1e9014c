"""Before the table: people sit down by invite, and everybody gets the same proposal.

The host has no power beyond inviting: each seat checks the proposal and signs it with the
header, or stays away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import trio

from engine.errors import UsageError
from engine.game import Game, Value
from engine.games import load
from p2p import checks
from p2p.errors import PeerError
from p2p.net.addresses import AddressError
from p2p.net.invite import Invite
from p2p.net.mesh import Mesh
from p2p.net.reach_address import AnyAddress, parse_any
from p2p.protocol import wire
from p2p.protocol.context import PROTOCOL_VERSION
from p2p.protocol.parts import Parts, first_shuffle
from p2p.protocol.proposal import NAME_MAX, POLICIES, Proposal, decode_proposal, propose
from p2p.protocol.race_terms import RaceTerms

HELLO: Final = 0x20
PROPOSAL: Final = 0x21
REFUSED: Final = 0x22
PLAN: Final = 0x23
ADDRESSES_MAX: Final = 8
CALLERS_MAX: Final = 64
"""Strangers that a host talks to; a person's table has eight seats."""
HOST_FRAMES_MAX: Final = 256
"""Frames that a guest takes from a host before the proposal; an honest one sends a few."""

_HELLO: Final[dict[str, type | tuple[type, ...]]] = {
    "version": int,
    "token": bytes,
    "name": str,
    "addresses": list,
}
_PROPOSAL: Final[dict[str, type | tuple[type, ...]]] = {"proposal": bytes, "addresses": list}
_PLAN: Final[dict[str, type | tuple[type, ...]]] = {"game": str, "seats": int, "options": dict}


class LobbyError(Exception):
    """A table cannot be opened or joined; one sentence for the person."""


@dataclass(frozen=True)
class TablePlan:
    """What a host wants to play.  UsageError (from `propose`) if it does not go together."""

    game: str
    seats: int
    options: Mapping[str, Value] = field(default_factory=dict)
    policy: str = "wait"
    race: RaceTerms = field(default_factory=RaceTerms)


@dataclass(frozen=True, slots=True)
class Seating:
    """An agreed table: the proposal, one's own seat, and where the others can be dialled."""

    proposal: Proposal
    seat: int
    addresses: dict[bytes, list[AnyAddress]]


@dataclass(slots=True)
class _Guest:
    name: str
    addresses: list[str]


class HostLobby:
    """The host's side: seats whoever comes with the invite, first come first seated."""

    def __init__(self, mesh: Mesh, token: bytes, game: Game, plan: TablePlan, name: str) -> None:
        if plan.policy not in POLICIES:
            raise LobbyError(f"the policy for lost players is one of: {', '.join(POLICIES)}")
        game.check(plan.seats, plan.options)
        self._mesh = mesh
        self._token = token
        self._game = game
        self._plan = plan
        self._name = name
        self._guests: dict[bytes, _Guest] = {}
        self._callers: set[bytes] = set()
        self.full: Final = trio.Event()
        self.on_seated: Callable[[tuple[str, ...]], None] = lambda names: None

    def is_open(self, key: bytes) -> bool:
        """Whether a stranger may link to us, if only to be told that the table is full."""
        self._callers.add(key)
        return len(self._callers) <= CALLERS_MAX

    def receive(self, peer: bytes, frame: bytes) -> None:
        """A frame of somebody who wants to sit down; PeerError for garbage."""
        checks.require("lobby.kind", frame[0] == HELLO, "malformed", "not a greeting")
        fields = wire.take(wire.unpack(frame[1:]), _HELLO)
        refusal = self._refusal(peer, fields)
        if refusal is not None:
            self._mesh.send(peer, bytes([REFUSED]) + refusal.encode())
            return
        addresses = [str(address) for address in decode_addresses(fields["addresses"])]
        if peer in self._guests:
            if addresses != self._guests[peer].addresses:
                # Another program with this identity, or the same one started anew.
                self._guests[peer].addresses = addresses
                self._mesh.keep_newest(peer)
            return
        self._guests[peer] = _Guest(self._free_name(fields["name"]), addresses)
        self._mesh.send(peer, encode_plan(self._plan))
        self.on_seated((self._name, *(guest.name for guest in self._guests.values())))
        if len(self._guests) == self._plan.seats - 1:
            self.full.set()

    def knows(self, key: bytes) -> bool:
        """Whether this is the key of somebody who has a seat."""
        return key in self._guests

    def _refusal(self, peer: bytes, fields: dict[str, Any]) -> str | None:
        if fields["version"] != PROTOCOL_VERSION:
            return f"the table speaks protocol version {PROTOCOL_VERSION}"
        if fields["token"] != self._token:
            return "the invite is for another table"
        if not _is_name(fields["name"]):
            return f"a name is 1 to {NAME_MAX} printable characters"
        if self.full.is_set() and peer not in self._guests:
            return "the table is full"
        return None

    def _free_name(self, wanted: str) -> str:
        """`wanted`, or the first of "wanted 2", "wanted 3", ... that nobody here goes by."""
        taken = {self._name, *(guest.name for guest in self._guests.values())}
        number, name = 1, wanted
        while name in taken:
            number += 1
            name = f"{wanted[: NAME_MAX - 4]} {number}"
        return name

    def seating(self, own: bytes, addresses: Sequence[AnyAddress]) -> Seating:
        """The agreed table, once `full`; `own` and `addresses` are the host's."""
        seats = [(own, self._name)]
        seats += [(key, guest.name) for key, guest in self._guests.items()]
        plan = self._plan
        proposal = propose(
            self._token, self._game, dict(plan.options), plan.policy, seats, plan.race
        )
        book = {own: list(addresses)}
        for key, guest in self._guests.items():
            book[key] = decode_addresses(guest.addresses)
        return Seating(proposal, 0, book)

    def invitation(self, seating: Seating) -> bytes:
        """The frame that tells every guest what is to be played, and by whom."""
        known = [
            [key, [str(address) for address in addresses]]
            for key, addresses in seating.addresses.items()
        ]
        return bytes([PROPOSAL]) + wire.pack(
            {"proposal": seating.proposal.data, "addresses": known}
        )


def _is_name(name: str) -> bool:
    return 0 < len(name) <= NAME_MAX and name.isprintable()


def hello(token: bytes, name: str, addresses: Sequence[AnyAddress]) -> bytes:
    """The greeting of a guest."""
    if not _is_name(name):
        raise LobbyError(f"a name is 1 to {NAME_MAX} printable characters")
    fields = {
        "version": PROTOCOL_VERSION,
        "token": token,
        "name": name,
        "addresses": [str(address) for address in addresses[:ADDRESSES_MAX]],
    }
    return bytes([HELLO]) + wire.pack(fields)


def encode_plan(plan: TablePlan) -> bytes:
    """The frame that tells a new guest what will be played once the table is full."""
    fields = {
        "game": plan.game,
        "seats": plan.seats,
        "options": dict(sorted(plan.options.items())),
    }
    return bytes([PLAN]) + wire.pack(fields)


def receive_plan(frame: bytes) -> TablePlan | None:
    """What the host means to play, or None for another frame.

    A help to get ready: nothing is agreed before the proposal.  PeerError for garbage.
    """
    if frame[0] != PLAN:
        return None
    fields = wire.take(wire.unpack(frame[1:]), _PLAN)
    plan = TablePlan(fields["game"], fields["seats"], fields["options"])
    try:
        load(plan.game).check(plan.seats, plan.options)
        sound = True
    except UsageError:
        sound = False
    checks.require("lobby.plan", sound, "malformed", "the host plans a game that cannot be")
    return plan


def foresee(parts: Parts, plan: TablePlan) -> None:
    """Let the offline part of the first shuffle be made while the table fills."""
    count = first_shuffle(load(plan.game), plan.seats, plan.options)
    if count is not None:
        parts.foresee(count)


class Expected(NamedTuple):
    """What a proposal has to fit where nobody was invited: whose it is, and its token."""

    identity: bytes
    token: bytes


def receive_proposal(invite: Invite | Expected, own: bytes, frame: bytes) -> Seating | None:
    """The host's answer: the agreed table, or None for a frame that is none.

    LobbyError with the host's sentence if it refuses us; PeerError if the proposal is not
    for the table of the invite, or leaves us or the host out.
    """
    if frame[0] == REFUSED:
        raise refusal(frame[1:])
    if frame[0] != PROPOSAL:
        return None
    fields = wire.take(wire.unpack(frame[1:]), _PROPOSAL)
    proposal = decode_proposal(fields["proposal"])
    ours = proposal.token == invite.token
    checks.require("lobby.token", ours, "malformed", "the proposal is for another table")
    seated = own in proposal.identities and invite.identity in proposal.identities
    checks.require("lobby.seated", seated, "malformed", "the proposal leaves us or the host out")
    return Seating(proposal, proposal.identities.index(own), _decode_book(fields["addresses"]))


def refusal(payload: bytes) -> LobbyError:
    """What a host says to somebody whom it does not seat, in its own words as far as printable."""
    sentence = payload[:199].decode("utf-8", "replace")
    printable = "".join(letter for letter in sentence if letter.isprintable())
    return LobbyError(f"the host refuses: {printable}")


def agree(seating: Seating, race_cap_us: int) -> None:
    """LobbyError for a table whose races may credit more delay than this seat agrees to.

    Signing the header means to agree (protocol section 4), so whoever does not has to leave.
    """
    wanted = seating.proposal.race.cap_us
    if wanted > race_cap_us:
        raise LobbyError(
            f"the table wants to credit up to {wanted / 1000:g} ms of delay in races, more than "
            f"the {race_cap_us / 1000:g} ms of your --race-cap"
        )


def _decode_book(value: list[Any]) -> dict[bytes, list[AnyAddress]]:
    book = {}
    for pair in value:
        sound = isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], bytes)
        checks.require("lobby.book", sound, "malformed", "an address book is garbled")
        book[pair[0]] = decode_addresses(pair[1])
    return book


def decode_addresses(value: Any) -> list[AnyAddress]:
    """Addresses that a peer gave as text; PeerError `malformed`."""
    few = isinstance(value, list) and len(value) <= ADDRESSES_MAX
    checks.require("lobby.addresses", few, "malformed", "too many addresses")
    try:
        return [parse_any(wire.exactly(text, str, "an address")) for text in value]
    except AddressError as error:
        raise PeerError("malformed", "an address is garbled") from error
