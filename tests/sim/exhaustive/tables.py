"""Which small tables are searched: seats, who owes an entry at each step, how many crashes."""

from __future__ import annotations

from typing import Final

from tests.sim.exhaustive.seat import Shape

BOTH: Final = (0, 1)
ALL: Final = (0, 1, 2)
QUICK: Final[dict[str, tuple[int, Shape, int]]] = {
    "two seats, six steps, no crash": (2, [BOTH, (0,), (1,), (1,), (0,), BOTH], 0),
    "three seats, two steps, no crash": (3, [ALL, (1,)], 0),
    "two seats, one step, one crash": (2, [BOTH], 1),
}
LONG: Final[dict[str, tuple[int, Shape, int]]] = {
    "three seats, four steps, no crash": (3, [ALL, (0,), (1, 2), ALL], 0),
    "three seats, five steps, no crash": (3, [ALL, (0,), (1, 2), ALL, (1,)], 0),
    "three seats, six steps, no crash": (3, [ALL, (0,), (1, 2), ALL, (1,), ALL], 0),
    "two seats, four steps, one crash": (2, [BOTH, (0,), (0,), BOTH], 1),
    "two seats, six steps, one crash": (2, [BOTH, (0,), (1,), (1,), (0,), BOTH], 1),
    "two seats, two steps, two crashes": (2, [(0,), BOTH], 2),
    "three seats, one step of one, one crash": (3, [(0,)], 1),
}
MANY: Final[dict[str, tuple[int, Shape, int]]] = {
    "three seats, one step, one crash": (3, [ALL], 1),
    "three seats, six steps of one each, one crash": (3, [(0,), (1,), (2,), (0,), (1,), (2,)], 1),
    "three seats, two steps, one crash": (3, [ALL, (1,)], 1),
    "three seats, six steps, one crash": (3, [ALL, (0,), (1, 2), ALL, (1,), ALL], 1),
}
"""Hundreds of thousands of states, and more (`levels`)."""
APART: Final[dict[str, tuple[int, Shape]]] = {
    "two seats, one step, a crash that each notices by itself": (2, [BOTH]),
    "two seats, four steps, a crash that each notices by itself": (2, [BOTH, (0,), (0,), BOTH]),
    "two seats, six steps, a crash that each notices by itself": (
        2,
        [BOTH, (0,), (1,), (1,), (0,), BOTH],
    ),
}
"""One seat may crash, and the ends of its links are noticed apart (`apart`)."""
TABLES: Final = QUICK | LONG
