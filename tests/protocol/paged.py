"""Pages of which each line is what one table comes to."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest


def written(page: Path, tables: Iterable[tuple[Any, ...]]) -> list[Any]:
    """For `parametrize`: each table with its line of the page, which names it."""
    lines = page.read_text("utf-8").splitlines(keepends=True)
    return [
        pytest.param(*table, line, id=line.split(":")[0])
        for table, line in zip(tables, lines, strict=True)
    ]


def again(module: str) -> str:
    """How the page is written anew."""
    return f"run `python -m {module}` if that was meant, and read the difference"
