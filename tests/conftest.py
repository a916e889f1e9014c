"""For all tests: the collector of garbage passes over the tests themselves.

Some seven thousand are collected, with all that they import, and stay to the end; going through
them again and again took a tenth of the processor's time.
"""

from __future__ import annotations

import gc

gc.disable()  # while tests are collected, hardly anything becomes garbage


def pytest_collection_finish() -> None:
    """From here on, look only at what comes to be later."""
    gc.freeze()
    gc.enable()
