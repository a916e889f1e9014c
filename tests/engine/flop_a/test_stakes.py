"""Options: table stakes with side pots, limits, the ante, forfeits; and time-outs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import acts
from engine import question as ask
from engine.errors import IllegalAnswer, UsageError
from engine.games.flop_a.betting import CHECK, FOLD, start_round
from engine.games.flop_a.pots import Pot, pots
from engine.games.flop_a.rules import GAME, bounds, timed_out
from engine.games.flop_a.table import Stage
from engine.session import Session
from tests.engine.flop_a.scene import BLANKS, A, B, C, D, Scene, playing, showdown
from tests.engine.play import finish, step

IDLE = ["2C 2D 3C", "2S 2H 3D", "3S 3H 10C"]


def staked(hands: list[str], purses: list[int], stage: Stage = Stage.BETTING, **how: int) -> Scene:
    """Table stakes of 50 in which the seats have these chips left."""
    scene = Scene(hands, Stage.DECLARATION, stack=50, board=BLANKS, **how)
    scene.table.tally = [purse - 50 for purse in purses]
    return restart(scene, stage)


def restart(scene: Scene, stage: Stage) -> Scene:
    """The same position at another stage, with the question asked anew."""
    scene.session.close()
    scene.table.stage = stage
    if stage is Stage.BETTING:
        start_round(scene.table, B)
    game = replace(GAME, table=lambda seats, options: scene.table)
    scene.session = Session(game, scene.table.seats, scene.session.options, check=True)
    return scene


def test_nobody_bets_more_than_he_has() -> None:
    scene = staked(IDLE, [50, 3, 50])
    assert scene.asked.topic == "fold, check, or bet 1 to 3 chips"
    scene.act("bet 3", "raise 4")
    assert scene.asked.seat == A
    scene.act("call")
    assert scene.table.tally == [-7, -50, -7]
    assert isinstance(scene.asked, ask.Together)


def test_a_short_call_is_all_in_and_makes_a_side_pot() -> None:
    scene = staked(IDLE, [50, 50, 2])
    scene.act("bet 4")
    assert scene.asked.topic == "fold or call 2 (no further raise)"
    scene.act("call", "call")
    assert pots(scene.table) == [Pot(6, (B, C, A)), Pot(4, (B, A))]


def test_each_pot_is_won_by_one_who_has_a_part_in_it() -> None:
    """C has the best high hand, but a part in the main pot only."""
    scene = staked(["2C", "3C", "KC"], [50, 50, 2])
    scene.act("bet 4", "call", "call")
    scene.declare("high", "high", "high")
    assert scene.tally == [-4, 0, -48 + 6 - 2]


def test_a_swing_is_judged_for_each_pot() -> None:
    """C beats A's swing in the main pot; in the side pot A succeeds against B."""
    scene = staked(["AC", "7C", "KC 2D"], [50, 50, 2])
    scene.act("bet 4", "call", "call")
    scene.declare("swing", "low", "high")
    assert scene.tally == [-4 + 4, -4 + 3, -50 + 3]


def test_what_nobody_can_call_goes_back() -> None:
    scene = staked(IDLE, [2, 50, 2])
    scene.act("bet 4", "call", "call")
    assert scene.table.pot == 6
    assert scene.tally == [-50, -2, -50]
    assert ("uncalled", B, 2) in (scene.table.notes or ())


def test_there_is_no_betting_against_oneself() -> None:
    """All others are all in, or fold: the remaining rounds are skipped."""
    scene = Scene(IDLE, coming="KC QC JC 9C 8C", stack=50)
    scene.table.tally = [-50, 0, -50]
    scene.table.paid, scene.table.pot = [50, 50, 50], 150
    scene.flip()
    assert isinstance(scene.asked, ask.Together)
    two = staked(IDLE, [0, 50, 50])
    two.act("check", "fold")
    assert isinstance(two.asked, ask.Together)
    assert two.asked.seats == (B, A)


def test_payments_are_no_larger_than_what_is_left() -> None:
    hands = ["2C 3C", "9D", "2S 3S 4S", "2H 3H 4H"]
    scene = Scene(hands, board="KC", coming="9C", pot=40, stack=20)
    scene.table.tally[C] = -17
    scene.table.tally[D] = -20
    assert scene.flip().tally == [-8, 40 + 8 + 3, -20, -20]
    scene = Scene(["2C 3C", "9D", "9S", "2H 3H 4H"], board="KC", coming="9C", pot=40, stack=20)
    scene.table.tally[A] = -15
    assert scene.flip().tally == [-20, 28, 27, -10]


def test_a_side_pot_without_a_winner_goes_to_those_who_paid_it() -> None:
    scene = Scene(["9D", "2C 3C", "2S 3S"], board="KC", coming="9C", pot=0, stack=50)
    scene.table.paid, scene.table.pot, scene.table.tally = [5, 20, 20], 45, [-50, -20, -20]
    scene.flip()
    assert scene.tally == [-50 + 15 + 3 + 3, -20 + 15 - 3, -20 + 15 - 3]


