"""How quickly a person can have meant what a key does."""

from __future__ import annotations

from typing import Final

EARLY_SECONDS: Final = 0.15
"""Whoever presses a key sooner after a picture or a line has come meant the one before: people's
fastest simple reactions take 0.1 to 0.2 s.
"""
REST_SECONDS: Final = 1.5
"""After a question went away unanswered, an Enter so soon was meant for that one: of four people
two passed in a flapping that had closed, and picked up or laid a card."""
LATE_SECONDS: Final = 1.0
"""After a game ends, an Enter so soon was still meant for a card: some press it several times."""
