"""Help at the table, in windows of any width."""

from __future__ import annotations

import pytest

from cli.kit.canvas import plain_text
from cli.screen.layout import render
from cli.screen.model import Model
from tests.screen.test_keys import table


@pytest.mark.parametrize("columns", [45, 60, 80])
@pytest.mark.parametrize("game", ["sneak", "flaps"])
def test_what_a_key_does_is_folded_below_itself(game: str, columns: int) -> None:
    """Rows for 80 columns became rags in a smaller window; an indent of two looked like a key."""
    at = table(game)
    at.ask()
    at.press("f1")
    rows = plain_rows(at.model, columns)
    marked = next(i for i, row in enumerate(rows) if row.startswith("? F1 "))
    assert rows[marked + 1].startswith(" " * 15)
    assert " ".join(" ".join(rows[marked : marked + 4]).split()).startswith(
        "? F1 this page; a card's name after it (?al, Enter) tells what that card does F2 what"
    )
    brief = at.model.presenter.text.brief.split("\n2, 3  ")[0] if at.model.presenter else ""
    words = [row for row in rows if row.strip() and row.strip() in " ".join(brief.split())]
    assert len(words) <= 1 + len(" ".join(brief.split())) // (columns * 0.8), "no ragged rows"


def plain_rows(model: Model, columns: int) -> list[str]:
    """A page as it is seen in a window of so many columns and very many rows."""
    return [row.rstrip() for row in plain_text(render(model.board(), columns, 90)).splitlines()]


def test_one_page_leads_to_another_and_its_own_key_or_space_at_its_end_goes_back() -> None:
    """A key that only closed the page was pressed in vain (seen with a new player)."""
    at = table("sneak")
    at.model.happened(["Ada draws a card."])
    at.press("?", "f2")
    assert at.model.page is not None
    assert at.model.page.lines == ("Ada draws a card.",)
    at.press("f2")
    assert at.model.page is None
    at.press("?")
    pressed = 0
    while at.model.page is not None:
        at.press(" ")
        pressed += 1
    assert 1 < pressed < 9, "Space reads page by page, and after the last line goes back"
