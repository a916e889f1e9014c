"""The tests of a file, to be called one by one: plain functions, with all that they are given."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

LEFT_OUT: Final = ("full", "slow")
Test = Callable[..., object]
Given = dict[str, Any]


def tests_of(path: Path) -> Iterator[tuple[str, Test, list[Given]]]:
    """Each test that takes no fixture but `monkeypatch`, and its cases.

    The file is imported anew: nothing of what its tests keep is there from before.
    """
    for name, test in list(vars(_imported(path)).items()):
        if name.startswith("test_") and inspect.isfunction(test) and not _is_drawn(test):
            cases = [given for given in _cases(test) if _is_given(test, given)]
            if cases:
                yield name, test, cases


def call(test: Test, given: Given) -> None:
    """Call a test once; what it puts in the place of something is put back."""
    with pytest.MonkeyPatch.context() as patch:
        wants = {"monkeypatch": patch} if "monkeypatch" in _names(test) else {}
        test(**given, **wants)


def _imported(path: Path) -> ModuleType:
    spec = spec_from_file_location(f"inside_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError(str(path))
    module = sys.modules[spec.name] = module_from_spec(spec)  # where classes look themselves up
    spec.loader.exec_module(module)
    return module


def _is_drawn(test: Test) -> bool:
    """Whether Hypothesis says what it is given."""
    return hasattr(test, "hypothesis")


def _names(test: Test) -> set[str]:
    return set(inspect.signature(test).parameters)


def _is_given(test: Test, given: Given) -> bool:
    return _names(test) - given.keys() <= {"monkeypatch"}


def _cases(test: Test) -> Iterator[Given]:
    marks: Sequence[pytest.Mark] = getattr(test, "pytestmark", ())
    if any(_leaves_out(mark) for mark in marks):
        return
    rows = [[*_row(mark)] for mark in marks if mark.name == "parametrize"]
    for parts in product(*rows):
        yield {name: value for part in parts for name, value in part.items()}


def _row(mark: pytest.Mark) -> Iterator[Given]:
    """What one mark says that the test is given, case by case."""
    names, values = mark.args[:2]
    split = [one.strip() for one in names.split(",")] if isinstance(names, str) else [*names]
    for value in values:
        marks = getattr(value, "marks", ())
        row = value.values if hasattr(value, "marks") else value if len(split) > 1 else (value,)
        if not any(_leaves_out(one) for one in marks):
            yield dict(zip(split, row, strict=True))


def _leaves_out(mark: Any) -> bool:
    return mark.name in LEFT_OUT or (mark.name == "skipif" and bool(mark.args[0]))
