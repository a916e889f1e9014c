"""The threat model repeats figures of other pages: they are the same there, and it is found."""

from __future__ import annotations

import re

from tests.repo.sources import ROOT

EXPLANATION = ROOT / "docs" / "explanation"


def rows(page: str) -> list[str]:
    """The rows of the tables of a page that have several numbers."""
    text = (EXPLANATION / page).read_text("utf-8")
    return [line for line in text.splitlines() if re.match(r"\|.*\| \d[\d.]*.*\| \d", line)]


def test_its_rows_about_races_are_those_of_the_page_of_races() -> None:
    repeated = rows("threat-model.md")
    assert len(repeated) >= 8
    assert [row for row in repeated if row not in rows("races.md")] == []


def test_others_lead_to_it() -> None:
    for name in ("README.md", "SECURITY.md", "docs/explanation/proofs.md"):
        assert "threat-model.md" in (ROOT / name).read_text("utf-8")
