"""What is needed is there from the beginning, or handed in: an assertion is no way to get it."""

from __future__ import annotations

import ast
import re
from collections import Counter

from tests.repo.sources import ROOT, parsed, sources, walked

MAY_STAY = {
    "p2p/protocol/acts/laying_sets.py": 1,
    "replay/fairness/observed.py": 1,
    "cli/tables/place.py": 1,
    "cli/tables/bots.py": 1,
    "cli/tables/spectator.py": 1,
    "cli/tables/processes.py": 1,
    "cli/bench/processes.py": 2,
    "cli/bench/screens.py": 1,
}
"""True wherever the line is reached, for a reason that types cannot say: it stands beside it."""
CHANGES_HANDS = {
    *(
        f"{file} peer.on_{what}"
        for what in ("frame", "link", "proven", "moved")
        for file in ("p2p/peer.py", "p2p/table/at_table.py")
    ),
    "p2p/peer.py lobby.on_free",
    *("p2p/driver/connection.py self.parts.on_wish", "p2p/net/mesh.py link.on_round_trip"),
}
WITH_A_REASON = re.compile(r"assert \S.* is not None  # \w.{5,}")


def narrowing() -> list[tuple[str, int]]:
    """File and line of every assertion that something is not None."""
    return [
        (path.relative_to(ROOT).as_posix(), node.lineno)
        for path in sources()
        for node in walked(parsed(path))
        if isinstance(node, ast.Assert) and _says_not_none(node.test)
    ]


def _says_not_none(test: ast.expr) -> bool:
    return any(
        isinstance(node, ast.Compare)
        and isinstance(node.ops[0], ast.IsNot)
        and isinstance(node.comparators[0], ast.Constant)
        and node.comparators[0].value is None
        for node in ast.walk(test)
    )


def test_nothing_is_asserted_to_be_there_by_now() -> None:
    assert Counter(file for file, _ in narrowing()) == MAY_STAY


def test_those_that_stay_say_why() -> None:
    lines = [(ROOT / file).read_text("utf-8").splitlines()[at - 1] for file, at in narrowing()]
    assert [line for line in lines if not WITH_A_REASON.search(line)] == []


def test_callbacks_are_given_when_something_is_made() -> None:
    """But those that change hands: whose frames a link carries now, who watches a table by now."""
    wired = {
        f"{path.relative_to(ROOT).as_posix()} {ast.unparse(target)}"
        for path in sources()
        for node in walked(parsed(path))
        if isinstance(node, ast.Assign)
        for at in node.targets
        for target in (at.elts if isinstance(at, ast.Tuple) else [at])
        if isinstance(target, ast.Attribute) and target.attr.startswith("on_")
        if ast.unparse(target.value) != "self"
    }
    assert wired - CHANGES_HANDS == set()
