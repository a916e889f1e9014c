"""Three people at full screens in tmux: a table from the invite to the audit, with mishaps."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import trio

from cli.screen.keys import CLOSED
from cli.words.going import LATER_SAID
from replay.audit import audit
from replay.game import open_game
from tests.cli.tmux import Window, windows

TABLE = ("--seats", "3", "--bind", "127.0.0.1", "--no-announce", "--option", "rounds=1")
NO_PACE = ("--pace", "off")
OVER = "r plays again"
GARBAGE = "q\x1b[2J\r\n\x03y\x00 7c \u202e漢字🂡" * 40

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")


async def play(window: Window, until: str) -> None:
    """Press what a new player would, Enter where it plays something, until this is seen."""

    async def press(seen: str) -> None:
        if "\n Enter: " in seen or CLOSED in seen:
            await window.keys("Enter")

    await window.until(until, meanwhile=press)


async def test_a_match_of_three_with_one_who_is_killed_and_comes_back(tmp_path: Path) -> None:
    names = ("host", "guest", "killed")
    async with windows(tmp_path, names) as (host, guest, killed):
        await host.start("host", "flip-over", *TABLE)
        await seat(host, [guest, killed])
        await play_some(host, guest, killed)
        await killed.kill()
        await host.until("lost, retrying")
        await a_small_window_full_of_garbage(guest)
        await killed.start("resume")
        async with trio.open_nursery() as nursery:
            for window in (host, guest, killed):
                nursery.start_soon(play, window, OVER)
        for window in (host, guest, killed):
            await window.until("audit  complete", meanwhile=lambda _, at=window: at.keys("q"))
            await window.ended()
    logs = [next((tmp_path / name / "games").glob("*.ndlog")) for name in names]
    assert audit(logs[0]).verified
    assert len({log.read_bytes() for log in logs}) == 1
    assert not list(tmp_path.glob("*/games/*.ndseat"))


async def test_the_result_stays_and_the_same_bots_play_again(tmp_path: Path) -> None:
    bots = ("play", "flip-over", "--bots", "2", "--option", "rounds=1", "--pace", "off")
    async with windows(tmp_path, ("alone",)) as (window,):
        await window.start(*bots)
        await play(window, "How it went")
        await window.keys("v")
        await window.until("step 0 of")
        await window.keys("q")
        await window.until("How it went")
        await window.keys("x")
        await window.until("Written: ")
        await window.keys("r")
        await play(window, "game 2 of this evening")
        await window.until("audit  complete", meanwhile=lambda _: window.keys("q"))
        await window.ended()
    assert len(list((tmp_path / "alone" / "games").glob("*.ndlog"))) == 2
    assert "<html" in next((tmp_path / "alone" / "games").glob("*.html")).read_text("utf-8")
    assert not list(tmp_path.glob("alone/bots/*"))


async def test_whoever_comes_back_later_is_read_by_the_others(tmp_path: Path) -> None:
    """The words go out before the program ends."""
    async with windows(tmp_path, ("host", "guest")) as (host, guest):
        await host.start("host", "sneak", "--seats", "2", *TABLE[2:5])
        await seat(host, [guest])
        await guest.until("Round 1: ")
        await guest.keys("F10")
        await guest.until("l: your place is kept")
        await guest.keys("l")
        await host.until(f": {LATER_SAID}")
        await guest.until("The unfinished game is saved")
        await guest.ended()


async def test_a_bot_of_the_lobby_comes_back_with_its_host(tmp_path: Path) -> None:
    """One bot was there from the start, the other one was seated by `b` in the lobby."""
    async with windows(tmp_path, ("host", "guest")) as (host, guest):
        await host.start("host", "flip-over", "--seats", "4", "--bots", "1", *TABLE[2:], *NO_PACE)
        await guest.start("join", await invited(host), *NO_PACE)
        await host.until("3 of 4 seated")
        await host.keys("b")
        await host.until("How well Ada plays")
        await host.keys("Down", "Right", "Enter")
        for window in (guest, host):
            await window.until("4 of 4 seated")
            await window.keys("Enter")
        await play_some(host, guest)
        await host.kill()
        await guest.until("lost, retrying")
        await host.start("resume", *NO_PACE)
        async with trio.open_nursery() as nursery:
            for window in (host, guest):
                nursery.start_soon(play, window, OVER)
        for window in (host, guest):
            await window.until("audit  complete", meanwhile=lambda _, at=window: at.keys("q"))
            await window.ended()
    logs = [next((tmp_path / name / "games").glob("*.ndlog")) for name in ("host", "guest")]
    assert {"Ada", "Bo easy"} < set(open_game(logs[0]).names)
    assert audit(logs[0]).verified
    assert logs[0].read_bytes() == logs[1].read_bytes()
    assert not list(tmp_path.rglob("*.ndseat"))
    assert not list((tmp_path / "host" / "bots").glob("*"))


async def invited(host: Window) -> str:
    """Copy the host's invite."""
    await host.until("ND1:")
    await host.keys("i")
    shown = await host.until("Enter goes back")
    await host.keys("Enter")
    return next(line.strip() for line in shown.splitlines() if line.startswith("ND1:"))


async def seat(host: Window, guests: list[Window], full: int = 0) -> None:
    """Let everybody join by the host's invite, and let all say that they are ready.

    The table has `full` seats if bots sit there too.
    """
    invite = await invited(host)
    for guest in guests:
        await guest.start("join", invite)
    full = full or 1 + len(guests)
    for window in (*guests, host):
        await window.until(f"{full} of {full} seated")
        await window.keys("Enter")


async def play_some(*seats: Window) -> None:
    async with trio.open_nursery() as nursery:
        for window in seats:
            nursery.start_soon(play, window, "trick 3 of")


async def a_small_window_full_of_garbage(window: Window) -> None:
    """A window that shrinks says so and recovers; what is pasted is typed, never obeyed."""
    await window.resize(20, 5)
    await window.until("20 x 5: too small")
    await window.resize(80, 24)
    await window.until("trick 3 of")
    await window.paste(GARBAGE)
    await window.keys("Escape")
    assert "y/n" not in await window.text()
