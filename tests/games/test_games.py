"""Two games that were written from the documents alone: they pass what every game has to pass."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine import testing
from engine.dealer import TrustedDealer
from engine.game import Game
from engine.games import load, load_text
from engine.session import Session
from engine.traps import Traps
from replay.audit import audit_bytes
from tests.engine.play import decided
from tests.protocol.kit import game_hub, log_bytes, seeded

HERE = Path(__file__).parent
NAMES = ("german-whist", "old-maid")
TABLES = [("german-whist", 2), *[("old-maid", seats) for seats in range(2, 7)]]


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What pip does with packages of these entry points."""
    for name in NAMES:
        info = tmp_path / f"{name.replace('-', '_')}-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        point = f"[nodealer.games]\n{name} = {name.replace('-', '_')}\n"
        (info / "entry_points.txt").write_text(point)
    monkeypatch.syspath_prepend(str(HERE))
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_it_stands_what_every_game_stands(name: str, seats: int) -> None:
    game = load(name)
    testing.check_simulation(game, seats, {}, seed=11)
    testing.check_sync(game, seats, {}, seed=12)
    assert testing.check_legality(game, seats, {}, seed=13) > 10
    assert testing.check_leaving(game, seats, {}, seed=14) > 5
    assert testing.check_environment(game, seats, {}, seed=15) in (1, 2)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), [("german-whist", 2), ("old-maid", 3)])
def test_a_game_between_peers_is_that_of_the_trusted_dealer(name: str, seats: int) -> None:
    hub = game_hub(load(name), seats, seed=seats)
    hub.run(10**7)
    assert not hub.faults
    first = hub.seats[0]
    assert len({log_bytes(seat) for seat in hub.seats}) == 1
    report = audit_bytes(log_bytes(first), name, seeded("audit"))
    assert (report.verdict, report.verified) == ("complete", True), report.reason
    assert report.returns == first.session.returns


@pytest.mark.parametrize("name", NAMES)
def test_it_has_less_than_150_lines(name: str) -> None:
    files = (HERE / name.replace("-", "_")).glob("*.py")
    assert sum(len(path.read_text("utf-8").splitlines()) for path in files) < 150


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_everything_that_happens_and_is_asked_is_said(name: str, seats: int) -> None:
    text, names, rng = load_text(name), ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")[:seats], Random(5)
    session, dealer = Session(load(name), seats, {}, notes=True), TrustedDealer(rng)
    while (asked := session.pending) is not None:
        view: Any = dealer.view(session.table, 0)
        assert text.describe_question(view, asked, names)
        assert all(len(line) <= 80 for line in text.table_lines(view, names))
        session.answer(dealer.answer(session.table, asked, decided(session, dealer, rng)))
    notes = session.table.notes or []
    told = " ".join(text.describe_note(note, names) for note in notes)
    assert {note[0] for note in notes} <= {*text.notes, "pick blind"}
    assert not re.search(r"[{}]|None", told)


def test_the_kit_for_authors_reads_the_words_beside_the_rules() -> None:
    """Those of a package under another name too: a game that is not installed yet."""
    game, text = load("old-maid"), load_text("old-maid")
    for name in ("old-maid", "not-installed"):
        session = Session(replace(game, name=name), 3, {})
        assert Traps(session, TrustedDealer(Random(1))).text is text


# -- German whist ----


def test_every_trick_counts_once_the_stock_is_gone() -> None:
    game: Game = load("german-whist")
    results = [testing.play_out(game, 2, {}, seed).returns for seed in range(20)]
    assert {sum(result) for result in results} == {6}
    assert len(set(results)) > 2


def test_what_takes_a_trick() -> None:
    rules = import_module("german_whist.rules")
    card = {one.name: one for one in rules.DECK.cards}
    clubs, hearts = card["9C"].suit, card["9H"].suit
    assert rules.beats(card["KC"], card["QC"], hearts)
    assert not rules.beats(card["9C"], card["QC"], hearts)
    assert not rules.beats(card["AS"], card["QC"], hearts)
    assert rules.beats(card["9H"], card["AC"], hearts)
    assert not rules.beats(card["9C"], card["AC"], clubs)


# -- old maid ----


def lays_every_pair(view: Any, question: Any, rng: Random) -> object:
    return question.decisions(view)[-1]  # passing comes first


@pytest.mark.parametrize("seats", range(2, 7))
def test_who_lays_every_pair_is_left_with_nothing_but_the_maid(seats: int) -> None:
    for seed in range(10):
        result = testing.play_out(load("old-maid"), seats, {}, seed, lays_every_pair).returns
        assert sorted(result) == [-1, *[0] * (seats - 1)]


def test_nobody_can_keep_it_from_ending() -> None:
    def lays_nothing(view: Any, question: Any, rng: Random) -> object:
        return None

    session = testing.play_out(load("old-maid"), 3, {}, 1, lays_nothing)
    assert sum(session.returns) == -25
