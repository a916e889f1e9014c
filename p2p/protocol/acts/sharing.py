"""Steps in which seats publish decryption shares: deal, open, coin (protocol section 4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from engine import acts
from engine.cards import Card
from engine.table_state import OPEN
from engine.zone import Seat, Slot
from p2p import checks
from p2p.checks import Entropy
from p2p.crypto import dleq
from p2p.crypto.coin import coin_point, coin_value, draw
from p2p.crypto.elgamal import Cipher, strip
from p2p.crypto.group import IDENTITY, Point, decode_points, mul
from p2p.crypto.keys import TableSecret
from p2p.crypto.sharing import combine
from p2p.crypto.transcript import Transcript
from p2p.protocol import step_kinds, wire
from p2p.protocol.cards import Cards
from p2p.protocol.slots import own_history
from p2p.protocol.step import Program, SeatLostError, Step
from p2p.protocol.step_kinds import StepKind

PROOF_BYTES = 64
HEAVY = 8
"""From this many shares on, a check is worth a move to another thread."""

Shares = dict[Seat, list[Point]]
Released = tuple[list[Point], bytes]


class Release:
    """What one seat owes that releases shares: x A for each of these points A, with one proof.

    `public` is x G; `secret` gives x, to the seat that holds it.
    """

    def __init__(
        self,
        public: Point,
        points: Sequence[Point],
        bound: Transcript,
        entropy: Entropy,
        secret: Callable[[], TableSecret],
    ) -> None:
        self._public: Final = public
        self._points: Final = points
        self._bound: Final = bound
        self._entropy: Final = entropy
        self._secret: Final = secret

    def make(self) -> object:
        secret = self._secret()
        shares = [mul(point, secret.scalar) for point in self._points]
        pairs = list(zip(self._points, shares, strict=True))
        proof = dleq.prove_shares(secret, pairs, self._bound.copy(), self._entropy)
        return {"shares": b"".join(shares), "proof": proof}

    def parse(self, payload: Any) -> Released:
        fields = wire.take(payload, {"shares": bytes, "proof": bytes})
        shares = decode_points(fields["shares"], len(self._points))
        return shares, wire.octets(fields["proof"], PROOF_BYTES, "a proof of shares")

    def verify(self, parsed: Released) -> None:
        shares, proof = parsed
        pairs = list(zip(self._points, shares, strict=True))
        dleq.verify_shares(self._public, pairs, proof, self._bound.copy())


def release(
    cards: Cards, kind: str, seat: Seat, slots: tuple[Slot, ...], points: Sequence[Point]
) -> Release:
    """Shares by the table key of a seat."""
    keys, bound = cards.keys, cards.bind(seat, kind, slots)
    return Release(keys.public[seat], points, bound, keys.entropy, lambda: keys.own)


def shares_of_lost(
    cards: Cards, kind: StepKind, owed: Mapping[Seat, Sequence[Point]]
) -> Program[Shares]:
    """One step: the shares that lost seats would owe, x_s A for each point A of `owed[s]`.

    Everybody publishes partial shares, made with its share of x_s, with one proof for each s.
    """
    acts = {
        giver: [_partial(cards, kind, giver, lost, owed[lost]) for lost in owed]
        for giver in cards.keys.seats
    }
    entries = yield Step(
        kind,
        cards.keys.seats,
        parse=lambda giver, payload: parse_each(acts[giver], payload),
        verify=lambda giver, parsed: verify_each(acts[giver], parsed),
        make=lambda _: [act.make() for act in acts[cards.keys.own_seat]],
        heavy=True,
    )
    shares = cards.key_shares

    def whole(at: int, lost: Seat) -> list[Point]:
        given = {shares.place(lost, giver): parsed[at][0] for giver, parsed in entries.items()}
        return combine(given, shares.least)

    return {lost: whole(at, lost) for at, lost in enumerate(owed)}


def _partial(
    cards: Cards, kind: StepKind, giver: Seat, lost: Seat, points: Sequence[Point]
) -> Release:
    keys, shares = cards.keys, cards.key_shares
    bound = cards.bind(giver, f"{kind} of seat {lost}", ())
    image = shares.image(lost, giver)
    return Release(image, points, bound, keys.entropy, lambda: shares.mine[lost])


class Part(Protocol):
    """What one seat owes among other things in one entry."""

    def parse(self, payload: Any) -> Any:
        """The part, parsed; PeerError."""

    def verify(self, parsed: Any) -> None:
        """PeerError unless its proof is right."""


def parse_each(acts: Sequence[Part], payload: Any) -> list[Any]:
    """One part for each of these acts, parsed."""
    parts = wire.exactly(payload, list, "the parts of an entry")
    complete = len(parts) == len(acts)
    checks.require("share.parts", complete, "malformed", "not one part for each that is owed")
    return [act.parse(part) for act, part in zip(acts, parts, strict=True)]


def verify_each(acts: Sequence[Part], parsed: Sequence[Any]) -> None:
    """PeerError unless all parts are right."""
    for act, part in zip(acts, parsed, strict=True):
        act.verify(part)


def publish(
    cards: Cards, kind: StepKind, slots: tuple[Slot, ...], owed: Mapping[Seat, Sequence[Point]]
) -> Program[Shares]:
    """One step: seat j publishes x_j A for each point A of `owed[j]`, with one proof."""
    given = {seat: release(cards, kind, seat, slots, points) for seat, points in owed.items()}
    entries = yield Step(
        kind,
        tuple(sorted(owed)),
        parse=lambda seat, payload: given[seat].parse(payload),
        verify=lambda seat, parsed: given[seat].verify(parsed),
        make=lambda _: given[cards.keys.own_seat].make(),
        heavy=max(len(points) for points in owed.values()) >= HEAVY,
    )
    return {seat: shares for seat, (shares, _) in entries.items()}


def deal(cards: Cards, question: acts.Deal) -> Program[None]:
    """JOINT slots become readable by one seat each: all the others publish shares."""
    slots = cards.slots
    handles = tuple(slot for slot, _ in question.moves)
    for slot, to in question.moves:
        slots.pledge(slot, to)
    # Seat j owes a share of every slot that goes to another seat, in the order of the moves.
    others = {
        seat: [slot for slot, to in question.moves if to != seat] for seat in cards.keys.seats
    }
    owed = {seat: [slots.ciphers[s][0] for s in todo] for seat, todo in others.items() if todo}
    shares = yield from publish(cards, step_kinds.DEAL, handles, owed)
    share_of = {
        (seat, slot): point
        for seat, points in shares.items()
        for slot, point in zip(others[seat], points, strict=True)
    }
    histories = _histories_of_dealt(cards, handles)
    for slot, to in question.moves:
        foreign = [share_of[seat, slot] for seat in cards.keys.seats if seat != to]
        slots.hide([slot], [strip(slots.ciphers[slot], foreign)], histories[slot], same=True)
        cards.learn((slot,), to)


def _histories_of_dealt(cards: Cards, dealt: Sequence[Slot]) -> dict[Slot, int]:
    """Return the new history of each slot.

    A deal moves each card openly from one place to another, so it mixes nothing: cards that the
    others could tell apart before it have different histories after it.
    """
    old, first = cards.slots.history, dict[int, Slot]()
    for slot in dealt:
        first.setdefault(old[slot], slot)
    return {slot: own_history(cards.chain.step, first[old[slot]]) for slot in dealt}


def open_cards(cards: Cards, question: acts.Open) -> Program[tuple[Card, ...]]:
    """Slots are turned up: everybody's share for JOINT ones, the holder's for the others."""
    slots, locks = cards.slots, cards.table.locks
    hidden = tuple(slot for slot in question.slots if locks[slot] != OPEN)
    todo = {
        seat: [slot for slot in hidden if locks[slot] in (seat, -1)] for seat in cards.keys.seats
    }
    owed = {seat: [slots.ciphers[s][0] for s in mine] for seat, mine in todo.items() if mine}
    shares = (yield from publish(cards, step_kinds.OPEN, hidden, owed)) if owed else {}
    given: dict[Slot, list[Point]] = {slot: [] for slot in hidden}
    for seat, points in shares.items():
        for slot, point in zip(todo[seat], points, strict=True):
            given[slot].append(point)
    for slot in hidden:
        slots.show(slot, slots.identify(strip(slots.ciphers[slot], given[slot])[1]))
    return tuple(map(slots.open_card, question.slots))


def reveal(cards: Cards, kind: StepKind, ciphers: Sequence[Cipher]) -> Program[tuple[Card, ...]]:
    """Open ciphers that belong to no slot (a cut): everybody publishes every share."""
    points = [cipher[0] for cipher in ciphers]
    owed = dict.fromkeys(cards.keys.seats, points)
    shares = yield from publish(cards, kind, (), owed)
    plain = [
        strip(cipher, [shares[seat][i] for seat in cards.keys.seats])[1]
        for i, cipher in enumerate(ciphers)
    ]
    return tuple(cards.slots.card(cards.slots.identify(point)) for point in plain)


def flip(cards: Cards, question: acts.Flip) -> Program[tuple[int, ...]]:
    """A public random value: the unique x_j P of all seats, hashed (one round, no bias).

    A seat that is lost at a coin may know its value, and so may a friend.  So nothing is drawn
    anew, and nothing else is asked before the others have made the missing share.
    """
    chain = cards.chain
    point, tossed = coin_point(chain.table, chain.step, chain.head), cards.keys.seats
    assert point != IDENTITY
    given = None
    while given is None:
        given = yield from _shares_of_coin(cards, point, tossed)
    cards.coins += 1
    value = coin_value([given[seat][0] for seat in tossed])
    return tuple(draw(value, k, question.sides) for k in range(question.times))


def _shares_of_coin(cards: Cards, point: Point, tossed: tuple[Seat, ...]) -> Program[Shares | None]:
    """The shares of all who `tossed`; None if another seat is lost meanwhile."""
    owed = {seat: [point] for seat in cards.keys.seats}
    missing = {seat: [point] for seat in tossed if seat not in owed}
    try:
        given = yield from publish(cards, step_kinds.COIN, (), owed)
        if missing:
            given |= yield from shares_of_lost(cards, step_kinds.COIN, missing)
    except SeatLostError:
        return None
    return given
