"""Entries that only their own seat can make: true proofs of odd things, and lies.

While a table is played, a seat is asked now and then what it would sign if it were a cheat: its
own program makes the payload, with a piece of it replaced.  The game goes on with the honest one,
or, where a table is to live with its cheat, with the odd one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from engine.question import LayDown, Play, Race
from engine.sets import Lay, LaySet, LayTogether
from p2p.checks import Entropy
from p2p.crypto import coin, group, oath, shuffle_offline
from p2p.crypto.elgamal import Cipher
from p2p.crypto.group import ORDER, Point
from p2p.crypto.keys import TableSecret
from p2p.crypto.shuffle import OfflinePart
from p2p.crypto.transcript import Transcript
from p2p.errors import LocalError, PeerError
from p2p.protocol.acts import moving, sharing, shuffling, swearing
from p2p.protocol.dealer import answer
from p2p.protocol.step import Kept, Program, Step, Work
from tests.protocol.kit import Hub, Seat, altered
from tests.protocol.odd_proofs import Transfer, transfer_by
from tests.vectors.staged import false_oath

Logs = dict[Point, int]
"""Points a of slots whose factor is known."""
Odd = Callable[[Seat, Random, Logs], AbstractContextManager[object]]
honest_shuffle, honest_make = shuffling.prove_shuffle, swearing.make


class Made(NamedTuple):
    """What a seat would have signed in a step."""

    step: int
    seat: int
    what: str
    payload: object


# -- transfers ------------------------------------------------------------------------------------


def _transfer_by(factor: int | None, logs: Logs) -> Transfer:
    """A true transfer by this factor, or by one of its own, which is remembered."""

    def transfer(
        secret: TableSecret, cipher: Cipher, key: Point, transcript: Transcript, entropy: Entropy
    ) -> tuple[Cipher, bytes]:
        drawn = group.random_scalar(entropy) if factor is None else factor
        moved, proof = transfer_by(drawn, secret, cipher, key, transcript)
        logs.setdefault(moved[0], drawn)
        return moved, proof

    return transfer


@contextmanager
def factor_again(seat: Seat, rng: Random, logs: Logs) -> Iterator[None]:
    """All cards are moved by one factor: 7, 0, or one that moved a card before."""
    factor = rng.choice([7, 0, *list(logs.values())[-6:]])
    with patch.object(moving, "transfer", _transfer_by(factor, {})):
        yield


# -- shuffles -------------------------------------------------------------------------------------


def _with_factors(ground: shuffle_offline.Groundwork, factors: list[int]) -> Any:
    remainder = ground.mask_factor - sum(map(int.__mul__, ground.masks, factors))
    return replace(
        ground,
        factors=factors,
        factor_points=[group.base(factor) for factor in factors],
        remainder=remainder,
        remainder_point=group.base(remainder),
    )


def _onto_known(order: list[int], deck: Sequence[Cipher], target: int, logs: Logs) -> list[int]:
    """Factors by which every card of which that can be known gets the point of `target`."""
    return [(target - logs.get(deck[source][0], 0)) % ORDER for source in order]


@contextmanager
def odd_shuffle(seat: Seat, rng: Random, logs: Logs) -> Iterator[None]:
    """In the old order, or by the factor 0, or so that points come again."""
    known = {**logs, group.IDENTITY: 0}
    how, target = rng.randrange(6), rng.choice([5, *list(logs.values())[-6:]])

    def shuffle(part: OfflinePart, deck: list[Cipher], *rest: Any) -> Any:
        entropy, count = rest[-1], len(deck)
        order = shuffle_offline.random_permutation(count, entropy)
        if how in (0, 1, 2):
            order = list(range(count))
        ground = shuffle_offline.lay_ground(order, entropy)
        factors = list(ground.factors)
        if how in (1, 3):
            factors = [0] * count
        elif how == 4:
            factors = _onto_known(order, deck, target, known)
        elif how in (2, 5):
            factors[rng.randrange(count)] = 0
        prepared = shuffle_offline.encrypt_under(_with_factors(ground, factors), part.key)
        return honest_shuffle(OfflinePart(part.key, prepared), deck, *rest)

    with patch.object(shuffling, "prove_shuffle", shuffle):
        yield


@contextmanager
def part_again(seat: Seat, rng: Random, logs: Logs) -> Iterator[None]:
    """The random bytes of every offline part are the same."""
    honest = seat.cards.parts.take

    def take(count: int, key: Point) -> OfflinePart:
        return OfflinePart.prepare(count, key, Random(f"one part {seat.seat}").randbytes)

    with patch.object(seat.cards.parts, "take", take if rng.random() < 0.9 else honest):
        yield


# -- oaths ----------------------------------------------------------------------------------------


@contextmanager
def other_oath(seat: Seat, rng: Random, logs: Logs) -> Iterator[None]:
    """A true oath, but about fewer slots or cards, in another order, or by the other method."""
    how = rng.randrange(5)

    def make(cards: Any, what: swearing.Owed, *rest: Any) -> bytes:
        other = {
            0: replace(what, slots=what.slots[1:] or what.slots),
            1: replace(what, slots=what.slots[::-1]),
            2: replace(what, forbidden=what.forbidden[1:] or what.forbidden),
            3: replace(what, allowed=what.allowed[::-1]),
        }.get(how, what)
        return honest_make(cards, other, *rest)

    honest = oath.uses_pairs
    turned = lambda *sizes: honest(*sizes) != (how == 4)  # noqa: E731
    with patch.object(swearing, "make", make), patch.object(oath, "uses_pairs", turned):
        yield


def sworn(already: bool) -> Odd:
    """The seat takes every oath for one that stands already, or for one that it owes."""

    @contextmanager
    def believes(seat: Seat, rng: Random, logs: Logs) -> Iterator[None]:
        with patch.object(seat.cards.slots, "is_sworn", lambda about, none_of: already):
            yield

    believes.__name__ = "takes_oaths_for_given" if already else "swears_again"
    return believes


def mixed(histories: bool) -> Odd:
    """The seat takes its cards for ones of several histories, or of one."""

    @contextmanager
    def believes(seat: Seat, rng: Random, logs: Logs) -> Iterator[None]:
        with patch.object(seat.cards.slots, "mixed", lambda slots: histories and bool([*slots])):
            yield

    believes.__name__ = "merges" if histories else "does_not_merge"
    return believes


# -- shares and transcripts -----------------------------------------------------------------------


@contextmanager
def other_coin(seat: Seat, rng: Random, logs: Logs) -> Iterator[None]:
    """The share is of the point of another step, or of another table."""
    step, table = rng.choice(((1, b""), (-1, b""), (0, bytes(32))))

    def point(at_table: bytes, number: int, *rest: Any) -> Point:
        return coin.coin_point(table or at_table, max(0, number + step), *rest)

    with patch.object(sharing, "coin_point", point):
        yield


@contextmanager
def bound_elsewhere(seat: Seat, rng: Random, logs: Logs) -> Iterator[None]:
    """A true proof, bound to another operation, other slots or another seat."""
    cards, how = seat.cards, rng.randrange(3)
    bind = cards.bind

    def elsewhere(by: int, operation: str, slots: Sequence[int]) -> Transcript:
        if how == 0:
            return bind(by, rng.choice(("open", "put-back", "play", "merge")), tuple(slots))
        if how == 1:
            return bind(by, operation, (*slots[1:], *slots[:1], 0)[: 1 + rng.randrange(3)])
        return bind((by + 1) % len(cards.keys.public), operation, tuple(slots))

    with patch.object(cards, "bind", elsewhere):
        yield


@contextmanager
def only_decides(seat: Seat, rng: Random, logs: Logs) -> Iterator[None]:
    """Nothing but the decision is another one."""
    yield


@contextmanager
def shuffles_until_it_suits(seat: Seat, rng: Random, logs: Logs) -> Iterator[None]:
    """Of several true entries the cheat signs the first that swears nothing."""
    yield


TRIES: Final = 8
DECIDING: Final = (only_decides, shuffles_until_it_suits)
ODD: Final[dict[Odd, int]] = {
    factor_again: 3,
    odd_shuffle: 4,
    part_again: 1,
    other_oath: 2,
    sworn(True): 3,
    sworn(False): 1,
    mixed(True): 1,
    mixed(False): 2,
    other_coin: 1,
    bound_elsewhere: 2,
    only_decides: 5,
    shuffles_until_it_suits: 2,
}
CONCERNS: Final[dict[str, set[str]]] = {
    "factor_again": {"hand-over", "put-back"},
    "odd_shuffle": {"shuffle", "reshuffle", "cut", "play", "lay-all", "lay-down", "lay-set"},
    "part_again": {"shuffle", "reshuffle", "cut", "play", "lay-all", "lay-down", "lay-set"},
    "other_oath": {"play", "lay-all", "swear", "race"},
    "takes_oaths_for_given": {"play", "lay-all", "race"},
    "swears_again": {"play", "lay-all", "race"},
    "merges": {"play", "lay-all", "lay-down", "lay-set", "race"},
    "does_not_merge": {"play", "lay-all", "lay-down", "lay-set", "race"},
    "other_coin": {"coin"},
    "shuffles_until_it_suits": {"play", "race"},
    "only_decides": {"play", "lay-down", "lay-set", "race", "choose", "commit", "set-commit"},
}
"""The kinds of steps in which an odd way makes a difference; `bound_elsewhere`: all with proofs."""
UNMADE: Final = (LocalError, LookupError, TypeError, ValueError, AttributeError, StopIteration)
"""What a seat's own program raises where it cannot make what a cheat would like to sign."""
WITHOUT_PROOF: Final = {"confirm", "close", "witness", "choose", "commit", "reveal", "set-commit"}


