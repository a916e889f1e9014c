"""Who is around the table of one program: those who talk, those who watch, and who is where.

It is to a world what `p2p.table.at_table` and `p2p.table.room` are to trio.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from p2p.files.seat_memory import list_item
from p2p.net.signed_addresses import Lists, SignedAddresses
from p2p.net.strangers import SERVED, Shares
from p2p.protocol.frame_kinds import ADDRESSES, CHAT, WATCHED
from p2p.protocol.table import GameTable
from p2p.seat.chat import ChatRoom
from p2p.seat.runner import Runner
from p2p.seat.whereabouts import Whereabouts
from p2p.spectators.gallery import Gallery, decode_watched
from tests.sim.worlds.spectator import Watcher

if TYPE_CHECKING:
    from tests.sim.worlds.process import Process


class Company:
    """The company of a seat's core (`p2p.seat.table_seat`)."""

    def __init__(self, process: Process) -> None:
        proposal, desk = process.world.proposal, process.desk
        self.chat: ChatRoom | None = None
        self.gallery: Final = Gallery(
            desk, proposal.token, Shares(SERVED), proposal.identities.__contains__
        )
        self.watchers: Final[dict[bytes, Watcher]] = {}
        self._process: Final = process
        self._whereabouts: Whereabouts | None = None

    def sit_down(self, runner: Runner, lists: Lists) -> None:
        """The program knows where the seats are, and takes what they say."""
        process = self._process

        def news(key: bytes, said: SignedAddresses) -> None:
            runner.keep(list_item(key, said.data))

        self._whereabouts = whereabouts = Whereabouts(
            *(process.desk, process.world.proposal, process.key, lists, news)
        )
        handlers = {ADDRESSES: whereabouts.receive, CHAT: self._hear, WATCHED: self._hear_watched}
        runner.inbox.register(handlers)
        whereabouts.open()

    def _hear(self, peer: bytes, payload: bytes) -> None:
        if self.chat is not None:
            self.chat.receive(peer, payload)

    def _hear_watched(self, peer: bytes, payload: bytes) -> None:
        self._process.world.counts["told who watches"] += len(decode_watched(payload))

    def link_changed(self, key: bytes, up: bool) -> None:
        assert self._whereabouts is not None
        self._whereabouts.link_changed(key, up)

    def watch(self) -> None:
        """Somebody comes to watch here."""
        watcher = Watcher(self._process)
        self.watchers[watcher.key] = watcher
        watcher.come()

    # -- what the core tells -----------------------------------------------------------------

    def proposable(self) -> None:
        """Everybody knows the proposal from the start."""

    def open(self, table: GameTable) -> None:
        process = self._process
        own = process.seat, process.identity
        self.chat = ChatRoom(
            *(process.desk, table.header.table, process.world.proposal.keys_and_names, own),
            overheard=self.gallery.overhear,
        )
        self.gallery.show(table.header, table.machine.records)

    def step(self, records: Sequence[bytes]) -> None:
        self.gallery.step(records)

    def left(self, key: bytes) -> None:
        """Nobody dials who has left for good."""
        assert self._whereabouts is not None
        self._whereabouts.lose(key)

    def end(self, frames: Sequence[bytes]) -> None:
        self.gallery.end(frames)
