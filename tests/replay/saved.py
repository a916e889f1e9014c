"""Saved games of every kind, and what their players saw."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.cards import Card
from engine.games import load
from engine.memory import Among
from engine.view import View
from p2p.files.hand_file import hand_text
from p2p.protocol.genesis import decode_header
from p2p.protocol.logfile import split_log
from replay.game import SavedGame
from tests.protocol.kit import Hub, game_hub, log_bytes

GAMES: dict[str, dict[str, Any]] = {
    "flip-over": {"rounds": 1},
    "flaps": {"level": 5, "turn-limit": 40},
    "sneak": {"target": 25},
    "flop-a": {"hands": 2},
    "you-fink": {},
}
SEEDS = {"flaps": 1, "flop-a": 4}
"""Seeds for games that lack something with seed 3: races that are witnessed; oaths about a hand
that is held, and a fold that costs seat 0 a pot.
"""


class Sighting(NamedTuple):
    """Before a step, what a seat could read, and what it knew besides: faces by slot.

    `among` are the cards that it remembered elsewhere.
    """

    step: int
    seat: int
    faces: dict[int, Card]
    recalled: dict[int, Card]
    among: Sequence[Among]


@cache
def played(
    game: str, seed: int | None = None, level: int | None = None
) -> tuple[Hub, list[Sighting]]:
    """A whole game of three seats, and what each decider saw when it decided."""
    seed = SEEDS.get(game, 3) if seed is None else seed
    options = GAMES[game] if level is None else {**GAMES[game], "level": level}
    hub, seen = game_hub(load(game), 3, seed=seed, verifying=1, **options), list[Sighting]()
    choose = hub.chooser

    def chooser(view: View, question: Any) -> object:
        machine = hub.seats[view.seat].machine
        locks = view.table.locks
        own = {slot: view.face(slot) for slot, lock in enumerate(locks) if lock == view.seat}
        known = {slot: view.recall(slot) for slot in range(len(locks)) if slot not in own}
        recalled = {slot: card for slot, card in known.items() if card is not None}
        seen.append(Sighting(machine.chain.step, view.seat, own, recalled, view.among()))
        return choose(view, question)

    hub.chooser = chooser
    hub.run(limit=400_000)
    assert not hub.faults
    return hub, seen


@cache
def log_of(game: str, seed: int | None = None, level: int | None = None) -> bytes:
    """The log of that game."""
    return log_bytes(played(game, seed, level)[0].seats[0])


@cache
def saved(game: str, seed: int | None = None) -> SavedGame:
    """That game as a stranger opens it."""
    log = split_log(log_of(game, seed))
    return SavedGame(decode_header(log.header), log)


def write_log(
    game: str,
    folder: Path,
    seat: int | None = None,
    seed: int | None = None,
    level: int | None = None,
) -> Path:
    """That game on disk, with the hand file of a seat beside it."""
    path = folder / f"{game}.ndlog"
    path.write_bytes(log_of(game, seed, level))
    if seat is not None:
        table = played(game, seed, level)[0].seats[seat].table
        assert table is not None
        text = hand_text(table.header.table, seat, table.cards.seen)
        path.with_suffix(".ndhand").write_text(text, "ascii")
    return path
