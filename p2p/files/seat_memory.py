"""What a seat file says: everything needed to sit down again (docs/reference/log-format.md).

It begins before the first signature of the genesis, with the proposal and the table secret;
then come this seat's own records as it signs them, each with what it stands on, and the header
once all have signed it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from p2p import checks
from p2p.errors import OutdatedError, PeerError
from p2p.files.seat_items import decode_items
from p2p.net.addresses import AddressError
from p2p.net.reach_address import AnyAddress, parse_any
from p2p.net.signed_addresses import SignedAddresses, read_addresses
from p2p.protocol import wire
from p2p.protocol.effects import Write
from p2p.protocol.entry import Chain, decode_entry, unread
from p2p.protocol.genesis import SIGN_STEP
from p2p.protocol.own_seat import OwnPast, own_past
from p2p.protocol.proposal import Proposal

SURE_MAX: Final = 16
"""How many addresses of one seat a seat file counts as sure, the newest ones."""


class Known(NamedTuple):
    """How a seat can be reached: what it says, and where it has proven its key.

    `said` is its signed list, empty if none has come; `sure` also holds what our own user gave.
    """

    said: bytes = b""
    sure: tuple[AnyAddress, ...] = ()


@dataclass
class SeatMemory:
    """A seat at a table: its secrets, what was proposed, and what it has signed so far.

    `secret` are those of `OwnSeat.secrets`; `opening` opens the commitment to the table key.
    `header` is None as long as not all have signed it; `genesis` are the records by which they did.
    `kept` are the secrets behind own entries of the game, by step.  `upon` are records of whole
    steps that the log may lack, or that came before it: our own entries stand on them.

    `newest` is the chain and the last step for which this seat may have signed an entry, even one
    that is missing here; `went_back` is whether the files seem to have lost what was in them.
    """

    seat: int
    secret: bytes = field(repr=False)
    opening: bytes = field(repr=False)
    proposal: bytes
    peers: dict[bytes, Known]
    header: bytes | None = None
    genesis: list[bytes] = field(default_factory=list)
    own: list[bytes] = field(default_factory=list)
    kept: dict[int, bytes] = field(default_factory=dict, repr=False)
    upon: list[bytes] = field(default_factory=list)
    ballots: list[bytes] = field(default_factory=list)
    votes: list[bytes] = field(default_factory=list)
    newest: tuple[bytes, int] = (b"", -1)
    went_back: bool = False

    def lists(self, token: bytes) -> dict[bytes, SignedAddresses]:
        """What the seats said about where they are, each list signed; PeerError `malformed`."""
        return {
            key: read_addresses(token, key, known.said)
            for key, known in self.peers.items()
            if known.said
        }

    def newest_own(self, genesis: bytes) -> tuple[bytes, int]:
        """The chain and the step of the newest own record here; step -1 if there is none."""
        places = [(entry.table, entry.step) for entry in map(decode_entry, self.own)]
        return max(places, key=lambda place: (place[0] != genesis, place[1]), default=(genesis, -1))

    def upon_of(self, chain: Chain) -> list[bytes]:
        """The records on this chain on which own entries stand."""
        return [record for record in self.upon if unread(record).table == chain.table]

    def past_of_genesis(self, proposal: Proposal) -> OwnPast:
        """What this seat has signed on the chain of its genesis: all, if it signed in the game."""
        table, step = self.newest
        until = step if table == proposal.id else SIGN_STEP
        return own_past(Chain(proposal.id), self.own, until)

    def past_of_game(self, chain: Chain, genesis: bytes) -> OwnPast:
        """What this seat has signed on the chain of its game.

        OutdatedError if it played on from another header than that of these files.
        """
        table, step = self.newest
        if table not in (genesis, chain.table):
            raise OutdatedError(
                "This seat has signed another table of the same proposal than these files tell "
                "of. Restore newer files of this table to go on"
            )
        until = step if table == chain.table else -1
        return own_past(chain, self.own, until, self.kept, self.votes)

    def first_item(self) -> list[object]:
        """How a seat file begins."""
        peers = [
            [key, known.said, [str(one) for one in known.sure]] for key, known in self.peers.items()
        ]
        return ["table", self.seat, self.secret, self.opening, self.proposal, peers]


def header_item(header: bytes, genesis: list[bytes]) -> list[object]:
    """All have signed: the header, and their records, for seats that lack some of them."""
    return ["header", header, genesis]


def list_item(owner: bytes, said: bytes) -> list[object]:
    """A seat moved: its newest signed list."""
    return ["addresses", owner, said]


def proven_item(owner: bytes, address: AnyAddress) -> list[object]:
    """A seat proved its key at an address."""
    return ["proven", owner, str(address)]


def written_item(asked: Write, upon: Sequence[bytes] = ()) -> list[object]:
    """What a machine wants written before it is seen, and records on which it stands."""
    item: list[object] = [asked.kind, asked.record, asked.secret]
    return [*item, list(upon)] if upon else item


def read_seat(data: bytes) -> SeatMemory:
    """What a seat file says; a torn item at its end is left out.

    PeerError `malformed` for a file that is none of ours or damaged.
    """
    items = decode_items(data)
    first = bool(items) and len(items[0]) == 6 and items[0][0] == "table"
    checks.require("seat.table", first, "malformed", "the seat file holds no table")
    seat, secret, opening, proposal, peers = items[0][1:]
    memory = SeatMemory(
        wire.exactly(seat, int, "a seat"),
        wire.exactly(secret, bytes, "a secret"),
        wire.exactly(opening, bytes, "an opening"),
        wire.exactly(proposal, bytes, "a proposal"),
        dict(_peer(peer) for peer in wire.exactly(peers, list, "the peers")),
    )
    for item in items[1:]:
        _take(memory, item)
    return memory


def _peer(item: object) -> tuple[bytes, Known]:
    match item:
        case [bytes(key), bytes(said), list(sure)]:
            return key, Known(said, tuple(map(_address, sure)))
        case _:
            raise PeerError("malformed", "the seat file does not say where the seats are")


def _address(text: object) -> AnyAddress:
    try:
        return parse_any(wire.exactly(text, str, "an address"))
    except AddressError as error:
        raise PeerError("malformed", "the seat file holds a garbled address") from error


def _take(memory: SeatMemory, item: list[Any]) -> None:
    match item:
        case ["own", bytes(record), bytes() | None as secret, *rest] if len(rest) <= 1:
            memory.own.append(record)
            for upon in rest:
                memory.upon += _records(wire.exactly(upon, list, "the records before"))
            step = decode_entry(record).step
            memory.kept.pop(step, None)
            if secret is not None:
                memory.kept[step] = secret
        case ["ballot", bytes(record), None]:
            memory.ballots.append(record)
        case ["vote", bytes(record), None]:
            memory.votes.append(record)
        case ["addresses", bytes(owner), bytes(said)]:
            memory.peers[owner] = memory.peers.get(owner, Known())._replace(said=said)
        case ["proven", bytes(owner), str(text)]:
            known = memory.peers.get(owner, Known())
            memory.peers[owner] = known._replace(sure=(*known.sure, _address(text))[-SURE_MAX:])
        case ["header", bytes(header), list(records)]:
            memory.header = header
            memory.genesis = _records(records)
        case _:
            raise PeerError("malformed", "the seat file holds an unknown item")


def _records(items: list[object]) -> list[bytes]:
    return [wire.exactly(record, bytes, "a record") for record in items]
