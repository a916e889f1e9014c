"""A seat lays its own cards: open with its share (and oath), or face down."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine import acts
from engine import question as ask
from engine.cards import Card, Fits
from engine.errors import NOT_THERE
from engine.zone import Seat, Slot
from p2p import checks
from p2p.crypto import dleq
from p2p.crypto.elgamal import Cipher, share
from p2p.crypto.group import Point, decode_point, sub
from p2p.errors import blaming
from p2p.protocol import step_kinds, wire
from p2p.protocol.acts import shuffling, swearing
from p2p.protocol.acts.sharing import PROOF_BYTES
from p2p.protocol.cards import Cards
from p2p.protocol.slots import own_history
from p2p.protocol.step import Program, Step

_LAY: Final[dict[str, type | tuple[type, ...]]] = {
    "slot": int,
    "card": (int, type(None)),
    "share": (bytes, type(None)),
    "proof": (bytes, type(None)),
    "oath": (bytes, type(None)),
    "merge": (dict, type(None)),
}

_NOT_SHOWN: Final = {"card": None, "share": None, "proof": None}


@dataclass(slots=True)
class LaidCard:
    """A card laid open, as an entry says it: share and proof are None for a public slot."""

    slot: Slot
    number: int
    share: Point | None
    proof: bytes | None
    oath: bytes | None
    owed: swearing.Owed | None
    merged: shuffling.Permuted | None


class Hand:
    """The zone of the seat that lays, with a reshuffle inside the same entry if one is owed.

    Slot tracking (protocol section 5): before an act that names a slot while the zone holds
    hidden slots of two or more histories, the holder reshuffles, which merges them into one.
    """

    def __init__(self, cards: Cards, seat: Seat, zone: tuple[Slot, ...]) -> None:
        self._cards = cards
        self.seat = seat
        locks = cards.table.locks
        self.hidden = tuple(slot for slot in zone if locks[slot] == seat)
        self.owes_merge = cards.slots.mixed(self.hidden)

    def owes(
        self, staying: Sequence[Slot], fits: Fits, merges: bool = True
    ) -> swearing.Owed | None:
        """The oath owed with an act that leaves these hidden slots in the hand.

        It is about the ciphers after the entry's own reshuffle, if it `merges`.
        """
        merged = self.hidden if merges and self.owes_merge else ()
        return swearing.owed(self._cards, staying, fits, merged)

    def can_lay(self, slots: Iterable[Slot]) -> bool:
        """Whether each of these slots is known to everybody, or to this seat alone."""
        return all(self._cards.slots.may_lay(slot, self.hidden) for slot in slots)

    def ciphers(self, merged: shuffling.Permuted | None) -> dict[Slot, Cipher]:
        """The hidden slots' ciphers, after the entry's own reshuffle."""
        if merged is None:
            return {slot: self._cards.slots.ciphers[slot] for slot in self.hidden}
        return dict(zip(self.hidden, merged.deck, strict=True))

    def decode(self, payload: Any, names_hidden: bool = True) -> shuffling.Permuted | None:
        """The entry's own reshuffle; an act that names only public slots owes none."""
        given = payload is not None
        checks.require(
            "merge.owed",
            given == (self.owes_merge and names_hidden),
            "illegal-move",
            "cards of different histories have to be reshuffled, and only those",
        )
        return shuffling.decode(payload, len(self.hidden)) if given else None

    def check(self, merged: shuffling.Permuted | None) -> None:
        if merged is not None:
            shuffling.check_merge(self._cards, self.seat, self.hidden, merged)

    def apply(self, merged: shuffling.Permuted | None) -> None:
        if merged is not None:
            self._cards.count_part(merged.proof.commitment, self.seat)
            with blaming(self.seat):
                self._cards.slots.permute(self.hidden, merged.deck, self._cards.chain.step)
            self._cards.learn(self.hidden, self.seat)

    def as_it_is(self) -> tuple[None, dict[Slot, Slot]]:
        """No reshuffle: each slot stays where it is."""
        return None, {slot: slot for slot in self.hidden}

    def merge(self) -> tuple[shuffling.Permuted | None, dict[Slot, Slot]]:
        """This seat's own reshuffle, and where each of its slots went."""
        if not self.owes_merge:
            return self.as_it_is()
        merged, origin = shuffling.merge(self._cards, self.hidden)
        went = {self.hidden[origin[i]]: slot for i, slot in enumerate(self.hidden)}
        return merged, went


