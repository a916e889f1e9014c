"""The file of what a player's own seat saw."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from p2p.files.hand_file import HandFileError, OwnHand, hand_text, read_hand
from p2p.protocol.slots import Seen
from tests.peer.seat_files import files_in

TABLE = bytes(range(32))
SEEN = (Seen(5, 3, 17), Seen(9, 3, 2))


def test_it_is_read_as_it_was_written() -> None:
    assert read_hand(hand_text(TABLE, 2, SEEN)) == OwnHand(TABLE, 2, SEEN)
    assert read_hand(hand_text(TABLE, 0, ())) == OwnHand(TABLE, 0, ())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nodealer hand 2\ntable 00\nseat 0\n",
        "nodealer hand 1\nseat 0\n",
        "nodealer hand 1\ntable xy\nseat 0\n",
        "nodealer hand 1\ntable 00\nseat 0\n1 2\n",
        "nodealer hand 1\ntable 00\nseat 0\n1 2 3 4\n",
        "nodealer hand 1\ntable 00\nseat 0\n1 two 3\n",
    ],
)
def test_another_text_is_refused(text: str) -> None:
    with pytest.raises(HandFileError, match="no file of a hand"):
        read_hand(text)


def test_only_its_owner_may_read_it(tmp_path: Path) -> None:
    files = files_in(tmp_path)
    files.keep_hand(hand_text(TABLE, 2, SEEN))
    assert stat.S_IMODE(files.hand.stat().st_mode) == 0o600
    assert read_hand(files.hand.read_text("ascii")).seat == 2
