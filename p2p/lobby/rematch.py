"""Playing again with the same people: over the links that are there, without an invite.

After a game every seat says whether it stays.  Once all have said so, or are gone, the seat that
proposed the old table proposes the new one to those who stay: the same game, options and order
of seats, and a token that follows from the old table, so that nothing is left to
choose but who plays.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from typing import Final

import trio

from engine.errors import UsageError
from p2p import checks
from p2p.errors import LobbyError
from p2p.lobby.host import Expected, Seating, encode_proposal, receive_proposal, refusal
from p2p.net.inbox import Handlers
from p2p.net.mesh import Mesh
from p2p.net.signed_addresses import SignedAddresses, read_addresses
from p2p.player.events import PlayAgain
from p2p.protocol import wire
from p2p.protocol.entry import HASH_BYTES
from p2p.protocol.frame_kinds import AGAIN, PROPOSAL, REFUSED
from p2p.protocol.proposal import TOKEN_BYTES, Proposal, propose
from p2p.version import label

DECIDES_SECONDS: Final = 120.0
"""How long those who want to play again wait for those who have not said anything."""
GONE_SECONDS: Final = 10.0
"""How long a link may be down before its seat counts as gone: it may come back by itself."""
_REMATCH: Final = label("rematch")


def next_token(table: bytes) -> bytes:
    """The token of the table that follows this one."""
    return hashlib.sha512(_REMATCH + table).digest()[:TOKEN_BYTES]


class Rematch:
    """One seat's part in agreeing on the next table of the same people."""

    def __init__(
        self,
        mesh: Mesh,
        proposal: Proposal,
        own: bytes,
        tell: Callable[[PlayAgain], None],
        list_for: Callable[[bytes], SignedAddresses],
    ) -> None:
        self._mesh = mesh
        self._proposal = proposal
        self._own = own
        self._host = proposal.identities[0]
        self._tell = tell
        self._list_for = list_for
        self._lists: dict[bytes, SignedAddresses] = {}
        self._table = b""
        self._said: dict[bytes, bool] = {}
        self._proposed: Seating | None = None
        self._refused: LobbyError | None = None
        self._changed = trio.Event()
        self.handlers: Final[Handlers[None]] = {
            AGAIN: self.hear,
            PROPOSAL: self._hear_proposal,
            REFUSED: self._hear_refusal,
        }

    def open(self, table: bytes) -> None:
        """The table that another one may follow has this id."""
        self._table = table

    def hear(self, peer: bytes, payload: bytes) -> None:
        """A seat says whether it stays; PeerError for garbage."""
        fields = AGAIN.read(payload)
        table = wire.octets(fields["table"], HASH_BYTES, "the table id")
        if table == self._table and peer in self._proposal.identities:
            if fields["again"]:
                token = next_token(table)
                self._lists[peer] = read_addresses(token, peer, fields["addresses"])
            self._note(peer, fields["again"])

    def _hear_proposal(self, peer: bytes, payload: bytes) -> None:
        """The host's table for those who stay; PeerError for what it may not propose."""
        if self._awaits(peer):
            expected = Expected(self._host, next_token(self._table))
            seating = receive_proposal(expected, self._own, payload)
            self._check(seating.proposal)
            self._proposed = seating
            self._changed.set()

    def _hear_refusal(self, peer: bytes, payload: bytes) -> None:
        if self._awaits(peer):
            self._refused = refusal(payload)
            self._changed.set()

    def _awaits(self, peer: bytes) -> bool:
        """Whether this is the host, and we stay."""
        return peer == self._host and self._said.get(self._own, False)

    def _check(self, proposal: Proposal) -> None:
        """The new table differs from the old one in its token and in who left."""
        staying = [seat for seat in self._proposal.seats if seat[0] in proposal.identities]
        try:
            same = proposal.data == self._propose(staying).data
        except UsageError:
            same = False
        checks.require("again.terms", same, "malformed", "not the table that was played before")

    def _propose(self, seats: list[tuple[bytes, str]]) -> Proposal:
        old = self._proposal
        token = next_token(self._table)
        return propose(token, old.game, old.options, old.policy, seats, old.race)

    def _note(self, peer: bytes, stays: bool) -> None:
        if self._said.get(peer) == stays:
            return
        self._said[peer] = stays
        self._changed.set()
        names = dict(self._proposal.seats)
        said = {names[key]: value for key, value in self._said.items()}
        self._tell(
            PlayAgain(
                tuple(name for name, stays in said.items() if stays),
                tuple(name for name, stays in said.items() if not stays),
            )
        )

    async def agree(self, wants: Callable[[], Awaitable[bool]]) -> Seating | None:
        """Ask our own person and the others; the next table, or None if we leave.

        LobbyError if too few stay, or the host is gone.
        """
        stays = await wants()
        own = self._list_for(next_token(self._table))
        self._lists[self._own] = own
        said = {"table": self._table, "again": stays, "addresses": own.data if stays else b""}
        for key in set(self._proposal.identities) - {self._own}:  # not to those who watch
            self._mesh.send(key, AGAIN.make(said))
        self._note(self._own, stays)
        if not stays:
            await self._mesh.drain()
            return None
        with trio.move_on_after(DECIDES_SECONDS):
            if self._own != self._host:
                return await self._be_invited()
            await self._all_decided()
        if self._own != self._host:
            raise LobbyError("the host has not said whether to play again")
        return await self._invite()

    def _away(self, gone_since: dict[bytes, float]) -> set[bytes]:
        """The seats that have had no link for a while; notes since when each has none."""
        now = trio.current_time()
        for key in self._proposal.identities:
            if key == self._own or self._mesh.is_linked(key):
                gone_since.pop(key, None)
            else:
                gone_since.setdefault(key, now)
        return {key for key, since in gone_since.items() if now - since >= GONE_SECONDS}

    async def _all_decided(self) -> None:
        gone_since: dict[bytes, float] = {}
        while set(self._proposal.identities) - self._said.keys() - self._away(gone_since):
            await self._wait()

    async def _wait(self) -> None:
        self._changed = trio.Event()
        with trio.move_on_after(1.0):  # links that end set no event
            await self._changed.wait()

    async def _be_invited(self) -> Seating:
        gone_since: dict[bytes, float] = {}
        while self._proposed is None:
            if self._refused is not None:
                raise self._refused
            gone = self._host in self._away(gone_since)
            if gone or self._said.get(self._host) is False:
                raise LobbyError("the host does not play again")
            await self._wait()
        return self._proposed

    async def _invite(self) -> Seating:
        """As the host, propose a table to those who stay; LobbyError if they are too few."""
        staying = [
            seat
            for seat in self._proposal.seats
            if self._said.get(seat[0]) and (seat[0] == self._own or self._mesh.is_linked(seat[0]))
        ]
        others = [key for key, _ in staying if key != self._own]
        try:
            proposal = self._propose(staying)
        except UsageError as error:
            for key in others:
                self._mesh.send(key, REFUSED.make(b"too few stay to play again"))
            await self._mesh.drain()
            raise LobbyError("too few stay to play again") from error
        lists = {key: self._lists[key] for key in proposal.identities}
        seating = Seating(proposal, proposal.identities.index(self._own), lists)
        for key in others:
            self._mesh.send(key, encode_proposal(seating))
        return seating
