"""One machine's table: the header, the game, the cards and the walk along the chain."""

from __future__ import annotations

from dataclasses import dataclass

from engine.question import Question
from engine.session import Session
from engine.view import View
from p2p.checks import Entropy
from p2p.protocol.absence.voting import voters_of
from p2p.protocol.cards import Cards
from p2p.protocol.context import Keys, KeyShares
from p2p.protocol.dealer import play_match
from p2p.protocol.entry import Chain
from p2p.protocol.genesis import Header, watch_genesis
from p2p.protocol.machine import Machine
from p2p.protocol.own_seat import NOTHING, OwnSeat
from p2p.protocol.parts import Parts
from p2p.protocol.proposal import Proposal
from p2p.protocol.races.book import Races
from p2p.protocol.races.timing import Timing
from p2p.protocol.walk import GameSays


@dataclass(frozen=True, slots=True)
class GameTable:
    """A table after genesis, for a player (`own` given) or for somebody who only checks."""

    header: Header
    session: Session
    cards: Cards
    machine: Machine

    def view(self) -> View:
        """What the seat of this machine may know now."""
        seat = self.machine.seat
        if seat is None:
            raise LookupError("an auditor has no seat")
        return self.cards.view(seat, self.session.course)

    @property
    def has_left(self) -> bool:
        """Whether the seat of this machine has left for good."""
        return self.machine.seat in self.session.table.lost

    @property
    def pending(self) -> Question[object] | None:
        return self.session.pending


def open_genesis(proposal: Proposal) -> Machine:
    """The genesis of a table, at its first step, for somebody who only checks it."""
    machine = Machine(Chain(proposal.id), watch_genesis(proposal), proposal.identities)
    machine.start()
    return machine


def open_table(
    header: Header,
    entropy: Entropy,
    own: OwnSeat | None = None,
    *,
    notes: bool = False,
    parts: Parts | None = None,
    timing: Timing | None = None,
) -> GameTable:
    """The table of a checked header, before its first step; call `machine.start()`.

    `parts` are offline parts that were begun before the table had keys; `timing` is the clock
    of a seat that plays.  A restarted seat draws other random values than the program that
    signed its past.
    """
    proposal = header.proposal
    session = Session(
        proposal.game, len(proposal.seats), proposal.terms.options, check=True, notes=notes
    )
    chain = Chain(header.table)
    past = (own and own.past) or NOTHING
    signed = b"".join(entry.record for entry in past.written.values())
    keys = Keys(
        header.publics,
        entropy,
        own.seat if own else None,
        own.secret if own else None,
        header.table + signed,
        key_shares(header, own),
    )
    races = Races(
        len(proposal.seats),
        header.race_cap_us,
        proposal.terms.race.hold_us,
        header.one_way,
        keys.me,
        header.passed_on,
        header.unlinked,
    )
    cards = Cards(chain, keys, session.table, parts, races=races, timing=timing)
    cards.kept.update(past.kept)
    machine = Machine(
        chain,
        play_match(session, cards),
        proposal.identities,
        own,
        says=GameSays(session.digest, lambda: voters_of(keys)),
        kept=cards.kept,
        timing=cards.timing,
    )
    return GameTable(header, session, cards, machine)


def key_shares(header: Header, own: OwnSeat | None = None) -> KeyShares | None:
    """What takes a lost seat's key out of the cards; None at a table that waits for it."""
    least = header.proposal.terms.least
    return KeyShares(least, header.promised, own.shares if own else {}) if least else None
