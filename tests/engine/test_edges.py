"""Of all answers that are near, each kind of question accepts exactly those that it asked for.

What it asked for is written here a second time, by `itertools` alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, permutations, product
from typing import Any

import pytest

from engine.acts import Cut, Flip
from engine.asked import Question
from engine.cards import Card, Deck
from engine.question import Choose, Either, LayDown, Otherwise, Play, Race, Together
from engine.sets import Laid, LaySet, LayTogether, Terms
from engine.table import Table
from engine.wording.words import CardStyle
from engine.zone import Zone
from tests.engine.tiny import DECK, FACES, RED

NEAR = range(-2, 6)
"""Numbers on both sides of what is asked for, and slots: 1 to 3 are in the hand."""
HELD = (1, 2, 3)


def table_and_hand() -> tuple[Table, Zone]:
    table = Table(2)
    table.deck = DECK
    hand = table.zone("hand", 0)
    hand.extend(HELD)
    table.faces, table.locks = [None] * 6, [1, 0, 0, 0, 1, 1]
    return table, hand


TABLE, HAND = table_and_hand()


def rows(of: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Every row of up to three of these."""
    return [*chain.from_iterable(product([*of], repeat=length) for length in range(4))]


ASKED: dict[str, tuple[Question[Any], Sequence[Any], Sequence[Any]]] = {
    "flip": (Flip(3, 2), rows(NEAR), [*product(range(3), repeat=2)]),
    "cut": (Cut((1, 2, 3), 2), rows(FACES[:2]), [*product(FACES[:2], repeat=2)]),
    "choose": (Choose(0, ("a", "b", "c"), "?"), [*NEAR, None, True], [0, 1, 2]),
    "together": (
        Together((0, 1), (("a",), ("a", "b")), "?"),
        rows([*NEAR, None]),
        [*product((None, 0), (None, 0, 1))],
    ),
    "lay down": (LayDown(0, HAND, 2), rows(NEAR), [*permutations(HELD, 2)]),
    "play": (
        Play(0, HAND, RED),
        [None, *product(NEAR, FACES)],
        [*product(HELD, FACES[:6])],
    ),
    "play or pass": (
        Play(0, HAND, RED, Otherwise.PASS),
        [None, *product(NEAR, FACES)],
        [None, *product(HELD, FACES[:6])],
    ),
    "play, or swear": (
        Play(0, HAND, RED, Otherwise.ANY_SWORN),
        [None, *product(NEAR, FACES)],
        [*product(HELD, FACES)],
    ),
    "lay a set face down": (
        LaySet(0, HAND, range(1, 3), Terms("any", up=False, down=True)),
        [None, *(Laid(slots, None) for slots in rows(NEAR))],
        [Laid(slots, None) for size in (1, 2) for slots in permutations(HELD, size)],
    ),
}


@pytest.mark.parametrize("what", ASKED)
def test_exactly_what_was_asked_for_is_accepted(what: str) -> None:
    asked, near, wanted = ASKED[what]
    assert [one for one in near if asked.why_not(TABLE, one) is None] == [
        one for one in near if any(one == other and type(one) is type(other) for other in wanted)
    ]
    assert all(one in near for one in wanted)


LAID = LaySet(0, HAND, range(1, 3), Terms("any"))
CARD, CALL = Play(0, HAND, RED), Choose(0, ("me",), "me")


@pytest.mark.parametrize(
    "asked",
    [
        CARD,
        LayDown(0, HAND, 2),
        LAID,
        LayTogether([LAID]),
        Either(CARD, CALL),
        Race([CARD], "first"),
        Race([Either(CARD, CALL)], "first"),
    ],
)
def test_a_question_for_cards_names_the_zone_from_which_they_come(asked: Question[Any]) -> None:
    assert asked.hand(0) is HAND


def test_a_question_for_words_is_about_no_zone() -> None:
    assert [asked.hand(0) for asked in (CALL, Together((0,), (("a",),), "?"))] == [None, None]


def test_a_race_is_hidden_where_somebody_may_claim_with_a_card() -> None:
    """Its window is told apart by that: nobody may be known to hold no card that fits."""
    slap = Choose(1, ("slap",), "slap")
    hidden = [Race(claims, "first").hidden for claims in ([CALL, slap], [CARD, slap])]
    assert hidden == [False, True]


def test_copies_of_a_face_are_one_card_after_the_other() -> None:
    deck = Deck("copies", FACES[:3], (2, 1, 3))
    assert [FACES.index(card) for card in deck.cards] == [0, 0, 1, 2, 2, 2]
    assert deck.lowest == (0, 0, 2, 3, 3, 3)
    assert deck.numbers[FACES[2]] == (3, 4, 5)


@pytest.mark.parametrize("copies", [(2, 1), (2, 1, 3, 1)])
def test_a_deck_says_of_each_face_how_often_it_is_printed(copies: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"zip\(\) argument 2"):
        Deck("copies", FACES[:3], copies)


@pytest.mark.parametrize("suit", [-1, 4])
def test_the_name_of_a_card_without_a_suit_stays_as_it_is(suit: int) -> None:
    """Its last letter may be that of a suit."""
    assert [CardStyle().card(Card(0, f"JOKER{end}", suit, 0), ascii=False) for end in "CDHS"] == [
        "JOKERC",
        "JOKERD",
        "JOKERH",
        "JOKERS",
    ]
