"""Each level plays as it did when its digest was written beside the table of strengths."""

from __future__ import annotations

import pytest

from engine.levels import LEVELS
from tests.engine.bots.plays import PAGE, SHORT, cells, plays, written

ON_THE_PAGE = {(name, level): now for name, level, now, _ in cells(PAGE.read_text("utf-8"))}
SLOW = {"hard": pytest.mark.slow}


@pytest.mark.parametrize(
    ("name", "level"),
    [pytest.param(*key, marks=SLOW.get(key[1], ())) for key in ON_THE_PAGE],
)
def test_a_level_plays_as_its_digest_says(name: str, level: str) -> None:
    again = (
        "run `python -m tests.engine.bots.plays` if that was meant: figures of docs/explanation/"
        "bots.md that were measured before are marked as such, until they are measured anew"
    )
    assert plays(name, level) == ON_THE_PAGE[name, level], again


def test_who_plays_otherwise_than_it_was_measured_says_so_until_it_is_measured_anew() -> None:
    page = PAGE.read_text("utf-8")
    keys = [(name, level) for name in SHORT for level in LEVELS]
    before = written(page, dict.fromkeys(keys, "a" * 12), LEVELS)
    assert {one[2:] for one in cells(before)} == {("a" * 12, "a" * 12)}
    other = dict.fromkeys(keys, "b" * 12)
    changed = written(before, other, ())
    assert f"| {'b' * 12} (measured: {'a' * 12}) |" in changed
    assert {one[2:] for one in cells(changed)} == {("b" * 12, "a" * 12)}
    anew = {one[1]: one[2:] for one in cells(written(changed, other, ["easy"]))}
    assert anew == {
        "easy": ("b" * 12, "b" * 12),
        "normal": ("b" * 12, "a" * 12),
        "hard": ("b" * 12, "a" * 12),
    }
    assert written(before, dict.fromkeys(keys, "a" * 12), ()) == before
