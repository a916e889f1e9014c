"""What the log says of steps: number and kind, who is waited for, never what is in them."""

from __future__ import annotations

import logging

from p2p.logs import LOG
from p2p.protocol.effects import Done, Fault
from p2p.protocol.entry import decode_entry
from p2p.protocol.machine import Machine
from p2p.protocol.step import Step


class StepsLog:
    """Sees a machine whenever it has to wait, and logs each step once."""

    def __init__(self) -> None:
        self._seen: Step | None = None

    def look(self, machine: Machine) -> None:
        """The machine waits, perhaps for another step than before."""
        step = machine.step
        if step is None or step is self._seen:
            return
        self._seen = step
        missing = ", ".join(map(str, machine.missing())) or "nobody"
        LOG.debug("step %d begun: %s, waits for seats: %s", machine.chain.step, step.kind, missing)

    def done(self, done: Done) -> None:
        """A step is complete."""
        if LOG.isEnabledFor(logging.DEBUG):  # only then is it worth reading the kind again
            kinds = dict.fromkeys(decode_entry(record).kind for record in done.records)
            size = sum(map(len, done.records))
            LOG.debug("step %d done: %s, %d bytes", done.step, " ".join(kinds), size)


def log_fault(fault: Fault) -> None:
    """A seat is caught."""
    LOG.warning("stopped: %s; %d records show it", fault.error, len(fault.evidence))
