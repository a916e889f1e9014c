"""The rooms of the house, as the imports have them: folders, and the modules beside them.

`python -m tests.repo.rooms` draws them into docs/explanation/rooms.svg.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from graphlib import TopologicalSorter
from html import escape
from typing import Final

from tests.repo.sources import ROOT, imported, module_of, sources

PICTURE: Final = ROOT / "docs" / "explanation" / "rooms.svg"
WHOLE: Final = ("engine", "replay")
"""Drawn as one room each: what is inside is told elsewhere."""
COLOURS: Final = {"engine": "#d9ead3", "p2p": "#d0e0f0", "replay": "#fce5cd", "cli": "#ead1dc"}
WIDTH, FLOOR, ROOM, HIGH = 860, 52, 96, 28
Needs = dict[str, set[str]]


def room_of(module: str) -> str | None:
    """The room that a module is in; None for a package that is nothing but a folder."""
    package, _, rest = module.partition(".")
    if package in WHOLE:
        return package
    return f"{package}.{rest.partition('.')[0]}" if rest else None


@cache
def rooms() -> Needs:
    """For each room the others that it needs."""
    modules = {module_of(path): path for path in sources()}
    needs: Needs = defaultdict(set)
    for module, path in modules.items():
        here = room_of(module)
        if here is None:
            continue
        needs[here] |= set()
        for _, name in imported(path):
            there = room_of(name if name in modules else name.rpartition(".")[0])
            if there is not None and name.partition(".")[0] in COLOURS:
                needs[here].add(there)
    return {room: others - {room} for room, others in sorted(needs.items())}


def floors(needs: Needs) -> dict[str, int]:
    """How many rooms lie one above the other below each; CycleError names a circle."""
    found: dict[str, int] = {}
    for room in TopologicalSorter(needs).static_order():
        found[room] = 1 + max((found[other] for other in needs.get(room, ())), default=-1)
    return found


def shortest(needs: Needs) -> Needs:
    """Without what follows from the rest: a room needs what the rooms need that it needs."""
    below: Needs = {}
    for room in TopologicalSorter(needs).static_order():
        nearest = needs.get(room, set())
        below[room] = nearest.union(*(below[other] for other in nearest))
    return {
        room: {one for one in others if not any(one in below[other] for other in others)}
        for room, others in needs.items()
    }


def draw(needs: Needs) -> str:
    """All rooms as a picture: each stands above all that it needs."""
    level = floors(needs)
    top = max(level.values()) + 1
    height = FLOOR * top
    rows = [sorted(room for room in level if level[room] == floor) for floor in range(top)]
    places = {
        room: (round(WIDTH * (place + 1) / (len(row) + 1)), height - FLOOR * floor - FLOOR // 2)
        for floor, row in enumerate(rows)
        for place, room in enumerate(row)
    }
    arrows = [
        _arrow(places[room], places[other])
        for room, others in shortest(needs).items()
        for other in sorted(others)
    ]
    boxes = [_box(room, *places[room]) for room in sorted(places)]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        'font-family="sans-serif" font-size="12">'
    )
    return "\n".join([head, *arrows, *boxes, "</svg>", ""])


def _arrow(above: tuple[int, int], below: tuple[int, int]) -> str:
    (x1, y1), (x2, y2) = above, below
    ends = f'x1="{x1}" y1="{y1 + HIGH // 2}" x2="{x2}" y2="{y2 - HIGH // 2}"'
    return f'<line {ends} stroke="#999"/>'


def _box(room: str, x: int, y: int) -> str:
    package, _, name = room.partition(".")
    box = f'x="{x - ROOM // 2}" y="{y - HIGH // 2}" width="{ROOM}" height="{HIGH}" rx="5"'
    label = escape(f"{package}/{name}" if name else package)
    return (
        f'<rect {box} fill="{COLOURS[package]}" stroke="#555"/>'
        f'<text x="{x}" y="{y + 4}" text-anchor="middle">{label}</text>'
    )


if __name__ == "__main__":
    PICTURE.write_text(draw(rooms()), "utf-8")
