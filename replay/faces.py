"""Which faces a reader of a log may know, and from which step on.

A card that was shown had lain in its slot since the slot last changed its cipher: everybody can
tell this much afterwards.  A player's own log may tell more: what that seat saw.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Final

from engine.cards import Card, Deck
from engine.course import Course
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

    `same`: it is the card of the stay before.  `fresh`: it lies there as in a new deck.  `seen` are
    the seats that could read it, each with the step since which; EVERYBODY if it was shown.
    """

    step: int
    card: Card | None
    same: bool = False
    fresh: bool = False
    seen: dict[Seat, int] = field(default_factory=dict)


EVERYBODY: Final = -1
_step: Final[Callable[[_Stay], int]] = attrgetter("step")


class Faces(Slots):
    """The slots of a log that is read; they remember which card lay in them at which step."""

    def __init__(self, chain: Chain) -> None:
        super().__init__()
        self._chain = chain
        self._stays: defaultdict[Slot, list[_Stay]] = defaultdict(list)

    def lay_fresh(self, deck: Deck) -> None:
        super().lay_fresh(deck)
        for slot, card in enumerate(deck.cards):
            self._stays[slot].append(_Stay(self._chain.step, card, fresh=True))

    def hide(
        self, slots: Sequence[Slot], ciphers: Sequence[Cipher], history: int, *, same: bool = False
    ) -> None:
        super().hide(slots, ciphers, history, same=same)
        for slot in slots:
            self._stays[slot].append(_Stay(self._chain.step, None, same))

    def show(self, slot: Slot, number: int) -> Card:
        card = super().show(slot, number)
        self._stays[slot][-1].card = card
        self.see(slot, EVERYBODY)
        return card

    def see(self, slot: Slot, seat: Seat) -> None:
        """Note that this seat can read the card from now on."""
        self._stays[slot][-1].seen.setdefault(seat, self._chain.step)

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

    def recalled(self, slot: Slot, step: int, seat: Seat) -> Card | None:
        """The same, if this seat has seen the card where it lies, or where it lay before.

        What the rules say was seen may be another card by now: they know nothing of a hand that is
        hidden anew before a card of it is laid (protocol section 5).
        """
        stays, run = self._stays[slot], list[_Stay]()
        for stay in reversed(stays[: bisect_right(stays, step, key=_step)]):
            run.append(stay)
            if not stay.same:
                break
        seen = any(
            stay.seen.get(one, step + 1) <= step for stay in run for one in (seat, EVERYBODY)
        )
        return next((stay.card for stay in run if stay.card is not None), None) if seen else None


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

        super().__init__(table, seat, read, lambda slot: faces.recalled(slot, step, seat), course)
        self._known: Callable[[Slot], bool] = lambda slot: look(slot, step) is not None

    def knows(self, slot: Slot) -> bool:
        """Whether the log tells what this seat saw in the slot."""
        if self.table.faces[slot] is not None:
            return True
        return self.table.locks[slot] == self.seat and self._known(slot)
