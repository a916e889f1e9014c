"""Constants and defaults stay: whoever changes one on purpose writes the page again."""

from __future__ import annotations

import pytest

from tests.mutation.contexts import RAN
from tests.protocol.constants import PAGE, defaulting, lines, modules

SECTIONS = {
    part.partition("\n")[0].removeprefix("# "): part.strip().splitlines()[1:]
    for part in PAGE.read_text("utf-8").split("\n\n")
    if part.strip()
}


@pytest.mark.parametrize("module", SECTIONS)
def test_the_constants_of_a_module_stay(module: str) -> None:
    RAN.update([f"{module}:", *defaulting(module)])  # what is made at the import is read here
    again = "run `python -m tests.protocol.constants` if that was meant, and read the difference"
    written, now = SECTIONS[module], lines(module)
    assert [line for line in written if line not in now] == [], again
    assert {name(line) for line in now} == {name(line) for line in written}, again


def name(line: str) -> str:
    """What is given a value there; of an entry its table."""
    return line.partition(" = ")[0].partition("[")[0]


def test_every_module_with_a_constant_is_on_the_page() -> None:
    assert [name for name in modules() if lines(name)] == list(SECTIONS)
