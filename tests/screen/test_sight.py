"""A press counts for what was on the screen when it was made."""

from __future__ import annotations

from cli.kit.reaction import EARLY_SECONDS, REST_SECONDS
from cli.screen.keys import CLOSED
from cli.screen.sight import KEPT_SECONDS
from engine.question import PASS, Choose, Race
from tests.screen.boards import Position
from tests.screen.test_keys import Table, table


def slap_race(seat: int = 0) -> Race:
    return Race([Choose(seat, ("slap",), "slap or go on")], "free for all", window_ms=100)


def cover(at: Table) -> None:
    """Whoever is to turn a card turns it, and all open it."""
    session, dealer = at.at.session, at.at.dealer
    race = session.pending
    assert isinstance(race, Race)
    assert race.awaited is not None
    turns = {seat: 0 if seat == race.awaited else PASS for seat in race.deciders}
    session.answer(dealer.answer(session.table, race, turns))
    opened = session.pending
    assert opened is not None
    session.answer(dealer.act(session.table, opened))


def test_a_slap_after_the_coverers_claim_is_no_slap_at_his_card() -> None:
    at = table("you-fink")
    at.ask(slap_race())
    at.model.withdraw()
    at.press(" ")
    cover(at)
    at.ask(slap_race(), settle=False)
    assert at.decided == []
    at.clock.seconds += EARLY_SECONDS - 0.01
    at.press(" ")
    assert at.decided == []
    at.clock.seconds += 0.01
    at.press(" ")
    assert at.decided == [0]


def test_space_before_the_card_that_loses_a_challenge_does_not_win_the_pile() -> None:
    at = table("you-fink")
    at.model.board()
    at.clock.seconds += 1
    at.press(" ")
    cover(at)
    at.model.board()
    at.ask(slap_race(), settle=False)
    assert at.decided == []


def test_space_between_two_questions_about_one_picture_counts() -> None:
    """Somebody else has touched his forehead: the pile is the same."""
    at = table("you-fink")
    at.ask(slap_race())
    at.model.withdraw()
    at.press(" ")
    at.clock.seconds += 0.3
    at.ask(slap_race(), settle=False)
    assert at.decided == [0]


def test_a_press_is_not_kept_for_ever() -> None:
    at = table("you-fink")
    at.ask(slap_race())
    at.model.withdraw()
    at.press(" ")
    at.clock.seconds += KEPT_SECONDS + 0.1
    at.ask(slap_race(), settle=False)
    assert at.decided == []


def test_anothers_touch_swallows_no_enter_and_moves_no_cursor() -> None:
    at = table("flaps")
    asking = at.ask()
    at.press("right", "right")
    chosen = asking.hand[asking.cursor]
    at.model.withdraw()
    assert at.ask(settle=False).cursor == asking.cursor
    at.model.withdraw()
    at.press("enter")
    at.clock.seconds += 0.05
    at.ask(settle=False)
    assert at.decided == [chosen] or at.notice.startswith("Not now")
    at = Table(Position("you-fink", 4, {}, 3))
    at.ask()
    at.model.withdraw()
    at.ask(settle=False)
    at.press("enter")
    assert len(at.decided) == 1


def test_enter_is_not_kept_for_another_question() -> None:
    at = table("flip-over")
    at.ask()
    at.model.withdraw()
    at.press("enter")
    play = at.at.question
    at.ask(Race([play], "who is first", awaited=0), settle=False)
    assert at.decided == []


def test_enter_for_a_window_that_has_just_closed_does_not_answer_the_next_question() -> None:
    """A pass came as the last call ran out, and picked up cards: nobody had seen that question."""
    at = table("flip-over")
    at.ask(Race([at.at.question], "who is first", awaited=0))
    at.model.withdraw()
    at.clock.seconds += 0.1
    at.ask(settle=False)
    at.press("enter")
    at.clock.seconds += 1.2
    at.press("enter")
    assert at.decided == []
    assert at.notice == CLOSED, "nobody wonders why nothing happens"
    at.clock.seconds += REST_SECONDS - 1.2 - 0.1
    at.press("enter")
    assert len(at.decided) == 1


def test_the_next_race_waits_for_no_rest() -> None:
    at = table("flip-over")
    at.ask()
    at.model.withdraw()
    at.ask(Race([at.at.question], "who is first", awaited=0), settle=False)
    at.clock.seconds += EARLY_SECONDS
    at.press("enter")
    assert len(at.decided) == 1


def test_who_presses_twice_claims_once() -> None:
    """The first press answers; the second falls into the pause after the player's claim."""
    at = table("you-fink")
    at.ask(slap_race())
    at.press(" ", " ")
    at.clock.seconds += 0.05
    at.ask(slap_race(), settle=False)
    assert at.decided == [0]
