"""A table's public state as text, for people who want to see where two peers differ.

Peers sign only a digest of the state (protocol section 2).  If it differs, each writes what it
holds: one field of the table per line, as JSON.  The state is public, so the text holds no secret,
and anybody may compare two of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from engine.table import Table

MAGIC: Final = "nodealer state 1"
_HEAD: Final = ("table", "step", "digest")
_DIGITS: Final = 9
"""Of the number of a step."""
_DEPTH: Final = 16
"""How deep lists and maps may be nested; no game's state needs half of that."""


class StateTextError(ValueError):
    """The text is not that of a state; one sentence."""


class StateText(NamedTuple):
    """What such a text says.  `digest` is what the peer that wrote it signs for this state."""

    table: str
    step: int
    digest: str
    fields: dict[str, Any]


class Difference(NamedTuple):
    """The first place where two states differ: a field, or a place in it, and what each says."""

    place: str
    one: object
    other: object


def state_text(table_id: bytes, step: int, table: Table) -> str:
    """The text of the state of `table` before `step`."""
    head = dict(zip(_HEAD, (table_id.hex(), step, table.digest().hex()), strict=True))
    lines = [f"{name} {value}" for name, value in head.items()]
    fields = sorted(table.state().items())
    lines += [f"{name} = {json.dumps(value)}" for name, value in fields]
    return "\n".join([MAGIC, *lines, ""])


def read_state(text: str) -> StateText:
    """What `state_text` wrote; StateTextError for anything else."""
    magic, *lines = text.splitlines() or [""]
    head = [line.partition(" ") for line in lines[: len(_HEAD)]]
    named = tuple(name for name, _, _ in head) == _HEAD
    step = head[1][2] if named else ""
    if magic != MAGIC or not (step.isdecimal() and step.isascii() and len(step) <= _DIGITS):
        raise StateTextError("this is not a state file")
    fields: dict[str, Any] = {}
    for line in lines[len(_HEAD) :]:
        name, _, value = line.partition(" = ")
        try:
            fields[name] = json.loads(value)
        except (ValueError, RecursionError) as error:
            raise StateTextError("a field is garbled") from error
        if not _is_shallow(fields[name]):
            raise StateTextError("a field is nested too deeply")
    return StateText(head[0][2], int(step), head[2][2], fields)


def _is_shallow(value: object, depth: int = _DEPTH) -> bool:
    """Whether no list or map is nested deeper than `depth`."""
    inside = value.values() if isinstance(value, dict) else value
    if not isinstance(value, dict | list):
        return True
    assert isinstance(inside, Iterable)
    return depth > 0 and all(_is_shallow(one, depth - 1) for one in inside)


def first_difference(one: object, other: object, place: str = "") -> Difference | None:
    """The first place where two JSON values differ, looking into lists and maps; None if nowhere.

    >>> first_difference({"scores": [1, 2]}, {"scores": [1, 3]})
    Difference(place='scores[1]', one=2, other=3)
    """
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        inside = [(one[key], other[key], f"{place}.{key}".lstrip(".")) for key in one]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        inside = [(*pair, f"{place}[{number}]") for number, pair in pairs]
    else:
        return None if one == other else Difference(place, one, other)
    found = (first_difference(*pair) for pair in inside)
    return next((difference for difference in found if difference is not None), None)
