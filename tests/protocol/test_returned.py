"""What functions return for values by chance stays: whoever changes it on purpose writes the page
again.
"""

from __future__ import annotations

import pytest

from tests.protocol.constants import modules
from tests.protocol.returned import PAGE, lines, section

WRITTEN = {
    part.partition("\n")[0].removeprefix("# "): f"{part}\n\n"
    for part in PAGE.read_text("utf-8").split("\n\n")
    if part
}


@pytest.mark.parametrize("module", WRITTEN)
def test_what_functions_return_stays(module: str) -> None:
    again = "run `python -m tests.protocol.returned` if that was meant, and read the difference"
    assert section(module, lines(module)) == WRITTEN[module], again


def test_every_module_is_on_the_page() -> None:
    assert list(WRITTEN) == modules()
