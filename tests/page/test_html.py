"""The exported page as a file: what it holds, and that nothing in it can get out."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import pytest

from engine.games import load
from p2p.protocol.entry import decode_entry
from p2p.protocol.logfile import split_log
from replay.game import open_game
from tests.page.pages import exported
from tests.page.test_second import GAMES, read
from tests.protocol.kit import game_hub, log_bytes

SIZE_MAX: Final = 3_000_000
"""The page of a game of Flaps with four seats, in bytes."""


class Parts(HTMLParser):
    """Scripts and styles by id (or kind), the policy, and every address in an attribute."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.policy = ""
        self.addresses: list[str] = []
        self._open = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if known.get("http-equiv") == "Content-Security-Policy":
            self.policy = known["content"] or ""
        self.addresses += [known[name] or "" for name in ("src", "href") if name in known]
        self._open = (known.get("id") or tag) if tag in ("script", "style") else ""

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open:
            self.found[self._open] = self.found.get(self._open, "") + data


def parts(log: bytes, folder: Path) -> Parts:
    return Parts(exported(log, folder / "page.html").read_text("ascii"))


def told(page: Parts) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(page.found["data"])
    return data


@pytest.mark.parametrize("game", GAMES)
def test_it_carries_the_log_and_tells_every_step(game: str, tmp_path: Path) -> None:
    log = read(GAMES[game])
    page = parts(log, tmp_path)
    assert b64decode(page.found["log"]) == log
    data, saved = told(page), open_game(tmp_path / "page.ndlog")
    assert [step["kind"] for step in data["steps"]] == [step.kind for step in saved.steps]
    assert data["result"] == list(saved.result or ())
    assert data["questions"]["over"]
    assert data["questions"]["stopped"] is None
    for step in data["steps"]:
        assert step["told"]
        assert data["tables"][step["table"]]["rows"]


@pytest.mark.parametrize("game", GAMES)
def test_every_table_has_its_pictures(game: str, tmp_path: Path) -> None:
    """Cards are named or face down; a table that has cards outside of hands shows some."""
    data = told(parts(read(GAMES[game]), tmp_path))
    texts, cards = data["texts"], set()
    for table in data["tables"]:
        for one in table["sets"]:
            assert one["cards"]
            assert one["count"] is None or one["count"] >= len(one["cards"])
            cards.update(one["cards"])
        for disc in table["tokens"]:
            assert texts[disc["label"]][0] == ("+" if disc["good"] else "-")
    assert any(table["tokens"] for table in data["tables"]) == (game == "flip-over")
    assert -1 in cards
    assert any(texts[card][-1] in "\u2660\u2663\u2665\u2666" for card in cards - {-1})


def test_the_policy_allows_its_own_parts_and_nothing_else(tmp_path: Path) -> None:
    page = parts(read("good-flip-over"), tmp_path)
    allowed = {part.split(" ")[0]: part.split(" ")[1:] for part in page.policy.split("; ")}
    assert allowed["default-src"] == ["'none'"]
    assert allowed["worker-src"] == ["blob:"]
    assert allowed["script-src"] == [_source(page.found[name]) for name in ("verifier", "script")]
    assert allowed["style-src"] == [_source(page.found["style"])]
    assert set(allowed) <= {
        *("default-src", "script-src", "style-src", "worker-src", "base-uri", "form-action"),
    }
    assert page.addresses == []


def _source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def test_a_name_cannot_become_markup(tmp_path: Path) -> None:
    hub = game_hub(load("flip-over"), 3, rounds=1)
    hub.run()
    log = log_bytes(hub.seats[0])
    folder = tmp_path / "</script><b>"
    folder.mkdir(parents=True)
    saved = folder / "<script>alert(1)<!--.ndlog"
    saved.write_bytes(log)
    text = exported(log, saved.with_suffix(".html")).read_text("ascii")
    assert "alert(1)" in text
    assert "<script>alert" not in text
    assert text.count("<!--") == 0


def test_a_false_log_says_where_the_rules_stopped(tmp_path: Path) -> None:
    log = read("illegal-move-choice")
    step = decode_entry(split_log(log).records[-1]).step  # a cheat's log ends with the fault
    stopped = told(parts(log, tmp_path))["questions"]["stopped"]
    assert (stopped["verdict"], stopped["seat"], stopped["step"]) == ("illegal-move", 1, step)


def test_four_seats_of_flaps_fit(tmp_path: Path) -> None:
    hub = game_hub(load("flaps"), 4, 2, **{"level": 7, "turn-limit": 40})
    hub.run()
    path = exported(log_bytes(hub.seats[0]), tmp_path / "flaps.html")
    assert path.stat().st_size <= SIZE_MAX
