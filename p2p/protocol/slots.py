"""The ciphers behind the slots, and what this seat can read of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from engine.cards import Card, Deck
from engine.memory import Memory
from engine.zone import Seat, Slot
from p2p import checks
from p2p.crypto.elgamal import Cipher, card_point, fresh, read
from p2p.crypto.group import Point
from p2p.crypto.keys import TableSecret
from p2p.errors import LocalError

_NOTHING: Final[frozenset[int]] = frozenset()


class Seen(NamedTuple):
    """A seat came to read a slot before `step`: it holds the face `number`."""

    step: int
    slot: Slot
    number: int


class Slots:
    """Protocol section 2: each slot is an ElGamal pair; locks stand in the engine's table.

    A *number* stands for a face: it is the lowest physical card that carries it, so that nobody
    learns which copy lies where.  `numbers[slot]` is that of a public slot, `own[slot]` that of
    a slot that only this seat can read.  `memory` keeps the cards that this seat has seen, whoever
    can see them now.  `history[slot]` says what is publicly known of where a hidden slot came
    from: the others cannot tell slots of equal history apart.

    Every claim is about ciphers, never about handles: what is sworn of a slot ends when the slot
    gets another cipher, and when ciphers change places under their handles, only what was sworn
    of all of them still holds.
    """

    def __init__(self) -> None:
        self.deck: Deck | None = None
        self.points: list[Point] = []
        self.ciphers: list[Cipher] = []
        self.numbers: list[int | None] = []
        self.own: dict[Slot, int] = {}
        self.memory: Final = Memory()
        self.history: list[int] = []
        self._number_of: dict[Point, int] = {}
        self._sworn: list[frozenset[int]] = []
        self._pledged: dict[Point, Seat] = {}
        self._used: set[Point] = set()

    def lay_fresh(self, deck: Deck) -> None:
        """Lay a new deck: slot i is physical card i, and everybody knows it."""
        if deck is not self.deck:
            self.deck = deck
            self.points = [card_point(deck.name, number) for number in deck.lowest]
            self._number_of = dict(zip(self.points, deck.lowest, strict=True))
        self.ciphers = [fresh(point) for point in self.points]
        self.numbers = list(deck.lowest)
        self.history = [0] * len(deck)
        self._sworn = [_NOTHING] * len(deck)
        self.own.clear()
        self.memory.lay(len(deck))

    def cipher(self, slot: Slot) -> Cipher:
        """The slot as it enters a shuffle: an open card becomes (identity, M)."""
        number = self.numbers[slot]
        return self.ciphers[slot] if number is None else fresh(self.points[number])

    def hide(
        self, slots: Sequence[Slot], ciphers: Sequence[Cipher], history: int, *, same: bool = False
    ) -> None:
        """Put these ciphers behind these slots; nobody is known to read them.

        They hold the cards that these slots held before; `same`: each that of its own slot.
        """
        if not same:
            self.memory.mix(slots)
        for slot, cipher in zip(slots, ciphers, strict=True):
            self.ciphers[slot] = cipher
            self.numbers[slot] = None
            self.history[slot] = history
            self._sworn[slot] = _NOTHING
            self.own.pop(slot, None)

    def renew(
        self,
        slots: Sequence[Slot],
        ciphers: Sequence[Cipher],
        history: int,
        verdict: str,
        *,
        same: bool = False,
    ) -> None:
        """The same with ciphers that somebody made anew: PeerError if one repeats a point.

        Two ciphers with the same point a have the same shares, so that releasing one releases
        the other (protocol section 4, the first share fixes the lock).
        """
        points = {a for a, _ in ciphers}
        new = len(points) == len(ciphers) and not points & self._used
        checks.require("slots.repeated", new, verdict, "a card is hidden by what hid one before")
        self._used |= points
        self.hide(slots, ciphers, history, same=same)

    def permute(self, slots: Sequence[Slot], ciphers: Sequence[Cipher], history: int) -> None:
        """One seat has shuffled these slots: any of the cards may lie behind any handle."""
        common = frozenset.intersection(*(self._sworn[slot] for slot in slots))
        self.renew(slots, ciphers, history, "bad-shuffle")
        for slot in slots:
            self._sworn[slot] = common

    def learn(self, slots: Iterable[Slot], secret: TableSecret) -> None:
        """Read slots that stand under this seat's key alone."""
        for slot in slots:
            self.own[slot] = self.identify(read(secret, self.ciphers[slot]))
            self.memory.see(slot, self.card(self.own[slot]))

    def show(self, slot: Slot, number: int) -> Card:
        """The slot's physical card is public from now on."""
        self.numbers[slot] = number
        self.own.pop(slot, None)
        card = self.card(number)
        self.memory.see(slot, card)
        return card

    def open_card(self, slot: Slot) -> Card:
        """The card that lies open there; LocalError if it is hidden."""
        number = self.numbers[slot]
        if number is None:
            raise LocalError(f"slot {slot} does not lie open")
        return self.card(number)

    def card(self, number: int) -> Card:
        return self.need_deck().cards[number]

    def need_deck(self) -> Deck:
        if self.deck is None:
            raise LocalError("the rules touched cards before they laid a fresh deck")
        return self.deck

    def identify(self, point: Point) -> int:
        """The number of a plaintext, which earlier proofs showed to be a card."""
        number = self._number_of.get(point)
        if number is None:
            raise LocalError("a verified slot holds no card of this deck")
        return number

    def number(self, number: object) -> int:
        """A card's number that a peer sent, checked."""
        known = type(number) is int and 0 <= number < len(self.points)
        checks.require("play.card", known, "malformed", "there is no such card in this deck")
        assert isinstance(number, int)
        lowest = self.need_deck().lowest[number]
        checks.require("play.copy", number == lowest, "malformed", "a copy of a card is named")
        return number

    def may_lay(self, slot: Slot, hidden: Sequence[Slot]) -> bool:
        """Whether a seat with these `hidden` slots can lay this one: one of them, or public."""
        return slot in hidden or self.numbers[slot] is not None

    def pledge(self, slot: Slot, to: Seat) -> None:
        """Note to which seat all others release shares of this cipher: the first one is final.

        Protocol section 2: two looks by two seats at one JOINT slot would publish all shares.
        LocalError if the rules ask for that.
        """
        first = self._pledged.setdefault(self.ciphers[slot][0], to)
        if first != to:
            raise LocalError(f"slot {slot} was released to seat {first}, not to {to}")

    def hidden_faces(self, numbers: Iterable[int]) -> tuple[int, ...]:
        """The faces among these with a copy that does not lie open, in order."""
        copies, lying = Counter(self.need_deck().lowest), Counter(self.numbers)
        return tuple(number for number in sorted(numbers) if lying[number] < copies[number])

    def swear(self, slots: Iterable[Slot], numbers: Iterable[int]) -> None:
        """Remember an oath: none of these slots holds one of these faces."""
        none_of = frozenset(numbers)
        for slot in slots:
            self._sworn[slot] |= none_of

    def is_sworn(self, slots: Iterable[Slot], numbers: Iterable[int]) -> bool:
        """Whether that is already sworn of the ciphers as they are."""
        none_of = frozenset(numbers)
        return all(none_of <= self._sworn[slot] for slot in slots)

    def mixed(self, slots: Iterable[Slot]) -> bool:
        """Whether these include hidden slots of two or more histories."""
        return len({self.history[slot] for slot in slots if self.numbers[slot] is None}) > 1


def own_history(step: int, slot: Slot) -> int:
    """Return the history of a slot that this step named, which no other slot has."""
    return (step << 16) + slot


def holders(moves: Iterable[tuple[Slot, Seat]], locks: Sequence[int]) -> dict[Seat, list[Slot]]:
    """The slots of `moves` by the seat whose lock is on them, in seat order."""
    by: dict[Seat, list[Slot]] = {}
    for slot, _ in moves:
        by.setdefault(locks[slot], []).append(slot)
    return dict(sorted(by.items()))
