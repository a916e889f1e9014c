"""Carries out what a machine asks for: one way for playing, watching, auditing and testing.

They differ (in links, disk, player, a thread for heavy work) only in what the caller does with
each effect that it gets.
"""

from __future__ import annotations

from collections.abc import Iterator

from p2p.protocol.effects import Compute, Effect, Send, Write
from p2p.protocol.machine import Machine
from p2p.protocol.outcome import attempt


def carry_out(machine: Machine, *, only_at_once: bool = False) -> Iterator[Effect]:
    """All that `machine` asks for, and what follows from that, each in its turn.

    The caller does its part before it takes the next effect; then light computing is done, and
    for a record that was sent the moment is noted.  A caller that gets a `Write` or a heavy
    `Compute` answers the machine itself, when it is done with it.  `only_at_once` leaves out
    what has to wait for its turn.
    """
    while (effect := machine.next_effect(only_at_once=only_at_once)) is not None:
        yield effect
        if isinstance(effect, Compute) and not effect.heavy:
            machine.finish(effect.number, attempt(effect.job))
        elif isinstance(effect, Send):
            machine.timing.leave(effect.step)


def run_inline(machine: Machine, *, disk: bool = False) -> list[Effect]:
    """Do every computation of `machine` here and now; return the effects that remain.

    What is to be written counts as written at once, unless there is a `disk`.
    """
    rest: list[Effect] = []
    for effect in carry_out(machine):
        match effect:
            case Compute(heavy=True):
                machine.finish(effect.number, attempt(effect.job))
            case Compute():
                pass  # done by `carry_out`
            case Write() if not disk:
                machine.wrote(effect.number)
            case _:
                rest.append(effect)
    return rest
