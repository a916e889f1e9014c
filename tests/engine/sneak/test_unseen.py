"""How likely a set is beaten, against all sets that the other player can really lay."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest

from engine.cards import Card
from engine.games.sneak.cards import DECKS, FACES
from engine.games.sneak.combos import AUTHOR, HOUSE, Kind, Order, kind_of, strength
from engine.games.sneak.unseen import Unseen
from tests.engine.sneak.scene import Scene, cards

KINDS = [Kind.NOTHING, Kind.FLUSH, Kind.STRAIGHT, Kind.STRAIGHT_FLUSH, Kind.MATCH, Kind.SINGLE]


def unseen(own: Sequence[Card], others: Sequence[Card]) -> Unseen:
    """What a player with these cards cannot see, if all but those of the other lie open."""
    hands = [" ".join(card.name for card in hand) for hand in (own, others)]
    scene = Scene(hands, stock=0)
    table, truth = scene.table, DECKS[1].cards
    for slot in table.winnings[-1]:
        table.faces[slot] = truth[slot]
    return Unseen(scene.dealer.view(table, 0), table)


def beats(other: Sequence[Card], own: Sequence[Card], order: Order, led: Kind | None) -> bool:
    """By the kind of the set and the card that decides between two of a kind; a tie is enough."""
    return strength(other, order, led)[:2] >= strength(own, order, led)[:2]


def drawn(rng: Random, kind: Kind, size: int) -> list[Card]:
    """A set of this kind."""
    while True:
        found = rng.sample(FACES[:52], size)
        if kind_of(found) is kind:
            return found


@pytest.mark.parametrize("order", [AUTHOR, HOUSE], ids=["author", "house"])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.value)
def test_against_all_unseen_cards_it_is_certain_whether_a_set_is_beaten(
    kind: Kind, order: Order
) -> None:
    """If the other one holds all that is unseen, he can beat it or he cannot."""
    rng = Random(f"{kind} {order is HOUSE}")
    sizes = (1,) if kind is Kind.SINGLE else (2, 3)
    said = set()
    for number in range(40):
        size = sizes[number % len(sizes)]
        own = drawn(rng, kind, size)
        others = rng.sample([card for card in FACES[:52] if card not in own], rng.randint(size, 9))
        led = kind if kind in (Kind.MATCH, Kind.STRAIGHT_FLUSH) and number % 4 < 2 else None
        real = any(beats(other, own, order, led) for other in combinations(others, size))
        (chance,) = unseen(own, others).beaten(own, [len(others)], order, led)
        assert chance == pytest.approx(float(real)), (own, others, led)
        said.add(real)
    assert said == {True, False}


def test_a_card_is_beaten_by_those_that_are_as_high_as_often_as_one_of_them_is_held() -> None:
    """Half of what is unseen is in the hand: each card of it is there every second time."""
    found = unseen(cards("9S"), cards("2C 3D 9H JC"))
    assert found.beaten(cards("9S"), [2], AUTHOR) == pytest.approx([1 - 0.5**2])
    assert found.beaten(cards("JD"), [2, 0], AUTHOR) == pytest.approx([0.5, 0.0])
    assert found.beaten(cards("QD"), [4], AUTHOR) == [0.0]


def test_lower_is_the_part_of_the_unseen_cards_below() -> None:
    found = unseen(cards("9S"), cards("2C 3D 9H JC"))
    assert [found.lower(*cards(name)) for name in ("2D", "9S", "10D", "AS")] == [0, 0.5, 0.75, 1]
    assert unseen(cards("9S"), []).lower(*cards("AS")) == 0


def test_of_one_unseen_card_all_is_known() -> None:
    own, other = cards("5C 9D"), cards("7H")
    view = unseen(own, other)
    assert [view.lower(card) for card in own] == [0.0, 1.0]
