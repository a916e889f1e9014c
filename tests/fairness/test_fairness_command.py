"""`nodealer fairness`: exit codes, the JSON keys, the picture, what is missing or unreadable."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from matplotlib.figure import Figure

from cli.commands import fairness
from cli.main import main
from cli.options import plot
from engine.cards import SUITS, Card
from engine.games.flaps.cards import DECKS as FLAPS_DECKS
from engine.games.flip_over.cards import DECKS as FLIP_OVER_DECKS
from engine.games.you_fink.cards import DECKS as FINK_DECKS
from p2p.installation import to_add
from replay.fairness import observed
from replay.fairness.judging import judge
from replay.fairness.observed import Observed, Shuffled
from replay.fairness.plot import _by_seat, _tests
from replay.fairness.samples import gather
from tests.fairness.decks import fair, sticky_top
from tests.protocol.kit import log_bytes
from tests.vectors.tables import finished

KEYS = {"tests", "cards", "shuffles", "flagged", "power"}
PNG = b"\x89PNG\r\n"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["fairness", *arguments], prog_name="nodealer")


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A folder with the log of one game, twice."""
    folder = tmp_path / "games"
    folder.mkdir()
    for name in ("mine", "yours"):
        (folder / f"{name}.ndlog").write_bytes(log_bytes(finished("flip-over").seats[0]))
    return folder


def show(monkeypatch: pytest.MonkeyPatch, shuffles: list[Shuffled]) -> None:
    """Let every log tell of these shuffles."""
    monkeypatch.setattr(observed, "observe", lambda path, watch=None: Observed(bytes(32), shuffles))


def test_a_table_is_counted_once(games: Path) -> None:
    result = run(str(games), "--json")
    assert result.exit_code == 0, result.output
    told: dict[str, Any] = json.loads(result.stdout)
    assert set(told) == KEYS
    assert (told["cards"], told["shuffles"], told["flagged"]) == (24, 1, False)
    assert {"name", "statistic", "p_value"} <= set(told["tests"][0])
    assert {one["bias"] for one in told["power"]} > {"the deck is left as it was"}


def test_people_are_told_in_words(games: Path) -> None:
    result = run(str(games / "mine.ndlog"))
    assert result.exit_code == 0
    assert "24 known cards in 1 shuffle" in result.stdout
    assert "Nothing stands out." in result.stdout
    assert "these are too few." in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80, "no terminal breaks its words"


def test_a_rigged_deck_is_exit_one(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    show(monkeypatch, sticky_top(fair(400, 1), 0.3, Random(1)))
    result = run(str(games))
    assert result.exit_code == 1
    assert "FLAG" in result.stdout
    assert "tests stand out." in result.stdout


def test_logs_that_tell_nothing(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    show(monkeypatch, [])
    result = run(str(games))
    assert result.exit_code == 0
    assert result.stdout.startswith("No card in these logs can be used: ")


def test_an_unreadable_file_is_reported_and_the_rest_goes_on(games: Path) -> None:
    (games / "broken.ndlog").write_bytes(b"nothing")
    result = run(str(games))
    assert result.exit_code == 2
    assert "broken.ndlog cannot be read" in result.stderr
    assert "24 known cards" in result.stdout


def test_of_files_that_cannot_be_read_nothing_else_is_said(tmp_path: Path) -> None:
    result = run(str(tmp_path / "nowhere.ndlog"))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "nowhere.ndlog cannot be read" in result.stderr


def test_a_folder_without_logs_is_the_users_mistake(tmp_path: Path) -> None:
    result = run(str(tmp_path))
    assert result.exit_code == 2
    assert "There is no log" in result.stderr


@pytest.mark.parametrize("shuffles", [0, 1, 300])
def test_the_picture_is_drawn(
    shuffles: int, games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(monkeypatch, fair(shuffles, 1))
    plot = tmp_path / "fairness.png"
    result = run(str(games), "--plot", str(plot))
    assert result.exit_code == 0, result.output
    assert plot.read_bytes().startswith(PNG)


def test_the_picture_says_something_where_all_is_well() -> None:
    """Each test has a dot for what it gives by itself, and a sentence says how far they go."""
    judgement = judge(fair(300, 1))
    axes = Figure().subplots()
    _tests(axes, judgement)
    assert f"All {len(judgement.results)} tests stay left" in axes.get_title()
    (dots,) = (line for line in axes.lines if line.get_label() == "by itself")
    assert max(dots.get_xdata()) > 0.3


@pytest.mark.parametrize(
    ("game", "deck", "suits"),
    [
        ("flaps", FLAPS_DECKS[3].cards, ("no suit", *SUITS)),
        ("flip-over", FLIP_OVER_DECKS[5].cards, (*SUITS, "\u2605")),
        ("you-fink", FINK_DECKS[True].cards, (*SUITS, "Minion")),
    ],
)
def test_the_picture_names_every_suit(
    game: str, deck: tuple[Card, ...], suits: tuple[str, ...]
) -> None:
    shuffled = Shuffled(game, game, deck, tuple(range(len(deck))), (None,) * len(deck))
    (sample,) = gather([shuffled], np.random.default_rng(1))
    axes: Any = Figure().subplots()
    _by_seat(axes, sample)
    assert tuple(text.get_text() for text in axes.get_legend().get_texts()) == suits


@pytest.mark.parametrize("name", ["x.unknown", "no/such/folder/x.png"])
def test_a_picture_that_cannot_be_drawn_is_the_users_mistake(name: str, games: Path) -> None:
    result = run(str(games), "--plot", name)
    assert result.exit_code == 2
    assert "x.unknown cannot be drawn" in result.stderr or "there is no folder" in result.stderr


@pytest.mark.parametrize(("missing", "options"), [("scipy", []), ("matplotlib", ["--plot", "x"])])
def test_what_is_missing_is_named(
    missing: str, options: list[str], games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (fairness, plot):
        monkeypatch.setattr(module, "find_spec", lambda name: None if name == missing else 1)
    result = run(str(games), *options)
    assert result.exit_code == 2
    assert result.stderr.endswith(f"; {to_add('stats')} adds it.\n")
    assert missing in result.stderr
