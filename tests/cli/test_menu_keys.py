"""What the menu says of its keys."""

from __future__ import annotations

from cli.kit.canvas import plain_text
from cli.menu.model import FORM_HELP, PICK_HELP
from cli.menu.picture import FORM_KEYS, NOTHING_KEYS, PICK_KEYS, picture
from tests.cli.test_menu import menu


def foot(*keys: str, **shelf: int) -> str:
    return plain_text(picture(menu(*keys, **shelf), 80, 24)).splitlines()[-1].strip()


def test_the_keys_below_are_those_that_do_something() -> None:
    """The line is never cut at 80 columns, and `?` says more."""
    assert foot("5", left=0) == NOTHING_KEYS
    assert foot("5", left=1) == foot() == PICK_KEYS
    assert foot("p", "1") == FORM_KEYS.format(does="starts")
    for keys, told in ((["?"], PICK_HELP), (["p", "1", "?"], FORM_HELP)):
        shown = plain_text(picture(menu(*keys), 80, 24))
        assert " ".join(told.split()) in " ".join(shown.split())
        assert told not in plain_text(picture(menu(*keys, "down"), 80, 24))


def test_escape_closes_the_help_first_and_what_was_chosen_in_a_form_stays() -> None:
    asked = menu("p", "2", "3", "?")
    assert asked.notice
    asked.press("escape")
    assert (asked.notice, asked.chosen["level"]) == ("", "3")
    asked.press("escape")
    assert asked.asked.title == "Which game would you like to play?"
    asked.press("1")
    assert "level" not in asked.chosen, "another game has a form of its own"
    asked.press("escape")
    asked.press("2")
    assert asked.chosen["level"] == "3"
