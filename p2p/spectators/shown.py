"""What somebody who plays no seat is shown of a table: its game, and a lie in its genesis."""

from __future__ import annotations

from typing import Final

from p2p.checks import Entropy
from p2p.protocol.entry import unread
from p2p.protocol.genesis import Header
from p2p.protocol.machine import Machine
from p2p.protocol.table import open_genesis, open_table


class Shown:
    """One table.  A seat may be caught during the game at having signed two things before it; what
    shows that is of the genesis, of which nothing else is shown here.
    """

    def __init__(self, header: Header, entropy: Entropy) -> None:
        self.table: Final = open_table(header, entropy, notes=True)
        self._genesis: Final = open_genesis(header.proposal)

    def take(self, record: bytes) -> Machine:
        """Give a record to the machine that it belongs to, which has effects then.

        PeerError as from `Machine.receive`.
        """
        genesis = unread(record).table == self._genesis.chain.table
        machine = self._genesis if genesis else self.table.machine
        machine.receive(record)
        return machine
