"""A new game as a package of its own: crazy eights under another name, ready to be changed.

The files beside this one are those of docs/how-to/add-a-game.md (a test checks that), and what else
a package needs.  Only the names in them change.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping
from importlib.resources import files
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from typing import Final

from cli.failures import UserMistakeError
from engine.errors import UsageError
from engine.games import package_of

NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
LONGEST: Final = 30
FILES: Final = {
    "README.md": "readme",
    "pyproject.toml": "pyproject",
    "{package}/cards.py": "cards",
    "{package}/rules.py": "rules",
    "{package}/text.py": "text",
    "{package}/bot.py": "bot",
    "tests/test_{package}.py": "tests",
}
"""Each file of the new package, and the file beside this one that it is made from."""
EMPTY: Final = "{package}/__init__.py"


def write_package(name: str, folder: Path) -> list[Path]:
    """Write the package into `folder`, which must not exist yet; the paths written."""
    check(name)
    package = name.replace("-", "_")
    written = {EMPTY: "", **{path: renamed(part, name) for path, part in FILES.items()}}
    if folder.exists() or folder.is_symlink():
        raise UserMistakeError(
            f"{folder} is there already; nothing was written. Choose another name, or --into."
        )
    draft = folder.with_name(f"{name}.{os.urandom(8).hex()}.new")
    try:
        _write_files(draft, {path.format(package=package): text for path, text in written.items()})
        draft.rename(folder)
    except OSError as error:
        raise UserMistakeError(
            f"{folder} cannot be written: {error.strerror}; name another folder (--into)."
        ) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return [folder / path.format(package=package) for path in written]


def _write_files(folder: Path, texts: Mapping[str, str]) -> None:
    for path, text in texts.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8", newline="\n")


def check(name: str) -> None:
    """Refuse a name that no game can have, and one that is taken already."""
    if not NAME.fullmatch(name) or len(name) > LONGEST:
        raise UserMistakeError(
            f"A game is called by at most {LONGEST} small letters, digits and single hyphens,"
            f" a letter first (not {name!r})."
        )
    if _is_a_game(name):
        raise UserMistakeError(f"There is a game {name} already. Choose another name.")
    package = name.replace("-", "_")
    if iskeyword(package) or package in sys.stdlib_module_names or _is_a_module(package):
        raise UserMistakeError(
            f"{package} is a word or a module of Python already; take another name."
        )


def _is_a_game(name: str) -> bool:
    try:
        package_of(name)
    except UsageError:
        return False
    return True


def _is_a_module(package: str) -> bool:
    return find_spec(package) is not None


def renamed(part: str, name: str) -> str:
    """A file of crazy eights with the new game's name in all its forms."""
    text = files(__name__).joinpath(f"{part}.txt").read_text("utf-8")
    words = name.split("-")
    forms = {
        "crazy-eights": name,
        "crazy_eights": "_".join(words),
        "crazy eights": " ".join(words),
        "Crazy Eights": title(name),
        "EightsTable": f"{''.join(map(str.capitalize, words))}Table",
    }
    return re.sub("|".join(forms), lambda found: forms[found[0]], text)


def title(name: str) -> str:
    """The name as people read it.

    >>> title("old-maid")
    'Old Maid'
    """
    return " ".join(map(str.capitalize, name.split("-")))
