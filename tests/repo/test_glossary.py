"""The glossary is in alphabetical order, says where each word lives, and leads there."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

from tests.repo.sources import ROOT

PAGE = ROOT / "docs" / "reference" / "glossary.md"
LINK = re.compile(r"\[[^\]]*\]\(([^)#:]+)(?:#([^)]*))?\)")
ENTRY = re.compile(r"^\* \*\*(.+?)\.\*\* (.+)$", re.MULTILINE)


def sections() -> dict[str, list[tuple[str, str]]]:
    """The words of each section, with what is said of them."""
    parts = re.split(r"^## (.+)$", PAGE.read_text("utf-8"), flags=re.MULTILINE)[1:]
    return {title: ENTRY.findall(text) for title, text in zip(parts[::2], parts[1::2], strict=True)}


def anchors(path: Path) -> set[str]:
    """What may follow the # in a link to this page."""
    titles: list[str] = re.findall(r"^#+ (.+)$", path.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_it_has_words_of_cards_of_cryptography_and_of_the_game() -> None:
    assert list(sections()) == ["Cards", "Cryptography", "The game, the table and the program"]
    assert all(len(entries) >= 20 for entries in sections().values())
    lines = re.findall(r"^\*", PAGE.read_text("utf-8"), re.MULTILINE)
    assert sum(map(len, sections().values())) == len(lines)


def test_the_words_of_a_section_are_in_alphabetical_order() -> None:
    wrong = [
        (before, after)
        for entries in sections().values()
        for (before, _), (after, _) in pairwise(entries)
        if before.casefold() >= after.casefold()
    ]
    assert wrong == []


def test_every_word_says_where_it_lives_and_each_link_leads_there() -> None:
    broken = []
    for entries in sections().values():
        for word, text in entries:
            links: list[tuple[str, str]] = LINK.findall(text)
            if not links:
                broken.append(f"{word}: no link")
            for link, anchor in links:
                target = PAGE.parent / link
                if not target.exists() or (anchor and anchor not in anchors(target)):
                    broken.append(f"{word}: {link}#{anchor}")
    assert broken == []


def test_others_lead_to_it() -> None:
    for path in (ROOT / "README.md", ROOT / "docs" / "explanation" / "architecture.md"):
        assert "reference/glossary.md" in path.read_text("utf-8")
