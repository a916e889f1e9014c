"""The table as all see it: what lies where, what everybody knows, and how to copy and compare it.

Everything here is public: a face is in `faces` only when everybody knows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableSequence, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from struct import pack
from typing import Any, Final, Self

from engine import plain
from engine.cards import Card, Deck
from engine.compiling import mypyc_attr, uncover
from engine.errors import EngineError
from engine.zone import Seat, Slot, Zone

JOINT: Final = -1
"""The lock of a slot that nobody can read: everybody's key is on it."""
OPEN: Final = -2
"""The lock of a slot whose face everybody knows."""
LEAVES: Final = "leaves"
"""The note that tells people that a seat left the game for good; the seat follows."""
GONE: Final = "gone"
"""The same, of a seat that said nothing: the others went on without it."""

TAKEN: Final = {
    "lost": "on every table it says who has left",
    "voted_out": "on every table it says without whom the others went on",
}


@mypyc_attr(allow_interpreted_subclasses=True)
@dataclass(slots=True, eq=False)
class TableState:
    """What every peer holds alike.

    `locks[slot]` is JOINT, OPEN, or the one seat that can read the slot.
    """

    seats: int
    deck: Deck | None = None
    faces: list[Card | None] = field(default_factory=list)
    locks: list[int] = field(default_factory=list)
    zones: list[Zone] = field(default_factory=list)
    over: bool = False
    notes: MutableSequence[tuple[object, ...]] | None = None
    """What happened, for people: (word, ...) tuples.  None if nobody looks (simulation).

    Not declared as a list: compiled code appends to those without asking their class, and whoever
    listens at a table (`p2p.player.news`) would be told nothing.
    """
    lost: list[Seat] = field(default_factory=list)
    """The seats whose players have left for good, in this order."""
    voted_out: list[Seat] = field(default_factory=list, metadata=plain.FOR_PEOPLE)
    """Those of them that did not say so: the others went on without them."""

    def __init_subclass__(cls) -> None:
        for name in sorted(TAKEN.keys() & vars(cls).get("__annotations__", {}).keys()):
            raise EngineError(f"{cls.__name__}.{name} has to have another name: {TAKEN[name]}")
        uncover(cls)

    def zone(self, name: str, owner: Seat | None = None) -> Zone:
        """A new empty zone.  All zones are made with the table, by these names.

        The zone that is made first with an owner is that seat's hand: screens show its cards to
        the owner, who picks from them.  Any other zone is a pile in the middle, or with an owner
        a number in the row of its seat.  No screen shows a deck that lies there whole, to be
        shuffled.  The wording may say otherwise (its `held` and `stock`).
        """
        made = Zone((), len(self.zones), name, owner)
        self.zones.append(made)
        return made

    def joint_zones(self, about: Iterable[Slot]) -> list[tuple[Slot, ...]]:
        """The JOINT slots of each zone that has one of these among them, zone by zone."""
        named, locks = set(about), self.locks
        joint = [tuple([slot for slot in zone if locks[slot] == JOINT]) for zone in self.zones]
        return [slots for slots in joint if not named.isdisjoint(slots)]

    # -- who is still there ---------------------------------------------------------------

    def present(self) -> Sequence[Seat]:
        """The seats whose players have not left, in seat order."""
        if not self.lost:
            return range(self.seats)
        return [seat for seat in range(self.seats) if seat not in self.lost]

    def neighbour(self, seat: Seat, step: int = 1) -> Seat:
        """The next seat whose player has not left: clockwise, or with -1 the other way."""
        seat = (seat + step) % self.seats
        while seat in self.lost:
            seat = (seat + step) % self.seats
        return seat

    def leave(self, seat: Seat, gone: bool = False) -> None:
        """Mark a seat as lost; the session calls this before the rules are asked (`Game.lose`).

        Nobody can read now what only this seat could read: its slots are JOINT, where they lie.
        Nobody has seen anything new.
        """
        self.locks[:] = [JOINT if lock == seat else lock for lock in self.locks]
        self.lost.append(seat)
        if gone:
            self.voted_out.append(seat)
        self.note(GONE if gone else LEAVES, seat)

    # -- faces -----------------------------------------------------------------------------

    def has_seen(self, seat: Seat, slot: Slot) -> bool:
        """Whether a seat has seen the hidden card that lies there; a game may keep account of it.

        A seat that can read the slot needs no account.
        """
        return False

    def why_not_face(self, slot: Slot, card: Card) -> str | None:
        """Why this is not the face of a slot; None where nobody, or not everybody, knows it."""
        public = self.faces[slot]
        if public is None or public is card:
            return None
        return "that is not the face of this card"

    def why_not_faces(self, slots: Sequence[Slot], cards: Sequence[Card]) -> str | None:
        """The same for several slots and as many cards."""
        if len(cards) != len(slots):
            return "one face for each card is needed"
        for place, slot in enumerate(slots):  # a strict zip takes three times as long
            why = self.why_not_face(slot, cards[place])
            if why is not None:
                return why
        return None

    def note(self, *what: object) -> None:
        """Tell people (not the state) that something happened: a word, then values.

        A number that comes first is taken for a seat.  The wording turns the note into a sentence.
        """
        if self.notes is not None:
            self.notes.append(what)

    def face(self, slot: Slot) -> Card:
        """The face of a slot that everybody knows; KeyError for any other."""
        card = self.faces[slot]
        if card is None:
            raise KeyError(f"slot {slot} is not public")
        return card

    # -- the state as a whole -----------------------------------------------------------

    def copy(self) -> Self:
        """An independent table in the same state; its notes are off."""
        made: Self = _generated(_COPIERS, plain.copier, type(self))(self)
        return made

    def digest(self) -> bytes:
        """16 bytes that stand for the whole public state (BLAKE2b over its integers).

        Faces enter by `Card.id`, so copies of one face look the same.
        """
        laid_out = _generated(_INTEGERS, plain.integers, type(self))(self)
        return blake2b(pack(f"<{len(laid_out)}q", *laid_out), digest_size=16).digest()

    def state(self) -> dict[str, object]:
        """The public state by field, in JSON's types: what a dump for people shows."""
        return {
            name: plain.readable(getattr(self, name)) for name in sorted(plain.state_of(type(self)))
        }

    def outside(self) -> Sequence[Slot]:
        """Slots that the rules have taken out of play, so that no zone has them.

        A game that has such slots overrides it; by default there are none.
        """
        return ()

    def conserved(self) -> bool:
        """Whether every slot of the deck lies in exactly one zone, or outside."""
        lying = [*self.outside()]
        for zone in self.zones:
            lying += zone
        lying.sort()
        return lying == list(range(len(self.faces)))


Generated = Callable[[Any], Any]
_COPIERS: Final[dict[type, Generated]] = {}
_INTEGERS: Final[dict[type, Generated]] = {}


def _generated(
    kept: dict[type, Generated], make: Callable[[type], Generated], cls: type
) -> Generated:
    made = kept.get(cls)
    if made is None:
        made = kept[cls] = make(cls)
    return made
