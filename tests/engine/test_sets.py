"""Sets: every way to take cards, by number; what may be laid at once, openly or in secret."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from random import Random
from sys import maxsize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import Card, Deck
from engine.errors import IllegalAnswer
from engine.games.sneak.cards import FACES as SNEAK
from engine.games.sneak.hands import combos
from engine.question import PASS
from engine.sets import MOST_TRIED, Laid, Lay, LaySet, LayTogether, Terms
from engine.subsets import Block, Subsets, every, number_of
from engine.table import Table
from engine.table_state import JOINT, OPEN
from engine.truth import Truth
from engine.view import View
from engine.zone import Slot

FACES = [Card(rank, f"{rank}C", 0, rank) for rank in range(8)]


@given(st.integers(0, 9), st.integers(1, 9))
def test_every_combination_in_the_order_of_itertools(size: int, count: int) -> None:
    slots = range(10, 10 + size)
    listed = Subsets(every(slots, range(count, count + 1)))
    expected = list(combinations(slots, count))
    assert list(listed) == expected
    assert len(listed) == len(expected)
    places = list(combinations(range(size), count))
    assert [number_of(one, size) for one in places] == list(range(len(places)))


def test_blocks_multiply_their_picks_and_follow_each_other() -> None:
    listed = Subsets([Block((((1, 2), 1), ((3, 4, 5), 2))), Block((((), 1),)), Block((((9,), 1),))])
    assert list(listed) == [
        *[(one, *two) for one in (1, 2) for two in combinations((3, 4, 5), 2)],
        (9,),
    ]
    assert listed[-1] == (9,)
    assert listed[1:3] == [(1, 3, 5), (1, 4, 5)]
    with pytest.raises(IndexError):
        listed[7]


@given(st.sets(st.integers(0, 9)))
def test_ways_that_are_left_out_are_skipped(without: set[int]) -> None:
    kept = [one for i, one in enumerate(combinations(range(5), 2)) if i not in without]
    listed = Subsets([Block(((range(5), 2),), tuple(sorted(without)))])
    assert list(listed) == kept


def test_more_ways_than_a_length_can_tell_are_cut_off() -> None:
    assert comb(104, 52) > maxsize
    listed = Subsets(every(range(104), range(52, 53)))
    assert len(listed) == maxsize
    assert listed[0] == tuple(range(52))
    assert len(set(listed[maxsize - 1])) == 52


# -- the questions ------------------------------------------------------------------------------


def low(cards: Sequence[Card]) -> bool:
    return all(card.rank < 4 for card in cards)


def low_sets(cards: Sequence[Card], slots: Sequence[Slot], sizes: range) -> list[Block]:
    return every([s for c, s in zip(cards, slots, strict=True) if c.rank < 4], sizes)


LOW = Terms("low", fits=low, sets=low_sets, why="that is too high")
ANY = Terms("any", down=True, may_pass=True)


def table() -> Table:
    """Seat 0 holds 0 to 3 and 6; seat 1 holds 4, 5 and 7; slot 6 is open to all."""
    made = Table(2, Deck("sets", FACES))
    for seat, slots in enumerate(((0, 1, 2, 3, 6), (4, 5, 7))):
        made.zone("hand", seat).extend(slots)
    made.locks = [0, 0, 0, 0, 1, 1, OPEN, 1]
    made.faces = [None] * 8
    made.faces[6] = FACES[6]
    return made


def question(made: Table, terms: Terms, sizes: range = range(1, 3), seat: int = 0) -> LaySet:
    return LaySet(seat, made.zones[seat], sizes, terms)


def view(made: Table, seat: int = 0) -> View:
    return View(made, seat, FACES.__getitem__)


def test_decisions_are_passing_then_face_down_then_open() -> None:
    made = table()
    decisions = question(made, ANY, range(1, 2)).decisions(view(made))
    slots = [(0,), (1,), (2,), (3,), (6,)]
    assert list(decisions) == [
        PASS,
        *[Lay(one, True) for one in slots],
        *[Lay(one) for one in slots],
    ]
    assert decisions[-1] == Lay((6,))
    assert len(decisions[2:4]) == 2
    with pytest.raises(IndexError):
        decisions[11]


def test_only_what_fits_is_offered_openly() -> None:
    made = table()
    decisions = list(question(made, LOW).decisions(view(made)))
    assert len(decisions) == 4 + comb(4, 2)
    assert Lay((6,)) not in decisions


def pairs(cards: Sequence[Card]) -> bool:
    return len(cards) == 2 and abs(cards[0].rank - cards[1].rank) == 1


@given(st.integers(1, 4), st.integers(0, 2))
def test_what_is_offered_follows_from_fits_where_nothing_lists_it(first: int, more: int) -> None:
    made, sizes = table(), range(first, first + more + 1)
    for terms in (LOW, Terms("low", fits=low)):
        decisions = list(question(made, terms, sizes).decisions(view(made)))
        assert decisions == [
            Lay(slots)
            for size in sizes
            for slots in combinations(made.zones[0], size)
            if low([FACES[slot] for slot in slots])
        ]


def test_of_sets_that_follow_from_fits_singles_may_fit_unasked() -> None:
    made = table()
    found = question(made, Terms("pairs", fits=pairs, singles_fit=True)).decisions(view(made))
    singles = [Lay((slot,)) for slot in made.zones[0]]
    assert list(found) == [*singles, Lay((0, 1)), Lay((1, 2)), Lay((2, 3))]
    found = question(made, Terms("pairs", fits=pairs)).decisions(view(made))
    assert list(found) == [Lay((0, 1)), Lay((1, 2)), Lay((2, 3))]


def test_no_more_sets_are_tried_than_a_program_has_time_for() -> None:
    asked, cards = [0], [FACES[0]] * 40

    def never(some: Sequence[Card]) -> bool:
        asked[0] += 1
        return False

    assert list(Terms("never", fits=never).candidates(cards, range(40), range(1, 41))) == []
    assert asked == [MOST_TRIED]


@pytest.mark.parametrize(
    ("terms", "answer", "sentence"),
    [
        (LOW, PASS, "cards have to be laid"),
        (LOW, Laid((0, 1, 2), tuple(FACES[:3])), "not the right number"),
        (LOW, Laid((), ()), "not the right number"),
        (LOW, Laid((0, 0), (FACES[0], FACES[0])), "only once"),
        (LOW, Laid((4,), (FACES[4],)), "not there to be laid"),
        (LOW, Laid((0,), None), "laid open here"),
        (LOW, Laid((0, 1), (FACES[0],)), "one face for each card"),
        (LOW, Laid((6,), (FACES[0],)), "not the face of this card"),
        (LOW, Laid((6,), (FACES[6],)), "too high"),
        (Terms("down", up=False, down=True), Laid((0,), (FACES[0],)), "face down here"),
    ],
)
def test_why_a_set_is_refused(terms: Terms, answer: Laid | None, sentence: str) -> None:
    made = table()
    refused = question(made, terms).why_not(made, answer)
    assert refused is not None
    assert sentence in refused


def test_a_legal_set_is_not_refused() -> None:
    made = table()
    assert question(made, LOW).why_not(made, Laid((0, 3), (FACES[0], FACES[3]))) is None
    assert question(made, ANY).why_not(made, Laid((0, 3), None)) is None
    assert question(made, ANY).why_not(made, PASS) is None


@pytest.mark.parametrize("terms", [ANY, LOW])
def test_a_set_is_allowed_in_any_order_without_a_look_through_the_offers(terms: Terms) -> None:
    made = table()
    seen, asked = view(made), LayTogether([question(made, terms)])
    offers = asked.decisions(seen)
    for decision in offers:
        assert asked.allows(seen, decision)
        assert decision is PASS or asked.allows(seen, Lay(decision.slots[::-1], decision.down))
    for wrong in (0, "all", Lay(()), Lay((4,)), Lay((1, 1))):
        assert not asked.allows(seen, wrong)
    assert asked.allows(seen, Lay((6,))) is (Lay((6,)) in offers)


def test_the_dealer_adds_the_faces_of_what_is_laid_open_only() -> None:
    made = table()
    asked = question(made, ANY)
    truth = Truth(Random(0), FACES)
    assert asked.resolve(truth, made, {0: Lay((1, 6))}) == Laid((1, 6), (FACES[1], FACES[6]))
    assert asked.resolve(truth, made, {0: Lay((1, 6), True)}) == Laid((1, 6), None)
    assert asked.resolve(truth, made, {0: PASS}) is None
    for wrong in (0, Lay((4,)), Lay((1, 1)), Lay(())):
        with pytest.raises(IllegalAnswer):
            asked.resolve(truth, made, {0: wrong})


def test_secret_sets_are_answered_for_every_seat() -> None:
    made = table()
    asked = LayTogether([question(made, LOW), question(made, ANY, seat=1)])
    assert asked.deciders == (0, 1)
    assert next(iter(asked.decisions(view(made, 1)))) is PASS
    answer = asked.resolve(Truth(Random(0), FACES), made, {0: Lay((0,)), 1: PASS})
    assert answer == (Laid((0,), (FACES[0],)), None)
    assert isinstance(answer, tuple)
    assert asked.why_not(made, answer) is None
    assert asked.why_not(made, (None,)) == "one answer a seat is needed"
    assert asked.why_not(made, (Laid((6,), (FACES[6],)), None)) == "that is too high"
    assert asked.why_not(made, (None, None)) is None


def test_cards_that_lie_face_down_are_counted_whoever_lays_them() -> None:
    made = table()
    one = question(made, ANY)
    for asked in (one, LayTogether([one])):
        laid = [
            asked.face_down(lay) for lay in (PASS, Lay((0, 1)), Lay((0,), True), Lay((0, 1), True))
        ]
        assert laid == [0, 0, 1, 2]


@pytest.mark.parametrize("down", [True, False])
def test_the_verb_moves_the_set_and_opens_what_is_shown(down: bool) -> None:
    made = table()
    pile = made.zone("pile")
    verb = made.lay_set(0, made.zones[0], range(1, 3), ANY, pile)
    asked = verb.send(None)
    assert isinstance(asked, LaySet)
    with pytest.raises(StopIteration) as end:
        verb.send(Laid((0, 2), None if down else (FACES[0], FACES[2])))
    assert end.value.value.slots == (0, 2)
    assert pile == [0, 2]
    assert made.zones[0] == [1, 3, 6]
    assert made.locks[0] == (0 if down else OPEN)
    assert made.faces[2] is (None if down else FACES[2])
    assert JOINT not in made.locks


@given(st.lists(st.integers(0, 51), min_size=1, max_size=8), st.data())
def test_what_can_be_added_on_the_way_to_a_set(numbers: list[int], data: st.DataObject) -> None:
    """The combos of Sneak, in a hand that may hold a face twice, against all sets one by one."""
    cards = [SNEAK[number] for number in numbers]
    slots = [*range(20, 20 + len(cards))]
    listed = Subsets(combos(cards, slots, range(1, len(cards) + 1)))
    every_set = [set(one) for one in listed]
    taken = data.draw(st.lists(st.sampled_from(slots), unique=True, max_size=4))
    more, complete = listed.around(taken)
    assert complete == (set(taken) in every_set)
    assert more == {
        slot
        for slot in slots
        if slot not in taken and any({*taken, slot} <= one for one in every_set)
    }
