"""Which cases of a test run at each change, where all of them would take CI too long."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def every_second(cases: Iterable[Any]) -> list[Any]:
    """All cases for `parametrize`: the first, the third and so on; the others with `-m full`."""
    return [
        pytest.param(case, marks=pytest.mark.full) if place % 2 else case
        for place, case in enumerate(cases)
    ]
