"""Whole tables in memory: machines that pass records by hand, no clock, no sockets."""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import Any

import tests.revision  # noqa: F401 (tables of tests have a revision of their own)
from engine.game import Game
from engine.session import Session
from engine.table_state import JOINT, OPEN
from p2p.checks import Entropy
from p2p.crypto.elgamal import read
from p2p.crypto.keys import OPENING_BYTES, TableSecret
from p2p.crypto.sharing import Polynomial, place
from p2p.errors import PeerError
from p2p.identity.keys import Identity
from p2p.protocol.absence.voting import voters_of
from p2p.protocol.cards import Cards
from p2p.protocol.context import Keys, KeyShares
from p2p.protocol.dealer import play_match
from p2p.protocol.effects import (
    Behind,
    Cast,
    Decide,
    Done,
    Effect,
    Ended,
    Fault,
    Forward,
    Outdated,
    Send,
)
from p2p.protocol.entry import Chain
from p2p.protocol.genesis import Header, Signed, begin_table, shares_of
from p2p.protocol.inline import run_inline
from p2p.protocol.key_in_shares import KeyInShares
from p2p.protocol.logfile import begin_log, frame
from p2p.protocol.machine import Machine
from p2p.protocol.own_seat import OwnSeat
from p2p.protocol.policy import WAIT
from p2p.protocol.proposal import propose
from p2p.protocol.races.book import Races
from p2p.protocol.races.timing import Timing
from p2p.protocol.step import Program, Step, Work
from p2p.protocol.table import GameTable, open_table
from p2p.protocol.terms import Terms
from p2p.protocol.walk import GameSays

TABLE = hashlib.sha256(b"a table of the tests").digest()[:32]
TOKEN = bytes(range(16))
Choose = Callable[[Any, Any], object]
Clocks = Callable[[int], Timing]
"""The clock of each seat."""
_BEGUN: dict[tuple[object, ...], tuple[Header, list[bytes]]] = {}
"""Kept from earlier tables: a genesis costs more than many a test that follows it."""


def seeded(seed: object) -> Entropy:
    """Reproducible bytes."""
    return Random(repr(seed)).randbytes


def identities(count: int) -> list[Identity]:
    return [Identity.generate(seeded(("identity", seat)), f"seat{seat}") for seat in range(count)]


Measured = Callable[[int, int], list[int | None]]
"""What a seat of a table with this many seats states that it measured."""


def pings_of(seat: int, count: int) -> list[int | None]:
    """What a seat of the tests measured: 20 ms to everybody, and 10 more per seat of distance."""
    return [None if other == seat else 10_000 * (1 + abs(other - seat)) for other in range(count)]


def table_secrets(count: int, seed: int) -> list[TableSecret]:
    return [TableSecret.generate(seeded(("table", seed, seat))) for seat in range(count)]


class Seat:
    """One player's machine, with what a test may want to look at."""

    def __init__(self, machine: Machine, table: GameTable | None = None) -> None:
        assert machine.seat is not None
        self.seat = machine.seat
        self.machine = machine
        self.table = table
        self.log: list[tuple[bytes, ...]] = []
        self.result: Any = None

    @property
    def session(self) -> Session:
        assert self.table is not None
        return self.table.session

    @property
    def cards(self) -> Cards:
        assert self.table is not None
        return self.table.cards


