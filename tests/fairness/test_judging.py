"""Honest decks are not flagged, rigged ones are; p-values are uniform if all is fair."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from random import Random

import pytest
from scipy import stats

from replay.fairness import judging
from replay.fairness.judging import Judgement, judge
from replay.fairness.observed import Shuffled
from replay.fairness.power import SHARE, powers
from tests.fairness.decks import (
    cards,
    dealt,
    fair,
    favoured_seat,
    lazy_cut,
    sticky_top,
    unshuffled,
)

Rig = Callable[[list[Shuffled], float, Random], list[Shuffled]]
SMALL = cards(3, 4)


def names(judgement: Judgement) -> set[str]:
    """What was flagged, without the deck."""
    return {result.name.partition(": ")[2] for result in judgement.flagged}


def p_values(collections: list[list[Shuffled]]) -> dict[str, list[float]]:
    found: defaultdict[str, list[float]] = defaultdict(list)
    for seed, collection in enumerate(collections):
        for result in judge(collection, seed).results:
            found[result.name.partition(": ")[2]].append(result.p_value)
    return found


def assert_uniform(found: dict[str, list[float]]) -> None:
    """Uniform, or above if a statistic takes few values: never too small too often."""
    for name, values in found.items():
        for level in (0.01, 0.05, 0.2, 0.5):
            below = sum(value <= level for value in values)
            assert stats.binom.sf(below - 1, len(values), level) > 1e-4, (name, level, below)
    smooth = ("suits by place", "ranks by place", "cards by place", "suits by seat")
    for name in smooth:
        assert stats.kstest(found[name], "uniform").pvalue > 1e-3, name


@pytest.mark.full
def test_p_values_of_many_fair_shuffles_are_uniform() -> None:
    assert_uniform(p_values([fair(300, seed, SMALL) for seed in range(200)]))


def test_p_values_of_few_fair_shuffles_are_uniform(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "SIMULATIONS", 99)
    assert_uniform(p_values([fair(12, seed, SMALL) for seed in range(100)]))


def test_a_thousand_honest_decks_are_not_flagged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each judged alone, and all of them together."""
    monkeypatch.setattr(judging, "SIMULATIONS", 199)
    decks = fair(1000, "honest")
    assert [seed for seed, one in enumerate(decks) if judge([one], seed).flagged] == []
    together = judge(decks)
    assert together.flagged == ()
    assert (together.shuffles, together.cards) == (1000, 24_000)


@pytest.mark.full
def test_a_thousand_honest_collections_are_not_flagged() -> None:
    flagged = [seed for seed in range(1000) if judge(fair(300, seed), seed).flagged]
    assert flagged == []


RIGGED: list[tuple[Rig, float, str]] = [
    (sticky_top, 0.2, "a card's favourite place"),
    (lazy_cut, 0.05, "neighbours from before"),
    (unshuffled, 0.05, "cards left in their place"),
    (favoured_seat, 0.2, "strength by seat"),
]


@pytest.mark.parametrize(("rig", "share", "name"), RIGGED)
def test_rigged_decks_are_flagged(rig: Rig, share: float, name: str) -> None:
    rigged = rig(fair(500, "rigged"), share, Random(1))
    assert name in names(judge(rigged))


@pytest.mark.parametrize(("rig", "name"), [(RIGGED[1][0], RIGGED[1][2])])
def test_a_single_deck_that_was_only_cut_is_flagged(rig: Rig, name: str) -> None:
    assert name in names(judge(rig(fair(1, "one"), 1.0, Random(1))))


def test_few_decks_with_a_sticky_top_are_flagged() -> None:
    assert "a card's favourite place" in names(judge(sticky_top(fair(30, 1), 0.6, Random(1))))


def _until(card: int, seed: int) -> Shuffled:
    """Cards are turned from the top until one of them is `card`, or five have been turned."""
    (one,) = fair(1, ("until", seed), SMALL)
    after: list[int | None] = [None] * len(SMALL)
    for place in range(len(SMALL) - 1, len(SMALL) - 6, -1):
        after[place] = one.after[place]
        if after[place] == card:
            break
    return dealt(after, SMALL)


def test_games_that_stop_because_of_a_card_are_no_reason_to_accuse() -> None:
    """What is not known is filled in: how often the last card turned was that card is no sign."""
    collections = [[_until(3, 300 * seed + one) for one in range(300)] for seed in range(100)]
    assert_uniform(p_values(collections))


def test_cards_that_players_chose_to_show_would_accuse_honest_people() -> None:
    """Why such cards are not used: half of each hand, the higher one, of fair decks."""

    def shown(one: Shuffled) -> Shuffled:
        ranked = sorted(range(len(one.after)), key=lambda at: one.before[one.after[at] or 0].rank)
        high = {at for at in ranked[len(ranked) // 2 :] if one.seats[at] != 3}
        return dealt([one.after[at] if at in high else None for at in range(24)], one.before)

    assert judge([shown(one) for one in fair(500, "shown")]).flagged


@pytest.mark.parametrize(
    ("bias", "rig"),
    [
        ("the deck is left as it was", unshuffled),
        pytest.param("one card stays where it was", sticky_top, marks=pytest.mark.full),
        pytest.param("one seat gets the strongest cards", favoured_seat, marks=pytest.mark.full),
    ],
)
def test_the_power_that_is_stated_is_there(
    bias: str, rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stated number of deals with that bias is flagged nine times in ten."""
    monkeypatch.setattr(judging, "FEW", 0)
    stated = next(one for one in powers(judge(fair(10, 1, SMALL))) if one.bias == bias)
    found = [
        judge(rig(fair(stated.deals, seed, SMALL), SHARE, Random(seed)), seed).flagged
        for seed in range(40)
    ]
    assert sum(map(bool, found)) >= 31


def test_the_smallest_bias_that_shows_shrinks_with_the_root_of_the_deals() -> None:
    few, many = [next(iter(powers(judge(fair(count, 1))))) for count in (300, 1200)]
    assert 1.8 < few.finds / many.finds < 2.6
    assert few.deals == many.deals


def test_the_deals_that_are_stated_show_what_is_stated() -> None:
    asked = next(iter(powers(judge(fair(300, 1)))))
    again = next(iter(powers(judge(fair(asked.deals, 1)))))
    assert again.finds == pytest.approx(SHARE, rel=0.1)


def test_nothing_known_is_nothing_judged() -> None:
    empty = judge([])
    assert (empty.results, empty.cards, empty.shuffles) == ((), 0, 0)
    assert list(powers(empty)) == []


def test_the_same_shuffles_give_the_same_numbers() -> None:
    assert judge(fair(20, 1)).results == judge(fair(20, 1)).results
