"""A seat that leaves for good takes its key out of the cards (protocol section 5, "Leaving").

Its layer comes off every JOINT slot, and every hidden slot that is locked to it is put back under
the key of all who stay.  Nobody sees a card that way, and after it no card needs the seat.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from engine.table_state import JOINT
from engine.zone import Seat
from p2p import checks
from p2p.crypto.elgamal import strip
from p2p.protocol import step_kinds, wire
from p2p.protocol.acts.moving import Moved, Moves
from p2p.protocol.acts.sharing import Release, Released, release
from p2p.protocol.cards import Cards
from p2p.protocol.step import Program, Step

_FAREWELL: Final[dict[str, type | tuple[type, ...]]] = {
    "released": (dict, type(None)),
    "put_back": (dict, type(None)),
}


class _Parsed(NamedTuple):
    """The shares of all JOINT slots, and the own slots as they are put back."""

    released: Released | None
    put_back: Moved | None


def farewell(cards: Cards, seat: Seat) -> Program[None]:
    """One step, in which the seat that leaves takes its key out of every hidden card."""
    act = _Farewell(cards, seat)
    entries = yield Step(
        step_kinds.FAREWELL,
        (seat,),
        parse=lambda _, payload: act.parse(payload),
        verify=lambda _, parsed: act.verify(parsed),
        make=lambda _: act.make(),
        heavy=True,
    )
    act.apply(entries[seat])


class _Farewell:
    """What one seat owes that leaves: how its entry is made, checked and applied."""

    def __init__(self, cards: Cards, seat: Seat) -> None:
        locks, slots = cards.table.locks, cards.slots
        self._slots: Final = slots
        self._joint: Final = tuple([slot for slot, lock in enumerate(locks) if lock == JOINT])
        own = [slot for slot, lock in enumerate(locks) if lock == seat]
        points = [slots.ciphers[slot][0] for slot in self._joint]
        rest = dict.fromkeys(own, cards.keys.without(seat))
        kind = step_kinds.FAREWELL
        self._release = release(cards, kind, seat, self._joint, points) if points else None
        self._moves = Moves(cards, kind, seat, own, rest) if own else None

    def make(self) -> object:
        return {
            "released": self._release and self._release.make(),
            "put_back": self._moves and self._moves.make(),
        }

    def parse(self, payload: Any) -> _Parsed:
        fields = wire.take(payload, _FAREWELL)
        return _Parsed(
            _part(fields["released"], self._release),
            _part(fields["put_back"], self._moves),
        )

    def verify(self, parsed: _Parsed) -> None:
        if self._release and parsed.released:
            self._release.verify(parsed.released)
        if self._moves and parsed.put_back:
            self._moves.verify(parsed.put_back)

    def apply(self, parsed: _Parsed) -> None:
        shares = parsed.released[0] if parsed.released else ()
        for slot, layer in zip(self._joint, shares, strict=True):
            rest = strip(self._slots.ciphers[slot], [layer])
            self._slots.hide([slot], [rest], self._slots.history[slot], same=True)
        if self._moves and parsed.put_back:
            self._moves.apply(parsed.put_back)


def _part(payload: Any, part: Release | Moves | None) -> Any:
    """One of the two parts, which is nil if there is no such slot."""
    owed = (payload is not None) == (part is not None)
    checks.require("farewell.parts", owed, "malformed", "not what the leaving seat owes")
    return part.parse(payload) if part else None
