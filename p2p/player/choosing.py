"""What a player can do between two games: agree to the next one, or as the host propose it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from engine.zone import Seat
from p2p.protocol.terms import Terms


class Choosing(Protocol):
    """How one seat agrees on the next game; whoever neither agrees nor leaves is waited for."""

    @property
    def names(self) -> tuple[str, ...]:
        """Who was at the old table, by seat; the first one, the host, proposes what is played."""

    @property
    def seat(self) -> Seat:
        """Our own seat there."""

    @property
    def plan(self) -> Terms:
        """What the host proposes; until it says so, what was played."""

    @property
    def same(self) -> Terms:
        """What was played."""

    @property
    def people(self) -> int:
        """How many may play, as far as nobody else leaves."""

    @property
    def is_settled(self) -> bool:
        """Whether the next table is agreed by all who stay."""

    def agree(self, plan: Terms) -> None:
        """Stay, and play this and nothing else; as the host, propose it in place of what was.

        UsageError with a sentence if this program cannot play it, or not so many people.
        """


AskNext = Callable[[Choosing], Awaitable[bool]]
"""Asks a person: True to play whatever the host proposes, as a host what was played; False to
leave."""
