"""The page of the tests' kits has a line for each, and for nothing else."""

from __future__ import annotations

import re

from tests.repo.sources import ROOT, parsed, shown, sources

PAGE = ROOT / "docs" / "reference" / "test-kits.md"
ENTRY = re.compile(r"^\* \*\*\[(.+)\]\(\.\./\.\./(.+)\)\*\* [A-Z].+\.$", re.MULTILINE)
PUBLIC = {"engine/testing.py", "p2p/net/memory_network.py"}
"""Kits that lie with what they stand for."""


def kits() -> set[str]:
    """Whatever is no file of tests, and not empty: conftests too."""
    files = (path for path in sources("tests") if not path.name.startswith("test_"))
    return PUBLIC | {shown(path) for path in files if parsed(path).body}


def test_every_kit_is_named_once_with_a_sentence() -> None:
    text = PAGE.read_text("utf-8")
    entries: list[tuple[str, str]] = ENTRY.findall(text)
    assert len(entries) == len(re.findall(r"^\*", text, re.MULTILINE))
    assert [name for name, link in entries if name != link] == []
    assert len(entries) == len(dict(entries))
    assert {name for name, _ in entries} == kits()


def test_others_lead_to_it() -> None:
    for path in (ROOT / "README.md", ROOT / "docs" / "how-to" / "add-a-game.md"):
        assert "test-kits.md" in path.read_text("utf-8")
