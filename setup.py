"""What pyproject.toml cannot say: rules and driver as machine code, for whoever asks for it.

With NODEALER_COMPILED=1 mypyc makes one extension module of them, which takes a C compiler, the
headers of Python, and a minute or two (`make compiled`).  Otherwise everything is installed as
it is.  docs/explanation/decisions/0011-compiled-rules.md has the reasons.
"""

from __future__ import annotations

import os
from pathlib import Path

from setuptools import Extension, setup

ENGINE = Path("engine")
DRIVER = (
    *("acts", "asked", "bots/bot", "dealer", "question", "sets", "session", "simulate", "subsets"),
    *("table", "table_state", "truth", "view"),
)
TOLD = frozenset({"__init__", "about", "text", "words"})
"""Modules of a game that tell people something.  Nothing waits for them."""


def compiled() -> list[Extension]:
    """The modules that every step of a game goes through."""
    from mypyc.build import mypycify  # noqa: PLC0415 - only there for whoever compiles

    driver = [ENGINE / f"{name}.py" for name in DRIVER]
    games = [path for path in ENGINE.glob("games/*/*.py") if path.stem not in TOLD]
    paths = sorted(map(str, [*driver, *games]))
    extensions: list[Extension] = mypycify(paths, opt_level="1", debug_level="0")
    return extensions


setup(ext_modules=compiled() if os.environ.get("NODEALER_COMPILED") == "1" else [])
