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
from p2p.lobby.plan import foresee
from p2p.net.invite import Invite
from p2p.peer import Endpoint, Sitter, Store, TablePlan, host_table, join_table
from p2p.protocol.parts import Parts, Size
from p2p.protocol.terms import Terms

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
    store, parts = Store(folder, folder / "ledger"), _parts(plan)
    if plan.invite is None:
        host = Sitter(Identity.generate(os.urandom, "host"), player)
        done = await host_table(
            *(host, TablePlan(Terms.of(plan.game), plan.seats), store),
            started=_invite,
            endpoint=Endpoint(bind=LOOPBACK),
            parts=parts,
        )
    else:
        guest = Sitter(Identity.generate(os.urandom, "guest"), player)
        done = await join_table(guest, Invite.decode(plan.invite), store, parts=parts)
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
        foresee(parts, TablePlan(Terms.of(plan.game), plan.seats))
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
