"""One seat of a measured table, in a process of its own: `python -m cli.bench.seat_process`.

Its only argument is a `SeatPlan` as JSON.  The host prints its invite; every seat prints what
its probe noted, after the deal or at the end of the match.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import trio

from cli.bench import big_deal
from cli.bench.probe import Probe, ThinkingBot, Times, watch_answers
from p2p.identity.keys import Identity
from p2p.lobby.host import foresee
from p2p.net.invite import Invite
from p2p.peer import TablePlan, host_table, join_table
from p2p.protocol.parts import Parts, Size

LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """What one process is to do; `invite` is None for the host.

    `pause` are the seconds before each decision, None to stop after the deal.  `parts` says
    when offline parts are made: "ready" before this process sits down, "lobby" as peers do it
    by themselves, "never" ahead.
    """

    game: str
    seats: int
    folder: str
    invite: str | None
    pause: float | None
    parts: str = "lobby"


async def play(plan: SeatPlan, probe: Probe) -> None:
    """Sit down; to the end of the match, or until every hand is readable here."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_sit_down, plan, probe.times)
        if plan.pause is None:
            await probe.dealt.wait()
            _say(asdict(probe.times))


async def _sit_down(plan: SeatPlan, times: Times) -> None:
    player, folder = ThinkingBot(times, plan.pause), Path(plan.folder)
    parts = _parts(plan)
    if plan.invite is None:
        me = Identity.generate(os.urandom, "host")
        table = TablePlan(plan.game, plan.seats)
        done = await host_table(
            *(me, table, player),
            folder=folder,
            ledger=folder / "ledger",
            bind=LOOPBACK,
            started=_invite,
            name=me.name,
            parts=parts,
        )
    else:
        me = Identity.generate(os.urandom, "guest")
        invite = Invite.decode(plan.invite)
        done = await join_table(
            *(me, invite, player),
            folder=folder,
            ledger=folder / "ledger",
            name=me.name,
            parts=parts,
        )
    _say({**asdict(times), "log": str(done.log)})


class _NoneAhead(Parts):
    """A seat that begins with a shuffle when its turn has come."""

    def wanted(self) -> list[Size]:
        return []


def _parts(plan: SeatPlan) -> Parts:
    if plan.parts == "never":
        return _NoneAhead(os.urandom)
    parts = Parts(os.urandom)
    if plan.parts == "ready":
        foresee(parts, TablePlan(plan.game, plan.seats))
        for size in parts.wanted():
            parts.prepare(*size)
    return parts


def _invite(invite: Invite) -> None:
    _say({"invite": invite.encode()})


def _say(line: object) -> None:
    print(json.dumps(line), flush=True)


def main() -> None:
    """Play the seat of the plan in the first argument."""
    plan = SeatPlan(**json.loads(sys.argv[1]))
    big_deal.register()
    probe = Probe()
    watch_answers(probe)
    trio.run(play, plan, probe)


if __name__ == "__main__":
    main()
