"""`python -m tests.sim.worlds`: see `tests.sim.worlds.running`.

Processes that are started import that by its name, and could not import this one.
"""

from __future__ import annotations

import sys

from tests.sim.worlds.running import main

if __name__ == "__main__":
    sys.exit(main())
