"""Where the seats of a table can be dialled: told to all, and again when somebody has moved.

Every seat passes on the lists that it knows (`p2p.net.signed_addresses`) over each new link, and a
newer list of anybody to all the others.  A list thus reaches everybody to whom a path of honest
seats leads, even if others withhold it, and a seat that comes back at another address is found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from p2p import checks
from p2p.net.limits import TokenBucket
from p2p.net.signed_addresses import Lists, SignedAddresses, decode_lists, encode_lists
from p2p.protocol.frame_kinds import ADDRESSES
from p2p.protocol.proposal import Proposal
from p2p.seat.desk import Desk

MOVES: Final = 4
MOVES_SECONDS: Final = 30.0
"""A seat may move `MOVES` times at once, and once more after each such time; its other lists
are left aside until a new link brings them again."""
FRAMES: Final = 16
FRAMES_SECONDS: Final = 1.0
"""A seat is heard `FRAMES` times at once, and once more after each such time: checking
signatures takes time."""


class Whereabouts:
    """One seat's part in this, at one table.

    `lists` are those that came with the proposal, or lie in the seat file; our own is among
    them.  `on_news` gets each newer one, with its owner.
    """

    def __init__(
        self,
        desk: Desk,
        proposal: Proposal,
        own: bytes,
        lists: Lists,
        on_news: Callable[[bytes, SignedAddresses], None] = lambda owner, said: None,
    ) -> None:
        self._desk: Final = desk
        self._proposal: Final = proposal
        self._own: Final = own
        self._lists: Final[dict[bytes, SignedAddresses]] = dict(lists)
        self._heard: Final[set[bytes]] = set()
        """The peers that have told us what they know, over their present link."""
        self._left: Final[set[bytes]] = set()
        self._moves: Final[dict[bytes, TokenBucket]] = {}
        self._hearings: Final[dict[bytes, TokenBucket]] = {}
        self._on_news: Final = on_news

    def open(self) -> None:
        """Dial all seats that are known, and tell those that are linked already."""
        for key in self._proposal.identities:
            known = self._lists.get(key)
            self._desk.dial(key, known.addresses if known is not None else ())
        self._tell_seats(self._lists)

    def move(self, said: SignedAddresses) -> None:
        """We are reached at other addresses now: tell all seats."""
        self._lists[self._own] = said
        self._tell_seats({self._own: said})

    def lose(self, key: bytes) -> None:
        """A seat has left for good: it is not dialled, whatever is said of it."""
        self._left.add(key)

    def link_changed(self, peer: bytes, up: bool) -> None:
        """A new link begins with what each side knows."""
        self._heard.discard(peer)
        if up and peer in self._proposal.identities:
            self._desk.post(peer, self._frame(self._lists))

    def receive(self, peer: bytes, payload: bytes) -> None:
        """Somebody sends lists; PeerError `malformed` for one that its owner did not sign."""
        seats = self._proposal.identities
        checks.require("addresses.seat", peer in seats, "malformed", "a frame of nobody's seat")
        if not self._allows(self._hearings, peer, FRAMES, FRAMES_SECONDS):
            return
        fields = ADDRESSES.read(payload)
        if fields["proposal"] != self._proposal.id:
            return  # of the table before this one, or of the next
        told = decode_lists(fields["lists"], self._proposal.token, seats)
        news = {key: said for key, said in told.items() if self._is_news(key, said)}
        for key, said in news.items():
            self._lists[key] = said
            self._desk.dial(key, said.addresses)
            self._on_news(key, said)
        if news:
            self._tell_seats(news, skip=peer)
        self._answer(peer, told)

    def _is_news(self, key: bytes, said: SignedAddresses) -> bool:
        known = self._lists.get(key)
        if key == self._own or (known is not None and said.number <= known.number):
            return False
        if key in self._left:
            return False
        return self._allows(self._moves, key, MOVES, MOVES_SECONDS)

    def _answer(self, peer: bytes, told: Lists) -> None:
        """Tell what this peer does not know, once on each link: it may have sat down since."""
        if peer in self._heard:
            return
        self._heard.add(peer)
        lacks = {
            key: said
            for key, said in self._lists.items()
            if key not in told or told[key].number < said.number
        }
        if lacks:
            self._desk.post(peer, self._frame(lacks))

    def _tell_seats(self, lists: Lists, skip: bytes = b"") -> None:
        """Tell seats, not spectators: where people are is only for those who play with them."""
        for key in self._proposal.identities:
            if key not in (self._own, skip) and key not in self._left:
                self._desk.post(key, self._frame(lists))

    def _frame(self, lists: Lists) -> bytes:
        return ADDRESSES.make({"proposal": self._proposal.id, "lists": encode_lists(lists)})

    def _allows(
        self, given: dict[bytes, TokenBucket], key: bytes, most: int, seconds: float
    ) -> bool:
        """Whether this key has any of its allowance left; if so, use one."""
        now = self._desk.now()
        return given.setdefault(key, TokenBucket(1.0 / seconds, now, most)).take_if_left(now)
