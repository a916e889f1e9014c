"""The bounds of docs/explanation/races.md, simulated under exactly the rules that are played."""

from __future__ import annotations

import math
import re
from typing import Final

import pytest

from cli.bench.races import LINKS
from p2p.protocol.races.terms import exposure
from p2p.protocol.races.timing import Timing
from tests.repo.sources import ROOT
from tests.shares import every_second
from tests.sim import race_bounds
from tests.sim.race_again import TouchTable
from tests.sim.race_bounds import RACES, SCENES, SEED, TWO, Scene
from tests.sim.race_cheats import MS, Honest, Withholds
from tests.sim.race_simulation import RaceTable

QUICK: Final = 1_000
"""Races in a short test."""
CHANCE: Final = 3.0
"""This many standard errors, or points if one share is compared with another, are chance."""
TABLES: Final = 5
DOCUMENT: Final = ROOT / "docs" / "explanation" / "races.md"
ROUNDED: Final = 1.0
"""Points by which a table of the document may differ from a fresh run on another Python."""
NAMED = {scene.text: scene for scene in SCENES}
SOME_SEATS: Final = [pytest.param(seats, marks=pytest.mark.full) for seats in (3, 5)] + [
    pytest.param(4)
]
BOUNDED = [
    (scene, seats) for scene in SCENES for seats in {**scene.at_most, **scene.at_least} if seats < 8
]


def _check(scene: Scene, seats: int, share: float, races: float) -> None:
    told = f"{scene.text}: {share:.1f} % of {seats} seats, {races} races, seed {SEED}"
    print(told)  # noqa: T201  shown when it fails
    most, least = scene.at_most.get(seats, 100), scene.at_least.get(seats, 0)
    assert share <= most + CHANCE * _error(most, races), told
    assert share >= least - CHANCE * _error(least, races), told


def _error(share: float, races: float) -> float:
    """The standard error of a share of this many races, in percent."""
    return math.sqrt(share * (100 - share) / races)


@pytest.mark.parametrize(
    ("scene", "seats"),
    every_second(BOUNDED),
    ids=[f"{scene.text}-{seats}" for scene, seats in BOUNDED],
)
def test_bounds_in_short(scene: Scene, seats: int) -> None:
    _check(scene, seats, scene.measure(seats, QUICK), QUICK)


@pytest.mark.parametrize("scene", TWO, ids=[scene.text for scene in TWO])
def test_tables_of_two_in_short(scene: Scene) -> None:
    share, _, _ = race_bounds.measure_two(scene, TABLES)
    _check(scene, 2, share, TABLES * race_bounds.CONTESTED)


def test_honest_seats_have_equal_shares_and_one_seed_gives_one_table() -> None:
    table = SCENES[0].table(4, SEED).play(QUICK)
    assert all(abs(table.share(seat) - 25) < 5 for seat in table.seats)
    few, again, other = (SCENES[0].table(4, seed).play(50) for seed in (SEED, SEED, SEED + 1))
    assert few.wins == again.wins != other.wins


def test_it_is_the_pass_rule_that_a_withheld_share_fails_at() -> None:
    held, at_once = (
        Scene("", NAMED["own share withheld by 300 ms"].first, passes_held=held).measure(4, 300)
        for held in (True, False)
    )
    assert held < 30
    assert at_once > 95


@pytest.mark.parametrize("seats", SOME_SEATS)
def test_faked_distance_gains_no_more_than_its_exposure(seats: int) -> None:
    """A cheat that is 40 ms away and fakes 40 ms more under a cap of 80, on both its messages."""
    assert exposure(80 * MS, 40 * MS) == 80 * MS
    faster = NAMED[race_bounds.EXPOSED].measure(seats, QUICK)
    for way in ("fakes 40 ms of distance", "... and withholds its share by as much"):
        assert NAMED[way].measure(seats, QUICK) < faster + CHANCE


