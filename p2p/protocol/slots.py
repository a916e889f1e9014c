"""The ciphers behind the slots, and what this seat can read of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.cards import Card, Deck
from engine.table_state import OPEN
from engine.zone import Seat, Slot
from p2p import checks
from p2p.crypto.elgamal import Cipher, card_point, fresh, read
from p2p.crypto.group import Point
from p2p.crypto.keys import TableSecret
from p2p.errors import LocalError


class Seen(NamedTuple):
    """A seat came to read a slot before `step`: it holds the physical card `number`."""

    step: int
    slot: Slot
    number: int


class Slots:
    """Protocol section 2: each slot is an ElGamal pair; locks stand in the engine's table.

    `numbers[slot]` is the physical card of a public slot; `own[slot]` that of a slot which
    this seat alone can read.  `history[slot]` names what is publicly known of where a hidden
    slot came from: slots of equal history cannot be told apart by the others.
    """

    def __init__(self) -> None:
        self.deck: Deck | None = None
        self.points: list[Point] = []
        self.ciphers: list[Cipher] = []
        self.numbers: list[int | None] = []
        self.own: dict[Slot, int] = {}
        self.history: list[int] = []
        self._number_of: dict[Point, int] = {}
        self._sworn: list[tuple[frozenset[Slot], frozenset[int]]] = []
        self._pledged: dict[Point, int] = {}

    def lay_fresh(self, deck: Deck) -> None:
        """A new deck: slot i is physical card i, and everybody knows it."""
        if deck is not self.deck:
            self.deck = deck
            self.points = [card_point(deck.name, number) for number in range(len(deck))]
            self._number_of = {point: number for number, point in enumerate(self.points)}
        self.ciphers = [fresh(point) for point in self.points]
        self.numbers = list(range(len(deck)))
        self.history = [0] * len(deck)
        self.own.clear()
        self._sworn.clear()

    def cipher(self, slot: Slot) -> Cipher:
        """The slot as it enters a shuffle: an open card becomes (identity, M)."""
        number = self.numbers[slot]
        return self.ciphers[slot] if number is None else fresh(self.points[number])

    def hide(self, slots: Sequence[Slot], ciphers: Sequence[Cipher], history: int) -> None:
        """These slots now stand for these ciphers, and nobody is known to read them."""
        for slot, cipher in zip(slots, ciphers, strict=True):
            self.ciphers[slot] = cipher
            self.numbers[slot] = None
            self.history[slot] = history
            self.own.pop(slot, None)
        gone = frozenset(slots)
        # An oath about a set of slots survives a reshuffle of the whole set, nothing else.
        self._sworn = [oath for oath in self._sworn if not oath[0] & gone]

    def learn(self, slots: Iterable[Slot], secret: TableSecret) -> None:
        """Read slots that stand under this seat's key alone."""
        for slot in slots:
            self.own[slot] = self.identify(read(secret, self.ciphers[slot]))

    def show(self, slot: Slot, number: int) -> Card:
        """The slot's physical card is public from now on."""
        self.numbers[slot] = number
        self.own.pop(slot, None)
        return self.card(number)

    def card(self, number: int) -> Card:
        return self.need_deck().cards[number]

    def need_deck(self) -> Deck:
        if self.deck is None:
            raise LocalError("the rules touched cards before they laid a fresh deck")
        return self.deck

    def identify(self, point: Point) -> int:
        """The physical card of a plaintext; every proof before said that it is one."""
        number = self._number_of.get(point)
        if number is None:
            raise LocalError("a verified slot holds no card of this deck")
        return number

    def number(self, number: object) -> int:
        """A physical card number that a peer sent, checked."""
        known = type(number) is int and 0 <= number < len(self.points)
        checks.require("play.card", known, "malformed", "there is no such card in this deck")
        assert isinstance(number, int)
        return number

    def pledge(self, slot: Slot, lock: int) -> None:
        """Note towards whom shares of this cipher are released: the first one fixes it.

        Protocol section 2: two looks by two seats at one JOINT slot would publish all shares.
        """
        first = self._pledged.setdefault(self.ciphers[slot][0], lock)
        if first not in (lock, OPEN) and lock != OPEN:
            raise LocalError(f"slot {slot} was released to seat {first}, not to {lock}")

    def swear(self, slots: Iterable[Slot], numbers: Iterable[int]) -> None:
        """Remember an oath: none of these slots is one of these physical cards."""
        self._sworn.append((frozenset(slots), frozenset(numbers)))

    def is_sworn(self, slots: Iterable[Slot], numbers: Iterable[int]) -> bool:
        """Whether an earlier oath, still standing, covers this one."""
        about, none_of = frozenset(slots), frozenset(numbers)
        return any(about <= held and none_of <= given for held, given in self._sworn)

    def mixed(self, slots: Iterable[Slot]) -> bool:
        """Whether hidden slots of two or more histories lie among these."""
        return len({self.history[slot] for slot in slots if self.numbers[slot] is None}) > 1


def holders(moves: Iterable[tuple[Slot, Seat]], locks: Sequence[int]) -> dict[Seat, list[Slot]]:
    """The slots of `moves` by the seat whose lock is on them, seats in order."""
    by: dict[Seat, list[Slot]] = {}
    for slot, _ in moves:
        by.setdefault(locks[slot], []).append(slot)
    return dict(sorted(by.items()))
