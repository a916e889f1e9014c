"""A player who leaves is told where the game is, even if the clock was set meanwhile."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cli.failures import NotFinishedError
from cli.words.stopped import to_the_end

HOUR = 3600


def leave(folder: Path, name: str | None, set_by: int) -> str:
    """What is said when a game that wrote the log `name` is left; the clock went `set_by`."""
    old = folder / "old.ndlog"
    old.write_bytes(b"an older game")

    def play() -> None:
        if name is not None:
            log = folder / name
            log.write_bytes(log.read_bytes() + b"more" if log.exists() else b"begun")
            written = old.stat().st_mtime + set_by
            os.utime(log, (written, written))
        raise KeyboardInterrupt

    with pytest.raises(NotFinishedError) as caught:
        to_the_end(folder, play, resumable=True)
    return str(caught.value)


@pytest.mark.parametrize("set_by", [-HOUR, 0, HOUR])
@pytest.mark.parametrize("name", ["new.ndlog", "old.ndlog"])
def test_the_log_is_found_whatever_the_clock_says(tmp_path: Path, name: str, set_by: int) -> None:
    said = leave(tmp_path, name, set_by)
    assert f"The unfinished game is saved: {tmp_path / name}" in said


def test_a_game_that_wrote_nothing_does_not_claim_an_older_one(tmp_path: Path) -> None:
    assert "nothing was saved" in leave(tmp_path, None, 0)


@pytest.mark.parametrize("resumable", [True, False])
def test_a_table_that_is_not_signed_yet_can_be_gone_back_to(
    tmp_path: Path, resumable: bool
) -> None:
    """Unless its other seats have ended with us: then no secret of it stays."""
    older, seat, twin = (tmp_path / name for name in ("a.ndseat", "b.ndseat", "twin"))
    older.write_bytes(b"of another table")

    def play() -> None:
        seat.write_bytes(b"secret")
        os.link(seat, twin)
        raise KeyboardInterrupt

    with pytest.raises(NotFinishedError) as caught:
        to_the_end(tmp_path, play, resumable=resumable)
    assert ("nodealer resume goes back to it" in str(caught.value)) is resumable
    assert seat.exists() is resumable
    assert twin.read_bytes() == (b"secret" if resumable else bytes(6))
    assert older.read_bytes() == b"of another table"
