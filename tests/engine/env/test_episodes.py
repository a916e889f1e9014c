"""Games as environments go as they went before, and seats observe the same."""

from __future__ import annotations

import pytest

from engine.game import Options
from tests.engine.env.episodes import MORE, PAGE, table_lines

IDS = [f"{name}-{seats}" for name, seats, _ in MORE]


@pytest.mark.parametrize(("name", "seats", "options"), MORE, ids=IDS)
def test_what_is_observed_said_and_told_stays(name: str, seats: int, options: Options) -> None:
    head, *lines = table_lines(name, seats, options)
    written = PAGE.read_text("utf-8").partition(f"{head}\n")[2].partition("\n# ")[0]
    assert lines == written.splitlines(), (
        "run `python -m tests.engine.env.episodes` if that was meant, and read the difference; "
        f"`python -m tests.engine.env.episodes {name} {seats} 0` prints all that is told of a "
        "game, for `diff` with that of before"
    )
