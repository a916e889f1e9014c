"""Search through all that can happen at a small table, each state once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tests.sim.exhaustive.table import Event, Shape, Table, WrongError

Path = tuple[Event, ...]


@dataclass
class Found:
    """What a search has seen."""

    states: int = 0
    steps: int = 0
    ends: int = 0
    deepest: int = 0


class FoundError(AssertionError):
    """The shortest way that was met to what must not happen."""


def search(count: int, shape: Shape, crashes: int, most: int | None = None) -> Found:
    """Try everything; FoundError with the way there if something goes wrong.

    A machine cannot be copied (its program is a coroutine), so each state is made anew by going
    the way that leads to it.  With `most`, no more states than that are looked at.
    """
    seen: set[bytes] = set()
    found: Final = Found()
    ways: list[Path] = [()]
    while ways and (most is None or found.states < most):
        way = ways.pop()
        try:
            table = _after(count, shape, crashes, way)
            key = table.fingerprint()
            events = table.events()
        except WrongError as wrong:
            raise FoundError(f"{wrong}\n" + "\n".join(map(_said, way))) from wrong
        found.steps += 1
        if key in seen:
            continue
        seen.add(key)
        found.states += 1
        found.deepest = max(found.deepest, len(way))
        found.ends += not events
        ways.extend((*way, event) for event in events)
    return found


def _after(count: int, shape: Shape, crashes: int, way: Path) -> Table:
    table = Table(count, shape, crashes)
    for event in way:
        table.do(event)
    return table


def _said(event: Event) -> str:
    if event.what == "deliver":
        return f"seat {event.seat} gets the next frame of seat {event.source}"
    return "time goes by" if event.what == "wait" else f"seat {event.seat}: {event.what}"
