"""Numbers of the documents that are constants of the program."""

from __future__ import annotations

from typing import Final

import pytest

from cli.kit.reaction import EARLY_SECONDS, LATE_SECONDS, REST_SECONDS
from cli.screen.endings import WORD_SECONDS
from cli.screen.motion import SECONDS
from cli.screen.pace import CARD_SECONDS, READ_SECONDS, UNASKED_SECONDS
from cli.screen.sight import DOUBLE_SECONDS
from tests.repo.sources import ROOT

COMMANDS: Final = ROOT / "docs" / "reference" / "commands.md"
SAID: Final = [
    f"if you press it at most {EARLY_SECONDS:g} s before the question appears",
    f"press within {DOUBLE_SECONDS:g} s of a claim is ignored",
    f"Enter counts from {EARLY_SECONDS:g} s after a question appears",
    f"outside races not before {REST_SECONDS:g} s after another question went away",
    f"Enter rests for {LATE_SECONDS:g} s when a game ends",
    f"stays for {READ_SECONDS:g} s and {CARD_SECONDS:g} s more for each card that it shows",
    f"{WORD_SECONDS:g} s more for each card that it shows, and for each word",
    f"a turn in which nobody decides stays for {UNASKED_SECONDS:g} s",
    f"Cards turn over in {SECONDS:g} s",
]


@pytest.mark.parametrize("sentence", SAID)
def test_page_of_commands_has_the_seconds_of_the_code(sentence: str) -> None:
    assert sentence in " ".join(COMMANDS.read_text("utf-8").split())
