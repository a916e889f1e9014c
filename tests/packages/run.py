"""What the one file runs: the program, or a helper process of its own (`audit --jobs`)."""

from __future__ import annotations

import multiprocessing

from cli.main import main

if __name__ == "__main__":
    multiprocessing.freeze_support()
    main()
