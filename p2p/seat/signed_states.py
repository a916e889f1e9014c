"""The states that this seat signed last, in case another seat sees a different one.

A seat whose signed state differs from the others' cannot know that: its own step may be over
by the time they refuse its entry.  They therefore tell it at which step that was (a frame,
`DIFFERS`), and it writes its state of that step beside its log, as they write theirs
(state_file.py).
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from engine.table import Table
from p2p.files.state_file import state_text
from p2p.protocol import wire
from p2p.protocol.entry import HASH_BYTES
from p2p.protocol.frame_kinds import DIFFERS
from p2p.protocol.held import AHEAD
from p2p.protocol.table import GameTable


class SignedStates:
    """One seat's last signed states of a table, and the one text that is asked of it."""

    def __init__(self, table: GameTable) -> None:
        self._table: Final = table
        self._states: OrderedDict[int, Table] = OrderedDict()
        self._asked = False

    def note(self) -> None:
        """Keep the state that this seat has signed for the current step: others may see it soon."""
        self._states[self._table.machine.chain.step] = self._table.session.table.copy()
        if len(self._states) > AHEAD:
            self._states.popitem(last=False)

    def asked(self, payload: bytes) -> tuple[int, str] | None:
        """Somebody says that we signed another state: the step, and the text of our state.

        None for a step that we did not sign lately, and after one text was given, so that nobody
        can fill our disk.  PeerError for garbage.
        """
        fields = DIFFERS.read(payload)
        table, step = wire.octets(fields["table"], HASH_BYTES, "a table id"), fields["step"]
        state = self._states.get(step)
        if table != self._table.header.table or state is None or self._asked:
            return None
        self._asked = True
        return step, state_text(table, step, state)


def differs(table: GameTable) -> bytes:
    """The frame that names the current step, for which somebody signed another state."""
    return DIFFERS.make({"table": table.header.table, "step": table.machine.chain.step})
