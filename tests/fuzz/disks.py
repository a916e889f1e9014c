"""What a crash may leave of files: how each stood at each moment, and every way to tear it.

A disk keeps what was synced.  Of what was written since, any part of any file may be there:
nothing, all, a beginning, zeros in its place, or the end without the beginning.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from p2p.disk import durable as disk

Contents = dict[str, bytes]
"""The files of a folder and of those in it, by path; one that is not there is missing."""
HOLE: Final = 64
"""Bytes of a block that was not written, while the one after it was."""


@dataclass(frozen=True)
class Moment:
    """How files stood when the power may have failed.

    `now` is as they were read; `blocks` what of each was synced, `synced` the same under the names
    that were synced: a file may have got its name since.  `seen` are the records that somebody has
    been sent by then.
    """

    now: Contents
    blocks: Contents
    synced: Contents
    seen: tuple[bytes, ...] = ()

    def crashes(self, stride: int) -> Iterator[tuple[str, Contents]]:
        """What may be left, each with a name; of all places to tear a file one in `stride`."""
        yield "all is there", self.now
        yield "only what was synced", self.synced
        for path in self.now.keys() | self.synced.keys():
            if self.now.get(path) != self.synced.get(path):
                yield from self._torn(path, stride)

    def _torn(self, path: str, stride: int) -> Iterator[tuple[str, Contents]]:
        for rest, others in (("newer", self.now), ("older", self.synced)):
            for how, data in self._tears(path, stride):
                left = dict(others)
                left.pop(path, None)
                if data is not None:
                    left[path] = data
                yield f"{path}: {how}, others {rest}", left

    def _tears(self, path: str, stride: int) -> Iterator[tuple[str, bytes | None]]:
        new, old = self.now.get(path), self.blocks.get(path, b"")
        yield "as synced", self.synced.get(path)
        yield "as written", new
        if new is None or new == old:
            return
        yield "under its new name, as synced", old
        start = _first_difference(old, new)
        places = {*range(start, len(new), stride), start + 1, start + 4, len(new) - 1}
        for at in sorted(place for place in places if start <= place < len(new)):
            yield f"cut at {at}", new[:at] + old[at:]
            yield f"zeros from {at}", new[:at] + bytes(len(new) - at)
            yield f"a hole at {at}", new[:at] + bytes(len(new[at : at + HOLE])) + new[at + HOLE :]


def _first_difference(old: bytes, new: bytes) -> int:
    return next(
        (at for at, pair in enumerate(zip(old, new, strict=False)) if len({*pair}) > 1), len(old)
    )


@dataclass
class Recorder:
    """Watches what is written and synced below `root`, through `p2p.disk` and the system."""

    root: Path
    moments: list[Moment] = field(default_factory=list)
    seen: list[bytes] = field(default_factory=list)
    _blocks: dict[int, bytes] = field(default_factory=dict)
    """What is on the disk of each file, which may be named otherwise later."""
    _names: dict[str, int] = field(default_factory=dict)
    """Which names are on the disk, and for which file."""

    def watch(self, patch: pytest.MonkeyPatch) -> None:
        """From now on each sync is a moment, before and after."""
        patch.setattr(os, "fsync", self._sync)
        patch.setattr(disk, "_DATA", self._sync)

    def _sync(self, descriptor: int) -> None:
        self.moment()
        asked = os.fstat(descriptor).st_ino
        for path in [self.root, *self.root.rglob("*")]:
            if path.stat().st_ino != asked:
                continue
            if path.is_file():
                self._blocks[asked] = path.read_bytes()
            else:
                self._note_names(path)
        self.moment()

    def _note_names(self, folder: Path) -> None:
        inside = Path(self._name(folder))
        self._names = {
            name: one for name, one in self._names.items() if Path(name).parent != inside
        }
        files = [one for one in folder.iterdir() if one.is_file()]
        self._names.update({self._name(one): one.stat().st_ino for one in files})

    def _name(self, path: Path) -> str:
        return str(path.relative_to(self.root))

    def moment(self) -> None:
        """The power may fail now."""
        files = [path for path in self.root.rglob("*") if path.is_file()]
        now = {self._name(path): path.read_bytes() for path in files}
        blocks = {self._name(path): self._blocks.get(path.stat().st_ino, b"") for path in files}
        synced = {name: self._blocks.get(one, b"") for name, one in self._names.items()}
        made = Moment(now, blocks, synced, tuple(self.seen))
        if not self.moments or self.moments[-1] != made:
            self.moments.append(made)


def lay_out(root: Path, contents: Contents) -> None:
    """Make exactly these files below `root`, for their owner only."""
    for path in [path for path in root.rglob("*") if path.is_file()]:
        path.unlink()
    for name, data in contents.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(0o600)
