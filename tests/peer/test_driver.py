"""What the trio driver does with orders."""

from __future__ import annotations

from pathlib import Path
from threading import get_ident
from typing import Any

import pytest
import trio

from p2p.driver.connection import one_error
from p2p.driver.driver import Driver
from p2p.errors import LobbyError
from p2p.player.events import HeldUp
from tests.patience import PATIENCE
from tests.peer.desk_kit import NoDisk
from tests.peer.kit import Watcher
from tests.peer.seat_files import files_in


class _NoMesh:
    """Nobody is linked."""

    async def drain(self) -> None:
        await trio.lowlevel.checkpoint()


async def _saves_here(files: Any, *, syncs: bool = True) -> bool:
    """Whether what is to be saved is done in the thread of links and timers."""
    driver = Driver(_NoMesh(), Watcher(0), files)  # type: ignore[arg-type]

    async def seat() -> int:
        thread: int = await driver.desk.save(lambda _: get_ident(), syncs=syncs)
        return thread

    return await driver.run(seat()) == get_ident()


async def test_what_takes_nobody_knows_how_long_holds_up_no_links(tmp_path: Path) -> None:
    """Nothing was synced yet: the disk may be slow, and a seat that comes back reads much."""
    assert not await _saves_here(files_in(tmp_path))


async def test_a_quick_disk_is_not_worth_another_thread() -> None:
    assert await _saves_here(NoDisk())


async def test_what_does_not_wait_for_the_disk_takes_no_thread(tmp_path: Path) -> None:
    """The records of each step: at a slow disk, handing them over took longer than all else."""
    assert await _saves_here(files_in(tmp_path), syncs=False)


async def test_what_is_saved_later_is_not_done_earlier(tmp_path: Path) -> None:
    """Behind what a slow disk still keeps waiting, also that which does not sync."""
    driver = Driver(_NoMesh(), Watcher(0), files_in(tmp_path))  # type: ignore[arg-type]
    order = []

    async def seat() -> None:
        slow = driver.desk.save(lambda _: order.append("slow"))
        await driver.desk.save(lambda _: order.append("quick"), syncs=False)
        await slow

    await driver.run(seat())
    assert order == ["slow", "quick"]


class _Deaf(Watcher):
    """A player whose program breaks at the first thing that it is told."""

    def tell(self, event: Any) -> None:
        super().tell(event)
        if len(self.events) == 1:
            raise OSError(28, "No space left on device")


async def test_after_a_failure_orders_are_carried_out_as_before() -> None:
    """What is ordered outside of `enter` was left lying, for ever, once the disk was full."""
    player = _Deaf(0)
    driver = Driver(_NoMesh(), player)  # type: ignore[arg-type]
    with pytest.raises(OSError, match="No space"):
        driver.enter(lambda: driver.desk.tell(HeldUp(())))
    driver.desk.tell(HeldUp(()))
    assert len(player.events) == 2


async def test_who_is_asked_and_is_asked_no_more_at_once_is_not_asked() -> None:
    """A log that is read again asks and answers in one go: once, a host could not come back."""
    driver = Driver(_NoMesh(), Watcher(0), NoDisk())  # type: ignore[arg-type]
    asked = []

    async def decides() -> None:
        asked.append("here")
        await trio.sleep_forever()

    async def seat() -> str:
        number, _ = driver.desk.consult(decides)
        driver.desk.unask(number)
        await driver.desk.sleep(1.0)
        return "goes on"

    with trio.fail_after(PATIENCE):
        assert await driver.run(seat()) == "goes on"
    assert asked == []


async def test_an_error_comes_as_itself_beside_tasks_that_are_cancelled_from_further_out() -> None:
    """Two bots heard that no game follows while their host was ending them: its exit code was 1."""

    async def ended(outer: trio.CancelScope, *, fails: bool) -> None:
        with one_error():
            async with trio.open_nursery() as nursery:
                nursery.start_soon(trio.sleep_forever)
                outer.cancel()
                if fails:
                    raise LobbyError("nobody plays")

    with trio.CancelScope() as outer, pytest.raises(LobbyError, match="nobody plays"):
        await ended(outer, fails=True)
    with trio.CancelScope() as outer:
        await ended(outer, fails=False)
    assert outer.cancelled_caught
