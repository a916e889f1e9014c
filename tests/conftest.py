"""For all tests: the program is found by its name, and what costs much is done once.

Some seven thousand tests are collected, with all that they import, and stay to the end; going
through them again and again took a tenth of the processor's time.  What libsodium has multiplied
before is remembered.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import tests.revision  # noqa: F401 (tables of tests have a revision of their own)
from p2p.supervisor import Strictness
from tests.remembered import remember

OBJECTS = 10_000
"""As many new ones are there before Python looks for garbage: usually 700."""
gc.disable()  # while tests are collected, hardly anything becomes garbage


def pytest_configure() -> None:
    """From here on, libsodium is asked once.

    Hypothesis draws the same examples in each run, and a busy machine may take its time for them.
    """
    remember()
    checks = list(HealthCheck)
    settings.register_profile(
        "repeatable", derandomize=True, deadline=None, suppress_health_check=checks
    )
    settings.load_profile("repeatable")


def pytest_collection_finish() -> None:
    """From here on, look only at what comes to be later, and seldom, as the program does."""
    gc.freeze()
    gc.set_threshold(OBJECTS)
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def found_by_its_name() -> Iterator[None]:
    """The shell finds the program by its name, as in an environment that is switched on."""
    with pytest.MonkeyPatch.context() as patch:
        beside = Path(sys.executable).parent
        patch.setenv("PATH", f"{beside}{os.pathsep}{os.environ.get('PATH', '')}")
        yield


@pytest.fixture(autouse=True)
def bugs_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug in something that runs beside a table fails the test, though it ends no table."""
    monkeypatch.setattr(Strictness, "raises", True)
