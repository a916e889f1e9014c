"""Which cases of a test run at each change, where all of them would take CI too long."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def every_second(cases: Iterable[Any], first: int = 0) -> list[Any]:
    """All cases for `parametrize`: every second one from place `first` on; the others with `full`.

    Two tests about the same cases begin at 0 and 1, so that one of them has each case.
    """
    return [
        case if place % 2 == first else seldom(case) for place, case in enumerate(map(_case, cases))
    ]


def first_of(cases: Iterable[Any]) -> list[Any]:
    """The first case, and the others with `full`: something else tries them at each change."""
    first, *others = map(_case, cases)
    return [first, *map(seldom, others)]


def seldom(case: Any) -> Any:
    """The case, with `-m full` only."""
    return pytest.param(*case.values, id=case.id, marks=[*case.marks, pytest.mark.full])


def _case(case: Any) -> Any:
    if hasattr(case, "marks"):
        return case
    return pytest.param(*case) if isinstance(case, tuple) else pytest.param(case)
