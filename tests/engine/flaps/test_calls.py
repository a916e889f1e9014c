"""Last Card, catching, scuffles, sessions of several games, the turn limit, cuts by lot."""

from __future__ import annotations

from random import Random

import pytest

from engine import question as ask
from engine.errors import UsageError
from engine.games.flaps.bot import sensible_bot
from engine.games.flaps.calls import CAUGHT, LAST_CARD, SILENT, calls
from engine.games.flaps.duties import DEFEND, FOLLOW
from engine.games.flaps.rules import GAME, LONGEST
from engine.simulate import play_game, simulate
from engine.testing import play_out
from tests.engine.flaps.scene import Scene, wins
from tests.shares import every_second

A, B, C, D = range(4)
HANDS = ["5D 9H", "8D 9D 7C", "9H 8C 7D"]


def test_a_call_may_come_before_the_next_card() -> None:
    """A player who said nothing may still be first; the next player is asked again."""
    scene = Scene(HANDS, "5H", stock="KC", silent=True).lay("5D").say(SILENT)
    assert calls(scene.table, A) == [(LAST_CARD, A)]
    scene.call(A)
    assert not scene.table.due
    assert scene.lay("8D").hand(A) == "9H"


def test_who_picks_up_lays_no_card_that_makes_it_too_late() -> None:
    scene = Scene(HANDS, "5H", stock="KC", silent=True).lay("5D").say(SILENT).decline()
    assert scene.hand(B) == "7C 8D 9D KC"
    assert calls(scene.table, A) == [(LAST_CARD, A)]


@pytest.mark.parametrize("kept", ["9H", "AS"])
def test_who_was_too_late_has_paid_and_nothing_more_is_due(kept: str) -> None:
    """The next player is asked for a card, without a race for a call that nobody can make.

    AS lies in slot 1, which is the number of the seat that laid too.
    """
    scene = Scene([f"5D {kept}", *HANDS[1:]], "5H", stock="KC", silent=True)
    scene.lay("5D").say(SILENT).flap(B, "8D")
    assert scene.hand(A) == f"{kept} KC"
    assert not scene.table.due
    assert isinstance(scene.asked, ask.Play)


def test_catch_needs_somebody_who_notices() -> None:
    """Policy catch: any opponent may press "Caught!" until the culprit's hand changes."""
    scene = Scene(HANDS, "5H", stock="KC", silent=True, last_card="catch").lay("5D").say(SILENT)
    assert calls(scene.table, B) == []
    scene.flap(B, "8D")
    assert scene.hand(A) == "9H"
    assert calls(scene.table, A) == []
    assert calls(scene.table, B) == calls(scene.table, C) == [(CAUGHT, A)]
    assert isinstance(scene.asked.claims[C], ask.Either)
    scene.call(B)
    assert scene.hand(A) == "9H KC"
    assert not scene.table.due


def test_each_culprit_is_caught_for_itself() -> None:
    """Two have one card left and said nothing; a second silence does not end the first."""
    hands = ["5D 9H", "8D 9D", "9H 8C 7D"]
    scene = Scene(hands, "5H", stock="KC KD", silent=True, last_card="catch").lay("5D").say(SILENT)
    scene.flap(B, "8D").say(SILENT)
    assert calls(scene.table, C) == [(CAUGHT, A)], "B can say it himself until the next card"
    assert calls(scene.table, B) == [(CAUGHT, A), (LAST_CARD, B)]
    scene.flap(C, "8C")
    assert calls(scene.table, C) == [(CAUGHT, A), (CAUGHT, B)]
    scene.call(C, 1)
    assert [scene.hand(seat) for seat in (A, B)] == ["9H", "9D KC"]
    assert calls(scene.table, C) == [(CAUGHT, A)]


def test_off_asks_nobody() -> None:
    scene = Scene(HANDS, "5H", silent=True, last_card="off").lay("5D")
    assert isinstance(scene.asked, ask.Play)


def test_the_duty_lapses_with_the_hand() -> None:
    scene = Scene(["10S 9H", "8S 9D 7C", "9H 8C 7D"], "5S", stock="KC KD", silent=True)
    scene.lay("10S").say(SILENT).say(B).decline()
    scene.flap(B, "8S")
    assert scene.hand(A) == "9H KD"


def test_nothing_is_due_for_a_card_picked_up_after_a_gift() -> None:
    """D6: due for a gift that leaves one card, not for the card after an ineligible finish."""
    scene = Scene(["PICKD 9H 8H", "9C 9D"], "5D", silent=True).lay("PICKD").put("9H")
    assert scene.asked.options == (LAST_CARD, SILENT)
    scene = Scene(["PICKD 9H", "9C 9D"], "5D", silent=True).lay("PICKD").put("9H")
    assert scene.decider == B


def test_after_the_last_doofer() -> None:
    hands = ["10S 5C 5D", "9D 9D", "HDD 8D 8D", "9H QH"]
    scene = (
        Scene(hands, "5S", scuffle="after-last-hd").lay("10S").say(C).lay("HDD").say(A).decline()
    )
    assert scene.decider == D


