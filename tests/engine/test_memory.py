"""What a seat remembers of cards that change places is true, and as much as a person remembers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from engine.cards import Card, Deck
from engine.memory import Among, Memory
from engine.zone import Slot

DECK = Deck("memory/8", [Card(number, "ABCDEFGH"[number], 0, number) for number in range(8)])
COPIES = Deck("memory/9", [Card(number, "abc"[number], 0, number) for number in range(3)], [3] * 3)
A, B, C, D, *_ = DECK.cards


def remembering(**cards: Card) -> Memory:
    """Who has seen these cards, `slot_3=A` for card A in slot 3."""
    memory = Memory()
    memory.lay(len(DECK))
    for slot, card in cards.items():
        memory.see(int(slot.removeprefix("slot_")), card)
    return memory


def known(memory: Memory) -> set[tuple[str, tuple[Slot, ...]]]:
    """All that is remembered; no test here has two copies of a card in the same slots."""
    return {(card.name, tuple(sorted(slots))) for card, slots in memory.among()}


def test_a_card_that_was_seen_lies_where_it_was_seen() -> None:
    memory = remembering(slot_1=A, slot_4=B)
    assert (memory.at(1), memory.at(4), memory.at(0)) == (A, B, None)
    assert memory.among() == [Among(A, frozenset({1})), Among(B, frozenset({4}))]


def test_a_hand_that_is_mixed_holds_what_it_held() -> None:
    memory = remembering(slot_1=A, slot_2=B, slot_7=C)
    memory.mix([1, 2, 3])
    assert known(memory) == {("A", (1, 2, 3)), ("B", (1, 2, 3)), ("C", (7,))}
    assert [memory.at(slot) for slot in (1, 2, 3, 7)] == [None, None, None, C]


def test_what_may_lie_there_may_lie_anywhere_there_after_it_is_mixed_again() -> None:
    """A card of a hand went to another one, nobody knows which, and that is mixed with it."""
    memory = remembering(slot_1=A, slot_5=B)
    memory.mix([1, 2])
    memory.mix([2, 4, 5])
    assert known(memory) == {("A", (1, 2, 4, 5)), ("B", (2, 4, 5))}
    memory.mix([6, 7])
    assert known(memory) == {("A", (1, 2, 4, 5)), ("B", (2, 4, 5))}


def test_the_last_card_of_a_hand_is_known_once_the_other_is_laid() -> None:
    """A review called a decision a mistake because it had forgotten such a card."""
    memory = remembering(slot_1=A)
    memory.mix([1, 2])
    assert memory.at(2) is None
    memory.see(1, B)
    assert memory.at(2) is A


def test_a_card_that_comes_out_of_a_hand_is_no_longer_in_it() -> None:
    memory = remembering(slot_1=A, slot_2=B)
    memory.mix([1, 2, 3])
    memory.see(2, A)
    assert known(memory) == {("A", (2,)), ("B", (1, 3))}
    memory.see(1, C)
    assert known(memory) == {("A", (2,)), ("B", (3,)), ("C", (1,))}


def test_a_hand_of_one_card_cannot_be_mixed() -> None:
    memory = remembering(slot_1=A)
    memory.mix([1])
    assert memory.at(1) is A


def test_slots_that_are_full_hold_no_other_card() -> None:
    memory = remembering(slot_1=A, slot_2=B, slot_3=C)
    memory.mix([1, 2, 4])
    memory.mix([3, 4])
    assert known(memory) == {("A", (1, 2, 3, 4)), ("B", (1, 2, 3, 4)), ("C", (3, 4))}
    memory.see(4, D)
    assert known(memory) == {("A", (1, 2)), ("B", (1, 2)), ("C", (3,)), ("D", (4,))}


def test_one_of_several_copies_may_be_the_other_one() -> None:
    a, b, *_ = COPIES.faces
    memory = Memory()
    memory.lay(len(COPIES))
    for slot, card in ((1, a), (4, a), (7, b)):
        memory.see(slot, card)
    memory.mix([1, 2])
    memory.mix([4, 5, 6])
    memory.mix([2, 6, 7])
    assert known(memory) == {("a", (1, 2, 6, 7)), ("a", (2, 4, 5, 6, 7)), ("b", (2, 6, 7))}
    memory.see(6, a)
    assert known(memory) == {("a", (6,)), ("a", (1, 2, 4, 5, 7)), ("b", (2, 7))}


def test_of_several_copies_the_one_with_the_fewest_places_is_seen() -> None:
    a, *_ = COPIES.faces
    memory = Memory()
    memory.lay(len(COPIES))
    for seen, slots in ((1, (1, 2)), (3, (2, 3)), (4, (3, 4))):
        memory.see(seen, a)
        memory.mix(slots)
    assert known(memory) == {("a", (1, 2, 3, 4)), ("a", (2, 3, 4)), ("a", (3, 4))}
    memory.see(3, a)
    assert known(memory) == {("a", (3,)), ("a", (1, 2, 4)), ("a", (2, 4))}


def test_that_a_card_lies_somewhere_is_not_kept() -> None:
    memory = remembering(slot_1=A, slot_2=B)
    memory.mix(range(len(DECK)))
    assert not memory.among()


def test_a_fresh_deck_is_not_the_one_before() -> None:
    memory = remembering(slot_1=A, slot_2=B)
    memory.mix([1, 3])
    memory.lay(len(DECK))
    assert not memory.among()


class World:
    """Where the cards really lie, and what a seat remembers of it.  All follows from the seed."""

    def __init__(self, deck: Deck, seed: int) -> None:
        self.rng = Random(seed)
        self.cards = [*deck.cards]
        self.rng.shuffle(self.cards)
        self.memory = Memory()
        self.memory.lay(len(deck))

    def see(self, slot: Slot) -> Card:
        self.memory.see(slot, self.cards[slot])
        return self.cards[slot]

    def mix(self, slots: Sequence[Slot]) -> None:
        moved = [self.cards[slot] for slot in self.rng.sample(slots, len(slots))]
        for slot, card in zip(slots, moved, strict=True):
            self.cards[slot] = card
        self.memory.mix(slots)


@pytest.mark.parametrize("deck", [DECK, COPIES])
def test_what_is_remembered_is_always_true(deck: Deck) -> None:
    """Slots are looked at and mixed by chance, those that were seen too."""
    sizes = Counter[int]()
    for seed in range(150):
        world = World(deck, seed)
        for turn in range(40):
            slots = world.rng.sample(range(len(deck)), world.rng.randint(1, 4))
            if world.rng.random() < 0.4:
                world.mix(slots)
            else:
                world.see(slots[0])
            told = world.memory.among()
            assert is_true(told, world.cards), f"seed {seed}, turn {turn}"
            sizes.update(len(one.slots) for one in told)
    assert sizes[1] > 1000
    assert sizes.total() - sizes[1] > 1000


def is_true(told: Sequence[Among], cards: Sequence[Card]) -> bool:
    """Whether all these cards lie where it is told, each in a slot of its own.

    Kuhn's search for a matching: who finds all its places taken asks those there to move.
    """
    taken = dict[Slot, int]()

    def place(number: int, tried: set[Slot]) -> bool:
        for slot in told[number].slots - tried:
            if cards[slot] is told[number].card:
                tried.add(slot)
                if slot not in taken or place(taken[slot], tried):
                    taken[slot] = number
                    return True
        return False

    return all(place(number, set()) for number in range(len(told)))


def test_of_one_hand_at_least_what_a_person_remembers() -> None:
    """All cards that were seen in it and not laid since are in it, and a last one is known."""
    last = 0
    for seed in range(60):
        world, hand, stock, seen = World(DECK, seed), [0, 1, 2], [*range(3, 8)], set[Card]()
        while hand:
            if world.rng.random() < 0.4:
                looked = world.rng.choice(hand)
                world.see(looked)
                seen.add(world.cards[looked])
            if stock and world.rng.random() < 0.4:
                hand.append(stock.pop())
            world.mix(hand)
            seen.discard(world.see(hand.pop(world.rng.randrange(len(hand)))))
            told = [one for one in world.memory.among() if {*hand} & one.slots]
            assert {one.card for one in told} == seen, f"seed {seed}"
            assert all(one.slots <= {*hand} for one in told), f"seed {seed}"
            if len(hand) == 1 and seen:
                assert world.memory.at(hand[0]) is world.cards[hand[0]], f"seed {seed}"
                last += 1
    assert last > 20
