"""What goes on around a game: talk, spectators, and who of these people plays again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from p2p.driver.connection import Connected
from p2p.files.seat_memory import list_item
from p2p.lobby.rematch import Rematch
from p2p.net.endpoint import Announced
from p2p.net.inbox import Handlers
from p2p.net.invite import Invite, invite_to
from p2p.net.signed_addresses import Lists
from p2p.player.events import PlayAgain, Spectators, Talk, Watchable
from p2p.player.player import Player
from p2p.protocol.frame_kinds import ADDRESSES, CHAT, WATCH, WATCHED
from p2p.protocol.genesis import Header
from p2p.protocol.proposal import Proposal
from p2p.seat.chat import ChatRoom
from p2p.seat.desk import Desk
from p2p.seat.whereabouts import Whereabouts
from p2p.spectators.gallery import Gallery, decode_watched
from p2p.text.names import free_name


class Room:
    """Takes the frames that are no part of the game at one seat's table: its `handlers`.

    `keep` gets news of where the seats are, for the seat file.
    """

    def __init__(
        self,
        peer: Connected,
        desk: Desk,
        proposal: Proposal,
        player: Player,
        lists: Lists,
        gallery: Gallery,
        keep: Callable[[list[object]], None],
    ) -> None:
        own = peer.identity
        self.gallery: Final = gallery
        self.again: Final = Rematch(
            *(desk, proposal, own.public, self._tell_again, peer.list_for),
            race_cap_us=peer.race_cap_us,
        )
        self.whereabouts: Final = Whereabouts(
            *(desk, proposal, own.public, lists),
            on_news=lambda key, said: keep(list_item(key, said.data)),
        )
        self._desk = desk
        self._proposal = proposal
        self._own = proposal.identities.index(own.public), own
        self._player = player
        self._table = b""
        self._chat: ChatRoom | None = None
        self._watched: dict[bytes, tuple[str, ...]] = {}
        self._left: Final[set[bytes]] = set()
        self.invite: Final = _invite(proposal, lists)
        """With it anybody may watch; None if nobody knows where the host is."""
        self.announced: Final = _announced(proposal, self.invite)
        """The game that runs here, as a host tells the network of it."""
        gallery.move_to(desk, self._sits, self._tell_watched)
        self.handlers: Final[Handlers[None]] = {
            **self.again.handlers,
            ADDRESSES: self.whereabouts.receive,
            CHAT: self._line,
            WATCH: self.gallery.receive,
            WATCHED: self._hear_watched,
        }

    def open(self, header: Header) -> None:
        """The table begins, or goes on."""
        self._table = header.table
        seats, player = self._proposal.keys_and_names, self._player
        self._chat = ChatRoom(
            *(self._desk, header.table, seats, self._own),
            overheard=self.gallery.overhear,
        )
        player.tell(Talk(self._chat.say))
        if self.invite is not None:
            player.tell(Watchable(self.invite))
        self.again.open(header.table)

    def left(self, key: bytes) -> None:
        """A seat has left for good: it may watch, and is not asked for another game."""
        self._left.add(key)
        self.whereabouts.lose(key)
        self.again.lose(key)

    def _sits(self, key: bytes) -> bool:
        return key in self._proposal.identities and key not in self._left

    def _line(self, peer: bytes, payload: bytes) -> None:
        if self._chat is not None:
            self._chat.receive(peer, payload)

    def _hear_watched(self, peer: bytes, payload: bytes) -> None:
        names = decode_watched(payload)
        if peer in self._proposal.identities and names != self._watched.get(peer, ()):
            self._watched[peer] = names
            self._tell()

    def _tell_watched(self, names: tuple[str, ...]) -> None:
        self._watched[self._own[1].public] = names
        self._tell()

    def _tell_again(self, event: PlayAgain) -> None:
        """Who plays another game: told to our player, and to those who watch through us."""
        names = self._proposal.names
        staying, leaving = (
            [names.index(name) for name in said] for said in (event.staying, event.leaving)
        )
        plan = b"" if event.plan is None else event.plan.data
        self.gallery.stay(self._table, staying, leaving, plan)
        self._player.tell(event)

    def _tell(self) -> None:
        shown = list(self._proposal.names)
        for name in (name for known in self._watched.values() for name in known):
            shown.append(free_name(name, shown))
        self._player.tell(Spectators(tuple(shown[len(self._proposal.seats) :])))


def _announced(proposal: Proposal, invite: Invite | None) -> Announced | None:
    game, seats = proposal.game.name, len(proposal.seats)
    return None if invite is None else Announced(invite, game, seats, running=True)


def _invite(proposal: Proposal, lists: Lists) -> Invite | None:
    """The invite to a table at which all sit already."""
    host = proposal.identities[0]
    return invite_to(lists[host].addresses, host, proposal.token) if host in lists else None
