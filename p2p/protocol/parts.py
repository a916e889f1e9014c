"""Offline parts of shuffle arguments, made ahead: most of a prover's work (protocol section 4).

What can be made when:  the size of the first shuffle follows from the game, so its groundwork
is laid while people are still sitting down;  once the keys are known, one multiplication per
card puts it under the joint key;  spare parts for later shuffles and for oaths are made while
somebody thinks about a move, never while the table waits for a shuffle.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from random import Random
from threading import Lock
from typing import Final

from engine.dealer import TrustedDealer
from engine.game import Game, Options
from engine.session import Session
from engine.zone import Seat
from p2p.checks import Entropy
from p2p.crypto.group import Point
from p2p.crypto.shuffle import KeylessPart, OfflinePart
from p2p.protocol.slots import Slots

Size = tuple[int, Point | None]
"""How many ciphers, and under which key (None while there is none)."""
_LATER_MAX: Final = 4
"""How many sizes of spare parts to keep ready; the oldest wish is forgotten."""
_ACTS_MAX: Final = 20


class Parts:
    """The parts of one seat.  Each is used once, and none is ever written to disk: a part on
    disk could be used twice after a crash.

    `wanted` and `prepare` may be called from a different thread than `take`.
    """

    def __init__(self, entropy: Entropy) -> None:
        self._entropy = entropy
        self._groundwork: dict[int, KeylessPart] = {}
        self._spare: dict[tuple[int, Point], OfflinePart] = {}
        self._wanted: dict[Size, None] = {}
        self._later: dict[Size, None] = {}
        self._being_made: defaultdict[int, Lock] = defaultdict(Lock)
        self._idle = False
        self.on_wish: Callable[[], None] = lambda: None
        """Called when there may be something to make; never from `prepare` or `take`."""

    def draw_from(self, entropy: Entropy) -> None:
        """Make parts from the source of a table, once there is one.

        It never repeats, even after a restart: two equal parts would give the order of a
        shuffle away and get us convicted (`Cards.count_part`).
        """
        self._entropy = entropy

    @property
    def idle(self) -> bool:
        """Whether the table is waiting for a decision: the time to make spare parts."""
        return self._idle

    @idle.setter
    def idle(self, idle: bool) -> None:
        self._idle = idle
        self.on_wish()

    def foresee(self, count: int) -> None:
        """A shuffle of `count` ciphers will come, under a key that is not known yet."""
        self._wanted[count, None] = None
        self.on_wish()

    def agree(self, key: Point) -> None:
        """The keys are known: what was foreseen will be shuffled under their sum, `key`."""
        for count in [count for count, under in self._wanted if under is None]:
            self.expect(count, key)

    def expect(self, count: int, key: Point) -> None:
        """A shuffle of `count` ciphers under `key` comes next."""
        self._wanted.pop((count, None), None)
        self._wanted[count, key] = None
        self.on_wish()

    def expect_later(self, count: int, key: Point) -> None:
        """A shuffle of `count` ciphers under `key` may come; there is time until it does."""
        self._remember(count, key)
        self.on_wish()

    def exchange(self, old: Point, new: Point) -> None:
        """The key of all has changed: what was wanted under the old one is wanted under the new."""
        for wanted in (self._wanted, self._later):
            counts = [count for count, key in wanted if key == old]
            for count in counts:
                del wanted[count, old]
                wanted[count, new] = None
        for size in list(self._spare):  # at once: a thread may add to it
            if size[1] == old:
                self._spare.pop(size, None)
        self.on_wish()

    def _remember(self, count: int, key: Point) -> None:
        self._later.pop((count, key), None)
        self._later[count, key] = None
        while len(self._later) > _LATER_MAX:
            del self._later[next(iter(self._later))]

    def wanted(self) -> list[Size]:
        """What is to be made now, in this order."""
        sizes = [*self._wanted, *self._later] if self._idle else list(self._wanted)
        return [size for size in sizes if not self._is_there(size)]

    def _is_there(self, size: Size) -> bool:
        count, key = size
        return count in self._groundwork if key is None else (count, key) in self._spare

    def prepare(self, count: int, key: Point | None) -> None:
        """Make one part ahead (slow: call it in a worker thread)."""
        with self._being_made[count]:
            if (count, key) not in self.wanted():
                return  # taken, or made, since it was asked for
            if key is None:
                self._groundwork[count] = KeylessPart.prepare(count, self._entropy)
            else:
                self._spare[count, key] = self._make(count, key)

    def take(self, count: int, key: Point) -> OfflinePart:
        """A part that was never used: a spare one, or one made now.

        Waits for one of this size that is being made in another thread.
        """
        with self._being_made[count]:
            if (count, key) in self._wanted:
                del self._wanted[count, key]
                self._remember(count, key)
            return self._spare.pop((count, key), None) or self._make(count, key)

    def _make(self, count: int, key: Point) -> OfflinePart:
        ground = self._groundwork.pop(count, None)
        return (ground or KeylessPart.prepare(count, self._entropy)).under(key)


def first_shuffle(game: Game, seats: Seat, options: Options) -> int | None:
    """How many cards the first shuffle of a game has; None if somebody decides before it.

    It also warms up what a table of this game computes once and keeps: the points of its
    cards, and the code that copies and encodes its state.
    """
    session, dealer = Session(game, seats, options), TrustedDealer(Random(0))
    session.table.copy().digest()
    for _ in range(_ACTS_MAX):
        asked = session.pending
        if asked is not None and asked.shuffles:
            deck = session.table.deck
            if deck is not None:
                Slots().lay_fresh(deck)
            return len(asked.about())
        if asked is None or asked.deciders:
            break
        session.answer(dealer.answer(session.table, asked, {}))
    return None
