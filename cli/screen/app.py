"""The application: prompt_toolkit draws and reads keys, trio runs as a guest on its loop.

One thread.  The loop is run in pieces: first until the first picture is drawn, so that the
peers are imported when there is something to look at; then as long as the table is played.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any, Final, TypeVar, TypeVarTuple

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from cli.failures import LeftTableError
from cli.kit.attention import Attention
from cli.kit.canvas import Line
from cli.kit.full_screen import full_screen
from cli.kit.output import say
from cli.kit.signs import ScreenSigns
from cli.kit.window import FullScreen, stop
from cli.options.settings import Settings
from cli.screen.happened import FLASH_SECONDS
from cli.screen.layout import WindowShown, render
from cli.screen.model import Model
from cli.screen.motion import Motion
from cli.words.going import LAST_WORDS_SECONDS

Result = TypeVar("Result")
Given = TypeVarTuple("Given")


class Screen(FullScreen):
    """A full screen around a model; a context manager that restores the terminal on any way out.

    `depth` is 1, 4, 8 or 24 bits of colour.  `bell`: somebody who does not look is called.
    `source` and `output` are for tests.
    """

    def __init__(
        self,
        model: Model,
        settings: Settings,
        depth: int,
        *,
        bell: bool = False,
        source: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self.model: Final = model
        self._settings: Final = settings
        self._loop: Final = asyncio.new_event_loop()
        self._gone: Final = asyncio.Event()
        self._fault: BaseException | None = None
        self._left = False
        # Like NO_COLOR (https://no-color.org): any value that is not empty.
        self._motion: Final = Motion(on=not os.environ.get("NO_MOTION"))
        self._stop: Callable[[], None] | None = None
        self._covering: Final = ExitStack()
        self._heeding: Final = ExitStack()
        self._task: asyncio.Task[None] | None = None
        self._held: asyncio.TimerHandle | None = None
        super().__init__(depth, source=source, output=output)
        self.attention: Final = Attention(model.now)
        """Calls this person when they do not look."""
        self.focused = self.attention.focus
        self._bell: Final = bell
        self._signs: Final = ScreenSigns(self.app.output, os.environ)
        model.changed = self._changed
        model.print_plainly = self._print_plainly
        model.leave, model.part = self.leave, self.part

    # -- life --------------------------------------------------------------------------

    def __enter__(self) -> Screen:
        """Draw the first picture."""
        self._covering.enter_context(full_screen())
        self._covering.callback(self._signs.close)
        self._loop.set_exception_handler(self._failed)
        self._loop.run_until_complete(self._open())
        return self

    def __exit__(self, *_: object) -> None:
        with self._covering:
            self._loop.run_until_complete(self._close())
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    async def _open(self) -> None:
        self._heeding.enter_context(self.heeding(self._loop, self.leave))
        self._task = self._loop.create_task(
            self.app.run_async(set_exception_handler=False, handle_sigint=False)
        )
        self._task.add_done_callback(self._app_ended)
        await self.drawn.wait()
        if self._bell:
            self._signs.open()
            self.attention.signs = self._signs

    async def _close(self) -> None:
        self._signs.close()  # before the keys are given back: what it says would be printed
        task = self._task
        if task is not None and not task.done():
            self.end()
            await asyncio.wait([task])
        self._heeding.close()

    def run(self, function: Callable[[*Given], Awaitable[Result]], *args: *Given) -> Result:
        """Like `trio.run`, while the screen is open; LeftTableError when the person leaves."""
        return self._loop.run_until_complete(self._guest(function, args))

    async def _guest(self, function: Callable[..., Awaitable[Result]], args: Any) -> Result:
        import trio  # noqa: PLC0415 (after the first picture)

        done: asyncio.Future[Any] = self._loop.create_future()
        results: list[Result] = []

        async def watched() -> None:
            with trio.CancelScope() as scope:
                self._stop = scope.cancel
                if self._left or self._fault is not None:
                    scope.cancel()
                results.append(await function(*args))

        trio.lowlevel.start_guest_run(
            watched,
            run_sync_soon_threadsafe=self._loop.call_soon_threadsafe,
            done_callback=done.set_result,
            host_uses_signal_set_wakeup_fd=True,
        )
        outcome = await done
        self._stop = None
        if self._fault is not None:
            raise self._fault
        outcome.unwrap()
        if not results:
            raise LeftTableError("You left the table.")
        return results[0]

    def linger(self, said: str) -> None:
        """Say that it is over, and stay until the person leaves."""
        self.model.ended = said
        self._changed()
        if not self._left and self._fault is None:
            self._loop.run_until_complete(self._gone.wait())
        if self._fault is not None:
            raise self._fault

    def part(self) -> None:
        """The person leaves with some words, which go out first."""
        self._loop.call_later(LAST_WORDS_SECONDS, self.leave)

    def leave(self) -> None:
        """End whatever is running."""
        self._left = True
        self._gone.set()
        if self._stop is not None:
            self._stop()

    # -- drawing -----------------------------------------------------------------------

    def lines(self, columns: int, rows: int) -> list[Line]:
        """The table, or what is chosen from above it."""
        letters = self._settings.ascii
        self.model.window = WindowShown(columns, rows, self.solid)
        if (menu := self.model.over.menu) is not None:
            from cli.menu.picture import picture  # noqa: PLC0415 (only where it is asked)

            return picture(menu, columns, rows, ascii=letters, solid=self.solid)
        board = self._motion.picture(self.model.board(), now(), calm=self.model.calm_table)
        if self._motion.moving:
            self._loop.call_later(self._motion.pause, self.redraw)
        self._look_again(self.model.next_look())
        size = self.model.card_size
        return render(board, columns, rows, ascii=letters, card_size=size, solid=self.solid)

    @property
    def theme(self) -> str:
        """The theme that was chosen by key."""
        return self.model.theme

    @property
    def cloth(self) -> str:
        """That of the game, once it is known which is played."""
        return self.model.cloth

    def press(self, key: str) -> None:
        """One key at the table."""
        from cli.screen.keys import press  # noqa: PLC0415 (after the first picture)

        self.attention.key()
        self._motion.stop()
        press(self.model, key)

    def remark(self, said: str) -> None:
        """Show this sentence until the next key."""
        self.model.notify(said)

    def paste(self, text: str) -> None:
        """Pasted text is typed, never obeyed."""
        from cli.screen.keys import paste  # noqa: PLC0415 (after the first picture)

        self.attention.key()
        paste(self.model, text)

    def _look_again(self, seconds: float) -> None:
        """Draw when a picture that is held has been there long enough."""
        if self._held is not None:
            self._held.cancel()
        self._held = self._loop.call_later(seconds, self.redraw) if seconds > 0 else None

    def _changed(self) -> None:
        if not self.app.is_running:
            return
        self.app.invalidate()
        if self.model.events.fresh():
            self._loop.call_later(FLASH_SECONDS, self.app.invalidate)

    def _print_plainly(self, lines: Sequence[str]) -> None:
        def show() -> None:
            for line in ["", *lines, ""]:
                say(line)
            input("Enter goes back. ")

        self._loop.create_task(self._in_terminal(show))

    async def _in_terminal(self, show: Callable[[], Result]) -> Result:
        """On the bare terminal, in a thread: the table goes on meanwhile."""
        with self._signs.unasked():
            self.attention.focus(None)
            result = await self.lend(show)
            self.attention.key()  # Enter has brought the person back
        return result

    async def _suspend(self) -> None:
        await self._in_terminal(stop)

    def run_command(
        self, arguments: Sequence[str], then: Callable[[bool], None] = lambda _done: None
    ) -> None:
        """Run another nodealer on this terminal; the table goes on behind it.

        `then` is told whether it could do what it was asked for.
        """
        self._loop.create_task(self._run_command(arguments, then))

    async def _run_command(self, arguments: Sequence[str], then: Callable[[bool], None]) -> None:
        from p2p.installation import once_more  # noqa: PLC0415 (rarely needed)

        command = [*once_more(), *arguments]
        done = await self._in_terminal(partial(subprocess.run, command, check=False))
        then(done.returncode == 0)

    def later(self, show: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do this while the screen is open, and the table goes on."""
        self._loop.create_task(show())

    # -- faults -------------------------------------------------------------------------

    def _failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """A fault in drawing or in a key: the table ends, and whatever runs it raises the fault."""
        error = context.get("exception")
        self._fault = error or RuntimeError(str(context.get("message")))
        self.leave()

    def _app_ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and task.exception() is not None:
            self._fault = task.exception()
            self.drawn.set()
            self.leave()


def now() -> float:
    """Seconds on the clock by which keys and events are timed."""
    return time.monotonic()
