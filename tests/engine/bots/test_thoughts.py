"""What bots think, and what contests of them come to, is what it was."""

from __future__ import annotations

import pytest

from engine.games import NAMES
from tests.engine.bots.thoughts import FOLDER, TABLES, contests, thoughts

AGAIN = "run `python -m tests.engine.bots.thoughts` if that was meant, and read the difference"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("table", [0, 1])
def test_what_a_hard_bot_thinks_stays(name: str, table: int) -> None:
    head, *lines = thoughts(name, *TABLES[name][table])
    page = (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    first = page.index(head) + 1
    assert lines == page[first : first + len(lines)], AGAIN


@pytest.mark.parametrize("name", NAMES)
def test_what_contests_come_to_stays(name: str) -> None:
    found = [*contests(name)]
    page = (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    assert found == page[-len(found) :], AGAIN
