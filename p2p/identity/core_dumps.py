"""Core dumps of a process that holds secret keys: there are none.

A program that crashes would leave all of its memory in a file, or with a service that collects
such files.  On Linux the process is also made not dumpable: the limit alone does not bind such a
service.  Its files in `/proc` then belong to root, and other programs of the same user, debuggers
and profilers too, cannot read its memory.  A program that it starts is dumpable again.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Final

_PR_SET_DUMPABLE: Final = 4
"""From <sys/prctl.h>."""


@cache
def forbid() -> None:
    """Let this process leave no core dump; where a system has none, nothing happens."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 (exists on Unix only)

    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, most))
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 (for this alone)

        ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
