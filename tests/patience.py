"""How long a test waits where time is real: for processes, terminals, sockets and browsers."""

from __future__ import annotations

from typing import Final

PATIENCE: Final = 600.0
"""Seconds until a test gives up what does not come.  It ends what hangs, and measures nothing: no
machine is so slow, however many tests run on it.  Where two things may end a wait, the test puts
off the one that it does not mean (a limit of the product, say) to `NEVER`."""
NEVER: Final = 10 * PATIENCE
