"""The full screen as the place where a person sits (see cli.place)."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Self, TypeVar, TypeVarTuple

import click

from cli.screen.app import Screen, now
from cli.screen.model import Model
from cli.settings import Settings

if TYPE_CHECKING:
    from cli.screen.player import ScreenPlayer

Result = TypeVar("Result")
Given = TypeVarTuple("Given")
ANOTHER = "The game is over. r plays again with the same people; Enter or q leaves."
OVER = "The game is over. Enter or q leaves; then the result is shown and the log is checked."


class ScreenPlace:
    """A screen that is open from `__enter__` to `__exit__`."""

    def __init__(self, settings: Settings, title: str) -> None:
        self._settings = settings
        self._model = Model(f"nodealer   {title}", now)
        self._screen = Screen(self._model, settings, colour_depth(os.environ))
        self._player: ScreenPlayer | None = None

    def __enter__(self) -> Self:
        self._screen.__enter__()
        return self

    def __exit__(self, *how: object) -> None:
        self._screen.__exit__(*how)
        for line in self._player.last_words if self._player is not None else ():
            click.echo(line)

    def player(self, *, lobby: bool = False) -> ScreenPlayer:
        """The person at the keys."""
        from cli.screen.player import ScreenPlayer  # noqa: PLC0415 (imports the peers)

        self._player = ScreenPlayer(self._model, self._settings)
        return self._player

    def run(self, function: Callable[[*Given], Awaitable[Result]], *args: *Given) -> Result:
        """As `trio.run`, while keys are read and pictures are drawn."""
        return self._screen.run(function, *args)

    def announce(self, lines: Sequence[str]) -> None:
        """Show the lines until the game begins."""
        self._model.lobby(lines)

    def say(self, lines: Sequence[str]) -> None:
        """Add the lines to the events."""
        self._model.happened(lines)

    async def again(self) -> bool:
        """One key: r plays again, what leaves otherwise leaves here too."""
        import trio  # noqa: PLC0415 (after the first picture)

        model, answers, decided = self._model, list[bool](), trio.Event()

        def answer(stays: bool) -> None:
            answers.append(stays)
            decided.set()

        leave, model.leave = model.leave, lambda: answer(False)
        model.play_again, model.ended = lambda: answer(True), ANOTHER
        model.changed()
        try:
            await decided.wait()
        finally:
            model.leave, model.play_again, model.ended = leave, None, ""
        model.happened(["You want to play again; the others are asked."] if answers[0] else [])
        return answers[0]

    def over(self) -> None:
        """Stay at the table until the person leaves it."""
        self._screen.linger(OVER)


def colour_depth(environment: Mapping[str, str]) -> int:
    """1, 4, 8 or 24 bits of colour.

    NO_COLOR (https://no-color.org) means 1 whenever it is not empty; PROMPT_TOOLKIT_COLOR_DEPTH
    as that library documents it; else what COLORTERM and TERM say.
    """
    if environment.get("NO_COLOR"):
        return 1
    asked = environment.get("PROMPT_TOOLKIT_COLOR_DEPTH", "")
    named = {"DEPTH_1_BIT": 1, "DEPTH_4_BIT": 4, "DEPTH_8_BIT": 8, "DEPTH_24_BIT": 24}
    if asked in named:
        return named[asked]
    if environment.get("COLORTERM", "") in ("truecolor", "24bit") or sys.platform == "win32":
        return 24
    term = environment.get("TERM", "")
    if "256color" in term or "direct" in term:
        return 8
    return 1 if term in ("", "dumb", "vt100", "vt102", "vt220") else 4
