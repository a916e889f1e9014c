"""The table of all readers of foreign bytes."""

from __future__ import annotations

from typing import Final

from tests.fuzz import of_files, of_frames, of_network, of_steps, of_wire
from tests.fuzz.reader import Reader, table

READERS: Final[dict[str, Reader]] = table(
    row for module in (of_wire, of_network, of_frames, of_steps, of_files) for row in module.rows()
)
"""By name.  `test_complete.py` finds what is missing."""
