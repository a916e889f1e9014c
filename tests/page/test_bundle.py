"""The scripts that are shipped are those that the sources give."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from replay.html import PARTS

NPM: Final = shutil.which("npm")
SELF_TESTS: Final = Path(__file__).parent / "verifier"
BUNDLES: Final = ("verifier.js", "page.js")
SECONDS: Final = 300
VERSION: Final = re.compile(r"\d+\.\d+\.\d+")


def test_no_source_changed_after_the_bundles_were_built() -> None:
    folder = PARTS / "src"
    sources = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.js"))
    digest = hashlib.sha256()
    for name in ("build.mjs", "package-lock.json", *(f"src/{name}" for name in sources)):
        digest.update(f"{name}\n".encode())
        digest.update((PARTS / name).read_bytes())
    for name in BUNDLES:
        first = (PARTS / name).read_text("utf-8").splitlines()[0]
        assert first == f"/* sources {digest.hexdigest()} */", f"{name}: npm ci && npm run build"


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources, their libraries as pinned, and the tests written in their own language."""
    if NPM is None:
        pytest.skip("npm is not installed")
    folder = tmp_path_factory.mktemp("workshop")
    for name in ("package.json", "package-lock.json", "build.mjs", *BUNDLES):
        shutil.copy(PARTS / name, folder)
    shutil.copytree(PARTS / "src", folder / "src")
    shutil.copytree(SELF_TESTS, folder / "test")
    installed = _npm(folder, "ci", "--no-audit", "--no-fund")
    if installed.returncode:
        pytest.skip(f"npm cannot install the libraries here: {installed.stderr[-300:]}")
    return folder


def test_the_bundles_are_what_the_sources_give_and_these_pass_their_own_tests(
    workshop: Path,
) -> None:
    """One test, so that the libraries are installed once."""
    built = _npm(workshop, "run", "build", "--", "--check")
    assert built.returncode == 0, built.stderr
    tested = _run(workshop, "node", "--test", "test/self.test.js")
    assert tested.returncode == 0, tested.stdout


def _npm(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    assert NPM is not None
    return _run(folder, NPM, *arguments)


def _run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )


def test_versions_are_pinned_and_no_registry_is_named() -> None:
    told = json.loads((PARTS / "package.json").read_text("utf-8"))
    for version in (told["dependencies"] | told["devDependencies"]).values():
        assert VERSION.fullmatch(version)
    locked = json.loads((PARTS / "package-lock.json").read_text("utf-8"))
    for name, package in locked["packages"].items():
        assert name == "" or package["integrity"].startswith("sha512-")
        assert "resolved" not in package


def test_nothing_in_the_parts_can_end_their_element() -> None:
    for name in BUNDLES:
        text = (PARTS / name).read_text("utf-8").lower()
        assert "</script" not in text
        assert "<!--" not in text
    assert "</style" not in (PARTS / "style.css").read_text("utf-8").lower()
