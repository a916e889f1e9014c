"""The site: its pages hold all documents, no link leaves it, and the checker sees what is wrong.

`make site` builds it, which takes a minute and a package of its own.  Here only the pages are made.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.repo.sources import ROOT
from tests.site import links, pages

CONFIG = ROOT / "tests" / "site" / "zensical.toml"


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages, laid out once."""
    folder = tmp_path_factory.mktemp("pages")
    pages.main(str(folder))
    return folder


def named(nav: object) -> set[str]:
    """All pages that the navigation names."""
    if isinstance(nav, str):
        return {nav}
    parts = nav.values() if isinstance(nav, dict) else nav
    return {page for part in parts for page in named(part)}  # type: ignore[attr-defined]


def test_no_link_of_a_page_leaves_the_site(laid: Path) -> None:
    broken = [
        f"{page.relative_to(laid)}: {link}"
        for page in laid.rglob("*.md")
        if "source" not in page.parts
        for part in pages.CODE.split(page.read_text("utf-8"))[::2]
        for _, link, _ in pages.LINK.findall(part)
        if not (page.parent / link).is_file()
    ]
    assert broken == []


def test_every_document_can_be_reached_from_the_navigation(laid: Path) -> None:
    nav = named(tomllib.loads(CONFIG.read_text("utf-8"))["project"]["nav"])
    assert [page for page in nav if not (laid / page).is_file()] == []
    documents = {page.relative_to(laid).as_posix() for page in laid.rglob("*.md")}
    hidden = {page for page in documents if page.startswith(("source/", "explanation/decisions/"))}
    lists = {page for page in documents if page.endswith("/list.md")}
    assert documents - hidden - lists - nav == {"project/readme.md"}


def test_the_first_page_leads_from_nothing_to_a_checked_game_in_one_screen() -> None:
    page = (ROOT / "docs" / "index.md").read_text("utf-8")
    start = page.partition("![")[0]
    steps = ["make play", "pipx install", "chmod +x", "nodealer audit", "nodealer fairness"]
    places = [start.index(step) for step in steps]
    assert places == sorted(places)
    # What is seen at once: one of the three ways, then what all have in common.
    head, *ways = re.split(r"^=== ", start, flags=re.MULTILINE)
    ways[-1], common = re.split(r"^(?=\w)", ways[-1], maxsplit=1, flags=re.MULTILINE)
    assert all(len(head + way + common) < 1500 for way in ways)


def test_a_source_becomes_a_page_that_search_leaves_out(laid: Path) -> None:
    page = (laid / "source" / "p2p" / "crypto" / "dleq.py.md").read_text("utf-8")
    assert page.startswith(pages.UNSEARCHED)
    assert (ROOT / "p2p" / "crypto" / "dleq.py").read_text("utf-8") in page


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="b.html#there">', ""),
        ('<a href="b.html#nowhere">', "there is no place b.html#nowhere"),
        ('<a href="c.html">', "c.html leads nowhere"),
        ('<img src="c.svg">', "c.svg leads nowhere"),
        ('<script src="https://example.org/x.js"></script>', "is loaded from elsewhere"),
        ('<a href="https://example.org/">', ""),
    ],
)
def test_the_checker_sees_what_is_wrong(body: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(f"<html>{body}</html>")
    (tmp_path / "b.html").write_text('<h2 id="there">')
    found = list(links.faults(tmp_path))
    assert len(found) == bool(fault)
    assert fault in "".join(found)
