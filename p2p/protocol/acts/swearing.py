"""Which oath is owed, and the lists it is about (protocol section 5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine import question as ask
from engine.cards import Fits
from engine.question import Otherwise
from engine.zone import Seat, Slot
from p2p.crypto import oath as crypto
from p2p.crypto.elgamal import Cipher
from p2p.protocol.cards import Cards


@dataclass(frozen=True, slots=True)
class Owed:
    """None of these slots holds one of the `forbidden` faces (by their numbers).

    `allowed` are all cards of the deck that the predicate does not name, including public ones,
    and each face as often as it has copies: its length depends on the predicate alone, so that a
    part prepared ahead always fits.
    """

    slots: tuple[Slot, ...]
    allowed: tuple[int, ...]
    forbidden: tuple[int, ...]


def owed(
    cards: Cards, hidden: Sequence[Slot], fits: Fits, merged: Sequence[Slot] = ()
) -> Owed | None:
    """What still has to be sworn about these hidden slots; None if nothing has.

    Nobody swears about faces whose copies all lie open, nor about the same thing twice.  If the
    same entry has first `merged` slots, each of these ciphers may be any of those, so that only
    what was sworn of all of them counts.
    """
    slots = cards.slots
    lowest = slots.need_deck().lowest
    named = {number for number in lowest if fits(slots.card(number))}
    forbidden = slots.hidden_faces(named)
    about = tuple(hidden)
    if not about or not forbidden or slots.is_sworn(merged or about, forbidden):
        return None
    allowed = tuple(number for number in lowest if number not in named)
    return Owed(about, allowed, forbidden)


def expect_oath(cards: Cards, question: ask.Play) -> None:
    """Prepare for an oath that this seat may owe at this question or a later one like it."""
    me = cards.keys.me
    if me is None or question.otherwise is not Otherwise.ANY_SWORN:
        return
    count = sum(not question.fits(card) for card in cards.slots.need_deck().cards)
    cards.parts.expect_later(count, cards.keys.public[me])


def make(
    cards: Cards, what: Owed, ciphers: Mapping[Slot, Cipher], numbers: Mapping[Slot, int]
) -> bytes:
    """This seat's oath; `numbers` are the faces behind its slots."""
    keys, points = cards.keys, cards.slots.points
    me = keys.own_seat
    sizes = len(what.slots), len(what.allowed), len(what.forbidden)
    part = None
    if not crypto.uses_pairs(*sizes):
        part = cards.parts.take(len(what.allowed), keys.public[me])
    return crypto.swear(
        keys.own,
        [(ciphers[slot], points[numbers[slot]]) for slot in what.slots],
        [points[number] for number in what.allowed],
        [points[number] for number in what.forbidden],
        cards.bind(me, "oath", what.slots),
        keys.entropy,
        part,
    )


def check(
    cards: Cards, seat: Seat, what: Owed, ciphers: Mapping[Slot, Cipher], oath: bytes
) -> None:
    """PeerError `bad-oath` unless the oath of `seat` holds."""
    points = cards.slots.points
    crypto.verify_oath(
        cards.keys.public[seat],
        [ciphers[slot] for slot in what.slots],
        [points[number] for number in what.allowed],
        [points[number] for number in what.forbidden],
        oath,
        cards.bind(seat, "oath", what.slots),
        cards.keys.entropy,
    )


def accept(cards: Cards, seat: Seat, what: Owed, oath: bytes) -> None:
    """A verified oath stands from now on; PeerError if its offline part was used before."""
    sizes = len(what.slots), len(what.allowed), len(what.forbidden)
    part = crypto.part_used(oath, *sizes)
    if part is not None:
        cards.count_part(part, seat)
    cards.slots.swear(what.slots, what.forbidden)
