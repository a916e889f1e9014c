"""Combinations: the counts of the rules, every set listed once, which beats which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import Card
from engine.games.sneak.cards import DECKS, FACES
from engine.games.sneak.combos import (
    AUTHOR,
    FLUSH,
    HOUSE,
    MATCH,
    NOTHING,
    STRAIGHT,
    STRAIGHT_FLUSH,
    Kind,
    Order,
    is_combo,
    kind_of,
    strength,
)
from engine.games.sneak.hands import combos, runs_of
from engine.subsets import Subsets
from tests.engine.sneak.scene import cards


def counts(size: int) -> list[int]:
    found = Counter(kind_of(one) for one in combinations(FACES, size))
    return [found[kind] for kind in (MATCH, STRAIGHT_FLUSH, STRAIGHT, FLUSH, NOTHING)]


def test_the_counts_of_the_rules() -> None:
    """Section 3, one pack."""
    assert counts(2) == [78, 52, 156, 260, 780]
    assert counts(3) == [52, 48, 720, 1096, 20184]


@pytest.mark.full
def test_the_counts_of_the_rules_for_four_cards() -> None:
    assert counts(4) == [13, 44, 2772, 2816, 265080]


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        ("AS KH QD", STRAIGHT),
        ("AS 2H 3D", STRAIGHT),
        ("KS AH 2D", NOTHING),
        ("KS AS 2S", FLUSH),
        ("AS 2S", STRAIGHT_FLUSH),
        ("AS KS", STRAIGHT_FLUSH),
        ("7S 7S 8S", FLUSH),
        ("7S 7H 8D", NOTHING),
        ("7S 7S 7S", MATCH),
        ("2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC", STRAIGHT_FLUSH),
        ("AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC", FLUSH),
    ],
)
def test_what_a_set_is(names: str, kind: Kind) -> None:
    """No round-the-corner runs (D2); runs have one card of each rank."""
    assert kind_of(cards(names)) is kind


RISING = (
    "2C 4H|5C 7H|5C 8H|AC 3H|AC QH",  # nothing, by high cards
    "2S 4S|AS 3S|AH QH",  # flush
    "AS 2H|2S 3H|QS KH|KS AH",  # straight
    "AS 2S|2S 3S|QS KS|KS AS",  # straight flush
    "2S 2H|3S 3H|AS AH",  # match
)


def test_the_order_of_the_author() -> None:
    """Section 3: categories as in the table, inside them by D4."""
    rising = [cards(names) for line in RISING for names in line.split("|")]
    values = [strength(one, AUTHOR) for one in rising]
    assert values == sorted(set(values))


def test_the_order_of_the_house() -> None:
    """Section 8: straight flush above match, flush above straight."""
    nothing, flush, straight, straight_flush, match = (line.split("|") for line in RISING)
    rising = [cards(n) for line in (nothing, straight, flush, match, straight_flush) for n in line]
    values = [strength(one, HOUSE) for one in rising]
    assert values == sorted(set(values))


@pytest.mark.parametrize("order", [AUTHOR, HOUSE])
def test_suits_never_matter(order: Order) -> None:
    for one, other in (("QS", "QH"), ("5S 6H", "5H 6S"), ("5S 9S", "5D 9D"), ("4S 4H", "4C 4D")):
        assert strength(cards(one), order) == strength(cards(other), order)


def beats(challenge: str, led: str, order: Order = AUTHOR) -> bool:
    kind = kind_of(cards(led))
    return strength(cards(challenge), order, kind) >= strength(cards(led), order, kind)


@pytest.mark.parametrize(
    ("led", "winning", "losing"),
    [
        ("KH AH", "KS AS", "2S 2H|QS KS|KS AH"),
        ("5S 6D", "2S 2H|5H 6S|5H 6H|QS KS", "4H 5H|AS 9S"),
        ("2S 9S", "2D 2H|AS 2H|9H 8H|9H 3H", "8H 7H|8H 6H|9H"),
        ("4S 4H", "4C 4D|5C 5D", "3C 3D|KS AS|KS AH"),
    ],
)
def test_what_beats_a_flaunt(led: str, winning: str, losing: str) -> None:
    """Section 5: the four rules for flaunts; a straight flush is demoted."""
    assert all(beats(one, led) for one in winning.split("|"))
    assert not any(beats(one, led) for one in losing.split("|") if len(one.split()) == 2)


def test_what_beats_a_flaunt_by_the_house_ranking() -> None:
    """Decision: a straight flush beats a flaunted match, a flush beats a flaunted straight."""
    assert beats("2S 3S", "AS AH", HOUSE)
    assert beats("2S 4S", "QS KH", HOUSE)
    assert not beats("QH KS", "2S 4S", HOUSE)
    assert not beats("2S 3S", "5S 6H", HOUSE)
    assert not beats("AS AH", "2S 3S", HOUSE)


def listed(hand: Sequence[Card], sizes: range) -> list[tuple[int, ...]]:
    return list(Subsets(combos(hand, range(len(hand)), sizes)))


@settings(max_examples=60)
@given(
    st.sampled_from([1, 2]).flatmap(
        lambda packs: st.lists(
            st.integers(0, len(DECKS[packs]) - 1), min_size=1, max_size=9, unique=True
        ).map(lambda numbers: [DECKS[packs].cards[number] for number in numbers])
    )
)
def test_every_combo_of_a_hand_is_listed_once(hand: list[Card]) -> None:
    found = [tuple(sorted(one)) for one in listed(hand, range(1, len(hand) + 1))]
    expected = [
        one
        for size in range(1, len(hand) + 1)
        for one in combinations(range(len(hand)), size)
        if is_combo([hand[place] for place in one])
    ]
    assert sorted(found) == sorted(expected)


@pytest.mark.parametrize("packs", [1, 2])
def test_the_combos_of_whole_packs_are_as_many_as_there_are(packs: int) -> None:
    deck = DECKS[packs].cards
    sizes = range(2, 4)
    expected = sum(is_combo(one) for size in sizes for one in combinations(deck, size))
    assert len(Subsets(combos(deck, range(len(deck)), sizes))) == expected


def test_runs_go_up_to_the_whole_suit() -> None:
    assert [len(runs_of(size)) for size in (2, 3, 4, 12, 13, 14)] == [13, 12, 11, 3, 1, 0]
