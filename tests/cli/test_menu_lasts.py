"""How long a game may take is said where its values are chosen, and changes with them."""

from __future__ import annotations

import pytest

from cli.kit.canvas import plain_text
from cli.menu.asked import another
from cli.menu.model import Menu
from cli.menu.picture import picture
from cli.menu.shelf import HomeShelf

USUAL = "It lasts: to 100 points, some 8 rounds: about 12 minutes at the pace of bots."
SHORT = "It lasts: to 25 points, some 2 rounds: about 3 minutes at the pace of bots."


def seen(asked: Menu, size: tuple[int, int] = (80, 24)) -> str:
    return " ".join(plain_text(picture(asked, *size)).split())


@pytest.mark.parametrize("begins", ["p", "h"])
def test_the_length_stands_below_the_values_whichever_line_is_marked(begins: str) -> None:
    asked = Menu(HomeShelf())
    for key in (begins, "s"):
        asked.press(key)
    assert USUAL in seen(asked)
    while asked.fields()[asked.cursor].name != "target":
        asked.press("down")
    assert USUAL in seen(asked)
    for key in "25":
        asked.press(key)
    assert SHORT in seen(asked)
    assert SHORT in seen(asked, (45, 15)), "no word is cut in a small window"


def test_nothing_is_said_of_values_that_do_not_go_together_or_of_games_of_any_length() -> None:
    (sneak,) = [one for one in HomeShelf().games() if one.name == "sneak"]
    usual = {one.name: one.default for one in sneak.options}
    assert sneak.lasts({**usual, "seats": "4"}) == USUAL
    assert not sneak.lasts({**usual, "seats": "3", "packs": "two"})
    (flaps,) = [one for one in HomeShelf().games() if one.name == "flaps"]
    assert not flaps.lasts({**{one.name: one.default for one in flaps.options}, "seats": "4"})


def test_the_next_game_of_the_evening_says_its_length_for_those_who_are_there() -> None:
    asked = Menu(HomeShelf(), flow=another(4, {}))
    asked.press("s")
    assert USUAL in seen(asked)
