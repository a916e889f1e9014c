"""A machine whose work is all done here and now: for audits, restarts, and tests."""

from __future__ import annotations

from p2p.protocol.effects import Compute, Effect, Write
from p2p.protocol.machine import Machine
from p2p.protocol.outcome import attempt


def run_inline(machine: Machine, *, disk: bool = False) -> list[Effect]:
    """Do every computation of `machine` here and now; return the effects that remain.

    What is to be written counts as written at once, unless there is a `disk`.
    """
    rest: list[Effect] = []
    for effect in machine.carry_out():
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