def test_a_doofer_as_last_card_wins() -> None:
    scene = Scene(["10S 5C 5D", "HDD"], "5S").lay("10S").lay("HDD")
    assert wins(scene) == [0, 1]


def test_a_trumps_laid_onto_king_and_lay_sees_the_card_picked_up() -> None:
    """D32: penalty first; then the layer plays the card it got."""
    scene = Scene(["KLC TRH", "9C 9D"], "5C", stock="QS").lay("KLC", "TRH")
    assert scene.hand(A) == "QS"
    assert scene.say(0).put("9C").put("QS").hand(B) in ("9D", "9C 9D QS")


def test_chained_ace_and_lays_go_on_in_any_depth() -> None:
    scene = Scene(["ALH ALD ALC KLC 8C 5H 7S", "9C 9D"], "5C", stock="QS")
    scene.lay("ALH", "ALD", "ALC", "KLC", "8C")
    assert scene.table.miss
    assert scene.decider == B


def test_the_last_five_acts() -> None:
    """D20: buried fives do nothing; the last one does."""
    scene = (
        Scene(["DUMPH LOSEC PICKD 9H 8H", "9C 9D"], "5H").lay("DUMPH", "LOSEC", "PICKD").decline()
    )
    assert isinstance(scene.asked, ask.LayDown)
    assert scene.put("9H").names(scene.table.mystery[0]) == ["9H"]


def test_lots_are_drawn_when_the_stack_is_too_small_to_cut() -> None:
    hands = ["TRS OM1 5D 5C", "KC 9C 9D", "KD 9C 9S"]
    scene = Scene(hands, "5S", dry=True).lay("TRS").say(2).put("KC").put("KD").put("OM1")
    notes = [note[0] for note in scene.table.notes or []]
    assert "lot" in notes
    assert "cut" not in notes


def test_two_finishers_in_trumps_the_first_wins() -> None:
    """D16: the one earliest in laying order."""
    scene = Scene(["TRS 2D 5D", "9H", "SIXS"], "5S").lay("TRS").say(0)
    assert wins(scene.put("9H").put("SIXS").put("2D")) == [0, 1, 0]


def test_a_six_in_trumps_counts_twice() -> None:
    scene = Scene(["TRS 2D 5D", "9H 9C", "SIXS"], "5S").lay("TRS").say(0)
    assert wins(scene.put("9H").put("SIXS").put("2D")) == [0, 0, 2]


def test_games_are_played_until_somebody_has_enough_wins() -> None:
    session = play_game(GAME, 3, {"wins": 4, "level": 3}, 5, [sensible_bot] * 3, check=True)
    assert max(session.returns) in (4, 5)


def test_the_turn_limit_ends_a_game_by_hands() -> None:
    session = play_out(GAME, 4, {"turn-limit": 5}, seed=3)
    table = session.table
    fewest = min(map(len, table.hands))  # type: ignore[attr-defined]
    holders = [len(hand) == fewest for hand in table.hands]  # type: ignore[attr-defined]
    assert [won == 1 for won in session.returns] == holders


def test_without_a_turn_limit_a_game_ends_all_the_same() -> None:
    scene = Scene(["5D 9H 3C", "8D 9D", "7C"], "5H", turn_limit=0)
    scene.table.turns = LONGEST
    assert scene.lay("5D").table.wins == [0, 0, 1]


@pytest.mark.parametrize("level", [0, 8])
def test_a_level_out_of_range_is_refused(level: int) -> None:
    with pytest.raises(UsageError, match="level is one of: 1 to 7"):
        GAME.check(4, {"level": level})


def test_a_refusal_names_only_cards_that_the_level_has() -> None:
    for level in range(1, 8):
        said = " ".join(duty.why for duty in (*FOLLOW[level].values(), *DEFEND[level].values()))
        assert ("OL' MAID" in said) == (level >= 2)
        assert ("QUACK" in said) == (level >= 3)
        assert " a 8" not in said


@pytest.mark.parametrize("seats", [1, 9])
def test_a_wrong_number_of_players_is_refused(seats: int) -> None:
    with pytest.raises(UsageError, match="2 to 8 players"):
        GAME.check(seats, {})


@pytest.mark.slow
@pytest.mark.parametrize("level", every_second(range(1, 8)))
def test_two_hundred_random_games_a_level(level: int) -> None:
    """Every card looked after at every question; most tables, every number of seats."""
    for number in range(200 // 7 + 1):
        for seats in GAME.seats:
            session = play_out(GAME, seats, {"level": level, "turn-limit": 40}, number)
            assert session.over


@pytest.mark.full
@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("level", range(1, 8))
def test_ten_thousand_random_games_a_level(level: int, seats: int) -> None:
    result = simulate(GAME, seats, {"level": level}, 1430, level, clock=lambda: 0.0)
    assert len(result.returns) == 1430


def test_an_answer_that_is_refused_changes_nothing() -> None:
    scene = Scene(["5D 9H 3C", "8D 9D 7C"], "5H", seed=Random(3).randrange(9))
    scene.refused("3C")
    assert scene.decider == A
