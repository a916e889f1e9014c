"""Files that are written at once: after a crash at any byte, what was there before or all of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.home import preferences
from engine.games import load
from p2p.disk import durable as disk
from p2p.files import evidence
from p2p.files.hand_file import hand_text, read_hand
from p2p.files.state_file import read_state, state_text
from p2p.identity.file import create_identity, load_identity, load_or_create
from p2p.protocol.logfile import split_evidence, split_genesis_evidence
from p2p.protocol.slots import Seen
from p2p.protocol.table import open_table
from replay.times import read_times
from tests.fuzz.disks import Recorder, lay_out
from tests.peer.seat_files import begun, files_in
from tests.protocol.kit import make_header, seeded

HEADER = make_header(load("flip-over"), 3)
HAND = hand_text(HEADER.table, 0, [Seen(1, 2, 3)])
Write = Callable[[Path], object]
Read = Callable[[Path], object]


def settings(root: Path) -> None:
    preferences.remember(preferences.NAME, "Ana")
    preferences.remember(preferences.NAME, "Another")


def identity(root: Path) -> None:
    create_identity(root / "identity.json", "Ana", seeded("identity"))


def keep_hand(root: Path) -> None:
    files_in(root).keep_hand(HAND)


def write_state(root: Path) -> None:
    table = open_table(HEADER, seeded("state")).session.table
    evidence.write_state(files_in(root).log, 3, state_text(HEADER.table, 3, table))


def write_evidence(root: Path) -> None:
    files = begun(root, HEADER, 2)
    evidence.write_evidence(files.log, [b"one", b"two"])
    files.close(erase_secrets=False)


def genesis_evidence(root: Path) -> None:
    evidence.write_genesis_evidence(root, HEADER.proposal, [b"one"])


def no_disk(patch: pytest.MonkeyPatch) -> None:
    """What is tried need not be synced."""
    patch.setattr(os, "fsync", lambda descriptor: None)
    patch.setattr(disk, "_DATA", lambda descriptor: None)


def only(root: Path, pattern: str) -> bytes:
    (path,) = root.glob(pattern)
    return path.read_bytes()


FILES: dict[str, tuple[Write, Read, str]] = {
    "settings": (settings, lambda root: preferences.setting(preferences.NAME), "settings.toml"),
    "identity": (identity, lambda root: load_identity(root / "identity.json").public, "*.json"),
    "hand": (keep_hand, lambda root: read_hand(only(root, "*.ndhand").decode()), "*.ndhand"),
    "state": (write_state, lambda root: read_state(only(root, "*.txt").decode()), "*.txt"),
    "evidence": (
        write_evidence,
        lambda root: split_evidence(only(root, "*.evidence"))[1],
        "*.evidence",
    ),
    "evidence of a genesis": (
        genesis_evidence,
        lambda root: split_genesis_evidence(only(root, "*.evidence"))[1],
        "*.evidence",
    ),
}


@pytest.mark.parametrize("stride", [11, pytest.param(1, marks=pytest.mark.full)])
@pytest.mark.parametrize("kind", FILES)
def test_all_or_nothing_at_every_byte(
    kind: str, stride: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The power fails while the file is written, and the disk kept any part of what was not synced.

    It is not there, or is the one before, or the whole new one; and once the writer was told that
    it is written, it is on the disk.
    """
    monkeypatch.setenv("NODEALER_HOME", str(tmp_path))
    write, read, pattern = FILES[kind]
    recorder = Recorder(tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        recorder.watch(patch)
        write(tmp_path)
        recorder.moment()
    no_disk(monkeypatch)
    whole = read(tmp_path)
    seen = [whole]
    for moment in recorder.moments:
        for name, left in moment.crashes(stride):
            if pattern.strip("*") not in name and not name.endswith(("synced", "there")):
                continue  # another file is torn
            lay_out(tmp_path, left)
            if any(tmp_path.glob(pattern)):
                found = read(tmp_path)
                assert found in (whole, "Ana"), f"{name}: {found}"
                seen.append(found)
    lay_out(tmp_path, recorder.moments[-1].synced)
    assert read(tmp_path) == whole
    assert len(seen) > 1


def test_a_crash_leaves_no_draft_that_keeps_an_identity_from_being_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first start is killed while it writes the identity, and the next process has the same
    number, as the first in a container always has.

    It makes one; before, it was told for ever that there already is one.
    """
    path = tmp_path / "identity.json"
    monkeypatch.setattr(os, "getpid", lambda: 7)
    recorder = Recorder(tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        recorder.watch(patch)
        create_identity(path, "Ana")
    for moment in recorder.moments:
        lay_out(tmp_path, moment.now)
        known = path.exists()
        first = load_or_create(path, "Bo")
        assert (first.name == "Ana") is known
        assert load_or_create(path, "Cy").public == first.public


def test_a_torn_line_of_times_spoils_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The power fails at any byte of the times of a game, and the game goes on.

    What is told of a step was true, before the crash and after it; before, the first line after it
    was written behind half of another one, and told the time of a step that never was.
    """
    no_disk(monkeypatch)
    files = begun(tmp_path, HEADER, 2)
    for step in range(12):
        files.complete(step, [], 1000 * step)
    files.close(erase_secrets=False)
    path = tmp_path / "table.ndtime"
    data = path.read_bytes()
    true = {step: 1000 * step for step in range(20)}
    for at in range(len(data) + 1):
        for left in (data[:at], data[:at] + bytes(len(data) - at)):
            path.write_bytes(left)
            files.rewrite_log(HEADER.encode(), [])
            files.complete(15, [], 15_000)
            files.close(erase_secrets=False)
            times = read_times(path)
            assert times.items() <= true.items()
            assert times[15] == 15_000
            assert len(times) == data[:at].count(b"\n") + 1