class Hub:
    """A table whose records reach everybody, in an order drawn from a seed.

    `bend(seat, record)` says what really leaves a seat; `chooser` decides for all players.
    """

    def __init__(self, seats: Sequence[Seat], seed: int = 1) -> None:
        self.seats = list(seats)
        self.rng = Random(seed)
        self.wire: deque[tuple[int, bytes]] = deque()
        self.faults: dict[int, Fault] = {}
        self.drops_links = False
        """Whether garbage costs its link, as in play, or fails the test."""
        self.refused: list[PeerError] = []
        self.dead: set[int] = set()
        self.chooser: Choose = self.choose_at_random
        self.bend: Callable[[int, bytes], list[bytes]] = lambda seat, record: [record]

    def choose_at_random(self, view: Any, question: Any) -> object:
        decisions = question.decisions(view)
        return decisions[self.rng.randrange(len(decisions))]

    def kill(self, seat: int) -> None:
        """Nothing reaches this seat any more, and nothing leaves it."""
        self.dead.add(seat)
        self.wire = deque((to, record) for to, record in self.wire if to != seat)

    def go_on_without(self, *absent: int) -> None:
        """All who are there say so."""
        for seat in self.seats:
            if seat.seat not in self.dead:
                seat.machine.go_on_without(frozenset(absent))

    def run(self, limit: int = 100_000) -> None:
        """Play until nothing happens any more."""
        for seat in self.seats:
            if not seat.machine.started:
                seat.machine.start()
        self.run_on(limit)

    def run_on(self, limit: int = 100_000) -> None:
        """Play on with the machines that have started."""
        for _ in range(limit):
            if not (self._settle() or self._deliver()):
                return
        raise AssertionError("the table does not come to an end")

    def _settle(self) -> bool:
        busy = False
        for seat in [seat for seat in self.seats if seat.seat not in self.dead]:
            for effect in run_inline(seat.machine):
                busy = True
                self._do(seat, effect)
        return busy

    def _do(self, seat: Seat, effect: Effect) -> None:
        match effect:
            case Send() | Cast():
                for record in self.bend(seat.seat, effect.record):
                    self.spread(seat.seat, record)
            case Forward():
                self.spread(seat.seat, effect.record)
            case Decide():
                view = seat.cards.view(seat.seat)
                seat.machine.decide(self.chooser(view, effect.question))
            case Behind():
                self._catch_up(seat, effect.step)
            case Done():
                seat.log.append(effect.records)
            case Ended():
                seat.result = effect.result
            case Fault():
                self.faults[seat.seat] = effect
            case Outdated():  # it was shown a vote of its own that it has not signed
                self.kill(seat.seat)

    def _catch_up(self, seat: Seat, step: int) -> None:
        for other in [other for other in self.seats if other.seat not in self.dead]:
            past = [record for records in other.machine.records[step:] for record in records]
            more = other.machine.beyond() + other.machine.voting.all()
            self.wire.extend((seat.seat, record) for record in past + more)

    def spread(self, source: int, record: bytes) -> None:
        """Put a record on the wire to everybody else."""
        others = [seat for seat in range(len(self.seats)) if seat != source]
        self.wire.extend((to, record) for to in others if to not in self.dead)

    def _deliver(self) -> bool:
        if not self.wire:
            return False
        self.wire.rotate(-self.rng.randrange(min(4, len(self.wire))))
        to, record = self.wire.popleft()
        try:
            self.seats[to].machine.receive(record)
        except PeerError as error:
            if not self.drops_links:
                raise
            self.refused.append(error)
        return True


def standing(_: int) -> Timing:
    """The clocks of most tests stand still."""
    return Timing()


def dealt(secrets: Sequence[TableSecret], least: int) -> list[Polynomial]:
    """A polynomial for each secret."""
    count = len(secrets)
    return [
        Polynomial.through(secret, least, count, seeded(("polynomial", seat)))
        for seat, secret in enumerate(secrets)
    ]


def key_shares(polynomials: Sequence[Polynomial], least: int, seat: int) -> KeyShares:
    """What this seat holds of the others' keys."""
    places = {owner: place(owner, seat, len(polynomials)) for owner in range(len(polynomials))}
    mine = {owner: TableSecret(polynomials[owner].share(at)) for owner, at in places.items() if at}
    return KeyShares(least, tuple([one.images for one in polynomials]), mine)


def bare_hub(
    game: Game,
    count: int,
    seed: int = 1,
    *,
    clocks: Clocks = standing,
    least: int = 0,
    **options: Any,
) -> Hub:
    """A table without genesis, for games that are not registered; races credit nothing.

    If so many are `least`, they can go on without those who are lost.
    """
    people, secrets = identities(count), table_secrets(count, seed)
    publics = [secret.public for secret in secrets]
    polynomials = dealt(secrets, least) if least else []

    def sit(seat: int) -> Seat:
        chain = Chain(TABLE)
        session = Session(game, count, options, check=True, notes=True)
        entropy = seeded(("proofs", seed, seat))
        shares = key_shares(polynomials, least, seat) if least else None
        keys = Keys(publics, entropy, seat, secrets[seat], shares=shares)
        races = Races(count, me=seat)
        cards = Cards(chain, keys, session.table, races=races, timing=clocks(seat))
        _draw_plainly(cards, entropy)
        machine = Machine(
            chain,
            play_match(session, cards),
            [one.public for one in people],
            OwnSeat(seat, people[seat], secrets[seat]),
            says=GameSays(session.digest, lambda: voters_of(keys)),
            kept=cards.kept,
            timing=cards.timing,
        )
        return Seat(machine, GameTable(None, session, cards, machine))  # type: ignore[arg-type]

    return Hub([sit(seat) for seat in range(count)], seed)


def _draw_plainly(cards: Cards, entropy: Entropy) -> None:
    """Who gets which cards follows from the seed: hedged, it would from each byte of the header."""
    cards.keys.entropy = entropy  # type: ignore[misc]
    cards.parts.draw_from(entropy)


def own_seats(count: int, seed: int, least: int = 0) -> list[OwnSeat]:
    """The seats of a table with this seed, with their keys in shares if `least` have to go on."""
    secrets, seats = table_secrets(count, seed), []
    for seat, person in enumerate(identities(count)):
        entropy, secret = seeded(("in shares", seed, seat)), secrets[seat]
        in_shares = KeyInShares.draw(secret, least, count, entropy) if least else None
        seats.append(OwnSeat(seat, person, secret, in_shares=in_shares))
    return seats


