"""People who are asked whether to go on without somebody, and say so, mostly."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from p2p.player.events import Missed

if TYPE_CHECKING:
    from tests.sim.worlds.process import Process

GOES_ON: Final = 0.85
"""How likely it is that a person says "go on", and not "wait"."""


class Word:
    """What the person of one program says, now and again, as long as somebody is missed."""

    def __init__(self, process: Process) -> None:
        self._process: Final = process
        self._rng: Final = process.world.plan.rng("says", process.seat, process.number)
        self._event: Missed | None = None

    def hear(self, event: Missed) -> None:
        """Somebody is missed, or nobody any more."""
        self._event = event
        self._later(event)

    def _later(self, event: Missed) -> None:
        if event.say is not None:
            self._process.world.after(0.5 + 4.0 * self._rng.random(), partial(self._say, event))

    def _say(self, event: Missed) -> None:
        process = self._process
        if process.runs and self._event is event and event.say is not None:
            goes_on = self._rng.random() < GOES_ON
            names = " and ".join(one.name for one in event.seats)
            process.note(f"says {'go on' if goes_on else 'wait'}, of {names}")
            process.enter(partial(event.say, goes_on))
            self._later(event)
