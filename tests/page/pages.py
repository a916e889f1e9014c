"""Exported pages, honest ones and others."""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from replay.audit import audit
from replay.game import open_game
from replay.html import page

LOG: Final = re.compile(r'(<script type="text/plain" id="log">)([^<]*)')
DATA: Final = re.compile(r'(<script type="application/json" id="data">)([^<]*)')


def exported(log: bytes, path: Path) -> Path:
    """The page of a log."""
    saved = path.with_suffix(".ndlog")
    saved.write_bytes(log)
    lines = page(saved, open_game(saved), audit(saved))
    path.write_text("\n".join(lines), "utf-8")
    return path


def altered(honest: Path, path: Path) -> Path:
    """The page with one bit of its log changed."""

    def change(found: re.Match[str]) -> str:
        log = bytearray(b64decode(found[2]))
        log[len(log) // 2] ^= 1
        return found[1] + b64encode(log).decode()

    path.write_text(LOG.sub(change, honest.read_text("utf-8")), "utf-8")
    return path


def retold(honest: Path, path: Path, part: str = "names", value: object = "Mallory") -> Path:
    """The page that says something else of the first seat, in a part of its story, than its log."""

    def change(data: dict[str, Any]) -> None:
        data[part][:1] = [value]

    return _told(honest, path, change)


def seated_again(honest: Path, path: Path) -> Path:
    """The page at whose tables nobody is ever gone."""

    def change(data: dict[str, Any]) -> None:
        for table in data["tables"]:
            table["empty"] = []

    return _told(honest, path, change)


def _told(honest: Path, path: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """The page with another story."""

    def changed(found: re.Match[str]) -> str:
        data = json.loads(found[2])
        change(data)
        return found[1] + json.dumps(data).replace("<", "\\u003c")

    path.write_text(DATA.sub(changed, honest.read_text("utf-8")), "utf-8")
    return path
