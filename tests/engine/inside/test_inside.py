"""What goes on inside while tests run stays; who changes it on purpose writes the page again."""

from __future__ import annotations

import pytest

from engine.compiling import is_compiled
from engine.session import Session
from tests.engine.inside.page import FILES, PAGE, SLOW, section

WRITTEN = {
    part.partition("\n")[0].removeprefix("# "): f"{part}\n\n"
    for part in PAGE.read_text("utf-8").split("\n\n")
    if part
}


@pytest.mark.skipif(is_compiled(Session), reason="compiled functions cannot be watched")
@pytest.mark.parametrize(
    "file", [pytest.param(file, marks=[pytest.mark.slow] * (file in SLOW)) for file in FILES]
)
def test_what_goes_on_inside_stays(file: str) -> None:
    again = "run `python -m tests.engine.inside.page` if that was meant, and read the difference"
    assert section(file) == WRITTEN[file], again


def test_every_file_is_on_the_page() -> None:
    assert [*WRITTEN] == [*FILES]
