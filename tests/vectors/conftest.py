"""Scenes are found by name wherever a header names one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.vectors.scenes import known_scenes


@pytest.fixture(autouse=True)
def scenes() -> Iterator[None]:
    with known_scenes():
        yield
