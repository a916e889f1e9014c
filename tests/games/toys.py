"""What a toy of one test file has to stand: everything that the game of a package goes through."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engine import testing
from engine.game import Game
from engine.games import load
from engine.session import Session
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import split_log
from replay.audit import Report, audit_bytes
from replay.game import SavedGame
from replay.jsonl import lines
from tests.protocol.kit import game_hub, log_bytes, seeded


def install(monkeypatch: pytest.MonkeyPatch, site: Path, name: str, module: str) -> None:
    """What pip does with a package whose rules are the `GAME` of that module."""
    package = name.replace("-", "_")
    (site / package).mkdir()
    (site / package / "rules.py").write_text(f"from {module} import GAME as GAME\n")
    info = site / f"{package}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[nodealer.games]\n{name} = {package}\n")
    monkeypatch.syspath_prepend(str(site))


def stands_the_kit(game: Game, seats: int, folder: Path) -> None:
    """With a trusted dealer: forks, followers, refusals, and a golden playthrough."""
    testing.check_simulation(game, seats, {}, seed=1)
    testing.check_sync(game, seats, {}, seed=2)
    assert testing.check_legality(game, seats, {}, seed=3) > 0
    assert testing.check_environment(game, seats, {}, seed=5) > 0
    golden, session = folder / "golden.txt", testing.play_out(game, seats, {}, seed=4)
    testing.write_golden(golden, session)
    assert testing.check_golden(golden, load).digest() == session.digest()


@dataclass(frozen=True)
class Played:
    """A game between peers: its log as a stranger opens it, and what the audit of it came to."""

    saved: SavedGame
    report: Report

    def exported(self) -> list[dict[str, Any]]:
        """Its steps as JSON lines."""
        game, *steps, end = map(json.loads, lines(self.saved, self.report))
        assert (game["type"], end["verdict"]) == ("game", "complete")
        return steps


def between_peers(game: Game, seats: int) -> Played:
    """In memory; all have one log, whose answers alone give the result, and which audits."""
    hub = game_hub(game, seats, seed=seats)
    hub.run(10**6)
    assert not hub.faults
    first = hub.seats[0]
    log = log_bytes(first)
    assert {log_bytes(seat) for seat in hub.seats} == {log}
    again = Session(game, seats, {}, check=True)
    for answer in first.session.journal:
        again.answer(answer)
    assert again.returns == first.session.returns
    report = audit_bytes(log, game.name, seeded("audit"))
    assert (report.verdict, report.verified) == ("complete", True), report.reason
    split = split_log(log)
    saved = SavedGame(decode_header(split.header), split)
    assert (saved.trouble, saved.result) == ("", again.returns)
    return Played(saved, report)
