"""Steps in which seats publish decryption shares: deal, open, coin (protocol section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine import acts
from engine.cards import Card
from engine.table_state import OPEN
from engine.zone import Seat, Slot
from p2p.crypto import dleq
from p2p.crypto.coin import coin_point, coin_value, draw
from p2p.crypto.elgamal import Cipher, strip
from p2p.crypto.group import IDENTITY, Point, decode_points, mul
from p2p.protocol import step_kinds, wire
from p2p.protocol.cards import Cards
from p2p.protocol.step import Program, Step
from p2p.protocol.step_kinds import StepKind

PROOF_BYTES = 64
HEAVY = 8
"""From this many shares on, a check is worth a move to another thread."""

Shares = dict[Seat, list[Point]]
Released = tuple[list[Point], bytes]


class Release:
    """What one seat j owes that releases shares: x_j A for each of these points A, one proof."""

    def __init__(
        self,
        cards: Cards,
        kind: StepKind,
        seat: Seat,
        slots: tuple[Slot, ...],
        points: Sequence[Point],
    ) -> None:
        self._keys: Final = cards.keys
        self._seat: Final = seat
        self._points: Final = points
        self._bound: Final = cards.bind(seat, kind, slots)

    def make(self) -> object:
        keys = self._keys
        shares = [mul(point, keys.own.scalar) for point in self._points]
        pairs = list(zip(self._points, shares, strict=True))
        proof = dleq.prove_shares(keys.own, pairs, self._bound.copy(), keys.entropy)
        return {"shares": b"".join(shares), "proof": proof}

    def parse(self, payload: Any) -> Released:
        fields = wire.take(payload, {"shares": bytes, "proof": bytes})
        shares = decode_points(fields["shares"], len(self._points))
        return shares, wire.octets(fields["proof"], PROOF_BYTES, "a proof of shares")

    def verify(self, parsed: Released) -> None:
        shares, proof = parsed
        pairs = list(zip(self._points, shares, strict=True))
        dleq.verify_shares(self._keys.public[self._seat], pairs, proof, self._bound.copy())


def publish(
    cards: Cards, kind: StepKind, slots: tuple[Slot, ...], owed: Mapping[Seat, Sequence[Point]]
) -> Program[Shares]:
    """One step: seat j publishes x_j A for each point A of `owed[j]`, with one proof."""
    given = {seat: Release(cards, kind, seat, slots, points) for seat, points in owed.items()}
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
    for slot, to in question.moves:
        foreign = [share_of[seat, slot] for seat in cards.keys.seats if seat != to]
        slots.hide([slot], [strip(slots.ciphers[slot], foreign)], cards.chain.step, same=True)
        cards.learn((slot,), to)


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
    """A public random value: the unique x_j P of all seats, hashed (one round, no bias)."""
    chain = cards.chain
    point = coin_point(chain.table, chain.step, chain.head)
    assert point != IDENTITY
    shares = yield from publish(
        cards, step_kinds.COIN, (), {seat: [point] for seat in cards.keys.seats}
    )
    value = coin_value([shares[seat][0] for seat in cards.keys.seats])
    return tuple(draw(value, k, question.sides) for k in range(question.times))
