"""A card picked blind: its owner hides the order, one coin says the place, nobody chooses."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import lcm

import pytest

from engine import acts
from engine.errors import EngineError
from engine.table import Table
from engine.table_state import JOINT, OPEN
from engine.wording import asking
from engine.wording.words import Words
from engine.zone import Slot
from tests.engine.tiny import DECK

NAMES = ("Ann", "Bo", "Cy")


def table(*sizes: int) -> Table:
    """A hand of this many cards for each seat; the rest lies in a stock."""
    made, free = Table(len(sizes), DECK), list(range(len(DECK)))
    made.faces, made.locks, made.notes = [None] * len(DECK), [JOINT] * len(DECK), []
    for seat, size in enumerate(sizes):
        hand = made.zone("hand", seat)
        hand.extend(free[:size])
        for slot in hand:
            made.locks[slot] = seat
        del free[:size]
    made.zone("stock").extend(free)
    return made


def drawn(t: Table, *fallen: int) -> tuple[list[str], tuple[Slot, ...]]:
    """What is asked for a card of each hand, and what is drawn when the coin falls like this."""
    rule, asked = t.pick_blind(t.zones[:-1]), []
    answer: object = None
    try:
        while True:
            question = rule.send(answer)
            asked.append(question.kind)
            assert not question.deciders
            answer = fallen if isinstance(question, acts.Flip) else None
    except StopIteration as end:
        return asked, end.value


def test_every_owner_hides_the_order_before_the_one_coin_is_flipped() -> None:
    """A coin before the reshuffle would tell the owner where to put which card."""
    asked, _ = drawn(table(3, 2, 4), 11, 11, 11)
    assert asked == ["reshuffle"] * 3 + ["flip"]


@pytest.mark.parametrize("sizes", [(3,), (2, 3), (2, 4), (1, 2, 3)])
def test_all_places_are_equally_likely_and_independent(sizes: tuple[int, ...]) -> None:
    """Over all ways in which the coin can fall, every choice of places comes up equally often."""
    t, sides = table(*sizes), lcm(*sizes)
    found = Counter(drawn(t, *fallen)[1] for fallen in product(range(sides), repeat=len(sizes)))
    assert set(found) == set(product(*t.zones[:-1]))
    assert len(set(found.values())) == 1


def test_the_cards_stay_where_they_are_and_public_ones_are_hidden() -> None:
    t = table(3, 2)
    t.locks[0], t.faces[0] = OPEN, DECK.cards[0]
    hands = [list(hand) for hand in t.zones]
    assert drawn(t, 4, 3)[1] == (1, 4)
    assert [list(hand) for hand in t.zones] == hands
    assert t.locks[:5] == [0, 0, 0, 1, 1]
    assert t.faces[:5] == [None] * 5


def test_people_are_told_what_was_drawn_in_every_game() -> None:
    t = table(3, 2)
    drawn(t, 4, 3)
    assert t.notes == [("pick blind", ((0, 1, 3), (1, 1, 2)))]
    told = asking.note(Words(NAMES), t.notes[0])
    assert told == "Drawn by lot: Ann's 2nd card of 3 and Bo's 2nd card of 2."


def test_of_no_hands_nothing_is_asked() -> None:
    assert drawn(table()) == ([], ())


def test_a_hand_without_cards_or_twice_or_of_nobody_or_of_others_is_refused() -> None:
    t = table(3, 0)
    t.locks[2] = 1
    for hands, why in (
        ([t.zones[1]], "pick a card from an empty hand"),
        ([t.zones[0]] * 2, "pick a card from an empty hand, or twice from one"),
        ([t.zones[2]], "nobody owns the zone stock"),
        ([t.zones[0]], "reshuffle others' slots"),
    ):
        with pytest.raises(EngineError, match=why):
            t.pick_blind(hands).send(None)
