"""What a kind of question is stands in its class and in tables: nothing asks which kind one is."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from engine import acts, question, sets
from engine.question import Question
from engine.wording.asking import SAID
from p2p.protocol.dealer import PROGRAMS
from replay.questions import EXPORTED
from tests.repo.sources import parsed, shown, sources, walked

KINDS = frozenset(
    name
    for module in (question, acts, sets)
    for name, value in vars(module).items()
    if isinstance(value, type) and issubclass(value, Question) and value is not Question
)
CLAIM_ONLY = {question.Either}
"""It is asked in races alone, whose act and export tell of it."""
HOMES = {"cli/bench/probe.py"}
"""It takes the time of one act, and of no other."""


def named(node: ast.AST) -> set[str]:
    found = (
        one.attr if isinstance(one, ast.Attribute) else one.id
        for one in ast.walk(node)
        if isinstance(one, ast.Attribute | ast.Name)
    )
    return KINDS & set(found)


def sniffs(tree: ast.Module) -> Iterator[ast.AST]:
    """Places that ask which kind a question is: isinstance, a case, type() compared."""
    for node in walked(tree):
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, asked]):
                if named(asked):
                    yield node
            case ast.MatchClass():
                if named(node.cls):
                    yield node
            case ast.Compare(left=ast.Call(func=ast.Name(id="type"))):
                if any(map(named, node.comparators)):
                    yield node


def test_nothing_but_the_games_asks_which_kind_a_question_is() -> None:
    found = [
        shown(path, node)
        for path in sources()
        if not shown(path).startswith(("engine/games/", "cli/template/"))
        and shown(path) not in HOMES
        for node in sniffs(parsed(path))
    ]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        "isinstance(asked, Play | LaySet)",
        "isinstance(asked, ask.Race)",
        "type(asked) is Choose",
        "match asked:\n    case acts.Deal(): pass",
    ],
)
def test_a_place_that_asks_would_be_found(source: str) -> None:
    assert list(sniffs(ast.parse(source)))


def test_every_kind_has_its_words_its_act_and_its_export() -> None:
    every = {
        getattr(module, name)
        for module in (question, acts, sets)
        for name in KINDS & vars(module).keys()
    }
    assert set(SAID) >= every
    assert set(PROGRAMS) >= every - CLAIM_ONLY
    assert set(EXPORTED) >= every - CLAIM_ONLY
