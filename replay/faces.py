"""Which faces a reader of a log may know, and from which step on.

A card that was shown had lain in its slot since the slot last changed its cipher: everybody can
tell this much afterwards.  A player's own log may tell more: what that seat saw.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Final, NamedTuple

from engine.cards import Card, Deck
from engine.course import Course
from engine.memory import Memory
from engine.table import Table
from engine.view import View
from engine.zone import Seat, Slot
from p2p.crypto.elgamal import Cipher
from p2p.protocol.cards import Cards
from p2p.protocol.entry import Chain
from p2p.protocol.slots import Slots

Sight = Callable[[Slots, int, Slot], int | None]
"""What the reader's own seat saw in a slot before a step: the physical card, None if not told."""


@dataclass(slots=True)
class _Stay:
    """One card in one slot, from before `step` on, until the slot's cipher changes.

    `same`: it is the card of the stay before.  `fresh`: it lies there as in a new deck.
    """

    step: int
    card: Card | None
    same: bool = False
    fresh: bool = False


class _Mixed(NamedTuple):
    """The cards of these slots changed places before `step`."""

    step: int
    slots: Sequence[Slot]


class _Seen(NamedTuple):
    """A seat can read the card of a stay since before `step`; EVERYBODY if it was shown."""

    step: int
    slot: Slot
    stay: int
    seat: Seat


class _Deal(NamedTuple):
    """A deck of so many cards that was laid out before `step`, and what happened to its cards."""

    step: int
    cards: int
    happened: list[_Mixed | _Seen]


EVERYBODY: Final = -1
_step: Final[Callable[[_Stay | _Mixed | _Seen | _Deal], int]] = attrgetter("step")


class Faces(Slots):
    """The slots of a log that is read; they remember which card lay in them at which step."""

    def __init__(self, chain: Chain) -> None:
        super().__init__()
        self._chain = chain
        self._stays: defaultdict[Slot, list[_Stay]] = defaultdict(list)
        self._deals: list[_Deal] = []

    def lay_fresh(self, deck: Deck) -> None:
        super().lay_fresh(deck)
        self._deals.append(_Deal(self._chain.step, len(deck), []))
        for slot, card in enumerate(deck.cards):
            self._stays[slot].append(_Stay(self._chain.step, card, fresh=True))

    def hide(
        self, slots: Sequence[Slot], ciphers: Sequence[Cipher], history: int, *, same: bool = False
    ) -> None:
        super().hide(slots, ciphers, history, same=same)
        if not same:
            self._deals[-1].happened.append(_Mixed(self._chain.step, tuple(slots)))
        for slot in slots:
            self._stays[slot].append(_Stay(self._chain.step, None, same))

    def show(self, slot: Slot, number: int) -> Card:
        card = super().show(slot, number)
        self._stays[slot][-1].card = card
        self.see(slot, EVERYBODY)
        return card

    def see(self, slot: Slot, seat: Seat) -> None:
        """Note that this seat can read the card from now on."""
        stay = len(self._stays[slot]) - 1
        self._deals[-1].happened.append(_Seen(self._chain.step, slot, stay, seat))

    def remember(self, slot: Slot, number: int) -> None:
        """Note that the reader's own seat saw this card."""
        self._stays[slot][-1].card = self.card(number)

    def since(self, slot: Slot, step: int) -> int:
        """The step before which the slot got the cipher that it had before `step`."""
        stays = self._stays[slot]
        return stays[max(bisect_right(stays, step, key=_step) - 1, 0)].step

    def is_kept(self, slot: Slot, before: int, after: int) -> bool:
        """Whether the card before step `before` still lay there before step `after`, hidden."""
        stays = self._stays[slot]
        first, last = (bisect_right(stays, step, key=_step) for step in (before, after))
        return all(stay.same for stay in stays[first:last])

    def face(self, slot: Slot, step: int) -> Card | None:
        """What is known by the end of the log about the card in `slot` before `step`."""
        stays = self._stays[slot]
        place = bisect_right(stays, step, key=_step)
        return stays[place - 1].card if place else None

    def left(self, slot: Slot, step: int) -> Card | None:
        """The same, but if a new deck was laid out just before `step`, of the card before that.

        A card that ends a round is laid in a step after which there may be new ones at once.
        """
        stays = self._stays[slot]
        place = bisect_right(stays, step, key=_step)
        while place > 1 and stays[place - 1].fresh and stays[place - 1].step == step:
            place -= 1
        return stays[place - 1].card if place else None

    def remembered(self, seat: Seat, step: int) -> Memory:
        """What this seat remembered before `step`, as far as the log tells what it had seen then.

        What the rules say was seen may be another card by now: they know nothing of a hand that is
        hidden anew before a card of it is laid (protocol section 5).
        """
        memory, deal = Memory(), bisect_right(self._deals, step, key=_step)
        if not deal:
            return memory
        _, cards, happened = self._deals[deal - 1]
        memory.lay(cards)
        for one in happened[: bisect_right(happened, step, key=_step)]:
            if isinstance(one, _Mixed):
                memory.mix(one.slots)
                continue
            card = self._card(one.slot, one.stay) if one.seat in (seat, EVERYBODY) else None
            if card is not None:
                memory.see(one.slot, card)
        return memory

    def _card(self, slot: Slot, stay: int) -> Card | None:
        """What is known by the end of the log of the card of a stay, wherever it was seen."""
        stays, first, end = self._stays[slot], stay, stay + 1
        while first and stays[first].same:
            first -= 1
        while end < len(stays) and stays[end].same:
            end += 1
        return next((one.card for one in stays[first:end] if one.card is not None), None)


class ReadCards(Cards):
    """The cards of a log that is read: nothing is proven or decided, faces are remembered."""

    faces: Faces
    own: Seat | None = None
    sight: Sight | None = None

    def learn(self, slots: tuple[Slot, ...], seat: Seat) -> None:
        """Slots are now locked to `seat`: if it is the reader's own, remember what it saw."""
        for slot in slots:
            self.faces.see(slot, seat)
        if seat != self.own or self.sight is None:
            return
        for slot in slots:
            number = self.sight(self.slots, self.chain.step, slot)
            if number is not None:
                self.faces.remember(slot, number)


class SavedView(View):
    """The table before a step as one seat saw it, as far as the log tells.

    Cards that the seat could read but never showed are not known here, unless the log is that
    seat's own.  `left`: faces are those that the step before left there.
    """

    __slots__ = ("_known",)

    def __init__(
        self,
        table: Table,
        seat: Seat,
        faces: Faces,
        step: int,
        course: Course | None = None,
        *,
        left: bool = False,
    ) -> None:
        look = faces.left if left else faces.face

        def read(slot: Slot) -> Card:
            card = look(slot, step)
            if card is None:
                raise KeyError(f"slot {slot} was never shown")
            return card

        memory = cache(lambda: faces.remembered(seat, step))
        remember, among = lambda slot: memory().at(slot), lambda: memory().among()
        super().__init__(table, seat, read, remember, course, among)
        self._known: Callable[[Slot], bool] = lambda slot: look(slot, step) is not None

    def knows(self, slot: Slot) -> bool:
        """Whether the log tells what this seat saw in the slot."""
        if self.table.faces[slot] is not None:
            return True
        return self.table.locks[slot] == self.seat and self._known(slot)
