"""How this program was installed: what to type for it, and for what it lacks, in this shell.

Whoever reads a command types it as it stands.  A program in an environment of its own is not found
by its name alone, and what installs a package here may install it elsewhere there.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

NAME: Final = "nodealer"
_EXTRA: Final = re.compile(r"(?P<needed>[^;]+);.*\bextra == ['\"](?P<extra>[^'\"]+)['\"]")


@dataclass(frozen=True)
class Installation:
    """Where this program runs from.

    `script` is what was called, or what lies beside the Python that runs it, if anything does.
    `prefix` is the environment, `externally_managed` whether its packages are the system's.
    """

    script: Path | None
    python: Path
    prefix: Path
    has_pip: bool
    externally_managed: bool

    @property
    def program(self) -> str:
        """What to type for `nodealer`."""
        if self.script is None:
            return self.to_run("cli.main")
        found = shutil.which(NAME)
        # A link to the program, as pipx makes it, is the program too.
        return NAME if found and _same(found, self.script) else _typed(self.script)

    def to_install(self, wanted: list[str]) -> str:
        """What to type to add to this environment what pip calls `wanted`."""
        return f"{self._installer} {_quoted(*wanted)}"

    def to_run(self, *words: str) -> str:
        """What to type to run a module of this environment."""
        return f"{_typed(self.python)} -m {_quoted(*words)}"

    @property
    def _installer(self) -> str:
        if (self.prefix / "pipx_metadata.json").exists():
            return f"pipx inject {self.prefix.name}"
        if not self.has_pip:
            return f"uv pip install --python {_typed(self.python)}"
        forced = " --break-system-packages" if self.externally_managed else ""
        return self.to_run("pip", "install") + forced


def program() -> str:
    """What to type for `nodealer` in this shell."""
    return here().program


def command_line(*words: str) -> str:
    """What to type to run this program with these words, each as this shell reads it."""
    return f"{program()} {_quoted(*words)}"


def to_add(extra: str) -> str:
    """What to type to get what an extra of pyproject.toml adds."""
    return here().to_install(packages_of(extra))


def packages_of(extra: str) -> list[str]:
    """The packages of an extra; of sources that were never installed, the extra of their folder."""
    from importlib import metadata  # noqa: PLC0415 (rarely needed, and slow)

    try:
        needed = metadata.requires(NAME) or []
    except metadata.PackageNotFoundError:
        return [f"{Path(__file__).parent.parent}[{extra}]"]
    found = map(_EXTRA.match, needed)
    return [one["needed"].strip() for one in found if one and one["extra"] == extra]


def is_one_file() -> bool:
    """Whether this is the file that `make binary` makes: there is no Python beside it."""
    return bool(getattr(sys, "frozen", False))


def once_more() -> list[str]:
    """What starts this program in another process; its arguments follow."""
    return [sys.executable] if is_one_file() else [sys.executable, "-m", "cli.main"]


def here() -> Installation:
    """The installation that runs now."""
    managed = Path(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED")
    python = Path(sys.executable)
    return Installation(
        script=_script(Path(sys.argv[0]), python.parent),
        python=python,
        prefix=Path(sys.prefix),
        has_pip=find_spec("pip") is not None,
        externally_managed=sys.prefix == sys.base_prefix and managed.exists(),
    )


def _script(run: Path, beside: Path) -> Path | None:
    """The program: what was run, if that is it, otherwise what lies beside its Python."""
    candidates = [run] if run.stem == NAME else []
    candidates += [beside / NAME, beside / f"{NAME}.exe"]
    return next((path.absolute() for path in candidates if path.is_file()), None)


def _same(one: str, other: Path) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:  # one of them is gone
        return False


def _typed(path: Path) -> str:
    """A path as it is typed here: short where it lies below this folder.

    Links are not followed: the Python of an environment is a link to that of the system.
    """
    try:
        folder = Path.cwd()
    except FileNotFoundError:  # it was removed, and nothing lies below it
        return _quoted(str(path))
    if not path.is_relative_to(folder):
        return _quoted(str(path))
    inside = path.relative_to(folder)
    # A shell looks for a name without a folder elsewhere.
    return _quoted(f".{os.sep}{inside}" if inside.name == str(inside) else str(inside))


def _quoted(*words: str) -> str:
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
