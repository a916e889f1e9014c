"""What seats could read together, with their secrets, their shares of keys, and all that was sent.

Each layer of a hidden card is a point x a.  Readers have it if they hold x, if anybody has sent
it, or if their own shares of x and the partial shares f(place) a that were sent make a key.
Which points these are is computed with every secret of the table; readers find them by trying.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final, NamedTuple

from engine.table_state import JOINT, OPEN
from engine.zone import Seat, Slot
from p2p.crypto.elgamal import Cipher
from p2p.crypto.group import POINT_BYTES, Point, mul
from p2p.protocol.effects import Done, Effect
from p2p.protocol.entry import Entry, decode_entry
from p2p.protocol.step_kinds import RACE, STRIP
from tests.protocol.coalition import binaries
from tests.protocol.kit import Hub
from tests.protocol.kit import Seat as Sitting
from tests.protocol.leaks import EnoughError
from tests.protocol.losing import go_on

Locked = tuple[Cipher, frozenset[Seat]]
"""A cipher, and whose layers are on it."""


class Layer(NamedTuple):
    """x a of one seat, and the partial share that each other seat could make of it."""

    whole: Point
    partial: dict[Seat, Point]


class Readers:
    """Everything that can be read at a table while it plays.

    The ciphers that a lost hand had before the loss are looked at for as long as its cards stay
    hidden: they hold the same cards.
    """

    def __init__(self, hub: Hub) -> None:
        self.tried = 0
        """How many hidden cards were looked at once a lost key was out."""
        self._hub: Final = hub
        self._early: list[Entry] = []
        self._sent: Final[set[Point]] = set()
        self._shown: Final[set[Slot]] = set()
        self._layers: Final[dict[tuple[Seat, Point], Layer]] = {}
        self.locked: dict[Slot, Locked] = {}
        """What stands in the hidden slots."""
        self._held: dict[Slot, Locked] = {}
        self.before: dict[Slot, Locked] = {}
        """What stood there before the last loss, in the hand of who was lost."""

    def hear(self, record: bytes) -> None:
        """Note what is sent, also in a step that becomes void."""
        self._early.append(decode_entry(record))

    def _learn(self, step: int) -> None:
        """Remember every point that was sent up to this step, which has come to its end.

        What is on the way for the next one belongs to cards which that step shows.
        """
        now = [entry for entry in self._early if entry.step <= step]
        self._early = [entry for entry in self._early if entry.step > step]
        for entry in now:
            self._note(entry)

    def _note(self, entry: Entry) -> None:
        if entry.kind == RACE and isinstance(entry.payload, dict):
            self._shown.add(entry.payload["slot"])  # all know that card from now on
        for data in binaries(entry.payload):
            ends = range(POINT_BYTES, len(data) + 1, POINT_BYTES)
            self._sent.update(data[end - POINT_BYTES : end] for end in ends)

    def look(self, first: Sitting, kind: str) -> None:
        """Note what is hidden, and under whose layers, after a step of this kind."""
        self._learn(first.machine.chain.step - 1)
        left = {*first.cards.keys.seats, *first.session.table.lost}
        if kind != STRIP and len(left) < len(self._hub.seats):
            # What lies there has layers of its own until the strip, and what was half turned up
            # in a void step has been read by whoever got all shares: then it is mended.
            self._held, self.locked, self.before = self.locked or self._held, {}, {}
            return
        now = self._hidden(first)
        if kind == STRIP:
            self.before = {
                slot: (cipher, layers)
                for slot, (cipher, layers) in self._held.items()
                if slot in now and len(layers) == 1 and layers != now[slot][1]
            }
            self.tried += len(now)
        else:
            moved = {slot for slot in self.before if now.get(slot) != self.locked.get(slot)}
            self.before = {slot: old for slot, old in self.before.items() if slot not in moved}
        self.locked = now

    def _hidden(self, first: Sitting) -> dict[Slot, Locked]:
        locks, ciphers = first.cards.table.locks, first.cards.slots.ciphers
        joint, lost = frozenset(first.cards.keys.seats), first.session.table.lost
        return {
            slot: (ciphers[slot], joint if lock == JOINT else frozenset({lock}))
            for slot, lock in enumerate(locks)
            if lock != OPEN and lock not in lost and slot not in self._shown
        }

    def lack(self, who: frozenset[Seat]) -> bool:
        """Whether there is a hidden card that none of these seats holds."""
        return any(len(layers) > 1 or not layers <= who for _, layers in self.locked.values())

    def reads(self, who: frozenset[Seat]) -> set[Slot]:
        """The hidden cards that these seats can read and that none of them holds, or held."""
        return {
            slot
            for hidden in (self.locked, self.before)
            for slot, (cipher, layers) in hidden.items()
            if not (len(layers) == 1 and layers <= who)
            and all(self._known(seat, cipher[0], who) for seat in layers)
        }

    def _known(self, owner: Seat, a: Point, who: frozenset[Seat]) -> bool:
        if owner in who:
            return True
        layer = self._layer(owner, a)
        given = {seat for seat, part in layer.partial.items() if part in self._sent}
        least = self._hub.seats[owner].cards.key_shares.least
        return layer.whole in self._sent or len(who | given) >= least

    def _layer(self, owner: Seat, a: Point) -> Layer:
        if (owner, a) not in self._layers:
            others = [seat for seat in range(len(self._hub.seats)) if seat != owner]
            shares = {s: self._hub.seats[s].cards.key_shares.mine[owner] for s in others}
            self._layers[owner, a] = Layer(
                mul(a, self._hub.seats[owner].cards.keys.own.scalar),
                {seat: mul(a, share.scalar) for seat, share in shares.items()},
            )
        return self._layers[owner, a]


Check = Callable[[str, Readers], None]
"""What to do after a step of this kind."""


def watch(hub: Hub, check: Check, steps: int) -> Readers:
    """Play on, without whoever is gone, until so many steps after a lost key is out.

    A seat that was lost sees no step more, but it hears all that is sent.
    """
    readers, spread, act = Readers(hub), hub.spread, hub._do
    left = [-1]

    def heard(source: int, record: bytes) -> None:
        readers.hear(record)
        spread(source, record)

    def did(seat: Sitting, effect: Effect) -> None:
        act(seat, effect)
        first = next(one.seat for one in hub.seats if one.seat not in hub.dead)
        if seat.seat != first or not isinstance(effect, Done):
            return
        kind = decode_entry(effect.records[0]).kind
        readers.look(seat, kind)
        check(kind, readers)
        left[0] = steps if kind == STRIP else left[0] - 1
        if left[0] == 0:
            raise EnoughError

    hub.spread, hub._do = heard, did  # type: ignore[method-assign]
    with suppress(EnoughError):
        go_on(hub)
    return readers
