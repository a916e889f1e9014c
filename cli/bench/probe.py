"""When things happened at one seat, by a clock that all processes of a machine share."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import wraps
from random import Random
from typing import Any, Final

import trio

from engine.acts import Deal
from engine.bots import Bot, random_bot
from engine.question import Question
from engine.session import Session
from engine.view import View
from p2p.player.events import Event
from p2p.protocol.machine import Machine


@dataclass(slots=True)
class Times:
    """Seconds of `time.monotonic`: when genesis began here, and each answer by its number.

    `answered` are (kind of question, when it was applied); `decided` says when this seat made the
    decision behind an answer.  `computed` are the seconds of processor time from the start of
    genesis to the answer of the deal.
    """

    began: float | None = None
    computed: float = 0.0
    answered: list[tuple[str, float]] = field(default_factory=list)
    decided: dict[int, float] = field(default_factory=dict)


class Probe:
    """What notes the times of this process."""

    def __init__(self) -> None:
        self.times: Final = Times()
        self.dealt: Final = trio.Event()


def watch_answers(probe: Probe) -> None:
    """From now on, note when a session of this process has applied an answer.

    The first machine that starts here is that of genesis.
    """
    real_answer, real_start, times = Session.answer, Machine.start, probe.times

    @wraps(real_answer)
    def answer(session: Session, given: object) -> None:
        asked = session.pending
        real_answer(session, given)
        times.answered.append((asked.kind if asked else "", time.monotonic()))
        if isinstance(asked, Deal):
            times.computed += time.process_time()
            probe.dealt.set()

    @wraps(real_start)
    def start(machine: Machine) -> None:
        if times.began is None:
            times.began = time.monotonic()
            times.computed = -time.process_time()
        real_start(machine)

    setattr(Session, "answer", answer)  # noqa: B010  (this process exists to be measured)
    setattr(Machine, "start", start)  # noqa: B010


class ThinkingBot:
    """A `Player`: a random bot that takes `pause` seconds to decide; for ever if None."""

    def __init__(self, times: Times, pause: float | None, bot: Bot = random_bot) -> None:
        self._times = times
        self._pause = pause
        self._bot = bot
        self._rng = Random(1)

    async def decide(self, view: View, question: Question[Any]) -> object:
        """Think, decide, and note when."""
        await (trio.sleep_forever() if self._pause is None else trio.sleep(self._pause))
        decision = self._bot(view, question, self._rng)
        self._times.decided[len(self._times.answered)] = time.monotonic()
        return decision

    def tell(self, event: Event) -> None:
        """Do nothing: bots need not be told anything."""
