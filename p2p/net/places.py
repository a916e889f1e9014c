"""Where one peer can be dialled, and what is worth dialling again.

Addresses that our own user gave (an invite), or where the peer has proven its key, are dialled as
long as the peer is at the table.  Addresses that the peer only claims, or that an announcement on
the local network claims for it, may be anybody's machine: each gets a few tries, and all of them
together a limited number and then a few an hour, so that a false list does little harm to those it
names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, final

import trio

from p2p.net.limits import Limits, TokenBucket
from p2p.net.reach_address import AnyAddress

PROVEN_MAX: Final = 8
"""How many addresses at which one peer has proven its key are remembered, the newest ones."""


@final
class Places:
    """The addresses of one peer."""

    def __init__(self, limits: Limits) -> None:
        self._limits: Final = limits
        self._given: Final[dict[AnyAddress, None]] = {}
        self._proven: Final[dict[AnyAddress, None]] = {}
        self._said: list[AnyAddress] = []
        self._overheard: list[AnyAddress] = []
        self._tried: Final[Counter[AnyAddress]] = Counter()
        self._allowance: TokenBucket | None = None
        self._news = trio.Event()

    @property
    def sure(self) -> tuple[AnyAddress, ...]:
        """Those that our own user gave, or where the peer has proven its key."""
        return (*self._given, *(one for one in self._proven if one not in self._given))

    def give(self, addresses: Sequence[AnyAddress]) -> None:
        """Take addresses that our own user chose to dial."""
        if not self._given.keys() >= set(addresses):
            self._given.update(dict.fromkeys(addresses))
            self._news.set()

    def hear(self, addresses: Sequence[AnyAddress]) -> None:
        """Take what the peer says now, instead of what it said before."""
        said = list(dict.fromkeys(addresses))
        if said != self._said:
            self._said = said
            self._news.set()

    def overhear(self, addresses: Sequence[AnyAddress]) -> None:
        """Take what anyone on the local network announces for the peer, instead of the last."""
        heard = list(dict.fromkeys(addresses))
        if not {*self._overheard, *self._said, *self.sure}.issuperset(heard):
            self._news.set()
        self._overheard = heard

    async def wait_for_news(self, seconds: float) -> bool:
        """Wait this long, or until there is more than was last `worth` a dial; whether there is."""
        with trio.move_on_after(seconds) as waiting:
            await self._news.wait()
        return not waiting.cancelled_caught

    def prove(self, address: AnyAddress) -> bool:
        """Note that the peer has proven its key here; whether that is new."""
        new = address not in self.sure
        self._proven.pop(address, None)
        self._proven[address] = None
        if len(self._proven) > PROVEN_MAX:
            del self._proven[next(iter(self._proven))]
        return new

    def tried(self, addresses: Sequence[AnyAddress]) -> None:
        """Note that these were dialled."""
        unproven = [address for address in addresses if address not in self.sure]
        self._tried.update(unproven)
        for _ in unproven:
            self._left().take_if_left(trio.current_time())

    def worth(self) -> list[AnyAddress]:
        """What to dial now, best first."""
        self._news = trio.Event()
        return [*self.sure, *self._unproven()[: self._left().left(trio.current_time())]]

    @property
    def longest_pause_seconds(self) -> float:
        """The longest pause between two dials that failed."""
        limits = self._limits
        return limits.longest_pause_seconds if self.sure else limits.unproven_seconds

    @property
    def given_up(self) -> bool:
        """Whether there is nothing to dial, now or later."""
        return not self.sure and not self._unproven()

    def _unproven(self) -> list[AnyAddress]:
        most = self._limits.unproven_tries
        sure = self.sure
        claimed = dict.fromkeys([*self._said, *self._overheard])
        return [one for one in claimed if one not in sure and self._tried[one] < most]

    def _left(self) -> TokenBucket:
        if self._allowance is None:  # not before there is a clock
            limits = self._limits
            self._allowance = TokenBucket(
                1.0 / limits.unproven_seconds, trio.current_time(), limits.unproven_dials
            )
        return self._allowance
