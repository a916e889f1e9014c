"""Nobody can tell hidden cards by what is sent, by whom, in which order and how long."""

from __future__ import annotations

from random import Random

import pytest

from engine.game import Value
from engine.games import load
from tests.protocol.leaks import (
    OtherwiseIllegalError,
    exchanged,
    exchanges,
    first_game,
    second_game,
    shown,
)
from tests.protocol.scenes import SCENES, low
from tests.shares import every_second

TABLES: list[tuple[str, int, int, dict[str, Value]]] = [
    ("sneak", 3, 50, {}),
    ("flaps", 3, 60, {"level": 1}),
    ("flaps", 3, 60, {"level": 4}),
    ("flaps", 3, 60, {"level": 7}),
    ("you-fink", 3, 60, {}),
    ("flop-a", 3, 40, {}),
    ("flip-over", 4, 20, {"teams": True}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats", "steps", "options"), every_second(TABLES))
@pytest.mark.parametrize(
    ("seed", "wanted"),
    [(1, 1), *[pytest.param(seed, 2, marks=pytest.mark.full) for seed in range(2, 12)]],
)
def test_other_hidden_cards_look_the_same_to_who_may_not_know_them(
    name: str, seats: int, steps: int, options: dict[str, Value], seed: int, wanted: int
) -> None:
    """How many exchanges are compared for each seat that may not know of them."""
    game = load(name)
    one = first_game(game, seats, steps, seed, options)
    deck = one.hub.seats[0].cards.slots.need_deck()
    for observer in range(seats):
        compared = 0
        for pair in exchanges(one, observer, Random(seed)):
            with exchanged(deck, *pair):
                try:
                    two = second_game(one, game, seats, seed, options)
                except OtherwiseIllegalError:
                    continue
            if shown(two, observer, pair):
                continue
            assert two.sent == one.sent, pair
            assert two.entries == one.entries, pair
            compared += 1
            if compared == wanted:
                break
        assert compared == wanted, f"seat {observer} knows too many cards"


@pytest.mark.slow
def test_a_game_in_which_a_hidden_card_shows_would_be_found() -> None:
    """A seat that holds an ace or a two has to lay it: with another card in hand it lays less."""
    game = SCENES["laid-all"]
    one = first_game(game, 3, 6, 1, {})
    deck = one.hub.seats[0].cards.slots.need_deck()
    pairs = exchanges(one, 0, Random(1))
    shown = [(held, other) for held, other in pairs if low(deck.cards[other])]
    assert shown
    for pair in shown:
        with exchanged(deck, *pair):
            two = second_game(one, game, 3, 1, {})
        assert two.entries != one.entries


def test_the_holder_of_an_exchanged_card_reads_another_face() -> None:
    game = load("sneak")
    one = first_game(game, 3, 30, 1, {})
    slots = one.hub.seats[0].cards.slots
    (held, other), *_ = exchanges(one, 0, Random(1))
    (holder,) = (s for s in one.hub.seats if held in s.cards.slots.own.values())
    faces = [slots.card(number) for number in holder.cards.slots.own.values()]
    with exchanged(slots.need_deck(), held, other):
        changed = [slots.card(number) for number in holder.cards.slots.own.values()]
        assert slots.need_deck().numbers[slots.card(held)] == (held,)
    assert sum(one is not two for one, two in zip(faces, changed, strict=True)) == 1
    assert [slots.card(number) for number in holder.cards.slots.own.values()] == faces