def concerns(odd: Odd, kind: str) -> bool:
    kinds = CONCERNS.get(odd.__name__)
    return kind not in WITHOUT_PROOF if kinds is None else kind in kinds


# -- decisions ------------------------------------------------------------------------------------


def any_decision(seat: Seat, question: Any, honest: object, rng: Random) -> object:
    """A decision about any of the cards that the seat can read, allowed or not."""
    me = seat.seat
    if isinstance(question, Race):
        question = question.claims[me]
        question = getattr(question, "play", question)
    if isinstance(question, LayTogether):
        question = question.claims[me]
    if not isinstance(question, Play | LayDown | LaySet):
        return rng.choice((honest, 0, 1, 9, -1, None))
    known = seat.cards.slots
    slots = [s for s in range(len(known.ciphers)) if s in known.own or known.numbers[s] is not None]
    zone = list(question.zone) if rng.random() < 0.8 else slots
    if isinstance(question, Play):
        return rng.choice([None, *zone, *zone])
    some = rng.choice([*combinations(zone[:5], 1), *combinations(zone[:5], 2)] or [()])
    return tuple(some) if isinstance(question, LayDown) else Lay(tuple(some), rng.random() < 0.5)


# -- the seat that is asked -----------------------------------------------------------------------


class Cheats:
    """What the seats of a table would sign as cheats, collected while it is played.

    The seats that are `living` cheats sign such entries, so `many` in all, and believe them.
    """

    def __init__(
        self,
        hub: Hub,
        rng: Random,
        often: float,
        living: Collection[int] = (),
        many: int = 1,
        ways: Mapping[Odd, int] | None = None,
    ) -> None:
        self.made: list[Made] = []
        self.lived: list[Made] = []
        self._rng, self._often, self._living, self._many = rng, often, living, many
        self._ways = ODD if ways is None else ways
        self._logs: Logs = {}
        for seat in hub.seats:
            machine = seat.machine
            machine._program = self._asking(seat, machine._program)

    def _asking(self, seat: Seat, program: Program[Any]) -> Program[Any]:
        def around(asked: Step | Work) -> Program[Any]:
            if isinstance(asked, Step) and asked.make is not None:
                asked = replace(asked, make=self._instead(seat, asked))
            return (yield asked)

        try:
            return (yield from altered(program, around))
        except LocalError:
            if seat.seat not in {made.seat for made in self.lived}:
                raise
            return None  # it believed its own lie: its seat stays empty from now on

    def _instead(self, seat: Seat, step: Step) -> Callable[[Any], object]:
        make = step.make
        assert make is not None

        def instead(decision: Any) -> object:
            if self._rng.random() < self._often:
                odd = self._ask(seat, step, decision)
                if odd is not None and self._live(seat, step, odd):
                    return odd.payload
            with patch.object(moving, "transfer", _transfer_by(None, self._logs)):
                return make(decision)

        return instead

    def _live(self, seat: Seat, step: Step, odd: Made) -> bool:
        """Whether this cheat signs that, because its own program can go on with it."""
        full = seat.seat not in self._living or len(self.lived) == self._many
        if full or step.kind in WITHOUT_PROOF:
            return False
        try:
            step.parse(seat.seat, odd.payload)
        except PeerError:
            return False
        self.lived.append(odd)
        return True

    def _ask(self, seat: Seat, step: Step, decision: Any) -> Made | None:
        ways = {odd: often for odd, often in self._ways.items() if concerns(odd, step.kind)}
        if not ways:
            return None
        (odd,) = self._rng.choices(list(ways), list(ways.values()))
        if step.question is not None and (odd in DECIDING or self._rng.random() < 0.3):
            decision = any_decision(seat, step.question, decision, self._rng)
        try:
            payload = self._made(seat, step, odd, decision)
        except UNMADE:
            return None  # not even a cheat's program can make that
        made = Made(seat.machine.chain.step, seat.seat, odd.__name__, payload)
        self.made.append(made)
        return made

    def _made(self, seat: Seat, step: Step, odd: Odd, decision: Any) -> object:
        with ExitStack() as stack:
            stack.enter_context(patch.object(oath, "swear", false_oath))
            stack.enter_context(odd(seat, self._rng, self._logs))
            fresh = _first_step(seat, step.kind)
            make = (fresh or step).make
            assert make is not None
            payload = make(decision)
            for _ in range(TRIES if odd is shuffles_until_it_suits else 0):
                if isinstance(payload, dict) and payload["oath"] is not None:
                    payload = make(decision)
        return payload.payload if isinstance(payload, Kept) else payload


def _first_step(seat: Seat, kind: str) -> Step | None:
    """The step once more, as what is believed now makes it, if it is the first of its question."""
    pending = seat.session.pending
    if pending is None:
        return None
    program = answer(seat.cards, pending)
    first = next(program, None)
    while isinstance(first, Work):
        first = program.send(None)
    return first if first is not None and first.kind == kind and kind != "shuffle" else None
