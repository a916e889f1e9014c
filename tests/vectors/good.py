"""Whole games without a fault, one of each kind."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games import load
from p2p.protocol.entry import Entry
from tests.protocol.cheats import CHEAT, bend_entry
from tests.protocol.kit import game_hub, log_bytes
from tests.vectors.tables import MOST_WIRE, PLANS, log_of, races_by_time
from tests.vectors.vector import Level, Vector


def good_logs() -> Iterator[Vector]:
    """Each ends with all signatures under its result."""
    for name in PLANS:
        yield _good(name, log_of(name), f"A whole game of {PLANS[name].game}.")
    races = log_bytes(races_by_time().seats[0])
    yield _good("you-fink", races, "You Fink!: witnesses decide who is first, coins decide ties.")
    about = "A secret choice that is opened wrongly is a forfeit, and no fault."
    yield _good("forfeit", _forfeit(), about)


def _good(name: str, log: bytes, about: str) -> Vector:
    return Vector(f"good-{name}.ndlog", log, "complete", Level.RULES, about)


def _forfeit() -> bytes:
    """Flop-A: seat 1 opens a declaration that it did not commit to, and so has folded."""
    hub = game_hub(load("flop-a"), 3, hands=1)
    hub.chooser = lambda view, asked: 1  # check, call, and declare low

    def forget(entry: Entry) -> list[bytes]:
        kept = hub.seats[CHEAT].cards.kept
        kept[entry.step] = kept[entry.step][:-1] + bytes([(kept[entry.step][-1] + 1) % 3])
        return [entry.record]

    bend_entry(hub, "commit", forget)
    hub.run(MOST_WIRE)
    return log_bytes(hub.seats[0])
