"""What the games tell in some games of chance is what they told before."""

from __future__ import annotations

import pytest

from engine.games import NAMES, load
from tests.engine.told import FOLDER, told


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name == "sneak" else ()) for name in NAMES],
)
def test_what_is_told_stays(name: str) -> None:
    written = (FOLDER / f"{name}.txt").read_text("utf-8")
    assert told(load(name)) == written, (
        "run `python -m tests.engine.told` and read the difference; "
        f"`python -m tests.engine.told {name}` prints every note, for `diff` with those of before"
    )
