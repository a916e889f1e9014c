"""What all tests share."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def found_by_its_name() -> Iterator[None]:
    """The shell finds the program by its name, as in an environment that is switched on."""
    with pytest.MonkeyPatch.context() as patch:
        beside = Path(sys.executable).parent
        patch.setenv("PATH", f"{beside}{os.pathsep}{os.environ.get('PATH', '')}")
        yield