def genesis_hub(
    game: Game,
    count: int,
    seed: int = 1,
    *,
    pings: Measured = pings_of,
    policy: str = WAIT,
    changed: Mapping[int, OwnSeat] = MappingProxyType({}),
    **options: Any,
) -> Hub:
    """A table in genesis; each seat's result is the header.  Some seats may be `changed` ones."""
    names = [(one.public, one.name, False) for one in identities(count)]
    proposal = propose(TOKEN, Terms.of(game.name, options, policy), names)
    seats = own_seats(count, seed, proposal.terms.least)

    def sit(seat: int) -> Seat:
        entropy = seeded(("genesis", seed, seat))
        own = changed.get(seat, seats[seat])
        opening = entropy(OPENING_BYTES)
        program = begin_table(proposal, entropy, own, opening, lambda: pings(seat, count))
        machine = Machine(Chain(proposal.id), _header_of(program), proposal.identities, own)
        return Seat(machine)

    return Hub([sit(seat) for seat in range(count)], seed)


def _header_of(program: Program[Signed]) -> Program[Header]:
    return (yield from program).header


def make_header(
    game: Game, count: int, seed: int = 1, *, pings: Measured = pings_of, **options: Any
) -> Header:
    """A header that all seats signed; the same one for the same table."""
    return _begun(game, count, seed, pings=pings, **options)[0]


def _begun(game: Game, count: int, seed: int, **terms: Any) -> tuple[Header, list[bytes]]:
    """The header and the records of its genesis."""
    table = game.name, count, seed, repr(sorted(terms.items()))
    if table not in _BEGUN:
        hub = genesis_hub(game, count, seed, **terms)
        hub.run()
        records = [record for step in hub.seats[0].machine.records for record in step]
        _BEGUN[table] = hub.seats[0].result, records
    return _BEGUN[table]


def game_hub(
    game: Game,
    count: int,
    seed: int = 1,
    *,
    clocks: Clocks = standing,
    verifying: int | None = None,
    entropies: Mapping[int, Entropy] | None = None,
    pings: Measured = pings_of,
    **options: Any,
) -> Hub:
    """A table of a registered game, after genesis.

    The first `verifying` seats check all proofs, the others none; None: everybody checks.
    `entropies` are those of seats whose entropy is not `seeded`; it is hedged, as in play.
    """
    header, records = _begun(game, count, seed, pings=pings, **options)
    seats = own_seats(count, seed, header.proposal.terms.least)

    def sit(seat: int) -> Seat:
        own = replace(seats[seat], shares=shares_of(header, seats[seat], records))
        given = (entropies or {}).get(seat)
        entropy = given or seeded(("proofs", seed, seat))
        table = open_table(header, entropy, own, notes=True, timing=clocks(seat))
        if given is None:
            _draw_plainly(table.cards, entropy)
        return Seat(table.machine, table)

    hub = Hub([sit(seat) for seat in range(count)], seed)
    for one in hub.seats[count if verifying is None else verifying :]:
        _believe(one.machine)
    return hub


def _believe(machine: Machine) -> None:
    """This seat checks no proof: where a test is not about proofs, or a few others do."""
    machine._program = _believing(machine._program)


def _believing(program: Program[Any]) -> Program[Any]:
    def around(asked: Step | Work) -> Program[Any]:
        return None if isinstance(asked, Work) else (yield replace(asked, verify=None))

    return altered(program, around)


def altered(program: Program[Any], around: Callable[[Step | Work], Program[Any]]) -> Program[Any]:
    """The same program, but `around` asks in the place of what it asks, and says the answer."""
    value = None
    while True:
        try:
            asked = program.send(value)
        except StopIteration as end:
            return end.value
        value = yield from around(asked)


def log_bytes(seat: Seat) -> bytes:
    """The log that this seat would have on its disk."""
    assert seat.table is not None
    records = b"".join(frame(record) for records in seat.log for record in records)
    return begin_log(seat.table.header.encode()) + records


def require_all_cards(hub: Hub, first: Seat) -> None:
    """No card is lost or doubled, and the keys of those who are left open them all."""
    slots, locks = first.cards.slots, first.session.table.locks
    keys = {seat: hub.seats[seat].cards.keys.own for seat in range(len(hub.seats))}
    found = Counter[int]()
    for cipher, number, lock in zip(slots.ciphers, slots.numbers, locks, strict=True):
        if number is not None:
            assert lock == OPEN
            found[number] += 1
            continue
        left = cipher[1]
        for seat in first.cards.keys.seats if lock == JOINT else (lock,):
            left = read(keys[seat], (cipher[0], left))
        found[slots.identify(left)] += 1
    assert found == Counter(slots.need_deck().lowest)
