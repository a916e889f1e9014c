"""A long text is read from its beginning, on a page of its own."""

from __future__ import annotations

from os import terminal_size

import pytest
from prompt_toolkit.input import DummyInput
from prompt_toolkit.output import DummyOutput

from cli.commands import rules
from cli.kit.canvas import plain_text
from cli.options.settings import Settings
from cli.screen import reader
from cli.screen.reader import Reader
from tests.cli.conftest import Run


def test_a_page_begins_at_its_beginning_scrolls_and_ends_by_any_other_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines, ended = [f"line {number}" for number in range(1, 101)], list[str]()
    page = Reader("Sneak", lines, Settings(), 24, source=DummyInput(), output=DummyOutput())
    monkeypatch.setattr(page, "end", lambda: ended.append("ended"))

    def title() -> str:
        return plain_text(page.lines(80, 24)).splitlines()[0].strip()

    assert title() == "Sneak   1-22 of 100"
    page.press("down")
    page.paste("down")
    assert title() == "Sneak   2-23 of 100"
    page.press("pagedown")
    assert title() == "Sneak   24-45 of 100", "a page is what is seen at once"
    page.press("pageup")
    assert title() == "Sneak   2-23 of 100"
    for _ in range(20):
        page.press(" ")
    assert title() == "Sneak   79-100 of 100"
    assert ended == []
    page.press("q")
    assert ended == ["ended"]


@pytest.mark.parametrize(
    ("rows", "plain", "paged"), [(24, False, True), (300, False, False), (24, True, False)]
)
def test_rules_that_are_longer_than_the_terminal_are_not_poured_past(
    run: Run, monkeypatch: pytest.MonkeyPatch, rows: int, *, plain: bool, paged: bool
) -> None:
    read = list[str]()

    class Read:
        def __init__(self, title: str, lines: list[str], settings: Settings, depth: int) -> None:
            read.extend([f"{title}: {lines[0]}", *lines[-2:]])

        async def run_alone(self) -> None:
            read.append("read")

    monkeypatch.setattr(rules, "has_screen", lambda: True)
    monkeypatch.setattr(rules, "get_terminal_size", lambda: terminal_size((80, rows)))
    monkeypatch.setattr(reader, "Reader", Read)
    said = run("rules", "sneak", *(["--plain"] if plain else [])).stdout.splitlines()
    shown = read if paged else said
    assert shown[0].endswith("Sneak")
    assert shown[-2 - paged].startswith("Play: ")
    assert shown[-1 - paged].endswith(" play sneak --option packs=one")
    assert bool(said) is not paged, "after a page nothing is left to read"
