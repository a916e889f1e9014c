"""`nodealer` of another revision: `python -m tests.cli.another_revision ARGUMENTS...`."""

from __future__ import annotations

from importlib import import_module

from tests.revision import another_revision

if __name__ == "__main__":
    with another_revision():
        import_module("cli.main").main()
