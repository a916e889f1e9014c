"""No swallowed error, no stub, no forgotten note, no test that is switched off in silence."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tests.repo.sources import ROOT, functions, parsed, shown, sources, walked

TESTS = sources("tests")
KIT = [*TESTS, ROOT / "engine" / "testing.py"]
# With brackets, so that this file does not find itself.
LEFT_OVER = re.compile("TOD[O]|FIXM[E]|XX[X]|HAC[K]")
# What raises by itself when something is wrong: pytest's, trio's, and our own verifiers.
CHECKER = re.compile(r"(raises|fail|fail_after|verify_\w+|check_\w+|decode_\w+)$")
BROAD = {"Exception", "BaseException"}
A_KEY = "cli/kit/window.py"
"""A fault in a key is told and logged, and never ends a seat."""
SKIPS = ("skip", "skipif", "xfail", "importorskip")


@cache
def handlers() -> tuple[tuple[Path, ast.ExceptHandler], ...]:
    return tuple(
        (path, node)
        for path in sources()
        if "except" in path.read_text("utf-8")
        for node in walked(parsed(path))
        if isinstance(node, ast.ExceptHandler)
    )


def is_broad(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or (isinstance(handler.type, ast.Name) and handler.type.id in BROAD)


def raises(handler: ast.ExceptHandler) -> bool:
    return any(isinstance(node, ast.Raise) for node in ast.walk(handler))


def test_no_error_is_dropped_without_a_word() -> None:
    silent = [
        shown(path, handler)
        for path, handler in handlers()
        if all(isinstance(line, ast.Pass) for line in handler.body)
    ]
    assert silent == []


def test_who_catches_everything_raises_again() -> None:
    broad = [(path, h) for path, h in handlers() if is_broad(h) and not raises(h)]
    assert {shown(path) for path, _ in broad} == {A_KEY}
    assert len(broad) == 1


def test_nothing_is_left_over() -> None:
    files = [*sources(), *TESTS, *ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    assert [shown(path) for path in files if LEFT_OVER.search(path.read_text("utf-8"))] == []


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        shown(path)
        for path in sources()
        if parsed(path).body and not ast.get_docstring(parsed(path))
    ]
    assert silent == []


@pytest.mark.slow
def test_every_test_asserts_something() -> None:
    every = [(path, function) for path in KIT for function in functions(path)]
    checking = {function.name for _, function in every if asserts(function)}
    calls = [(function.name, called(function)) for _, function in every]
    before = -1
    while len(checking) > before:  # who calls something that asserts, asserts
        before = len(checking)
        checking |= {name for name, names in calls if checking & names}
    empty = [
        f"{shown(path, function)} {function.name}"
        for path, function in every
        if function.name.startswith("test_") and function.name not in checking
    ]
    assert empty == []


def asserts(function: ast.AST) -> bool:
    return any(
        isinstance(node, ast.Assert)
        or (isinstance(node, ast.Raise) and "AssertionError" in ast.dump(node))
        for node in ast.walk(function)
    ) or any(CHECKER.match(name) for name in called(function))


@cache
def called(function: ast.AST) -> set[str]:
    """The names of what a function calls or hands on to be called."""
    return {
        node.attr if isinstance(node, ast.Attribute) else node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute | ast.Name)
    }


def test_no_test_is_skipped_without_a_reason() -> None:
    silent = [
        shown(path, node)
        for path in TESTS
        if any(mark in path.read_text("utf-8") for mark in SKIPS)
        for node in walked(parsed(path))
        if isinstance(node, ast.Call) and _skips(node) and not _has_reason(node)
    ]
    assert silent == []


def _skips(call: ast.Call) -> bool:
    """Whether this is pytest's own `skip`, `skipif`, `xfail` or `importorskip`."""
    func = call.func
    named = isinstance(func, ast.Attribute) and func.attr in SKIPS
    return named and ast.unparse(func).startswith("pytest.")


def _has_reason(call: ast.Call) -> bool:
    named = any(keyword.arg == "reason" for keyword in call.keywords)
    bare_skip = isinstance(call.func, ast.Attribute) and call.func.attr == "skip" and call.args
    return named or bool(bare_skip)
