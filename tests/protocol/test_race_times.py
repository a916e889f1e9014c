"""Who was first, from what the witnesses say: medians, lateness, ties, and tables of two."""

from __future__ import annotations

import pytest

from p2p.protocol.races.times import (
    AGREEMENT_US,
    FLOOR_US,
    TIE_US,
    Sighting,
    agreed_time,
    in_order,
    judge,
    lower_median,
    pass_after,
)

SLOW = 300_000
"""The time of an unhurried claim, in microseconds."""
Word = tuple[int | None, int | None, int]


def said(*rows: dict[int, Word]) -> dict[int, dict[int, Sighting]]:
    """What each seat says, in seat order, about each claimant."""
    return {
        witness: {claimant: Sighting(*word) for claimant, word in row.items()}
        for witness, row in enumerate(rows)
    }


WITNESSES = ((0, (1, 2, 3)), (1, (0, 2, 3)))
"""Who speaks of whom."""


def seen_late(word: Word) -> dict[int, dict[int, Sighting]]:
    """Four seats that say this of seat 0, and of seat 1 that it was quick and not late."""
    row: dict[int, Word] = {0: word, 1: (30_000, 0, 20_000)}
    return said(row, row, row, row)


def seen_at(**times: int) -> dict[int, dict[int, Sighting]]:
    """Four seats that agree about claimants named `s0`, `s1`, ... ."""
    row: dict[int, Word] = {int(name[1:]): (time, 0, 0) for name, time in times.items()}
    return said(row, row, row, row)


@pytest.mark.parametrize(
    ("values", "median"),
    [
        ([None], None),
        ([7], 7),
        ([9, 7], 7),
        ([None, 7], 7),
        ([None, None, 7], None),
        ([None, 9, 7], 9),
        ([4, 3, 2, 1], 2),
        ([None, None, 2, 1], 2),
        ([None, None, None, 1], None),
    ],
)
def test_the_lower_median_counts_none_as_the_greatest(
    values: list[int | None], median: int | None
) -> None:
    assert lower_median(values) == median
    assert lower_median(reversed(values)) == median


def test_the_agreed_time_is_what_the_others_saw_less_the_way() -> None:
    sightings = said(
        {0: (1, 0, 0)},
        {0: (350_000, 20_000, 30_000)},
        {0: (360_000, 20_000, 30_000)},
        {0: (900_000, 20_000, 30_000)},
    )
    assert agreed_time(0, sightings) == 330_000


@pytest.mark.parametrize(
    ("times", "groups"),
    [
        ((300, 200, 400), [(1,), (0,), (2,)]),
        ((300, 310, 200), [(2,), (0, 1)]),
        ((300, 309, 318), [(0, 1), (2,)]),
        ((10, 90, 100), [(0, 1, 2)]),
        ((None, 300, None), [(1,), (0, 2)]),
        ((), []),
    ],
)
def test_claimants_come_in_order_and_those_of_a_tie_together(
    times: tuple[int | None, ...], groups: list[tuple[int, ...]]
) -> None:
    """In milliseconds, by seat."""
    agreed = {seat: time and 1000 * time for seat, time in enumerate(times)}
    assert [*in_order([*agreed], agreed)] == groups


def test_the_example_of_the_documentation() -> None:
    """Ann and Ben of four; docs/explanation/races.md, in milliseconds there."""
    words: list[dict[int, Word]] = [
        {0: (350_000, 0, 0), 1: (345_000, 28_000, 30_000)},
        {0: (301_000, 34_000, 30_000), 1: (360_000, 0, 0)},
        {0: (296_000, 18_000, 20_000), 1: (342_000, 20_000, 25_000)},
        {0: (390_000, 41_000, 40_000), 1: (351_000, 33_000, 35_000)},
    ]
    sightings = said(*words)
    ann, ben = ([sightings[witness][seat].time for witness in w] for seat, w in WITNESSES)
    assert ann == [275_000, 276_000, 351_000]
    assert ben == [315_000, 317_000, 316_000]
    assert judge((0, 1), sightings).times == {0: 276_000, 1: 316_000}


def test_who_saw_the_card_first_is_late_on_top_of_the_floor() -> None:
    """Otherwise an instant claim would be as fast as one of a seat that could not be ready."""
    row: Word = (30_000, 60_000, 20_000)
    assert Sighting(*row).time == FLOOR_US + 40_000
    assert judge((0, 1), seen_late(row)).first == (1,)


def test_the_lateness_is_added_but_only_what_the_way_does_not_explain() -> None:
    row: Word = (SLOW, 180_000, 30_000)
    on_time: Word = (SLOW, 29_000, 30_000)
    assert agreed_time(0, said({}, {0: row}, {0: row}, {0: on_time})) == SLOW - 30_000 + 150_000
    assert agreed_time(0, said({}, {0: row}, {0: on_time}, {0: on_time})) == SLOW - 30_000


def test_a_share_that_some_get_later_gains_nothing() -> None:
    """The witness whom it reached 40 ms later saw the card later, and the claim so much sooner."""
    words: list[dict[int, Word]] = [{0: (SLOW, 0, 0)}, {0: (SLOW - 40_000, 40_000, 0)}]
    assert agreed_time(0, said({}, *words)) == SLOW
    assert agreed_time(0, said({}, *words, words[1])) == SLOW


@pytest.mark.parametrize("word", [(None, 0, 0), (SLOW, None, 0)])
def test_half_of_the_witnesses_may_have_seen_nothing(word: Word) -> None:
    whole: Word = (SLOW, 0, 0)
    assert agreed_time(0, said({}, {0: whole}, {0: word}, {0: whole})) == SLOW
    assert agreed_time(0, said({}, {0: whole}, {0: word})) == SLOW
    assert agreed_time(0, said({}, {0: word}, {0: word}, {0: whole})) is None


