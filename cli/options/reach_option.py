"""The option that adds iroh as a way between players, and what people are told about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click

from cli.failures import UserMistakeError

if TYPE_CHECKING:
    from p2p.net.reach_address import ReachAddress
    from p2p.net.reach_plan import ReachPlan

Command = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class AskedReach:
    """Whether the user asked for iroh."""

    wanted: bool

    def plan(self, bind: str | None = None) -> ReachPlan | None:
        """The same in the network's terms; `bind` as for TCP."""
        if not self.wanted:
            return None
        from p2p.net.reach_plan import ReachPlan  # noqa: PLC0415 (imports the peers)

        return ReachPlan.at(bind)


def reach_option(command: Command) -> Command:
    """Add `--reach`; the command receives it as `reach`.  UserMistakeError without iroh."""

    @click.option(
        "--reach", is_flag=True, help="Also by iroh: its relays learn addresses; needs iroh."
    )
    @wraps(command)
    def wrapped(*args: Any, reach: bool, **others: Any) -> Any:
        if reach and find_spec("iroh") is None:
            from p2p.installation import to_add  # noqa: PLC0415 (rarely needed)

            raise UserMistakeError(f"--reach needs iroh; {to_add('reach')} adds it.")
        return command(*args, reach=AskedReach(reach), **others)

    return wrapped


def reach_news(address: ReachAddress | None) -> list[str]:
    """What a host who asked for iroh is told along with the invite."""
    if address is None:
        return []
    if address.relay_url is None:
        return ["Reach: no relay; --reach finds you only where your address can be reached."]
    relay = address.at.host
    return [
        f"Reach: friends who join with --reach find you through the relay {relay}.",
        "It learns addresses, and when you play; it cannot read a card.",
    ]
