"""What a machine asks for is handed out in one place, from the front, and nowhere else."""

from __future__ import annotations

import ast
from collections import defaultdict

import pytest

from tests.repo.sources import ROOT, parsed, sources, walked

MACHINE = "p2p/protocol/machine.py"
PARTS = {MACHINE} | {f"p2p/protocol/{name}.py" for name in ("walk", "ballot", "absence/voting")}
"""The machine, what it is made of, and those who ask in its name for what they have signed."""


def attributes(name: str) -> dict[str, int]:
    """How often each file speaks of an attribute of this name."""
    found: defaultdict[str, int] = defaultdict(int)
    for path in sources("engine", "p2p", "replay", "cli", "tests"):
        for node in walked(parsed(path)):
            if isinstance(node, ast.Attribute) and node.attr == name:
                found[path.relative_to(ROOT).as_posix()] += 1
    return dict(found)


@pytest.mark.slow
def test_one_place_takes_effects_from_a_machine() -> None:
    taken = [
        path
        for path in sorted(PARTS)
        for node in ast.walk(parsed(ROOT / path))
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "self._agenda.take"
    ]
    assert taken == [MACHINE]


@pytest.mark.slow
def test_nobody_but_the_machine_sees_its_agenda() -> None:
    planted = "tests/sim/worlds/planted.py"  # a fault stands where the mechanism does
    assert attributes("_agenda").keys() - {planted} == PARTS
    assert attributes("effects") == {}, "a queue that anybody may reach into"


def test_nothing_is_taken_out_of_the_middle() -> None:
    """Of the queues of an agenda only the end is added to, and only the front is taken."""
    (agenda,) = (
        node
        for node in parsed(ROOT / "p2p/protocol/effects.py").body
        if isinstance(node, ast.ClassDef) and node.name == "Agenda"
    )
    queues = {"_at_once", "_in_order"}
    done = {
        node.attr
        for node in ast.walk(agenda)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr in queues
    }
    assert done == {"append", "popleft"}
    indexed = [node.value for node in ast.walk(agenda) if isinstance(node, ast.Subscript)]
    assert not any(isinstance(value, ast.Attribute) and value.attr in queues for value in indexed)
