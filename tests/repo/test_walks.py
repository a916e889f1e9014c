"""The walks that the documents count are as long as they say."""

from __future__ import annotations

import re

from tests.repo.sources import ROOT

WALKS = (ROOT / "docs/explanation/walks.md").read_text("utf-8")
LINK = re.compile(r"\]\(\.\./\.\./([\w/]+\.py)\)")
COUNT = re.compile(r"These are (\d+) files")


def test_a_card_passes_as_many_files_as_its_walk_says_and_none_twice() -> None:
    walk = WALKS.partition("## A card\n")[2]
    counted = COUNT.search(walk)
    assert counted is not None
    files = LINK.findall(walk[: counted.start()])
    assert len(files) == int(counted[1]) == len(set(files))
