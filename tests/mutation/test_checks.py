"""No check on peer input can be deleted without a test that fails."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.mutation import run
from tests.mutation.outcomes import removed_each
from tests.mutation.source import Check, checks_in, checks_in_source


def test_every_check_is_named_once_by_a_literal() -> None:
    found = checks_in_source()
    assert [check.place for check in found if check.name is None] == []
    names = Counter(check.name for check in found)
    assert [name for name, times in names.items() if times > 1] == []
    assert [name for name in names if name is None or name.count(".") != 1] == []


def test_the_scanner_sees_calls_and_what_would_hide_them() -> None:
    source = """
from p2p import checks
from p2p.checks import Entropy, require
checks.require("area.plain", ok, "malformed", "reason")
total = [checks.weight("area.weight", entropy) for _ in rows]
checks.require(NAME, ok, "malformed", "reason")
other.require("area.foreign", ok)
def _known(check, ok):
    checks.require(check, ok, "malformed", "reason")
_known("area.handed-on", True)
_known(NAME, True)
"""
    assert set(checks_in(source, "m.py")) == {
        Check("area.plain", "m.py:4"),
        Check("area.weight", "m.py:5"),
        Check(None, "m.py:6"),
        Check(None, "m.py:3 imports require"),
        Check("area.handed-on", "m.py:10"),
        Check(None, "m.py:11"),
    }


@pytest.mark.parametrize(
    "arguments", [[run.SAMPLE], pytest.param([run.AS_THEY_ARE], marks=pytest.mark.full)]
)
def test_every_check_has_a_test_that_fails_without_it(arguments: list[str]) -> None:
    outcomes, unnoticed = removed_each("check", arguments)
    assert {check.name for check in checks_in_source()} <= set(outcomes)
    assert unnoticed == {}
