"""One table of an evening: the seat, its files and its room, and who gets which frames."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import Any, Final

import trio

from p2p import checks
from p2p.driver.connection import Evening, TableResult, hedged
from p2p.driver.driver import Driver
from p2p.files.hand_file import hand_text
from p2p.files.seat_memory import Known, SeatMemory, list_item, proven_item
from p2p.files.storage import TableFiles
from p2p.lobby.host import HostLobby
from p2p.lobby.plan import Seating, refusal
from p2p.logs import seated
from p2p.net.reach_address import AnyAddress
from p2p.player.events import Finished
from p2p.protocol.frame_kinds import (
    HAVE,
    HELLO,
    LOBBY_TALK,
    PLAN,
    REFUSED,
    SEATS,
    STRANGER,
    WATCH,
    Handler,
    Handlers,
    Inbox,
)
from p2p.protocol.parts import Parts
from p2p.protocol.table import GameTable
from p2p.seat.reply import Reply
from p2p.seat.table_seat import TableSeat
from p2p.spectators.gallery import Gallery
from p2p.table.greeting import SITS_ALREADY, STALE, after_restart, from_lobby
from p2p.table.room import Room

HOST: Final = 0
"""The seat of whoever proposes the table."""


class AtTable:
    """One seat's table in the world; the company of the seat's core (`p2p.seat.table_seat`).

    `gallery` has those who watch already.  `lobby` is that of a host whose guests have just sat
    down, and who learn of the proposal only when it lies in our seat file.
    """

    def __init__(
        self,
        sitting: Evening,
        seating: Seating,
        files: TableFiles,
        gallery: Gallery | None = None,
        lobby: HostLobby | None = None,
    ) -> None:
        peer, who, proposal = sitting.peer, sitting.who, seating.proposal
        seated(seating.seat, proposal.identities)
        self.seating: Final = seating
        self.driver: Final = Driver(peer.mesh, who.player, files)
        self._desk: Final = self.driver.desk
        self.seat: Final = TableSeat(
            *(self._desk, who.identity, proposal, who.patience, self),
            before=frozenset(sitting.over),
        )
        own = who.identity.public
        self._lists: Final = {own: peer.list_for(proposal.token)} | dict(seating.lists)
        gallery = gallery or Gallery(self._desk, proposal.token, peer.mesh.strangers.served)
        self.room: Final = Room(peer, self.seat.runner, who.player, self._lists, gallery)
        self._sitting: Final = sitting
        self._lobby: Final = lobby
        self._parts = peer.parts
        self._opened_at = self._desk.now()

    # -- the company of the seat -----------------------------------------------------------

    def proposable(self) -> None:
        """Tell the guests of a full table what is to be played, and by whom; the others greet."""
        if self._lobby is not None:
            invitation = self._lobby.invitation(self.seating)
            for key in self._lobby.informed():
                self._desk.post(key, invitation)

    def open(self, table: GameTable) -> None:
        """All have signed the header."""
        self._opened_at = self._desk.now()
        peer = self._sitting.peer
        if self._parts is not peer.parts:
            peer.renew_parts(self._parts)
        self.room.open(table.header)
        self.room.gallery.show(table.header, table.machine.records)
        self._sitting.on_watchable(self.room.announced)

    def step(self, records: Sequence[bytes]) -> None:
        """A step is complete."""
        self.room.gallery.step(records)

    def left(self, key: bytes) -> None:
        """The seat of this key has left for good."""
        self.room.left(key)

    def end(self, frames: Sequence[bytes]) -> None:
        """There are no more steps, and these frames say why."""
        self.room.gallery.end(frames)

    # -- playing ---------------------------------------------------------------------------

    async def play(self) -> TableResult:
        """Sign the table with all the others and play it to its end.

        LobbyError for a table that cannot begin, PeerError when a seat is caught.
        """
        seat, mesh = self.seat, self._sitting.peer.mesh
        greets = None
        if self._lobby is not None:
            greets = from_lobby(self._sitting.peer, seat.runner, self.seating, self._lobby)
        self._route(greets, self._sitting.late)
        known = {
            key: Known(self._lists[key].data if key in self._lists else b"", mesh.sure_of(key))
            for key in seat.proposal.identities
        }
        return await self._run(seat.play(known, self._parts))

    async def go_back(self, memory: SeatMemory) -> TableResult:
        """Go on from the seat file that `files` has open, and that says this."""
        seat, peer, greets = self.seat, self._sitting.peer, None
        if memory.seat == HOST and memory.header is None:
            greets = after_restart(peer, seat.runner, self.seating)
        self._route(greets)
        own = peer.identity.public
        seat.runner.keep(list_item(own, self._lists[own].data))
        self._parts = Parts(hedged(peer.identity, seat.proposal.id + b"".join(memory.own)))
        return await self._run(seat.go_back(memory, self._parts))

    async def _run(self, playing: Coroutine[Reply[Any], None, GameTable]) -> TableResult:
        """Play before those who watch; however it ends, the files are closed."""
        self.room.whereabouts.open()
        try:
            table = await self.driver.run(self.room.gallery.attended(playing))
        finally:
            self.room.gallery.hide()
            self._sitting.on_watchable(None)
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(self._put_away)
        return self._result(table)

    def _put_away(self) -> None:
        """If nobody comes back to this table, the keys go and what this seat saw stays.

        A seat that was stopped by anything but the table (a crash, a full disk, a person who
        leaves) comes back.
        """
        runner, files, table = self.seat.runner, self.driver.files, self.seat.runner.table
        try:
            if runner.final and table is not None:
                files.keep_hand(hand_text(table.header.table, runner.seat, table.cards.seen))
        finally:
            files.close(erase_secrets=runner.final)

    def _result(self, table: GameTable) -> TableResult:
        log = self.driver.files.log
        returns = None if table.has_left else table.session.returns
        self._sitting.who.player.tell(Finished(returns, log))
        return TableResult(
            table.header.proposal.game.name,
            len(table.header.keys),
            table.machine.chain.step,
            self._desk.now() - self._opened_at,
            returns,
            log,
            table.header.table,
        )

    # -- frames ----------------------------------------------------------------------------

    def _route(self, greets: Handler[None] | None, late: Handlers[None] | None = None) -> None:
        """Take frames and links from now on; `late` takes those of the lobby.

        The seat file keeps where the seats are, for a program that is started again.
        """
        peer, gallery, runner = self._sitting.peer, self.room.gallery, self.seat.runner
        seats = self.seating.proposal.identities

        def refuse(key: bytes, payload: bytes) -> None:
            self._desk.post(key, REFUSED.make(SITS_ALREADY if key in seats else STALE))

        hello = greets or refuse
        around = {HELLO: hello, **_LATE, **(late or {}), **self.room.handlers}
        runner.inbox.register({**around, REFUSED: self._be_refused})
        strangers = Inbox(
            STRANGER,
            _has_seat,
            {HELLO: hello, WATCH: gallery.receive, HAVE: gallery.asked},
        )

        def take(key: bytes, frame: bytes) -> None:
            if key in seats and not runner.parting.is_apart(key):
                runner.receive(key, frame)
            else:
                strangers.take(key, frame)

        def change(key: bytes, up: bool) -> None:
            gallery.link_changed(key, up)
            self.room.whereabouts.link_changed(key, up)
            self.room.again.link_changed(key, up)
            runner.link_changed(key, up)

        def prove(key: bytes, address: AnyAddress) -> None:
            if key in seats:
                runner.keep(proven_item(key, address))

        entered = self.driver.entered
        peer.on_frame, peer.on_link = entered(take), entered(change)
        peer.on_proven = entered(prove)
        peer.on_moved = entered(lambda: self.room.move(peer.list_for(self.seat.proposal.token)))
        peer.knows = gallery.knows

    def _be_refused(self, key: bytes, payload: bytes) -> None:
        """While all sign, the host says that no game begins; later, that none follows."""
        runner = self.seat.runner
        if runner.table is not None:
            self.room.handlers[REFUSED](key, payload)
        elif key == runner.proposal.identities[HOST]:
            runner.called_off = refusal(payload)


def _late(key: bytes, payload: bytes) -> None:
    """Ignore a frame of the lobby that comes late over another link."""


_LATE: Final[Handlers[None]] = dict.fromkeys((PLAN, SEATS, LOBBY_TALK), _late)


def _has_seat(taken: bool) -> None:
    """A peer without a seat may only greet, watch and ask for steps, or it loses the link."""
    checks.require("frame.seat", taken, "malformed", "a frame of somebody without a seat")
