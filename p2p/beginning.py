"""From a proposal that all agreed to, to the header that all have signed: genesis over links."""

from __future__ import annotations

import os
from typing import Final

import trio

from engine.zone import Seat
from p2p.links import Way
from p2p.lobby import AWAY_SECONDS, LobbyError
from p2p.protocol.entry import Chain
from p2p.protocol.genesis import Header, begin_table
from p2p.protocol.machine import Machine
from p2p.protocol.table import OwnSeat
from p2p.runner import Runner
from p2p.sitting import one_error

MEASURING_SECONDS: Final = 1.0
"""How long a table waits for links between all seats, so that their delay can be measured."""
LOOKS_SECONDS: Final = 1.0
"""How often one looks who is away."""


async def begin(runner: Runner, own: OwnSeat) -> Header:
    """Make keys and sign the table with all the others.

    LobbyError if somebody was away for `AWAY_SECONDS` before that; PeerError when a seat is
    caught.
    """
    proposal, mesh = runner.proposal, runner.mesh
    with trio.move_on_after(MEASURING_SECONDS):
        await mesh.measured(runner.others())

    def pings() -> list[int | None]:
        return [mesh.round_trip_us(key) for key in proposal.identities]

    program = begin_table(proposal, os.urandom, own.seat, own.identity, own.secret, pings)
    machine = Machine(
        Chain(proposal.id), program, proposal.identities, seat=own.seat, identity=own.identity
    )
    with one_error():
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_give_up, runner, machine)
            header: Header = await runner.run(machine)
            nursery.cancel_scope.cancel()
    return header


async def _give_up(runner: Runner, machine: Machine) -> None:
    """Leave a table that cannot begin: a secret key is on no disk yet, so who is gone is gone.

    Not after our signature has left: whoever has those of all plays, and waits for us.
    """
    away: dict[Seat, float] = {}
    while machine.step is None or machine.step.kind != "sign":
        now = trio.current_time()
        lost = {link.seat: link.name for link in runner.seat_links() if link.way is Way.LOST}
        away = {seat: away.get(seat, now) for seat in lost}
        gone = [lost[seat] for seat, since in away.items() if now - since >= AWAY_SECONDS]
        if gone:
            raise LobbyError(
                f"{' and '.join(gone)} left before everybody had signed the table: no game has "
                "begun, and a new one can be hosted"
            )
        await trio.sleep(LOOKS_SECONDS)