def play(cards: Cards, question: ask.Play) -> Program[tuple[Slot, Card] | None]:
    """A card is laid open: its face, the holder's share, and the oath if one is owed."""
    seat = question.seat
    hand = Hand(cards, seat, tuple(question.zone))
    swearing.expect_oath(cards, question)
    entries = yield Step(
        step_kinds.PLAY,
        (seat,),
        parse=lambda _, payload: parse_laid(cards, hand, question, payload),
        verify=lambda _, laid: verify_laid(cards, hand, question, laid),
        make=lambda decision: make_laid(cards, hand, question, decision),
        question=question,
    )
    laid: LaidCard | None = entries[seat]
    return None if laid is None else apply_laid(cards, hand, question, laid)


def apply_laid(cards: Cards, hand: Hand, question: ask.Play, laid: LaidCard) -> tuple[Slot, Card]:
    """A verified card takes effect: its face is public, its oath stands."""
    hand.apply(laid.merged)
    if laid.owed is not None and laid.oath is not None:
        swearing.accept(cards, hand.seat, laid.owed, laid.oath)
    return laid.slot, cards.slots.show(laid.slot, laid.number)


def _owed(
    cards: Cards, hand: Hand, question: ask.Play, slot: Slot, number: int
) -> swearing.Owed | None:
    """The oath that comes with this card, about the other hidden cards of the hand."""
    fits = question.sworn_cards(cards.table, (slot, cards.slots.card(number)))
    if fits is None:
        return None
    staying = [other for other in hand.hidden if other != slot]
    return hand.owes(staying, fits, merges=slot in hand.hidden)


def parse_laid(cards: Cards, hand: Hand, question: ask.Play, payload: Any) -> LaidCard | None:
    if payload is None:
        _refuse(question.why_not(cards.table, None))
        return None
    fields = wire.take(payload, _LAY)
    slot, numbers = fields["slot"], cards.slots.numbers
    there = slot in question.zone and hand.can_lay([slot])
    checks.require("play.zone", there, "illegal-move", NOT_THERE)
    public = numbers[slot]
    hidden = public is None
    checks.require(
        "play.fields",
        all((fields[key] is not None) == hidden for key in ("card", "share", "proof")),
        "malformed",
        "a hidden card comes with face, share and proof, a public one without",
    )
    number = cards.slots.number(fields["card"]) if public is None else public
    point = decode_point(fields["share"]) if hidden else None
    proof = wire.octets(fields["proof"], PROOF_BYTES, "a proof of a share") if hidden else None
    _refuse(question.why_not(cards.table, (slot, cards.slots.card(number))))
    owed = _owed(cards, hand, question, slot, number)
    laid = LaidCard(
        slot,
        number,
        point,
        proof,
        fields["oath"],
        owed,
        hand.decode(fields["merge"], hidden),
    )
    checks.require(
        "play.oath",
        (owed is not None) == (laid.oath is not None),
        "illegal-move",
        "a card off the asked kind comes with its oath, any other without",
    )
    return laid


def _refuse(why: str | None) -> None:
    checks.require("play.legal", why is None, "illegal-move", why or "")


def verify_laid(cards: Cards, hand: Hand, question: ask.Play, laid: LaidCard | None) -> None:
    if laid is None:
        return
    hand.check(laid.merged)
    ciphers = hand.ciphers(laid.merged)
    if laid.share is not None and laid.proof is not None:
        a, b = ciphers[laid.slot]
        face = sub(b, laid.share)
        checks.require(
            "play.face",
            face == cards.slots.points[laid.number],
            "bad-share",
            "the share does not open the card that was named",
        )
        transcript = cards.bind(hand.seat, step_kinds.PLAY, (laid.slot,))
        public = cards.keys.public[hand.seat]
        dleq.verify_shares(public, [(a, laid.share)], laid.proof, transcript)
    if laid.owed is not None and laid.oath is not None:
        swearing.check(cards, hand.seat, laid.owed, ciphers, laid.oath)


