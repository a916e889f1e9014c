"""Whole tables in memory: machines that pass records by hand, no clock, no sockets."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any

from engine.game import Game
from engine.session import Session
from p2p.checks import Entropy
from p2p.crypto.keys import TableSecret
from p2p.identity import Identity
from p2p.protocol.context import Keys
from p2p.protocol.dealer import Dealer
from p2p.protocol.effects import Behind, Decide, Done, Effect, Ended, Fault, Forward, Send
from p2p.protocol.entry import Chain
from p2p.protocol.machine import Machine, run_inline
from p2p.protocol.match import play_match

TABLE = hashlib.sha256(b"a table of the tests").digest()
Choose = Callable[[Any, Any], object]


def seeded(seed: object) -> Entropy:
    """Reproducible bytes."""
    return Random(repr(seed)).randbytes


def identities(count: int) -> list[Identity]:
    return [Identity.generate(seeded(("identity", seat)), f"seat{seat}") for seat in range(count)]


class Seat:
    """One player's machine, with all that a test may want to look at or bend."""

    def __init__(self, game: Game, seat: int, people: list[Identity], seed: int, **options: Any):
        secrets = [TableSecret.generate(seeded(("table", seed, i))) for i in range(len(people))]
        self.seat = seat
        self.chain = Chain(TABLE)
        self.session = Session(game, len(people), options, check=True, notes=True)
        self.keys = Keys(
            [secret.public for secret in secrets],
            seeded(("proofs", seed, seat)),
            seat,
            secrets[seat],
        )
        self.dealer = Dealer(self.chain, self.keys, self.session.table)
        self.machine = Machine(
            self.chain,
            play_match(self.session, self.dealer),
            [one.public for one in people],
            seat=seat,
            identity=people[seat],
            state=self.session.digest,
            kept=self.dealer.kept,
        )
        self.log: list[tuple[bytes, ...]] = []
        self.result: Any = None


class Hub:
    """A table whose records reach everybody, in an order drawn from a seed."""

    def __init__(self, game: Game, seats: int, seed: int = 1, **options: Any) -> None:
        self.people = identities(seats)
        self.seats = [Seat(game, seat, self.people, seed, **options) for seat in range(seats)]
        self.rng = Random(seed)
        self.wire: deque[tuple[int, bytes]] = deque()
        self.faults: dict[int, Fault] = {}
        self.chooser: Choose = self.choose_at_random
        self.bend: Callable[[int, bytes], list[bytes]] = lambda seat, record: [record]

    def choose_at_random(self, view: Any, question: Any) -> object:
        decisions = question.decisions(view)
        return decisions[self.rng.randrange(len(decisions))]

    def run(self, limit: int = 100_000) -> None:
        """Play until nothing moves any more."""
        for seat in self.seats:
            seat.machine.start()
        for _ in range(limit):
            if not (self._settle() or self._deliver()):
                return
        raise AssertionError("the table does not come to an end")

    def _settle(self) -> bool:
        busy = False
        for seat in self.seats:
            for effect in run_inline(seat.machine):
                busy = True
                self._do(seat, effect)
        return busy

    def _do(self, seat: Seat, effect: Effect) -> None:
        match effect:
            case Send():
                for record in self.bend(seat.seat, effect.record):
                    self._spread(seat.seat, record)
            case Forward():
                self._spread(seat.seat, effect.record)
            case Decide():
                view = seat.dealer.view(seat.seat)
                seat.machine.decide(self.chooser(view, effect.question))
            case Behind():
                self._catch_up(seat, effect.step)
            case Done():
                seat.log.append(effect.records)
            case Ended():
                seat.result = effect.result
            case Fault():
                self.faults[seat.seat] = effect

    def _catch_up(self, seat: Seat, step: int) -> None:
        for other in self.seats:
            past = [record for records in other.machine.records[step:] for record in records]
            self.wire.extend((seat.seat, record) for record in past + other.machine.current())

    def _spread(self, source: int, record: bytes) -> None:
        self.wire.extend((to, record) for to in range(len(self.seats)) if to != source)

    def _deliver(self) -> bool:
        if not self.wire:
            return False
        self.wire.rotate(-self.rng.randrange(min(4, len(self.wire))))
        to, record = self.wire.popleft()
        self.seats[to].machine.receive(record)
        return True
