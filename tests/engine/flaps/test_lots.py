"""Cards that are picked blind are drawn by lot: their holder has no influence."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import pytest

from engine import acts
from engine.dealer import TrustedDealer
from engine.games.flaps.text import TEXT
from engine.question import Question
from engine.table import Table
from engine.table_state import OPEN
from engine.view import View
from tests.engine.flaps.scene import Scene

NAMES = ("Ann", "Bo", "Cy")
A, B, C = range(3)
HELD = ("9C", "9D", "9S")
"""What B holds in all tests."""
HANDS = {"LOSEC": 6, "SHAREH": 3, "1LOOKC": 3}
"""Cards that take one of them, and how many sides the coin then has."""


class Arranged(TrustedDealer):
    """B puts its hand into an order of its own; the coin falls as the test says."""

    def __init__(self, scene: Scene, order: tuple[str, ...], fallen: int) -> None:
        super().__init__(Random(0))
        self.truth.cards[:] = scene.dealer.truth.cards
        self.order, self.fallen, self.sides = order, fallen, 0

    def act(self, table: Table, question: Question[Any]) -> object:
        if isinstance(question, acts.Reshuffle) and question.by == B:
            cards = {self.truth.cards[slot].name: self.truth.cards[slot] for slot in question.slots}
            for slot, name in zip(question.slots, self.order, strict=True):
                self.truth.cards[slot] = cards[name]
            return None
        if isinstance(question, acts.Flip):
            self.sides = question.sides
            return (self.fallen,) * question.times
        return super().act(table, question)


def taken(card: str, order: tuple[str, ...], fallen: int) -> str:
    """The card of B that A's card takes, or lets A see."""
    scene = Scene([f"{card} 8H 8C", " ".join(HELD), "8D"], "5H" if "H" in card else "5C", "KC KD")
    arranged = scene.dealer = Arranged(scene, order, fallen)
    scene.lay(card)
    if card != "LOSEC":
        scene.say(B)
    assert arranged.sides == HANDS[card]
    known = scene.table.known_by
    (slot,) = scene.asked.options if card == "1LOOKC" else [s for s in known if known[s] & 1 << B]
    return scene.truth(slot)


@pytest.mark.parametrize("card", HANDS)
@pytest.mark.parametrize("order", list(permutations(HELD)), ids="".join)
def test_the_owners_order_has_no_influence(card: str, order: tuple[str, ...]) -> None:
    """However B orders its cards: over all falls of the coin each is drawn equally often."""
    found = Counter(taken(card, order, fallen) for fallen in range(HANDS[card]))
    assert found == dict.fromkeys(HELD, HANDS[card] // 3)


@pytest.mark.parametrize("card", HANDS)
def test_nobody_is_asked_which_card(card: str) -> None:
    """B is named if the rules let A name somebody; the next one asked knows the card."""
    scene = Scene([f"{card} 8H 8C", " ".join(HELD), "8D"], "5H" if "H" in card else "5C", "KC KD")
    scene.lay(card)
    if card != "LOSEC":
        assert scene.decider == A
        scene.say(B)
    if card == "1LOOKC":
        (slot,) = scene.asked.options
        assert scene.view(A).knows(slot)
        scene.say(slot)
    assert scene.decider == B
    assert scene.asked.kind == "play"


def test_people_are_told_what_was_drawn() -> None:
    scene = Scene(["LOSEC 8H 8C", " ".join(HELD), "8D"], "5C", "KC KD")
    scene.dealer = Arranged(scene, HELD, 5)
    scene.lay("LOSEC")
    notes = [TEXT.describe_note(note, NAMES) for note in scene.table.notes or []]
    assert notes[-3:-1] == [
        "Drawn by lot: Bo's 3rd card of 3, Cy's 1st card of 1 and Ann's 2nd card of 2.",
        "Everybody loses a secret: 3 cards to the Mystery Pile.",
    ]


# -- who learns it ---------------------------------------------------------------------------------


def given(scene: Scene, seat: int) -> tuple[object, ...]:
    """Everything that a seat is given: the state, its faces, the notes."""
    view: View = scene.view(seat)
    faces = [view.face(slot).name if view.knows(slot) else None for slot in everything(scene)]
    return scene.table.state(), faces, scene.table.notes


def everything(scene: Scene) -> range:
    return range(len(scene.table.faces))


@pytest.mark.parametrize(
    ("card", "entitled"), [("LOSEC", {B}), ("SHAREH", {A, B}), ("1LOOKC", {A, B})]
)
@pytest.mark.parametrize("fallen", range(3))
def test_nobody_else_can_tell_which_card_was_drawn(
    card: str, entitled: set[int], fallen: int
) -> None:
    """For each order of B's hand, those not entitled are given the same, though all knew a card."""
    worlds = []
    for order in permutations(HELD):
        top = "5H" if "H" in card else "5C"
        scene = Scene([f"{card} 8H 8C", " ".join(HELD), "8D"], top, "KC KD")
        seen_by_all(scene, "9D")
        scene.dealer = Arranged(scene, order, fallen)
        scene.lay(card)
        worlds.append(scene if card == "LOSEC" else scene.say(B))
    for seat in {A, B, C} - entitled:
        assert all(given(scene, seat) == given(worlds[0], seat) for scene in worlds)
    assert all(len({str(given(scene, seat)) for scene in worlds}) > 1 for seat in entitled)


def seen_by_all(scene: Scene, name: str) -> None:
    """B took this card from the discards that became the stock again."""
    slot = scene.slot(B, name)
    scene.table.locks[slot], scene.table.faces[slot] = OPEN, scene.dealer.truth.cards[slot]
