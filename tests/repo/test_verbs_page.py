"""The reference of verbs is what their docstrings say, and these say what an author needs."""

from __future__ import annotations

import ast
import re

import pytest

from tests.repo import verbs_page
from tests.repo.sources import ROOT, functions


def test_the_page_is_what_the_docstrings_say() -> None:
    written = verbs_page.PAGE.read_text("utf-8")
    assert written == verbs_page.page(), "run `python -m tests.repo.verbs_page`"


def test_it_tells_of_every_verb() -> None:
    told = (*verbs_page.DEALER, *verbs_page.PLAYERS, *verbs_page.MOVES)
    assert sorted(told) == sorted(verbs_page.verbs())
    assert len(told) == 23


@pytest.mark.parametrize("name", verbs_page.verbs())
def test_a_verb_says_what_is_seen_of_it(name: str) -> None:
    assert "\nSeen: " in verbs_page.docstring(name)


def test_a_verb_that_can_be_refused_says_when() -> None:
    path = ROOT / "engine" / "table.py"
    refusing = {node.name for node in functions(path) if _refuses(node)}
    refusing -= {"_owner", "_refused"}
    told = {name for name in verbs_page.verbs() if "\nEngineError: " in verbs_page.docstring(name)}
    assert told == refusing


def _refuses(node: ast.AST) -> bool:
    return bool(re.search(r"_refused\(|_owner\(|raise EngineError", ast.unparse(node)))
