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
