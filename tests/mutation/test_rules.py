"""Every broken rule still applies, and a test notices it."""

from __future__ import annotations

import ast
from collections import Counter
from importlib import import_module

import pytest

from tests.mutation import sample
from tests.mutation.deletion import replaced
from tests.mutation.mutants import source_of
from tests.mutation.outcomes import removed_each
from tests.mutation.rule import BrokenRule
from tests.mutation.rules import RULES


@pytest.mark.parametrize("one", RULES, ids=lambda one: one.name)
def test_rule_can_be_broken_in_one_place(one: BrokenRule) -> None:
    module = import_module(one.module)
    tree = one.put(one.module, ast.parse(source_of(one.module)))
    code = compile(ast.fix_missing_locations(tree), str(module.__file__), "exec", dont_inherit=True)
    with replaced(module, one.scope, one.line, code):
        pass


def test_each_broken_rule_has_its_own_name() -> None:
    assert max(Counter(one.name for one in RULES).values()) == 1


@pytest.mark.parametrize(
    "arguments", [["--sample"], pytest.param(["--jobs", "2"], marks=pytest.mark.full)]
)
def test_broken_rule_is_noticed_by_its_tests(arguments: list[str]) -> None:
    outcomes, _ = removed_each("rules", arguments)
    assert {name: said for name, said in outcomes.items() if said not in sample.NOTICED} == {}
    assert len(outcomes) >= 6
