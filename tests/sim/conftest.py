"""Test games are found by name wherever a header names one."""

from __future__ import annotations

import pytest

from engine.games import load
from p2p.protocol import terms
from tests.protocol.scenes import SCENES


@pytest.fixture(autouse=True)
def scenes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terms, "load", lambda name: SCENES.get(name) or load(name))
