"""A full channel is no crash: whoever sends without waiting says what happens then."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.repo.sources import parsed, shown, sources, walked


def _calls(node: ast.AST, name: str) -> list[ast.Call]:
    return [
        call for call in ast.walk(node) if isinstance(call, ast.Call) and _name(call.func) == name
    ]


def _name(function: ast.expr) -> str:
    """`f` of `x.f(...)`, and of `x.f[type](...)`."""
    named = function.value if isinstance(function, ast.Subscript) else function
    return named.attr if isinstance(named, ast.Attribute) else ""


def _is_unbounded(channel: ast.Call) -> bool:
    (size,) = channel.args
    return isinstance(size, ast.Attribute) and size.attr == "inf"


def _guarded(path: Path) -> set[int]:
    """The lines of calls in a `try` that takes `WouldBlock`."""
    return {
        call.lineno
        for node in walked(parsed(path))
        if isinstance(node, ast.Try)
        and any("WouldBlock" in ast.unparse(one.type) for one in node.handlers if one.type)
        for call in _calls(node, "send_nowait")
    }


@pytest.mark.slow
def test_nothing_is_put_into_a_full_channel() -> None:
    unguarded = []
    for path in sources():
        tree = parsed(path)
        sends = [call for call in _calls(tree, "send_nowait") if call.lineno not in _guarded(path)]
        channels = _calls(tree, "open_memory_channel") if sends else []
        if sends and not (channels and all(map(_is_unbounded, channels))):
            unguarded += [shown(path, call) for call in sends]
    assert unguarded == []
