"""`nodealer` with the revision of tests: `python -m tests.cli.program ARGUMENTS...`.

It judges the logs that tests make as its own.
"""

from __future__ import annotations

from importlib import import_module

import tests.revision  # noqa: F401 (sets it)

if __name__ == "__main__":
    import_module("cli.main").main()