def make_laid(cards: Cards, hand: Hand, question: ask.Play, decision: Slot | None) -> object:
    if decision is None:
        return None
    slots, public = cards.slots, cards.slots.numbers[decision]
    merged, went = hand.merge() if public is None else hand.as_it_is()
    slot = went.get(decision, decision)
    number = slots.own[decision] if public is None else public
    ciphers = hand.ciphers(merged)
    owed = _owed(cards, hand, question, slot, number)
    faces = {went[old]: slots.own[old] for old in hand.hidden}
    return {
        "slot": slot,
        **(_show(cards, hand.seat, slot, number, ciphers[slot]) if public is None else _NOT_SHOWN),
        "oath": swearing.make(cards, owed, ciphers, faces) if owed else None,
        "merge": shuffling.encode(merged) if merged else None,
    }


def _show(cards: Cards, seat: Seat, slot: Slot, number: int, cipher: Cipher) -> dict[str, object]:
    """What turns up a hidden card: its face, this seat's share, and the share's proof."""
    keys = cards.keys
    point = share(keys.own, cipher)
    transcript = cards.bind(seat, step_kinds.PLAY, (slot,))
    proof = dleq.prove_shares(keys.own, [(cipher[0], point)], transcript, keys.entropy)
    return {"card": number, "share": point, "proof": proof}


def lay_down(cards: Cards, question: ask.LayDown) -> Program[tuple[Slot, ...]]:
    """Cards are laid face down: only their slots are named, after a reshuffle if one is owed."""
    seat = question.seat
    hand = Hand(cards, seat, tuple(question.zone))

    def make(decision: tuple[Slot, ...]) -> object:
        merged, went = hand.merge()
        # The decision's order would tell which came into the hand first, or sort higher.
        named = sorted(went.get(slot, slot) for slot in decision)
        return {"slots": named, "merge": shuffling.encode(merged) if merged else None}

    def parse(_: Seat, payload: Any) -> tuple[tuple[Slot, ...], shuffling.Permuted | None]:
        fields = wire.take(payload, {"slots": list, "merge": (dict, type(None))})
        named = tuple(wire.exactly(slot, int, "a slot") for slot in fields["slots"])
        _refuse(question.why_not(cards.table, named))
        checks.require(
            "lay-down.held", hand.can_lay(named), "illegal-move", "the seat does not hold that card"
        )
        return named, hand.decode(fields["merge"])

    entries = yield Step(
        step_kinds.LAY_DOWN,
        (seat,),
        parse,
        verify=lambda _, parsed: hand.check(parsed[1]),
        make=make,
        question=question,
    )
    named, merged = entries[seat]
    hand.apply(merged)
    for slot in named:
        cards.slots.history[slot] = own_history(cards.chain.step, slot)
    answer: tuple[Slot, ...] = named
    return answer


def swear(cards: Cards, question: acts.Swear) -> Program[None]:
    """A separate oath, not tied to a card that is laid."""
    locks = cards.table.locks
    hidden = [slot for slot in question.slots if locks[slot] == question.seat]
    _check_public(cards, question.slots, question.none_of)
    owed = swearing.owed(cards, hidden, question.none_of)
    if owed is None:
        return
    ciphers = {slot: cards.slots.ciphers[slot] for slot in hidden}
    entries = yield Step(
        step_kinds.SWEAR,
        (question.seat,),
        parse=lambda _, payload: wire.exactly(payload, bytes, "an oath"),
        verify=lambda _, oath: swearing.check(cards, question.seat, owed, ciphers, oath),
        make=lambda _: swearing.make(cards, owed, ciphers, cards.slots.own),
        heavy=True,
    )
    swearing.accept(cards, question.seat, owed, entries[question.seat])


def _check_public(cards: Cards, slots: tuple[Slot, ...], none_of: Fits) -> None:
    """ValueError if public faces already disprove the oath that the rules ask for."""
    faces = [cards.table.faces[slot] for slot in slots]
    if any(face is not None and none_of(face) for face in faces):
        raise ValueError("the rules asked for an oath that everybody can see is false")
