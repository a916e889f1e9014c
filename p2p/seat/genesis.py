"""From a proposal that all agreed to, to the header that all have signed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from engine.zone import Seat
from p2p.crypto.keys import TableSecret
from p2p.errors import LobbyError
from p2p.files.seat_memory import SeatMemory
from p2p.logs import LOG
from p2p.net.seat_links import SeatLink, Way
from p2p.player.waits import AWAY_SECONDS, LOOKS_SECONDS, Awaited, Why
from p2p.protocol import step_kinds
from p2p.protocol.entry import Chain
from p2p.protocol.frame_kinds import REFUSED
from p2p.protocol.genesis import SIGN_STEP, Header, Signed, begin_table
from p2p.protocol.inline import run_inline
from p2p.protocol.machine import Machine
from p2p.protocol.own_seat import OwnSeat
from p2p.protocol.proposal import Proposal
from p2p.protocol.table import open_genesis
from p2p.seat.presence import Absences
from p2p.seat.recovery import reopen
from p2p.seat.runner import Runner
from p2p.seat.standstill import say_for_whom
from p2p.seat.timer import Timer

MEASURING_SECONDS: Final = 1.0
"""How long a table waits for links between all seats, so that their delay can be measured."""
_LEFT: Final = (
    "left before everybody had signed the table: no game has begun, and a new one can be hosted"
)
_GIVES_UP: Final = {
    Why.LEFT: _LEFT,
    Why.AWAY: _LEFT,
    Why.ELSEWHERE: "did not come to the table that was proposed to you, and is at another one: no "
    "game has begun. Compare what your lobbies show before you sign a new one",
}


class Begun(NamedTuple):
    """The header that all have signed, the records of its genesis, and what others have sealed for
    this seat.
    """

    header: Header
    records: list[bytes]
    shares: Mapping[Seat, TableSecret]


async def begin(runner: Runner, own: OwnSeat, opening: bytes, upon: Sequence[bytes] = ()) -> Begun:
    """Sign the table with all the others; its header and records are then in the seat file.

    `own` and `opening` are in the seat file already, and so are the records of whole steps `upon`
    which we signed before.
    LobbyError if somebody was away, or at another table, for `AWAY_SECONDS` before everybody had
    signed; PeerError when a seat is caught.
    """
    proposal, desk = runner.proposal, runner.desk
    LOG.info("genesis: %s, %d seats", proposal.game.name, len(proposal.seats))
    measured = desk.measure(runner.others())
    desk.at(desk.now() + MEASURING_SECONDS, lambda: measured.give(None))
    await measured

    def pings() -> list[int | None]:
        return [desk.links.round_trip_us(key) for key in proposal.identities]

    machine = Machine(
        Chain(proposal.id),
        begin_table(proposal, desk.entropy, own, opening, pings),
        proposal.identities,
        own,
    )
    if upon:
        reopen(machine, [upon])
    header, shares = await _sign(runner, machine, own)
    records = [record for step in machine.records for record in step]
    await desk.save(lambda files: files.begin_log(header.encode(), records))
    return Begun(header, records, shares)


async def _sign(runner: Runner, machine: Machine, own: OwnSeat) -> Signed:
    signed = runner.run(machine)
    watch = _Watch(runner, machine, may_leave=own.past is None or own.past.until < SIGN_STEP)
    try:
        result: Signed = await signed
    finally:
        watch.stop()
    return result


class _Watch:
    """Looks, while all sign, whom they wait for; and leaves a table that cannot begin.

    A seat that is gone before signing may have left for good.  Nobody leaves after our signature
    has left: a seat that has all signatures plays, and waits for us.
    """

    def __init__(self, runner: Runner, machine: Machine, *, may_leave: bool) -> None:
        desk = runner.desk
        self._runner: Final = runner
        self._machine: Final = machine
        self._may_leave = may_leave
        self._held_up: Final = Absences[tuple[Seat, Why]](desk.now)
        self._says: Final = say_for_whom(
            desk, lambda: (machine.chain.step, _awaited(runner, machine))
        )
        self._looks: Final = Timer(desk)
        self._looks.every(LOOKS_SECONDS, self._look)
        self._look()

    def stop(self) -> None:
        """All have signed, or nobody will."""
        self._says.stop()
        self._looks.stop()

    def _look(self) -> None:
        signs = self._machine.step is not None and self._machine.step.kind == step_kinds.SIGN
        if signs or not self._may_leave:
            self._may_leave = False
            return
        runner = self._runner
        if runner.called_off is not None:
            self._give_up(runner.called_off)
            return
        reasons = {(link.seat, _why(runner, self._machine, link)) for link in runner.seat_links()}
        self._held_up.see(reasons)
        for why, sentence in _GIVES_UP.items():
            late = self._held_up.lasting(0 if why is Why.LEFT else AWAY_SECONDS)
            gone = [seat for seat, one in late if one is why]
            if gone:
                names = " and ".join(runner.proposal.names[seat] for seat in sorted(gone))
                self._give_up(LobbyError(f"{names} {sentence}"), tells=why is Why.LEFT)
                return

    def _give_up(self, error: LobbyError, *, tells: bool = False) -> None:
        """No game begins here; if it `tells` the others, they wait for nobody either."""
        runner = self._runner
        for key in runner.others() if tells else ():
            runner.desk.post(key, REFUSED.make(str(error).encode()))
        runner.final = True
        runner.fail(error)


def _why(runner: Runner, machine: Machine, link: SeatLink) -> Why:
    """What keeps an entry of this seat away, as far as its link shows it.

    A guest has left if it said so and has signed nothing; otherwise it can come back.
    """
    begins = machine.chain.step == 0 and link.seat in machine.missing()
    if begins and runner.proposal.identities[link.seat] in runner.given_back:
        return Why.LEFT
    if link.way is Way.LOST:
        return Why.AWAY
    if link.seat in runner.elsewhere():
        return Why.ELSEWHERE
    return Why.THROUGH if link.way is Way.VIA else Why.SILENT


def _awaited(runner: Runner, machine: Machine) -> tuple[Awaited, ...]:
    """The other seats whose entries for this step have not arrived."""
    missing = machine.missing()
    return tuple(
        Awaited(link.name, _why(runner, machine, link))
        for link in runner.seat_links()
        if link.seat in missing
    )


def signed_genesis(proposal: Proposal, memory: SeatMemory) -> Machine:
    """The genesis that a seat file remembers as complete, for peers that still need it."""
    machine = open_genesis(proposal)
    for record in memory.genesis:
        machine.receive(record)
        run_inline(machine)
    return machine
