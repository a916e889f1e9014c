"""Each level plays as it did when its digest was written below the table of strengths."""

from __future__ import annotations

import pytest

from engine.levels import LEVELS
from tests.engine.bots.plays import PAGE, SHORT, digests, plays, written

ON_THE_PAGE = digests(PAGE.read_text("utf-8"))
SLOW = {"hard": pytest.mark.slow}


@pytest.mark.parametrize(
    ("name", "level"),
    [pytest.param(*key, marks=SLOW.get(key[1], ())) for key in ON_THE_PAGE],
)
def test_a_level_plays_as_its_digest_says(name: str, level: str) -> None:
    again = (
        "run `python -m tests.engine.bots.plays`, then `python -m tests.engine.bots.table`, if "
        "that was meant: figures of docs/explanation/bots.md that were measured before are marked "
        "as such, until they are measured anew"
    )
    assert plays(name, level) == ON_THE_PAGE[name, level], again


def test_digests_take_the_place_of_those_before() -> None:
    page = PAGE.read_text("utf-8")
    other = {(name, level): f"{len(name):06}{level:_>6}" for name in SHORT for level in LEVELS}
    changed = written(page, other)
    assert digests(changed) == other
    assert written(changed, ON_THE_PAGE) == page
