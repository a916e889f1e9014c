"""The words of the kinds of steps stand in one table, which the page of the protocol follows."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from p2p.protocol import step_kinds
from p2p.protocol.step_kinds import KINDS, Asked, StepKind, asks
from tests.repo.sources import ROOT, parsed, shown, sources, walked

PAGE = ROOT / "docs" / "reference" / "protocol.md"
CODE = re.compile(r"`([a-z-]+)`")
WORDS = frozenset(str(kind) for kind in vars(step_kinds).values() if isinstance(kind, StepKind))
"""Those of the table itself: tests of packages add their own."""
MAKERS = {"Step", "bind", "publish", "reveal", "by_everybody", "_one", "_move"}
"""What is called with the kind of a step, or with that as the operation of a proof."""


def literals(tree: ast.Module) -> Iterator[ast.Constant]:
    """The words of kinds that something is compared with, that a step is made with, or that
    stand together in a list of nothing else."""
    for node in walked(tree):
        match node:
            case ast.Compare(left, _, comparators):
                sides = [left, *comparators]
                if "kind" in ast.unparse(node) and not _of_the_rules(*sides):
                    yield from _words(*sides)
            case ast.Call() if _called(node) in MAKERS:
                yield from _words(*node.args, *(keyword.value for keyword in node.keywords))
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                yield from _listed(value)


def _of_the_rules(*sides: ast.expr) -> bool:
    """A question of the rules has a kind as well, and some have the same word."""
    return any(ast.unparse(side) == "asked.kind" for side in sides)


def _called(node: ast.Call) -> str:
    return ast.unparse(node.func).rpartition(".")[2]


def _words(*nodes: ast.expr) -> Iterator[ast.Constant]:
    """Those that stand here, or in a tuple, list or set here."""
    for node in nodes:
        match node:
            case ast.Constant(value=str(word)) if word in WORDS:
                yield node
            case ast.Tuple(elts=items) | ast.List(elts=items) | ast.Set(elts=items):
                yield from _words(*items)


def _listed(value: ast.expr) -> Iterator[ast.Constant]:
    """Those of a tuple, list, set or the keys of a map, where all are words of kinds."""
    for node in (value, *(value.args if isinstance(value, ast.Call) else ())):
        items = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", ())
        found = list(_words(*(item for item in items if item is not None)))
        if len(found) == len(items) > 1:
            yield from found


def test_the_scanner_sees_words_of_kinds() -> None:
    source = """
entry.kind == "play" or kind in ("open", "coin") or asked.kind == "deal" or name == "race"
Step("swear", seats) and cards.bind(seat, "lay-all", slots) and say("cut") and Step(CLOSE, x)
SHUFFLES: Final = frozenset({"shuffle", "cut"})
TOLD = {"close": "It is over.", "witness": "They say."}
OTHERS = ("deal", "round")
"""
    found = [node.value for node in literals(ast.parse(source))]
    assert sorted(map(str, found)) == [
        *("close", "coin", "cut", "lay-all", "open", "play", "shuffle", "swear", "witness"),
    ]


def test_no_other_module_writes_the_word_of_a_kind() -> None:
    found = [
        shown(path, node) for path in sources("p2p", "replay") for node in literals(parsed(path))
    ]
    assert found == []


def test_the_page_tells_which_step_is_of_which_kind() -> None:
    """Those of the genesis, and those of the table of steps."""
    text = PAGE.read_text("utf-8")
    genesis = re.findall(r"^\d\. `([a-z]+)`:", text, re.MULTILINE)
    words = [step_kinds.COMMIT, step_kinds.REVEAL, step_kinds.SIGN]
    assert genesis == words
    steps = text.partition("| question | step kinds")[2].partition("\n\n")[0]
    told = {word for row in steps.splitlines()[2:] for word in CODE.findall(row.split("|")[2])}
    assert told | set(genesis) == WORDS


def test_what_is_asked_of_kinds() -> None:
    assert {kind for kind in WORDS if asks(kind, Asked.PASSED_ON)} == {"open"}
    assert {kind for kind in WORDS if asks(kind, Asked.RACING)} == {"race", "witness", "coin"}
    assert {kind for kind in WORDS if asks(kind, Asked.SHUFFLES)} == {
        *("shuffle", "cut", "reshuffle", "mend"),
    }


@pytest.mark.parametrize("word", ["", "no kind", "OPEN", "open\0"])
def test_a_word_that_is_no_kind_is_only_looked_for(word: str) -> None:
    assert not any(asks(word, what) for what in Asked)
    assert word not in KINDS


def test_a_word_has_one_kind() -> None:
    with pytest.raises(ValueError, match="two kinds of steps called 'open'"):
        step_kinds.add("open")
