"""Films of two seats: what one types during the other's turn is neither sent nor lost."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import trio

from tests.cli.test_tmux import seat
from tests.cli.tmux import Window, windows
from tests.patience import PATIENCE

FRAME_SECONDS = 0.1
FRAMES = 20
TYPED = {
    "flaps": "4d pick",
    "flip-over": "9d",
    "flop-a": "call 5",
    "sneak": "sneak 7c 9d",
    "you-fink": "turn a card",
}
"""What each player is about to play; a letter of it would once have opened a line for talk."""
OWN_TURN = re.compile(r"▶ .*\(you\)")
TALK = re.compile(r"(?m)^ *\| ")
LINE = "stays until you are asked"

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


async def film(window: Window) -> list[str]:
    """Pictures of a window, one every tenth of a second."""
    pictures = []
    for _ in range(FRAMES):
        pictures.append(await window.text())
        await trio.sleep(FRAME_SECONDS)
    return pictures


async def waiting(one: Window, other: Window) -> tuple[Window, Window]:
    """Who waits, and whose turn it is."""
    with trio.fail_after(PATIENCE):
        while True:
            turns = [bool(OWN_TURN.search(await window.text())) for window in (one, other)]
            if turns == [False, True]:
                return one, other
            if turns == [True, False]:
                return other, one
            await trio.sleep(FRAME_SECONDS)


@pytest.mark.slow
@pytest.mark.parametrize("game", TYPED)
async def test_text_typed_during_anothers_turn_stays_in_the_line(game: str, tmp_path: Path) -> None:
    seats = ("--seats", "3", "--bots", "1") if game == "flip-over" else ("--seats", "2")
    table = (*seats, "--bind", "127.0.0.1", "--no-announce", "--no-map")
    async with windows(tmp_path, ("host", "guest")) as (host, guest):
        await host.start("host", game, *table)
        await seat(host, [guest], full=int(seats[1]))
        waits, plays = await waiting(host, guest)
        await waits.type(TYPED[game])
        theirs = await film(plays)
        own = await waits.text()
    assert [picture for picture in theirs if TALK.search(picture)] == []
    assert TYPED[game] in own
    assert LINE in own or OWN_TURN.search(own), "it is an answer as soon as the turn comes"
