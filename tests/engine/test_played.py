"""Many games of chance go as they went before, and the same is said of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.engine.played import pages


@pytest.mark.parametrize(("path", "write"), [pytest.param(*one, id=one[0].stem) for one in pages()])
def test_the_games_of_a_page_stay(path: Path, write: Callable[[], str]) -> None:
    again = (
        "run `python -m tests.engine.played` if that was meant, and read the difference; "
        "`python -m tests.engine.played GAME NUMBER` prints all that is told of it, for `diff`"
    )
    assert write() == path.read_text("utf-8"), again
