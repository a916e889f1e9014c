"""The reference of words is what their docstrings say, and tells of all that authors import."""

from __future__ import annotations

import dataclasses

import engine.wording
from engine.wording import Wording
from tests.repo import wording_page
from tests.repo.sources import ROOT

FOR_SCREENS = {"SPACE", "TableText", "chairs_of", "empty_chairs", "scores", "with_chairs"}
"""What authors need not know: a key, the table as a screen gets it, what becomes of chairs, how
results are written."""


def test_the_page_is_what_the_docstrings_say() -> None:
    written = wording_page.PAGE.read_text("utf-8")
    assert written == wording_page.page(), "run `python -m tests.repo.wording_page`"


def test_it_tells_of_all_that_a_game_may_import() -> None:
    classes = [name for _, part in wording_page.PARTS for _, name in part]
    functions = [name for _, name in wording_page.FUNCTIONS]
    told = {"Wording", *classes, *functions}
    assert told == set(engine.wording.__all__) - FOR_SCREENS


def test_the_how_to_has_a_row_for_each_field() -> None:
    how_to = (ROOT / "docs" / "how-to" / "add-a-game.md").read_text("utf-8")
    table = how_to[how_to.index("| field | is |") :].partition("\n\n")[0]
    fields = {field.name for field in dataclasses.fields(Wording)} - {"title", "table"}
    assert [name for name in sorted(fields) if f"`{name}`" not in table] == []