def test_no_seat_has_a_say_in_its_own_time() -> None:
    for own in ((0, 0, 0), (None, None, 0), (9 * SLOW, 9 * SLOW, 0)):
        row: Word = (SLOW, 0, 0)
        assert agreed_time(0, said({0: own}, {0: row}, {0: row})) == SLOW


def test_one_witness_alone_makes_nobody_slower_or_faster_than_another_says() -> None:
    honest: list[dict[int, Word]] = [{0: (SLOW, 0, 0)}, {0: (SLOW + 5_000, 0, 0)}]
    words: tuple[Word, ...] = ((0, 0, 0), (9 * SLOW, 0, 0), (SLOW, 9 * SLOW, 0), (None, None, 0))
    for lie in words:
        time = agreed_time(0, said({}, *honest, {0: lie}))
        assert time is not None
        assert SLOW <= time <= SLOW + 5_000


def test_the_first_wins() -> None:
    finding = judge((1, 2), seen_at(s1=SLOW, s2=SLOW + TIE_US + 1))
    assert (finding.first, finding.void) == ((1,), False)
    assert finding.times == {1: SLOW, 2: SLOW + TIE_US + 1}


def test_ten_milliseconds_apart_is_a_tie_one_microsecond_more_is_not() -> None:
    sightings = seen_at(s0=SLOW, s1=SLOW + TIE_US, s3=SLOW + 2 * TIE_US)
    assert judge((0, 1, 3), sightings).first == (0, 1)


def test_less_than_the_floor_counts_as_the_floor() -> None:
    sightings = seen_at(s0=0, s1=FLOOR_US + TIE_US, s2=FLOOR_US + TIE_US + 1)
    finding = judge((0, 1, 2), sightings)
    assert finding.first == (0, 1)
    assert finding.times[0] == 0  # what was seen stays on record


def test_what_nobody_saw_loses_and_without_any_sight_all_are_equal() -> None:
    nothing: dict[int, Word] = {0: (None, None, 0), 1: (None, None, 0)}
    some: dict[int, Word] = {**nothing, 1: (9 * SLOW, 0, 0)}
    assert judge((0, 1), said(some, some, some)).first == (1,)
    assert judge((0, 1), said(nothing, nothing, nothing)).first == (0, 1)


def two(first: int | None, second: int | None, word_0: Word, word_1: Word) -> list[dict[int, Word]]:
    """Both seats claim: their own times, and what each says about the other (0's word first)."""
    return [{0: (first, 0, 0), 1: word_0}, {0: word_1, 1: (second, 0, 0)}]


def test_of_two_the_own_time_counts_where_the_other_agrees() -> None:
    words: tuple[Word, Word] = ((335_000, 20_000, 20_000), (320_000, 20_000, 20_000))
    finding = judge((0, 1), said(*two(290_000, 310_000, *words)))
    assert finding == ({0: 290_000, 1: 310_000}, (0,), False)


@pytest.mark.parametrize(("off", "void"), [(AGREEMENT_US, False), (AGREEMENT_US + 1, True)])
@pytest.mark.parametrize("sign", [1, -1])
def test_two_may_differ_by_forty_milliseconds(off: int, void: bool, sign: int) -> None:
    fair: Word = (SLOW, 0, 0)
    finding = judge((0, 1), said(*two(SLOW, SLOW, fair, (SLOW + sign * off, 0, 0))))
    assert finding.void is void
    assert finding.first == (0, 1)


def test_of_two_a_late_part_is_held_against_the_claimant_once() -> None:
    """Seat 0 looked first, 150 ms before it sent its part: its claim seems as much earlier."""
    word: Word = (SLOW - 150_000 + 20_000, 150_000 + 20_000, 20_000)
    honest = judge((0,), said(*two(SLOW, None, (None, None, 0), word)))
    assert honest == ({0: SLOW}, (0,), False)
    earlier = judge((0,), said(*two(SLOW - 150_000, None, (None, None, 0), word)))
    assert earlier.void


@pytest.mark.parametrize("lie", [(SLOW, None, 0), (SLOW, 9 * SLOW, 0), (None, 0, 0), (0, 0, 0)])
def test_of_two_no_lie_about_the_other_wins_without_a_dispute(lie: Word) -> None:
    """Also not one about lateness, of which the other is the only witness."""
    finding = judge((0, 1), said(*two(SLOW, 2 * SLOW, lie, (SLOW, 0, 0))))
    assert finding.void
    honest = judge((0, 1), said(*two(SLOW, 2 * SLOW, (2 * SLOW, 0, 0), lie)))
    assert honest.void
    assert honest.first == (0, 1)


def test_of_two_who_saw_the_card_later_by_the_way_of_the_other_is_not_slow() -> None:
    """The part of the witness took 70 ms to seat 1, whose claim took another 70 ms back."""
    word: Word = (SLOW + 140_000, 0, 70_000)
    finding = judge((1,), said({1: word}, {1: (SLOW, 0, 0)}))
    assert finding == ({1: SLOW}, (1,), False)


def test_a_seat_of_two_that_restarted_has_no_time_to_stand_by() -> None:
    assert judge((0, 1), said(*two(None, SLOW, (SLOW, 0, 0), (SLOW, 0, 0)))).void


def test_a_pass_waits_for_what_other_witnesses_may_say() -> None:
    assert pass_after(SLOW, 80_000) == SLOW + 160_000 + TIE_US
    assert pass_after(-30_000, 1_000) == FLOOR_US + 2_000 + TIE_US