def test_folded_chips_and_a_carried_pot_are_in_the_main_pot() -> None:
    scene = Scene([*IDLE, "10S 10D"], stack=50, folded=[A])
    scene.table.paid, scene.table.pot = [4, 2, 9, 9], 24 + 7
    assert pots(scene.table) == [Pot(8 + 7, (B, C, D)), Pot(2 + 7 + 7, (C, D))]


@pytest.mark.parametrize("seed", range(30))
def test_who_has_no_chips_sits_out_and_nobody_owes(seed: int) -> None:
    session, table, dealer, rng = playing(4, seed, stack=20, hands=40)
    while not session.over:
        assert min(table.tally) >= -20
        assert sum(table.tally) + table.pot == 0
        broke = [seat for seat in range(4) if table.chips(seat) == 0 and not table.still_in[seat]]
        assert not any(table.can_bet(seat) for seat in broke)
        if isinstance(session.pending, acts.Deal):
            players = [seat for seat in range(4) if table.still_in[seat]]
            assert sorted({to for _, to in session.pending.moves}) == players
        step(session, dealer, rng)
    left = sum(table.chips(seat) > 0 for seat in range(4))
    assert left == 1 or table.hand == 40


def test_the_limits_are_options() -> None:
    session, _, dealer, rng = playing(3, bet=2, raises=0)
    while not isinstance(session.pending, ask.Choose):
        step(session, dealer, rng)
    assert session.pending.topic == "fold, check, or bet 1 to 2 chips"
    session.answer(3)
    assert session.pending.topic == "fold or call 2 (no further raise)"


def test_the_ante_is_an_option() -> None:
    for ante in (0, 1):
        session, table, dealer, rng = playing(3, ante=ante)
        while not isinstance(session.pending, ask.Choose):
            step(session, dealer, rng)
        assert table.pot == 3 * ante


@pytest.mark.parametrize(("hands", "played"), [(0, 6), (1, 1), (7, 7)])
def test_a_session_has_the_agreed_number_of_hands(hands: int, played: int) -> None:
    """Section 2, rule 9: default two per seat; highest tally wins, ties share."""
    session, table, dealer, rng = playing(3, 2, hands=hands)
    finish(session, dealer, rng)
    assert table.hand == played
    assert session.returns == tuple(table.tally)
    assert sum(session.returns) == 0


@pytest.mark.parametrize(("seats", "options"), [(1, {}), (9, {}), (4, {"bet": 0}), (4, {"x": 1})])
def test_tables_that_cannot_be(seats: int, options: dict[str, int]) -> None:
    """D1: 2 to 8 players."""
    with pytest.raises(UsageError, match=r"2 to 8|1 to 10|no option"):
        GAME.check(seats, options)


def test_bounds_hold_the_worst_that_can_happen() -> None:
    low, high = bounds(4, {**GAME.defaults(), "hands": 1})
    assert low == -(97 + 97 * 4 // 5)
    assert high == -3 * low
    assert bounds(4, {**GAME.defaults(), "stack": 20}) == (-20, 60)


def test_who_does_not_open_his_choice_has_folded() -> None:
    """A forfeit is never the time-out default."""
    scene = showdown(["KC", "2C", "3C"])
    assert isinstance(scene.asked, ask.Together)
    scene.session.answer((None, 1, 0))  # in the order B, C, A
    scene.flip()
    assert scene.tally == [10, 0, 10]
    assert all(scene.table.faces[slot] is None for slot in scene.table.hands[B])
    scene = showdown(["KC", "2C", "3C"])
    scene.session.answer((None, 1, None))
    assert scene.tally == [0, 0, 20]
    assert all(scene.table.faces[slot] is None for slot in scene.table.hands[C])
    scene = showdown(["KC", "2C", "3C"])
    scene.session.answer((None, None, None))
    assert scene.tally == [6, 7, 7]


def test_time_out_checks_if_that_is_free_else_folds_and_declares_low() -> None:
    """Section 2, rule 10 and D13."""

    def decided(scene: Scene) -> object:
        return timed_out(scene.table, scene.asked.deciders[0], scene.asked)

    scene = Scene(IDLE, Stage.BETTING)
    assert decided(scene) == CHECK
    scene.act("bet 1")
    assert decided(scene) == FOLD
    assert decided(showdown(["KC", "2C"])) == 1
    assert timed_out(scene.table, A, acts.Open(())) is None


def test_folding_is_allowed_at_any_turn() -> None:
    """Section 2, rule 10: a lost player folds."""
    session, table, dealer, rng = playing(5, 3)
    asked = 0
    while not session.over:
        if isinstance(session.pending, ask.Choose):
            assert session.pending.options[FOLD] == ("fold", 0)
            asked += 1
        step(session, dealer, rng)
    assert asked > 20
    assert not table.pot


def test_what_is_no_choice_is_refused() -> None:
    scene = Scene(IDLE, Stage.BETTING)
    digest = scene.session.digest()
    for wrong in (True, None, "bet", 6):
        with pytest.raises(IllegalAnswer, match="bet 1 to 4 chips"):
            scene.session.answer(wrong)
    assert scene.session.digest() == digest
