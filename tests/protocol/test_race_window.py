"""A race as one seat sees it: its own clock, what it credits, and when its pass may leave."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest

from p2p.protocol import step_kinds
from p2p.protocol.races.book import ALLOWANCE_US, RaceReport, RaceResult, Races
from p2p.protocol.races.relays import Pair
from p2p.protocol.races.terms import HOP_US
from p2p.protocol.races.times import FLOOR_US, Sighting, pass_after
from p2p.protocol.races.timing import REMEMBERED, Timing
from p2p.protocol.races.window import Window

CAP, HOLD, ME = 80_000, 600_000, 0
SHOWN, AT = 4, 5
"""The step that shows the card, and that of the claims."""
WAYS = ((0, 20_000, 90_000, None), *((0,) * 4,) * 3)
"""One-way times of the header from each seat (only those to us matter here)."""
STRAIGHT = ((0, 60_000, 10_000, 0), (60_000, 0, 30_000, 0), (10_000, 30_000, 0, 0), (0,) * 4)
PASSED_ON = ((0, 40_000, 10_000, 0), (40_000, 0, 30_000, 0), (10_000, 30_000, 0, 0), (0,) * 4)


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1_000

    def __call__(self) -> int:
        return self.now


class Scene:
    """Seat 0 at a table of four, whose clock stands where a test puts it."""

    def __init__(
        self,
        measured: dict[int, int] | None = None,
        automatic: bool = True,
        relayed: bool = False,
        shown_by: Sequence[int] = range(4),
    ) -> None:
        self.clock = Clock()
        self.timing = Timing(self.clock, (measured or {}).get)
        self.races = Races(4, CAP, HOLD, WAYS, ME)
        kind = "open" if relayed else ""
        self.timing.begin(SHOWN, automatic, kind)
        for of, owed in ((kind, shown_by), ("race", range(4)), ("witness", range(4))):
            self.races.note(of, owed)

    def at(self, now: int) -> Scene:
        self.clock.now = now
        return self

    def shares(self, *seats: int) -> Scene:
        for seat in seats:
            self.timing.note(SHOWN, seat)
        return self

    def claims(self, *seats: int) -> Scene:
        for seat in seats:
            self.timing.note(AT, seat)
        return self

    def asks(self, **terms: Any) -> Window:
        """The race begins."""
        self.timing.begin(AT, automatic=False)
        given: dict[str, Any] = {"length": None, "hidden": False, "awaited": None, **terms}
        return Window(self.races, self.timing, AT, **given)

    def late(self, seat: int, most: int = 40_000) -> int | None:
        return self.timing.lateness(SHOWN, seat, most)


def test_a_standing_clock_says_that_nothing_takes_time() -> None:
    timing = Timing()
    timing.begin(3, automatic=True)
    timing.note(3, 1)
    assert (timing.began(3), timing.since(3, 1), timing.lateness(3, 1, 0)) == (0, 0, 0)


def test_the_first_arrival_counts_and_an_early_one_takes_no_time() -> None:
    scene = Scene().at(2_000).claims(1).at(5_000)
    scene.asks()
    scene.at(9_000).claims(1, 2)
    assert scene.timing.since(AT, 1) == 0
    assert scene.timing.since(AT, 2) == 4_000
    assert scene.timing.since(AT, 3) is None


def test_a_share_is_late_from_when_our_own_could_be_signed() -> None:
    scene = Scene().at(1_500).shares(1).at(301_000).shares(2)
    assert (scene.late(1), scene.late(2)) == (500, 300_000)


def test_a_seat_that_owed_no_share_is_not_late() -> None:
    """A card dealt to seat 1 alone takes the shares of the others only."""
    assert Scene().at(90_000).shares(2, 3).late(1) == 0


def test_nobody_is_late_before_the_first_step() -> None:
    timing = Timing()
    timing.begin(0, automatic=False)
    assert timing.lateness(-1, 1, 40_000) == 0


def test_a_decision_takes_as_long_as_it_takes() -> None:
    scene = Scene(automatic=False).at(7_000_000).shares(1).at(7_000_001).shares(ME, 2)
    assert scene.late(1) == 0


def test_a_decision_that_was_here_last_had_been_seen_by_its_seat_before() -> None:
    scene = Scene(automatic=False).at(7_000_000).shares(ME, 2).at(7_030_000).shares(1)
    assert scene.late(1) == 30_000
    assert scene.late(1, most=12_000) == 12_000
    assert Scene(automatic=False).at(9_000_000).shares(1).late(1) == 40_000
    assert Scene(automatic=False).at(9_000_000).shares(ME).late(1) == 0


def test_after_a_restart_the_steps_that_were_played_back_mean_nothing() -> None:
    scene = Scene().shares(1)
    scene.timing.live_from = AT
    assert (scene.timing.began(SHOWN), scene.timing.since(SHOWN, 1), scene.late(1)) == (None,) * 3
    scene.asks()
    scene.claims(1)
    assert scene.timing.since(AT, 1) == 0
    scene.timing.live_from = AT + 1
    assert scene.timing.since(AT, 1) is None


def test_only_the_last_steps_are_remembered() -> None:
    timing = Timing()
    for step in range(20):
        timing.begin(step, automatic=True, kind=step_kinds.OPEN)
        timing.note(step, 1)
        timing.leave(step)
    oldest = 20 - REMEMBERED
    assert timing.since(oldest, 1) == timing.own_after(oldest) == 0
    assert timing.relayed(oldest)
    assert timing.since(oldest - 1, 1) is timing.own_after(oldest - 1) is None
    assert not timing.relayed(oldest - 1)


@pytest.mark.parametrize(
    ("claimant", "measured", "credit"),
    [(1, {}, 20_000), (1, {1: 7_000}, 7_000), (1, {1: 70_000}, 20_000), (2, {}, CAP), (3, {}, CAP)],
)
def test_the_credit_is_the_least_way_known_within_the_cap(
    claimant: int, measured: dict[int, int], credit: int
) -> None:
    scene = Scene(measured)
    assert scene.races.credit(claimant, scene.timing) == credit
    assert scene.races.allowed(ME, claimant) == min(CAP, WAYS[ME][claimant] or CAP)


def test_nobody_goes_back_behind_an_earlier_word() -> None:
    scene = Scene({1: 15_000})
    scene.races.lower(ME, 1, 9_000)
    assert scene.races.credit(1, scene.timing) == 9_000
    assert scene.races.allowed(1, ME) == 0
    assert scene.races.allowed(ME, ME) == 0


def test_a_sighting_of_oneself_is_only_the_time() -> None:
    scene = Scene().at(4_000).shares(1).at(6_000)
    scene.asks()
    scene.at(300_000).claims(ME)
    assert scene.races.sighting(ME, scene.timing, AT) == Sighting(None, 0, 0)
    scene.at(304_000).timing.leave(AT)  # when it had been made, and was on disk
    assert scene.races.sighting(ME, scene.timing, AT) == Sighting(298_000, 0, 0)
    assert scene.races.sighting(2, scene.timing, AT) == Sighting(None, 0, CAP)


def test_a_claim_is_counted_from_when_its_seat_could_see() -> None:
    """By the last part, which is as late there as the way there is longer than that to us.

    Our own part (from 1_000) is at seat 1 at 21_000, that of 2 as long after it was here as the
    way from there to seat 1 (15_000) is longer than to us (10_000).
    """
    ways = ((0, 20_000, 10_000, 5_000), (20_000, 0, 15_000, 25_000), *((9,) * 4,) * 2)
    for last_part, saw in ((10_000, 21_000), (17_000, 22_000)):
        scene = Scene()
        scene.races = Races(4, CAP, HOLD, ways, ME)
        scene.shares(3).at(last_part).shares(2).asks()
        scene.at(300_000).claims(1)
        seen = scene.races.sighting(1, scene.timing, AT)
        assert seen == Sighting(300_000 - saw, 0, 20_000)


def test_a_part_that_is_here_is_there_when_we_have_passed_it_on() -> None:
    """However long the claimant says that the way from another seat is."""
    ways = ((0, 20_000, 0, 0), (20_000, 0, 70_000, 0), *((9,) * 4,) * 2)
    scene = Scene()
    scene.races = Races(4, CAP, HOLD, ways, ME)
    scene.at(30_000).shares(2).asks()
    scene.at(300_000).claims(1)
    assert scene.races.sighting(1, scene.timing, AT) == Sighting(250_000 - HOP_US, 0, 20_000)


def _later_race(sent_after: int, *kinds: str) -> Sighting:
    """What is said of seat 1, whose share was sent so long after it could be.

    Our part of the step before was there 20 ms later; `kinds` are the steps from the share on.
    """
    clock = Clock()
    timing, races = Timing(clock), Races(4, CAP, HOLD, WAYS, ME)
    timing.begin(SHOWN - 1, automatic=True, kind="witness")
    timing.note(SHOWN - 1, 1)
    clock.now += 20_000 + sent_after + 20_000
    for step, kind in enumerate(kinds, SHOWN):
        timing.begin(step, automatic=kind != "race", kind=kind)
        timing.note(step, 1)
    clock.now += 50_000
    at = SHOWN + len(kinds)
    timing.begin(at, automatic=False, kind="race")
    timing.note(at, 1)
    return races.sighting(1, timing, at)


@pytest.mark.parametrize("between", [("race",), ("race", "witness", "coin"), ("race", "race")])
def test_in_a_later_race_about_a_card_a_withheld_share_is_late(between: tuple[str, ...]) -> None:
    """In the first one it gains nothing anyhow; later all others are long ready."""
    late = _later_race(150_000, step_kinds.OPEN, *between).late
    assert late == 150_000 - ALLOWANCE_US + 20_000
    assert _later_race(ALLOWANCE_US, step_kinds.OPEN, *between).late == 0
    assert _later_race(150_000, step_kinds.OPEN).late == 0


def test_only_a_card_that_the_race_is_about_makes_late() -> None:
    assert _later_race(150_000, step_kinds.OPEN, "shuffle", "race").late == 0
    assert _later_race(150_000, step_kinds.OPEN, *["race"] * REMEMBERED).late == 0
    assert _later_race(150_000, "race", "race").late == 0


@pytest.mark.parametrize(("relayed", "saw"), [(True, 41_000), (False, 61_000)])
def test_our_part_comes_by_way_of_another_seat_where_that_is_shorter(
    relayed: bool, saw: int
) -> None:
    """Seats 0 and 1 are 60 ms apart, seat 2 is 10 and 30 ms away from them."""
    scene = Scene(relayed=relayed)
    scene.races = Races(4, CAP, HOLD, STRAIGHT, ME, PASSED_ON)
    scene.shares(2, 3).asks()
    scene.at(361_000).claims(1)
    assert scene.races.sighting(1, scene.timing, AT) == Sighting(361_000 - saw, 0, 60_000)


@pytest.mark.parametrize(("relayed", "saw"), [(True, 31_000), (False, 11_000)])
def test_a_part_that_came_by_way_of_another_seat_was_there_before(relayed: bool, saw: int) -> None:
    """The part of seat 1 was at seat 2 after 30 ms, and 10 ms later here."""
    scene = Scene(relayed=relayed)
    scene.races = Races(4, CAP, HOLD, STRAIGHT, ME, PASSED_ON)
    scene.shares(3).at(41_000).shares(1).asks()
    scene.at(361_000).claims(2)
    assert scene.races.sighting(2, scene.timing, AT) == Sighting(361_000 - saw, 0, 10_000)


def test_who_withholds_its_part_could_see_without_it() -> None:
    scene = Scene().shares(2, 3).at(151_000).shares(1)
    scene.asks()
    scene.at(331_000).claims(1)
    assert scene.races.sighting(1, scene.timing, AT) == Sighting(310_000, 0, 20_000)


def test_where_something_was_decided_the_own_part_counts_too() -> None:
    scene = Scene(automatic=False).shares(2, 3, ME).at(151_000).shares(1)
    scene.asks()
    scene.at(331_000).claims(1)
    assert scene.races.sighting(1, scene.timing, AT) == Sighting(200_000, 0, 20_000)


def test_after_a_restart_nothing_was_seen() -> None:
    scene = Scene().shares(1, 2, 3)
    scene.timing.live_from = AT + 1
    scene.asks()
    scene.claims(1)
    assert scene.races.sighting(1, scene.timing, AT).seen is None


def test_three_disputes_and_no_clock_is_asked_any_more() -> None:
    races = Races(2)
    for outcome in (
        RaceResult.FIRST,
        RaceResult.DISPUTE,
        RaceResult.TIE,
        RaceResult.DISPUTE,
        RaceResult.COIN,
    ):
        races.report(RaceReport(1, "slap", ((0, 1), (1, 1)), 0, outcome))
    assert not races.by_coin((0, 1))
    races.report(RaceReport(9, "slap", ((0, 1), (1, 1)), 0, RaceResult.DISPUTE))
    assert races.by_coin((0, 1))
    assert len(races.reports) == 6


def test_nothing_ends_a_window_of_a_person_who_may_still_claim() -> None:
    assert Scene().asks().pass_at(wants=True) is None


def test_who_does_not_want_to_claim_passes_at_once_or_with_the_hold() -> None:
    assert Scene().at(5_000).asks().pass_at(wants=False) == 5_000
    assert Scene().at(5_000).asks(hidden=True).pass_at(wants=False) == 5_000 + HOLD


def test_a_window_ends_after_its_length() -> None:
    assert Scene().at(5_000).asks(length=900_000).pass_at(wants=True) == 905_000
    assert Scene().at(5_000).asks(length=9_000, hidden=True).pass_at(wants=True) == 5_000 + HOLD


def test_against_a_claim_a_pass_waits_until_an_own_one_could_not_win() -> None:
    scene = Scene().shares(1, 2, 3)
    window = scene.asks()
    scene.at(321_000).claims(1)
    window.take(1, claims=True)  # it could see at 21_000, and its claim took 20_000
    assert window.pass_at(wants=True) == 1_000 + pass_after(280_000, CAP)


def test_where_a_coin_decides_a_late_claim_may_still_win_but_not_for_ever() -> None:
    """After three disputes each card of a bot waited until the person at the table said no."""
    scene = Scene().shares(1, 2, 3)
    scene.races.by_coin = lambda claimants: True  # type: ignore[method-assign]
    window = scene.asks()
    scene.at(321_000).claims(1)
    window.take(1, claims=True)
    assert pass_after(280_000, CAP) < HOLD
    assert window.pass_at(wants=True) == 1_000 + HOLD
    assert window.pass_at(wants=False) == 1_000


def test_of_several_claims_the_best_counts() -> None:
    scene = Scene().shares(1, 3).at(201_000).shares(2)
    window = scene.asks()
    scene.at(221_000).claims(2)
    window.take(2, claims=True)  # its own part was late, and it could see at 81_000
    assert window.pass_at(wants=True) == 201_000 + pass_after(60_000, CAP)
    scene.at(351_000).claims(1)
    window.take(1, claims=True)
    assert window.pass_at(wants=True) == 201_000 + pass_after(60_000, CAP)
    assert pass_after(60_000, CAP) == pass_after(FLOOR_US, CAP)


def test_a_claim_that_was_there_before_the_card_waits_like_any_other() -> None:
    scene = Scene().shares(1, 2, 3).claims(1).at(2_001_000)
    window = scene.asks()
    window.take(1, claims=True)
    assert window.pass_at(wants=True) == 2_001_000 + pass_after(0, CAP)


def test_passes_end_nothing_but_that_of_the_awaited_seat() -> None:
    window = Scene().at(5_000).asks(awaited=2)
    window.take(1, claims=False)
    assert window.pass_at(wants=True) is None
    window.take(2, claims=False)
    assert window.pass_at(wants=True) == 5_000


def test_also_when_the_awaited_seat_has_passed_hidden_hands_are_held() -> None:
    window = Scene().at(5_000).asks(awaited=2, hidden=True)
    window.take(2, claims=False)
    assert window.pass_at(wants=True) == 5_000 + HOLD


def test_after_a_restart_a_pass_leaves_at_once() -> None:
    scene = Scene()
    window = scene.asks(hidden=True, length=9_000_000)
    scene.timing.live_from = AT + 1
    assert scene.at(77_000).clock.now == window.pass_at(wants=True)


def test_the_hold_is_the_same_whatever_the_hand() -> None:
    """A hand that cannot claim and one whose person thinks to the end of a short window."""
    cannot, may = (Scene().at(5_000).asks(hidden=True, length=500_000) for _ in range(2))
    assert cannot.pass_at(wants=False) == may.pass_at(wants=True) == 5_000 + HOLD


def test_a_part_is_counted_from_when_our_own_had_left() -> None:
    scene = Scene(relayed=True).at(2_000).shares(1).at(5_000)
    scene.timing.leave(SHOWN)
    scene.at(9_000).timing.leave(SHOWN)  # again to somebody: the first time counts
    scene.at(47_000).shares(2)
    scene.asks()
    assert scene.races.parts(scene.timing, AT) == [None, -3_000, 42_000, None]
    scene.timing.live_from = AT
    assert scene.races.parts(scene.timing, AT) == [None] * 4


def test_in_a_second_race_about_a_card_the_shares_of_the_card_count() -> None:
    scene = Scene(relayed=True)
    scene.timing.leave(SHOWN)
    scene.at(31_000).shares(1)
    scene.timing.begin(AT, automatic=False, kind="race")
    scene.at(400_000).timing.note(AT, 1)
    assert scene.races.parts(scene.timing, AT + 1) == [None, 30_000, None, None]


def test_in_a_race_about_the_next_card_its_own_shares_count() -> None:
    """A race about another card came before: who was early then is not early now."""
    scene = Scene(relayed=True).at(3_000)
    scene.timing.begin(SHOWN - 2, automatic=True, kind="open")
    scene.timing.begin(SHOWN - 1, automatic=False, kind="race")
    for step, left, arrived in ((SHOWN - 2, 4_000, 5_000), (SHOWN, 20_000, 31_000)):
        scene.at(left).timing.leave(step)
        scene.at(arrived).timing.note(step, 1)
    assert scene.races.parts(scene.timing, AT) == [None, 11_000, None, None]


def test_who_did_not_lay_the_card_compares_from_when_its_claim_or_pass_had_left() -> None:
    scene = Scene(automatic=False, shown_by=[1]).at(9_000).shares(1)
    scene.asks()
    assert scene.races.parts(scene.timing, AT) == [None] * 4
    scene.at(300_000).timing.leave(AT)
    scene.at(340_000).claims(2)
    assert scene.races.parts(scene.timing, AT) == [None, -291_000, 40_000, None]


def test_who_laid_the_card_compares_from_when_it_had_left() -> None:
    scene = Scene(automatic=False, shown_by=[ME]).at(9_000)
    scene.timing.leave(SHOWN)
    scene.asks()
    scene.at(300_000).timing.leave(AT)
    scene.at(340_000).claims(2)
    assert scene.races.parts(scene.timing, AT) == [None, None, 331_000, None]


RELAYED = Pair((0, 1), (2,))
"""We get what seat 1 says only through seat 2."""


def test_who_sees_by_way_of_another_gives_it_time_to_react_before_it_passes() -> None:
    for pairs, waits in (((), pass_after(0, CAP)), ((RELAYED,), HOLD)):
        scene = Scene().shares(1, 2, 3)
        scene.races = Races(4, CAP, HOLD, WAYS, ME, pairs=pairs)
        window = scene.asks()
        scene.claims(2)
        window.take(2, claims=True)
        assert window.pass_at(wants=True) == 1_000 + waits
        assert window.pass_at(wants=False) == 1_000


def test_after_three_disputes_the_races_of_a_pair_and_of_who_is_between_are_coins() -> None:
    races = Races(4, pairs=(RELAYED,))
    for _ in range(3):
        assert not races.by_coin((0, 1, 2, 3))
        races.report(RaceReport(1, "slap", ((0, 1), (3, 1)), 0, RaceResult.DISPUTE, RELAYED))
    assert [races.by_coin((3, seat)) for seat in range(4)] == [True, True, True, False]


def test_after_six_disputes_the_races_of_who_was_between_are_coins() -> None:
    """Whichever pairs they were of: no pair has three."""
    guests = range(1, 5)
    pairs = [Pair(two, (0,)) for two in combinations(guests, 2)]
    races = Races(5, pairs=pairs)
    for pair in pairs:
        assert not races.by_coin(range(5))
        races.report(RaceReport(1, "slap", ((0, 1), (3, 1)), 0, RaceResult.DISPUTE, pair))
    assert races.by_coin((0, 3))
    assert not races.by_coin(guests)


@pytest.mark.parametrize(
    ("earlier", "showed"),
    [
        ([], (0, 2)),
        ([step_kinds.RACE, step_kinds.WITNESS], (0, 2)),
        ([step_kinds.PLAY], (1,)),
        ([step_kinds.PLAY, step_kinds.RACE], (1,)),
    ],
)
def test_a_card_is_raced_for_until_another_one_is_laid(
    earlier: list[str], showed: tuple[int, ...]
) -> None:
    """Who turned it up has shown it in each of the races that follow at once."""
    races = Races(3, me=0)
    races.note(step_kinds.OPEN, (0, 2))
    for kind in (*earlier, step_kinds.RACE, step_kinds.WITNESS):
        races.note(kind, (1,))
    assert races.showed() == showed


@pytest.mark.parametrize(("automatic", "late"), [(True, 49_000), (False, 40_000)])
def test_at_a_table_of_two_a_claim_is_seen_and_its_seat_s_part_is_late(
    automatic: bool, late: int
) -> None:
    """Late by no more than the way there and back, if the part had something to decide."""
    scene = Scene(automatic=automatic)
    scene.races = Races(2, CAP, HOLD, ((0, 20_000), (20_000, 0)), ME)
    scene.at(9_000).shares(ME).at(50_000).shares(1).asks()
    scene.at(361_000).claims(1)
    assert scene.races.sighting(1, scene.timing, AT) == Sighting(311_000, late, 20_000)
