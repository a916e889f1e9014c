"""How often Python looks for garbage."""

from __future__ import annotations

import gc
from typing import Final

_OBJECTS: Final = 100_000
"""All modules together make fewer that could be garbage."""


def look_seldom() -> None:
    """Look for garbage only after many new objects, in this process.

    In what a start makes there is none, and looking through it again and again takes a tenth of it.
    """
    gc.set_threshold(_OBJECTS)
