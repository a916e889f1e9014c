"""The kit finds an observation with a face that its seat could never read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from engine.zone import Slot
from tests.engine.test_traps import Options, TinyTable, caught, passes, toy


@dataclass(slots=True, eq=False)
class BoastingTable(TinyTable):
    """It says of some cards that a seat has seen them."""

    boasts: list[tuple[int, Slot]] = field(default_factory=list)

    def has_seen(self, seat: int, slot: Slot) -> bool:
        return (seat, slot) in self.boasts


def boasting(seats: int, options: Options) -> BoastingTable:
    made = BoastingTable(seats)
    made.stock, made.laid = made.zone("stock"), made.zone("laid")
    made.hands = [made.zone("hand", seat) for seat in range(seats)]
    made.points = [0] * seats
    return made


async def boasts(t: Any, slot: Slot) -> None:
    t.boasts.append((1, slot))
    await t.choose(1, ("yes", "no"), "shall we?")


def test_a_face_that_its_seat_could_never_read_is_observed() -> None:
    """Seat 1 would see a card of seat 0 in an environment, though no peer could show it."""

    async def rules(t: TinyTable) -> None:
        await boasts(t, t.hands[0][0])

    slot = re.compile(r"\[\d+\]")
    said = slot.sub("[N]", caught(toy(rules, boasting)))
    assert said == (
        "toy, question choose (shall we?), seat 1: it observes the cards in [N], and could never"
        " read them: `has_seen` of the table says more than is true"
    )


def test_a_face_is_forgotten_when_its_card_was_shuffled() -> None:
    async def rules(t: TinyTable) -> None:
        await t.show(t.stock[-1], to=1)
        await t.put_back(t.stock[-1:], t.stock)
        await t.shuffle(t.stock)
        await boasts(t, t.stock[-1])

    assert "could never read them" in caught(toy(rules, boasting))


def test_a_face_that_its_seat_has_seen_may_be_observed() -> None:
    async def rules(t: TinyTable) -> None:
        await t.show(t.stock[-1], to=1)
        await t.put_back(t.stock[-1:], t.stock)
        await boasts(t, t.stock[-1])

    passes(toy(rules, boasting))