@pytest.mark.parametrize("seats", SOME_SEATS)
def test_under_a_low_cap_there_is_little_to_fake(seats: int) -> None:
    assert exposure(5 * MS, 2 * MS) == 6 * MS
    cheat = NAMED["... and withholds its share by 3 ms"].measure(seats, QUICK)
    assert cheat < NAMED[race_bounds.EXPOSED_LAN].measure(seats, QUICK) + CHANCE


def test_the_cap_is_what_the_pings_say() -> None:
    assert SCENES[0].table(4, 1).cap_us == 40 * MS
    assert NAMED["fakes 40 ms of distance"].table(4, 1).cap_us == 80 * MS
    assert NAMED["honest, 55 ms farther than the others"].table(4, 1).cap_us == 75 * MS
    assert NAMED["... and withholds its share by 3 ms"].table(4, 1).cap_us == 5 * MS


@pytest.mark.full
def test_equal_people_behind_unequal_links_win_equally() -> None:
    """The links of `nodealer bench races`; the longest is slower than by way of another seat."""
    table = RaceTable([Honest() for _ in LINKS], [0] * 4, seed=SEED, round_trips_ms=LINKS)
    table.play(20_000)
    assert [table.share(seat) for seat in table.seats] == [pytest.approx(25, abs=1.2)] * 4


@pytest.mark.parametrize("by_ms", [50, 300, 2000])
def test_who_looks_first_gains_nothing_in_the_next_race_about_the_card(by_ms: int) -> None:
    """It is ready before all others, but its share was late: else it would win 39 % of 4,000."""
    people = [Withholds(by_ms), *(Honest() for _ in range(3))]
    share = TouchTable(people, [20] * 4, seed=SEED).play(QUICK // 2).share(0)
    assert share < 25 + CHANCE * _error(25, QUICK // 2)


def test_a_clock_set_back_gains_nothing() -> None:
    """Witnesses tell arrivals on clocks of their own, and a claim carries no time."""
    table = SCENES[0].table(4, SEED)
    table.timings[1] = Timing(lambda: table.now // 2)
    assert table.play(QUICK).share(1) < 25 + CHANCE


def _told(text: str) -> list[str]:
    """The cells of the document's row that begins with this."""
    (found,) = re.findall(rf"^\| {re.escape(text)} \| (.*) \|$", DOCUMENT.read_text("utf-8"), re.M)
    return [cell.strip() for cell in found.split("|")]


@pytest.mark.full
@pytest.mark.parametrize("scene", SCENES, ids=[scene.text for scene in SCENES])
def test_the_document_tells_what_is_measured(scene: Scene) -> None:
    *shares, bound = _told(scene.text)
    assert bound == scene.bound()
    for (seats, races), told in zip(RACES.items(), shares, strict=True):
        share = scene.measure(seats, races)
        assert abs(share - float(told)) <= ROUNDED
        _check(scene, seats, share, races)


@pytest.mark.full
@pytest.mark.parametrize("scene", TWO, ids=[scene.text for scene in TWO])
def test_the_document_tells_what_is_measured_of_two(scene: Scene) -> None:
    *told, bound = _told(f"two: {scene.text}")
    assert bound == scene.bound()
    measured = race_bounds.measure_two(scene)
    for value, number in zip(measured, told, strict=True):
        assert abs(value - float(number)) <= max(ROUNDED, 0.02 * value)
    _check(scene, 2, measured[0], race_bounds.TABLES * race_bounds.CONTESTED)


def test_the_document_has_a_row_for_every_scene_and_no_other() -> None:
    rows = re.findall(r"^\| ([^|]+) \|(?: \d+ \|){3,4}[^|]*\|$", DOCUMENT.read_text("utf-8"), re.M)
    assert rows == [scene.text for scene in SCENES] + [f"two: {scene.text}" for scene in TWO]


def test_a_person_of_the_simulation_reacts_like_one() -> None:
    table = SCENES[0].table(2, SEED)
    times = [Honest().claims_after(table.rng) for _ in range(2_000)]
    assert min(times) >= 150 * MS
    assert abs(sum(times) / len(times) - 300 * MS) < 5 * MS
