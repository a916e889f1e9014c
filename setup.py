"""What pyproject.toml cannot say: the pages of `man`, and the rules as machine code if asked for.

With NODEALER_COMPILED=1 mypyc makes one extension module of rules and driver, which takes a C
compiler, the headers of Python, and a minute or two (`make compiled`).  Otherwise everything is
installed as it is.  docs/explanation/decisions/0011-compiled-rules.md has the reasons.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from setuptools import Extension, setup

# isort: split
from distutils.command.install_data import install_data  # setuptools brings it along

sys.path.insert(0, str(Path(__file__).parent))

from cli import manual

ENGINE = Path("engine")
DRIVER = (
    *("acts", "asked", "bots/belief", "bots/bot", "bots/determinization", "bots/following"),
    *("bots/lookahead", "bots/pace", "bots/reactions", "bots/search", "bots/tree", "bots/trials"),
    *("cards", "dealer", "plain", "question", "sets", "session", "simulate", "subsets", "table"),
    *("table_state", "truth", "view", "won"),
)
TOLD = frozenset({"__init__", "about", "text", "words"})
"""Modules of a game that tell people something.  Nothing waits for them."""
HIDDEN = "-fvisibility=hidden"
"""Functions of the extension call each other directly: otherwise every call is looked up, for some
other library might have a function of that name.  Search is 6 % faster with it."""
MANUAL = "share/man/man1"


class WithManual(install_data):
    """Writes the pages of `man` where everything else is installed: none lies in the sources."""

    def run(self) -> None:
        """Install what else there is, then the pages."""
        super().run()
        manual.write_pages(Path(self.install_dir, MANUAL), self.distribution.get_version())


def compiled() -> list[Extension]:
    """The modules that every step of a game goes through."""
    from mypyc.build import mypycify  # noqa: PLC0415 - only there for whoever compiles

    driver = [ENGINE / f"{name}.py" for name in DRIVER]
    games = [path for path in ENGINE.glob("games/*/*.py") if path.stem not in TOLD]
    paths = sorted(map(str, [*driver, *games]))
    extensions: list[Extension] = mypycify(paths, opt_level="1", debug_level="0")
    if os.name == "posix":
        for extension in extensions:
            extension.extra_compile_args = [*extension.extra_compile_args, HIDDEN]
    return extensions


setup(
    cmdclass={"install_data": WithManual},
    data_files=[(MANUAL, [])],
    ext_modules=compiled() if os.environ.get("NODEALER_COMPILED") == "1" else [],
)
