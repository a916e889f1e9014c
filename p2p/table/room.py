"""What goes on around a game: talk, spectators, and who of these people plays again."""

from __future__ import annotations

from typing import Final

from p2p.driver.connection import Connected
from p2p.files.seat_memory import list_item
from p2p.lobby.rematch import Rematch, next_token
from p2p.net.endpoint import Announced
from p2p.net.invite import invite_to
from p2p.net.signed_addresses import Lists, SignedAddresses
from p2p.player.events import PlayAgain, Spectators, Talk, Watchable
from p2p.player.player import Player
from p2p.protocol.frame_kinds import ADDRESSES, CHAT, WATCH, WATCHED, Handlers
from p2p.protocol.genesis import Header
from p2p.seat.chat import ChatRoom
from p2p.seat.runner import Runner
from p2p.seat.whereabouts import Whereabouts
from p2p.spectators.gallery import Gallery, decode_watched
from p2p.text.names import free_name


class Room:
    """Takes the frames that are no part of the game at one seat's table: its `handlers`.

    The seat file of `runner` gets news of where the seats are.
    """

    def __init__(
        self,
        peer: Connected,
        runner: Runner,
        player: Player,
        lists: Lists,
        gallery: Gallery,
    ) -> None:
        own, desk, proposal = peer.identity, runner.desk, runner.proposal
        self.gallery: Final = gallery
        self.again: Final = Rematch(
            *(desk, proposal, own.public, self._tell_again, peer.list_for),
            race_cap_us=peer.race_cap_us,
            given_back=runner.given_back,
        )
        self.whereabouts: Final = Whereabouts(
            *(desk, proposal, own.public, lists),
            on_news=lambda key, said: runner.keep(list_item(key, said.data)),
        )
        self._desk = desk
        self._proposal = proposal
        self._own = proposal.identities.index(own.public), own
        self._player = player
        self._table = b""
        self._chat: ChatRoom | None = None
        self._watched: dict[bytes, tuple[str, ...]] = {}
        self._watched_by: bytes | None = None
        """The token by which our player was last told that people may come to watch."""
        self._runner: Final = runner
        self._lists: Final = dict(lists)
        self.announced: Final = self._watchable(proposal.token)
        """The game that runs here, as a host tells the network of it; None if nobody knows where
        the host is."""
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
        self._tell_how_to_watch(self.announced)
        self.again.open(header.table)

    def between_games(self) -> Announced | None:
        """The game is over, and another one may follow: people may come to watch that one.

        How the host tells the network of it, as `announced`.
        """
        follows = self._watchable(next_token(self._table))
        self._tell_how_to_watch(follows)
        return follows

    def _watchable(self, token: bytes) -> Announced | None:
        """How a game of these people, of this token, is found; None if the host is not."""
        proposal, host = self._proposal, self._proposal.identities[0]
        said = self._lists.get(host) if self._sits(host) else None
        invite = None if said is None else invite_to(said.addresses, host, token)
        if invite is None:
            return None
        return Announced(invite, proposal.game.name, len(proposal.seats), running=True)

    def _tell_how_to_watch(self, one: Announced | None) -> None:
        if one is not None:
            self._watched_by = one.invite.token
            self._player.tell(Watchable(one.invite))

    def move(self, said: SignedAddresses) -> None:
        """This seat is reached at other addresses now, which it has signed for this table."""
        own = self._own[1].public
        self._lists[own] = said
        self._runner.keep(list_item(own, said.data))
        self.whereabouts.move(said)
        if self._watched_by is not None:
            self._tell_how_to_watch(self._watchable(self._watched_by))

    def left(self, key: bytes) -> None:
        """A seat has left for good: it may watch, and is not asked for another game."""
        self.whereabouts.lose(key)
        self.again.lose(key)

    def _sits(self, key: bytes) -> bool:
        """Whether this is a seat that has not left, and that the others have not voted out."""
        seats, table = self._proposal.identities, self._runner.table
        if key not in seats:
            return False
        return table is None or seats.index(key) in table.cards.keys.seats

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
