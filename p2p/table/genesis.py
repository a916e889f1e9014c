"""From a proposal that all agreed to, to the header that all have signed: genesis over links."""

from __future__ import annotations

import os
from typing import Final

import trio

from engine.zone import Seat
from p2p.files.seat_memory import SeatMemory
from p2p.lobby.host import AWAY_SECONDS, LobbyError
from p2p.logs import LOG
from p2p.net.seat_links import SeatLink, Way
from p2p.player.events import HeldUp
from p2p.player.waits import Awaited, Why, say_for_whom
from p2p.protocol import step_kinds
from p2p.protocol.entry import Chain
from p2p.protocol.genesis import SIGN_STEP, Header, begin_table, watch_genesis
from p2p.protocol.interpreter import run_inline
from p2p.protocol.machine import Machine
from p2p.protocol.own_seat import OwnSeat
from p2p.protocol.proposal import Proposal
from p2p.seat.connection import one_error
from p2p.seat.runner import Runner

MEASURING_SECONDS: Final = 1.0
"""How long a table waits for links between all seats, so that their delay can be measured."""
LOOKS_SECONDS: Final = 1.0
"""How often to check who is away."""
_GIVES_UP: Final = {
    Why.AWAY: "left before everybody had signed the table: no game has begun, and a new one can be "
    "hosted",
    Why.ELSEWHERE: "did not come to the table that was proposed to you, and is at another one: no "
    "game has begun. Compare what your lobbies show before you sign a new one",
}


async def begin(runner: Runner, own: OwnSeat, opening: bytes) -> Header:
    """Sign the table with all the others; its header and records are then in the seat file.

    `own` and `opening` are in the seat file already.
    LobbyError if somebody was away, or at another table, for `AWAY_SECONDS` before everybody had
    signed; PeerError when a seat is caught.
    """
    proposal, mesh = runner.proposal, runner.mesh
    LOG.info("genesis: %s, %d seats", proposal.game.name, len(proposal.seats))
    with trio.move_on_after(MEASURING_SECONDS):
        await mesh.measured(runner.others())

    def pings() -> list[int | None]:
        return [mesh.round_trip_us(key) for key in proposal.identities]

    machine = Machine(
        Chain(proposal.id),
        begin_table(proposal, os.urandom, own, opening, pings),
        proposal.identities,
        own,
    )
    header = await _sign(runner, machine, own)
    records = [record for step in machine.records for record in step]
    await trio.to_thread.run_sync(runner.files.begin_log, header.encode(), records)
    return header


async def _sign(runner: Runner, machine: Machine, own: OwnSeat) -> Header:
    with one_error():
        async with trio.open_nursery() as nursery:
            nursery.start_soon(
                say_for_whom,
                lambda: (machine.chain.step, _awaited(runner, machine)),
                lambda awaited: runner.player.tell(HeldUp(awaited)),
            )
            if own.past is None or own.past.until < SIGN_STEP:
                nursery.start_soon(_give_up, runner, machine)
            header: Header = await runner.run(machine)
            nursery.cancel_scope.cancel()
    return header


async def _give_up(runner: Runner, machine: Machine) -> None:
    """Leave a table that cannot begin: a seat that is gone before signing may have left for good.

    Not after our signature has left: a seat that has all signatures plays, and waits for us.
    """
    since: dict[tuple[Seat, Why], float] = {}
    while machine.step is None or machine.step.kind != step_kinds.SIGN:
        now = trio.current_time()
        reasons = {(link.seat, _why(runner, link)) for link in runner.seat_links()}
        since = {one: since.get(one, now) for one in reasons}
        for why, sentence in _GIVES_UP.items():
            gone = [seat for (seat, one), at in since.items()
                    if one is why and now - at >= AWAY_SECONDS]  # fmt: skip
            if gone:
                runner.final = True
                names = " and ".join(runner.proposal.names[seat] for seat in sorted(gone))
                raise LobbyError(f"{names} {sentence}")
        await trio.sleep(LOOKS_SECONDS)


def _why(runner: Runner, link: SeatLink) -> Why:
    """What keeps an entry of this seat away, as far as its link shows it."""
    if link.way is Way.LOST:
        return Why.AWAY
    if link.seat in runner.elsewhere():
        return Why.ELSEWHERE
    return Why.THROUGH if link.way is Way.VIA else Why.SILENT


def _awaited(runner: Runner, machine: Machine) -> tuple[Awaited, ...]:
    """The other seats whose entries for this step have not arrived."""
    missing = machine.missing()
    return tuple(
        Awaited(link.name, _why(runner, link))
        for link in runner.seat_links()
        if link.seat in missing
    )


def signed_genesis(proposal: Proposal, memory: SeatMemory) -> Machine:
    """The genesis that a seat file remembers as complete, for peers that still need it."""
    machine = Machine(Chain(proposal.id), watch_genesis(proposal), proposal.identities)
    machine.start()
    for record in memory.genesis:
        machine.receive(record)
        run_inline(machine)
    return machine
