"""One seat at one table: from the proposal that all agreed to, or from its files, to the close.

A script for a desk (`p2p.seat.reply`): nothing here touches the world.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, Protocol

from engine.zone import Seat
from p2p.crypto.hedged import Hedged
from p2p.crypto.keys import OPENING_BYTES, joint_key
from p2p.errors import LobbyError
from p2p.files.seat_memory import Known, SeatMemory
from p2p.files.storage import TableFiles
from p2p.identity.keys import Identity
from p2p.installation import program
from p2p.logs import LOG
from p2p.player import news
from p2p.protocol.entry import Chain
from p2p.protocol.genesis import Header, decode_header, shares_of
from p2p.protocol.own_seat import fresh_seat
from p2p.protocol.parts import Parts
from p2p.protocol.proposal import Proposal
from p2p.protocol.table import GameTable, open_table
from p2p.seat.desk import Desk
from p2p.seat.genesis import begin, signed_genesis
from p2p.seat.recovery import own_seat, reopen
from p2p.seat.returning import Patience
from p2p.seat.runner import Runner
from p2p.seat.stages import Audience
from p2p.seat.timing import seat_timing


class Company(Audience, Protocol):
    """Who is around a table."""

    def proposable(self) -> None:
        """The seat file is begun: a host may tell its guests what is proposed."""

    def open(self, table: GameTable) -> None:
        """All have signed the header: this game begins, or goes on."""


class TableSeat:
    """The seat of `identity` at the table of a proposal."""

    def __init__(
        self,
        desk: Desk,
        identity: Identity,
        proposal: Proposal,
        patience: Patience,
        company: Company,
        before: frozenset[bytes] = frozenset(),
    ) -> None:
        self.proposal: Final = proposal
        self.seat: Final[Seat] = proposal.identities.index(identity.public)
        self.runner: Final = Runner(desk, proposal, self.seat, patience, company, before)
        self._desk: Final = desk
        self._identity: Final = identity
        self._company: Final = company

    async def play(self, peers: Mapping[bytes, Known], parts: Parts) -> GameTable:
        """Sign this table with all the others, and play it to its end.

        `peers` is how the seats can be reached, `parts` are offline parts that were begun before.
        LobbyError for a table that this seat has signed already, or that cannot begin; PeerError
        when a seat is caught.
        """
        identity, proposal, desk = self._identity, self.proposal, self._desk
        random = Hedged(desk.entropy, proposal.id, identity.expose_secret())
        seats = len(proposal.seats)
        own = fresh_seat(self.seat, identity, proposal.terms.least, seats, random)
        opening = random(OPENING_BYTES)
        await self._begin_files(
            SeatMemory(self.seat, own.secrets(), opening, proposal.data, dict(peers))
        )
        self._company.proposable()
        header, _, shares = await begin(self.runner, own, opening)
        own = replace(own, shares=shares)
        parts.agree(joint_key(header.publics))
        timing = seat_timing(desk, proposal.identities)
        table = open_table(header, desk.entropy, own, notes=True, parts=parts, timing=timing)
        return await self._play(table)

    async def _begin_files(self, memory: SeatMemory) -> None:
        """Begin the seat file, before anything is signed."""
        proposal = self.proposal
        known = await self._desk.save(lambda files: files.signed_before(proposal.id))
        if known is not None:
            raise LobbyError(
                "your seat has signed this table already, and does not sign it with another key: "
                + (f"{program()} resume goes back to it" if known else "a new one has to be hosted")
            )
        await self._desk.save(lambda files: files.begin(memory))
        self.runner.is_begun = True

    async def go_back(self, memory: SeatMemory, parts: Parts) -> GameTable:
        """Go on from what the seat file says: in the genesis of this table, or in its game.

        Nothing is signed before other seats were asked for our own newest entries (protocol
        section 7).  OutdatedError for files that lack what was signed, PeerError as in `play`.
        """
        proposal, runner = self.proposal, self.runner
        runner.is_begun = runner.returning.came_back = True
        runner.returning.needs_all = memory.went_back
        if memory.header is None:
            past = memory.past_of_genesis(proposal)
            own = own_seat(self._identity, memory, past, proposal.terms.least)
            upon = memory.upon_of(Chain(proposal.id))
            header, records, _ = await begin(runner, own, memory.opening, upon)
        else:
            runner.answer_for(signed_genesis(proposal, memory))
            header, records = decode_header(memory.header), memory.genesis
        older = "; the files are older than what was signed" if memory.went_back else ""
        LOG.info("play: goes back with what the log has%s", older)
        return await self._play(await self._reopened(memory, header, records, parts))

    async def _reopened(
        self, memory: SeatMemory, header: Header, records: Sequence[bytes], parts: Parts
    ) -> GameTable:
        """The table as its log has it; the log is written anew, in whole steps."""
        past = memory.past_of_game(Chain(header.table), self.proposal.id)
        own = own_seat(self._identity, memory, past, self.proposal.terms.least)
        own = replace(own, shares=shares_of(header, own, records))
        timing = seat_timing(self._desk, self.proposal.identities)
        saved = await self._desk.save(TableFiles.saved_records)
        entropy = self._desk.entropy
        table = open_table(header, entropy, own, notes=True, parts=parts, timing=timing)
        machine = table.machine
        upon = memory.upon_of(machine.chain)
        await self._desk.run(partial(reopen, machine, (saved, upon), memory.ballots))
        data, steps = header.encode(), list(machine.records)
        await self._desk.save(lambda files: files.rewrite_log(data, steps))
        return table

    async def _play(self, table: GameTable) -> GameTable:
        LOG.info("play: the header is signed, step %d comes", table.machine.chain.step)
        self._desk.tell(news.seated(table.header, self.seat))
        self._company.open(table)
        self.runner.open(table)
        await self.runner.run(table.machine)
        await self._desk.save(
            lambda files: files.sync_log()
        )  # one that a full disk cut has to be mended
        if table.has_left:
            await self.runner.parting.released()
        self.runner.final = True
        await self.runner.linger()
        LOG.info("over: played to the end, %d steps", table.machine.chain.step)
        return table
