"""A saved game as lines of JSON (docs/reference/jsonl-format.md)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

from engine.plain import readable
from p2p.identity.keys import words
from p2p.protocol.races.book import RaceReport
from p2p.version import PROTOCOL_VERSION
from replay.audit import Report
from replay.departures import departures
from replay.game import SavedGame
from replay.marks import mark_of
from replay.narration import decisions, told
from replay.proofs import proofs
from replay.reader import SavedStep

FORMAT: Final = "nodealer jsonl"
VERSION: Final = 1


def lines(game: SavedGame, report: Report) -> Iterator[str]:
    """One line for the game, one for each step, one for the end; `report` is the audit's."""
    yield _line(_game(game))
    for step in game.steps:
        yield _line(_step(game, step))
    yield _line(_end(game, report))


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, separators=(",", ":"))


def _game(game: SavedGame) -> dict[str, Any]:
    proposal = game.header.proposal
    seats = [
        {
            "seat": seat,
            "name": one.name,
            "bot": one.bot,
            "identity": one.identity.hex(),
            "fingerprint": words(one.identity),
        }
        for seat, one in enumerate(proposal.seats)
    ]
    return {
        "type": "game",
        "format": FORMAT,
        "version": VERSION,
        "protocol": PROTOCOL_VERSION,
        "table": game.header.table.hex(),
        "game": proposal.game.name,
        "rules": proposal.game.rules_version,
        "options": {**proposal.game.defaults(), **proposal.terms.options},
        "seats": seats,
        "race_cap_ms": game.header.race_cap_us / 1_000,
        "steps": len(game.steps),
        "notes": [readable(note) for note in game.opening],
        "told": game.tell(game.opening),
    }


def _step(game: SavedGame, step: SavedStep) -> dict[str, Any]:
    mark = mark_of(game, step)
    entries = step.entries
    proven = [proof for entry in entries for proof in proofs(entry)]
    return {
        "type": "step",
        "step": step.number,
        "kind": step.kind,
        "seats": list(step.seats),
        "leaves": list(step.leavers),
        "absent": list(step.absent),
        "question": None if step.question is None else step.question.kind,
        "decided": decisions(game, step),
        "notes": [readable(note) for note in step.notes],
        "told": told(game, step),
        "mark": None if mark is None else mark.kind.value,
        "race": None if step.race is None else _race(step.race),
        "proofs": [
            {"seat": seat, "proof": proof.value, "items": items} for seat, proof, items in proven
        ],
        "state": game.after(step.number).table.digest().hex(),
        "hash": step.head.hex(),
        "milliseconds": game.times.get(step.number),
    }


def _race(race: RaceReport) -> dict[str, Any]:
    return {
        "claimed_at": race.step,
        "topic": race.topic,
        "times_us": [{"seat": seat, "time": time} for seat, time in race.times],
        "first": race.first,
        "outcome": race.outcome.value,
        "held": None if race.held is None else asdict(race.held),
    }


def _end(game: SavedGame, report: Report) -> dict[str, Any]:
    return {
        "type": "end",
        "ending": game.ending,
        "result": None if game.result is None else list(game.result),
        "winners": list(game.winners),
        "left": [one.seat for one in report.left],
        "lost": [one._asdict() for one in report.lost],
        "departures": [{**one._asdict(), "told": one.told(game.names)} for one in departures(game)],
        "verdict": report.verdict,
        "verified": report.verified,
        "reason": report.reason,
        "step": report.step,
        "seat": report.seat,
        "proven_to": report.proven_to,
    }
