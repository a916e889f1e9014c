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
BUNDLES: Final = ("verifier.js", "page.js")
SECONDS: Final = 300
VERSION: Final = re.compile(r"\d+\.\d+\.\d+")


def test_no_source_changed_after_the_bundles_were_built() -> None:
    sources = sorted(path.name for path in (PARTS / "src").iterdir())
    digest = hashlib.sha256()
    for name in ("build.mjs", "package-lock.json", *(f"src/{name}" for name in sources)):
        digest.update(f"{name}\n".encode())
        digest.update((PARTS / name).read_bytes())
    for name in BUNDLES:
        first = (PARTS / name).read_text("utf-8").splitlines()[0]
        assert first == f"/* sources {digest.hexdigest()} */", f"{name}: npm ci && npm run build"


@pytest.mark.skipif(NPM is None, reason="npm is not installed")
def test_the_bundles_are_what_the_sources_give(tmp_path: Path) -> None:
    for name in ("package.json", "package-lock.json", "build.mjs", *BUNDLES):
        shutil.copy(PARTS / name, tmp_path)
    shutil.copytree(PARTS / "src", tmp_path / "src")
    installed = _npm(tmp_path, "ci", "--no-audit", "--no-fund")
    if installed.returncode:
        pytest.skip(f"npm cannot install the libraries here: {installed.stderr[-300:]}")
    built = _npm(tmp_path, "run", "build", "--", "--check")
    assert built.returncode == 0, built.stderr


def _npm(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    assert NPM is not None
    return subprocess.run(
        [NPM, *arguments],
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
