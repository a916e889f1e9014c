"""Numbers and commands on a model: what is cleared, what says why, what a command tells."""

from __future__ import annotations

import pytest

from cli.screen.asking import Asking
from engine.question import Choose
from tests.screen.boards import Position
from tests.screen.test_keys import Table, table


def test_a_command_hails_the_winner_when_the_game_is_over() -> None:
    at, said = table("flip-over"), list[str]()
    at.model.send_chat = said.append
    at.press("/", *"hail", "enter")
    at.model.ended = "The game is over."
    assert "/hail" in at.model.board().keys
    at.press("/", *"hail", "enter")
    assert said == ["Hail!"] * 2
    at.model.send_chat = None
    at.press("/", *"hail", "enter")
    assert at.notice == "Nobody at this table would hear you."


@pytest.mark.parametrize("typed", ["help al", "? AL", "he al"])
def test_help_with_a_name_tells_what_any_card_does(typed: str) -> None:
    at = table("flaps")
    at.ask()
    at.press("/", *typed, "enter")
    assert at.model.page is not None
    (told,) = at.model.page.lines
    assert "ACE'N'LAY: Goes on anything. Lay one more card of its colour" in told


def test_a_name_typed_on_the_help_page_tells_what_that_card_does() -> None:
    at = table("flaps")
    at.ask()
    at.press("?", *"al")
    assert at.model.board().label == "help"
    at.press("enter", *"j", "backspace", *"al", "enter")
    assert at.model.page is not None
    assert "ACE'N'LAY: Goes on anything" in at.model.page.lines[0]
    at.press("x", "escape")
    assert (at.model.page, at.model.mode, at.decided) == (None, "", [])


def test_where_cards_do_nothing_any_letter_leaves_the_help_page() -> None:
    at = table("flip-over")
    at.ask()
    at.press("?", "7")
    assert (at.model.page, at.model.mode) == (None, "")


def test_f9_shows_ones_own_cards_that_lie_by_ones_side() -> None:
    """Flip Over, D8; and nobody else's, though all have seen them."""
    at = Table(Position("flip-over", 4, {}, 4))
    at.ask()
    at.press("f9")
    assert at.model.page is not None
    beside = at.at.session.table.zones[5]
    assert (beside.name, beside.owner, len(beside)) == ("beside", 0, 3)
    cards = [at.at.presenter.text.describe_card(at.at.view.face(slot)) for slot in beside]
    assert at.model.page.lines == (" ".join(cards),)
    at.press("escape", "/", *"mine", "enter")
    assert at.model.page is not None
    watched = table("sneak")
    watched.ask()
    watched.press("f9")
    assert watched.model.page is not None
    assert watched.model.page.lines == ("No card of yours lies there.",)


def test_a_number_is_cleared_when_the_list_changes_and_a_line_says_so() -> None:
    at = table("flop-a")
    at.ask()
    at.press("2")
    at.model.withdraw()
    assert at.ask().typed == "2"
    at.model.withdraw()
    changed = at.ask(Choose(0, ("high", "low"), "declare"))
    assert changed.typed == ""
    assert at.notice == "The choices have changed: 2 is not typed any more."
    at.press("enter")
    assert at.decided == []


def test_a_claim_that_cannot_be_made_now_says_why_and_types_nothing() -> None:
    """On one's own turn too: the forehead is touched already."""
    found = (Position("you-fink", 4, {}, turn) for turn in range(3, 40))
    at = Table(next(one for one in found if is_touched_on_own_turn(one.asking())))
    asking = at.ask()
    at.press("f")
    assert asking.typed == ""
    assert at.notice == "Not now: your forehead is touched already."
    assert at.decided == []


def is_touched_on_own_turn(asking: Asking) -> bool:
    labels = {choice.label for choice in asking.legal}
    return not asking.aside and "turn a card (hand off the forehead)" in labels and "slap" in labels


def test_what_enter_refuses_stays_typed_while_more_of_it_can_be_typed() -> None:
    """The letters were thrown away, and the mark jumped back to another card."""
    at = table("flip-over")
    asking = at.ask()
    at.press("5", "enter")
    assert at.notice.startswith("'5' could be ")
    assert asking.typed == "5"
    at.press("h", "enter")
    assert at.decided == [asking.hand[asking.cursor]]
    at = table("flaps")
    asking = at.ask()
    at.press(*"4d", "enter")
    assert at.notice.startswith("Not now: ")
    assert asking.typed == ""


def test_how_to_talk_stands_below_while_one_is_asked() -> None:
    """ "c" began "call": "good luck" was refused as a choice, and nobody was told a word of it."""
    at, said = table("flop-a"), list[str]()
    at.ask()
    assert "chat" not in at.model.board().keys, "nobody would hear it"
    at.model.send_chat = said.append
    assert "  F3 chat  " in at.model.board().keys
    at.press(*"cool luck", "enter")
    assert at.notice.endswith("To talk: F3 or /chat.")
    at.press("escape", "f3", *"luck", "enter")
    assert (said, at.decided) == (["luck"], [])


def test_digits_are_named_below_only_where_something_has_a_number() -> None:
    for game, named in (("flip-over", False), ("flop-a", True)):
        at = table(game)
        at.ask()
        assert ("digits" in at.model.board().keys) == named
