"""The others take the key of a lost seat out of the cards (protocol section 5, "Lost players").

In this order: what may have been half turned up is shuffled once (`mend`); each who is left puts an
own lock on the cards of the lost hand (`relock`); and the lost lock comes off every hidden card, by
shares of its key (`strip`).  Somebody else may be lost meanwhile: then that step is void, and what
was done before it stays.  Why nobody sees a card: docs/explanation/lost-seat.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Final, NamedTuple

from engine.table_state import JOINT
from engine.zone import Seat, Slot
from p2p.crypto import elgamal, relock
from p2p.crypto.elgamal import Cipher
from p2p.crypto.group import add_all
from p2p.errors import blaming
from p2p.protocol import step_kinds, wire
from p2p.protocol.acts.sharing import parse_each, shares_of_lost, verify_each
from p2p.protocol.acts.shuffling import by_everybody
from p2p.protocol.cards import Cards
from p2p.protocol.slots import own_history
from p2p.protocol.step import Program, Step

Layers = frozenset[Seat]


class Loss:
    """What is still to be done until the keys of lost seats are out of all cards.

    `layers` are the seats whose layer is on each slot of a lost hand; every other hidden slot that
    nobody can read alone has one of each seat of the joint key.
    """

    def __init__(self, cards: Cards) -> None:
        self._cards: Final = cards
        self._lost: set[Seat] = set()
        self._mend: set[Slot] = set()
        self._layers: Final[dict[Slot, Layers]] = {}

    @property
    def lost(self) -> list[Seat]:
        """The seats that are lost and whose keys are still in the cards, in order."""
        return sorted(self._lost)

    def add(self, absent: Collection[Seat], named: Iterable[Slot]) -> None:
        """These seats are lost too, in a step in which shares of the slots `named` went out."""
        self._lost.update(absent)
        self._mend.update(named)
        for slot, lock in enumerate(self._cards.table.locks):
            if lock in absent:
                self._layers[slot] = frozenset({lock})

    def take_out(self) -> Program[None]:
        """All of it, from wherever it stands."""
        yield from self._mend_zones()
        for seat in self._cards.keys.seats:
            yield from self._relock(seat)
        yield from self._strip()

    # -- mend --------------------------------------------------------------------------------

    def _mend_zones(self) -> Program[None]:
        cards = self._cards
        slots = cards.slots
        for handles in cards.table.joint_zones(self._mend):
            deck = [slots.ciphers[slot] for slot in handles]
            chain = yield from by_everybody(cards, step_kinds.MEND, handles, deck)
            with blaming(*chain.last):
                slots.renew(handles, chain.decks[-1], cards.chain.step, "bad-shuffle")
            self._mend.difference_update(handles)
        self._mend.clear()

    # -- relock ------------------------------------------------------------------------------

    def _relock(self, seat: Seat) -> Program[None]:
        """One step, in which a seat puts its own layer on every card of a lost hand."""
        groups = self._groups(seat)
        if not groups:
            return
        acts = [_Relock(self._cards, seat, slots, layers) for layers, slots in groups]
        entries = yield Step(
            step_kinds.RELOCK,
            (seat,),
            parse=lambda _, payload: parse_each(acts, payload),
            verify=lambda _, parsed: verify_each(acts, parsed),
            make=lambda _: [act.make() for act in acts],
            heavy=True,
        )
        for act, moved in zip(acts, entries[seat], strict=True):
            act.apply(moved)
        for layers, slots in groups:
            self._layers.update(dict.fromkeys(slots, layers | {seat}))

    def _groups(self, seat: Seat) -> list[tuple[Layers, tuple[Slot, ...]]]:
        """The slots of lost hands that lack the layer of a seat, by the layers that they have."""
        by: dict[Layers, list[Slot]] = {}
        for slot, layers in sorted(self._layers.items()):
            if seat not in layers:
                by.setdefault(layers, []).append(slot)
        return [(layers, tuple(slots)) for layers, slots in by.items()]

    # -- strip -------------------------------------------------------------------------------

    def _strip(self) -> Program[None]:
        """One step, in which all publish their shares of each lost layer."""
        cards = self._cards
        locked = {seat: slots for seat in self.lost if (slots := self._locked(seat))}
        if not locked:
            return
        ciphers = cards.slots.ciphers
        points = {seat: [ciphers[slot][0] for slot in slots] for seat, slots in locked.items()}
        layers = yield from shares_of_lost(cards, step_kinds.STRIP, points)
        for seat, slots in locked.items():
            for slot, layer in zip(slots, layers[seat], strict=True):
                rest = elgamal.strip(ciphers[slot], [layer])
                cards.slots.hide([slot], [rest], cards.slots.history[slot], same=True)

    def _locked(self, seat: Seat) -> tuple[Slot, ...]:
        """The hidden slots that have the layer of a lost seat."""
        everybody = frozenset(self._cards.keys.seats) | self._lost
        return tuple(
            [
                slot
                for slot, lock in enumerate(self._cards.table.locks)
                if seat in self._layers.get(slot, everybody if lock == JOINT else ())
            ]
        )


class _Relocked(NamedTuple):
    deck: list[Cipher]
    proof: bytes


class _Relock:
    """What one seat owes that puts its layer on slots which have the same layers."""

    def __init__(self, cards: Cards, seat: Seat, slots: tuple[Slot, ...], layers: Layers) -> None:
        keys = cards.keys
        self._cards: Final = cards
        self._seat: Final = seat
        self._slots: Final = slots
        self._key: Final = add_all([keys.public[one] for one in sorted({*layers, seat})])
        self._bound: Final = cards.bind(seat, step_kinds.RELOCK, slots)

    def make(self) -> object:
        keys, before = self._cards.keys, self._before()
        moved, proof = relock.relock(keys.own, before, self._key, self._bound.copy(), keys.entropy)
        return {"deck": elgamal.pack_ciphers(moved), "proof": proof}

    def parse(self, payload: Any) -> _Relocked:
        fields = wire.take(payload, {"deck": bytes, "proof": bytes})
        deck = elgamal.unpack_ciphers(fields["deck"], len(self._slots))
        return _Relocked(deck, wire.octets(fields["proof"], relock.PROOF_BYTES, "a proof"))

    def verify(self, moved: _Relocked) -> None:
        public, bound = self._cards.keys.public[self._seat], self._bound.copy()
        relock.verify_relock(public, self._before(), moved.deck, self._key, moved.proof, bound)

    def apply(self, moved: _Relocked) -> None:
        step, slots = self._cards.chain.step, self._cards.slots
        with blaming(self._seat):
            for slot, cipher in zip(self._slots, moved.deck, strict=True):
                # Named one by one, as what is put back is: a history of its own.
                history = own_history(step, slot)
                slots.renew([slot], [cipher], history, "bad-transfer", same=True)

    def _before(self) -> list[Cipher]:
        return [self._cards.slots.ciphers[slot] for slot in self._slots]
