"""The page about attacks is what the tests say, and what it names exists."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.attacks import page
from tests.mutation.source import checks_in_source

PITFALLS: list[dict[str, Any]] = page.data("pitfalls.toml")["pitfall"]
LONGEST = 500


@pytest.mark.slow
def test_the_page_is_what_the_tests_say() -> None:
    written = page.PAGE.read_text("utf-8")
    assert written == page.page(), "run `python -m tests.attacks.page`"


def test_every_attack_test_says_what_the_attack_is_and_what_becomes_of_it() -> None:
    silent = [f"{one.file}::{one.name}" for one in page.attacks() if not one.whole]
    assert silent == [], "a docstring with a sentence for the attack, then `Answer: ...`"


def test_every_attack_is_told_in_a_few_sentences() -> None:
    long = [one.name for one in page.attacks() if len(one.attack + one.answer) > LONGEST]
    assert long == []


def test_every_attack_has_its_group() -> None:
    groups = {group["title"] for group in page.data("attacks.toml")["group"]}
    assert {page.group_of(one) for one in page.attacks()} == groups


def test_every_file_of_attacks_exists() -> None:
    """But for those whose names are kept free for tests to come."""
    empty = [pattern for pattern in page.HOME if not list(page.ROOT.glob(pattern))]
    assert set(empty) <= {"tests/protocol/test_verifier_calls*.py"}


@pytest.mark.parametrize("pitfall", PITFALLS, ids=lambda pitfall: pitfall["name"][:40])
def test_what_holds_a_pitfall_off_exists(pitfall: dict[str, Any]) -> None:
    assert pitfall["tests"], "somebody has to notice when it is not held any more"
    for test in pitfall["tests"]:
        file, _, name = test.partition("::")
        assert name in _names(page.ROOT / file), test
    assert set(pitfall.get("checks", [])) <= {check.name for check in checks_in_source()}
    assert pitfall["source"] in {source["id"] for source in page.data("pitfalls.toml")["source"]}


def _names(path: Path) -> set[str]:
    return {test.name for test in page.tests_in(path)}


@pytest.mark.parametrize(
    ("source", "count"), [("mpc-pitfalls", 26), ("mpc-bugs", 27), ("zkdocs", 16)]
)
def test_the_collections_are_gone_through(source: str, count: int) -> None:
    """As many items as the collections had when they were read."""
    rows = [pitfall for pitfall in PITFALLS if pitfall["source"] == source]
    items = [item for row in rows for item in row.get("items", [row["name"]])]
    assert len(set(items)) == len(items) == count


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("It lies. Answer: so what.", ("It lies.", "so what.", "")),
        ("It lies. So what. And more.", ("It lies.", "So what. And more.", "")),
        ("It lies. Answer: no. Remains: this.", ("It lies.", "no.", "this.")),
        ("It lies.", ("It lies.", "", "")),
        ("", ("", "", "")),
    ],
)
def test_a_docstring_is_cut_into_attack_answer_and_rest(
    said: str, parts: tuple[str, str, str]
) -> None:
    assert page._parts(said) == parts
