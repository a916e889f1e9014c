"""Shuffles: by everybody in turn, by a holder alone, and of a copy for a cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine import acts
from engine.cards import Card
from engine.zone import Seat, Slot
from p2p import checks
from p2p.crypto.elgamal import Cipher, pack_ciphers, unpack_ciphers
from p2p.crypto.group import Point
from p2p.crypto.shuffle import BadShuffle, ShuffleProof, prove_shuffle, verify_chain
from p2p.crypto.transcript import Transcript
from p2p.errors import blaming
from p2p.protocol import step_kinds, wire
from p2p.protocol.acts import sharing
from p2p.protocol.cards import Cards
from p2p.protocol.step import Program, Step, Work
from p2p.protocol.step_kinds import StepKind


class Permuted(NamedTuple):
    """A zone as a seat re-encrypted and permuted it, with the proof of that."""

    deck: list[Cipher]
    proof: ShuffleProof


def encode(permuted: Permuted) -> dict[str, bytes]:
    return {"deck": pack_ciphers(permuted.deck), "proof": permuted.proof.encode()}


def decode(payload: Any, count: int) -> Permuted:
    """A shuffle of `count` ciphers, its shape checked; PeerError `malformed`."""
    fields = wire.take(payload, {"deck": bytes, "proof": bytes})
    return Permuted(
        unpack_ciphers(fields["deck"], count), ShuffleProof.decode(fields["proof"], count)
    )


class ShuffleChain:
    """Consecutive shuffles of one deck under one key, verified together at the end.

    Seats shuffle optimistically: the one verification of the whole chain happens after the
    last shuffle and before any share of the zone leaves (the fastest of six orders measured).
    """

    def __init__(self, cards: Cards, key: Point, deck: Sequence[Cipher]) -> None:
        self._cards = cards
        self._key = key
        self._proofs: list[ShuffleProof] = []
        self._transcripts: list[Transcript] = []
        self._made_by: list[tuple[Seat, int]] = []
        self.decks = [list(deck)]

    def make(self, transcript: Transcript) -> Permuted:
        """This seat's own shuffle of the deck as it lies now."""
        deck, entropy = self.decks[-1], self._cards.keys.entropy
        part = self._cards.parts.take(len(deck), self._key)
        shuffled = prove_shuffle(part, deck, transcript.copy(), entropy)
        return Permuted(shuffled.deck, shuffled.proof)

    def append(self, seat: Seat, step: int, permuted: Permuted, transcript: Transcript) -> None:
        """Accept a shuffle for now; `verify` decides later."""
        self.decks.append(permuted.deck)
        self._proofs.append(permuted.proof)
        self._transcripts.append(transcript)
        self._made_by.append((seat, step))

    @property
    def last(self) -> tuple[Seat, int]:
        """Who made the last shuffle, in which step."""
        return self._made_by[-1]

    def verify(self) -> None:
        """PeerError `bad-shuffle`, with the seat and step of the first false one."""
        try:
            verify_chain(
                self._key,
                self.decks,
                self._proofs,
                self._transcripts,
                self._cards.keys.entropy,
            )
        except BadShuffle as error:
            seat, step = self._made_by[error.index]
            raise error.blame(seat, step) from None


def by_everybody(
    cards: Cards, operation: StepKind, handles: tuple[Slot, ...], deck: Sequence[Cipher]
) -> Program[ShuffleChain]:
    """One step per seat, and one in which all confirm; then nobody knows the order of `deck`.

    Without the last step, the seat that shuffles last could sign two decks, and turn the shares
    that others release for one into shares for the other (decision 13).
    """
    chain = ShuffleChain(cards, cards.keys.joint, deck)
    cards.parts.expect(len(deck), cards.keys.joint)
    for seat in cards.keys.seats:
        permuted, transcript, step = yield from _one(cards, chain, seat, operation, handles)
        chain.append(seat, step, permuted, transcript)
    yield Work(chain.verify)
    cards.shuffles += len(cards.keys.seats)
    yield from confirm(cards)
    return chain


def confirm(cards: Cards) -> Program[None]:
    """One step in which all sign, through the previous hash, which deck the table goes on with."""

    def parse(_: Seat, payload: Any) -> None:
        nothing = payload is None
        checks.require("shuffle.confirm", nothing, "malformed", "there is nothing to be said here")

    yield Step(step_kinds.CONFIRM, cards.keys.seats, parse, make=lambda _: None)


def _one(
    cards: Cards, chain: ShuffleChain, seat: Seat, operation: StepKind, handles: tuple[Slot, ...]
) -> Program[tuple[Permuted, Transcript, int]]:
    transcript, step = cards.bind(seat, operation, handles), cards.chain.step
    count = len(chain.decks[-1])
    entries = yield Step(
        operation,
        (seat,),
        parse=lambda _, payload: decode(payload, count),
        make=lambda _: encode(chain.make(transcript)),
        heavy=True,
    )
    permuted: Permuted = entries[seat]
    cards.count_part(permuted.proof.commitment, seat)
    return permuted, transcript, step


def shuffle(cards: Cards, question: acts.Shuffle) -> Program[None]:
    """Everybody shuffles these JOINT and OPEN slots."""
    slots = cards.slots
    deck = [slots.cipher(slot) for slot in question.slots]
    chain = yield from by_everybody(cards, step_kinds.SHUFFLE, question.slots, deck)
    with blaming(*chain.last):
        slots.renew(question.slots, chain.decks[-1], cards.chain.step, "bad-shuffle")


def reshuffle(cards: Cards, question: acts.Reshuffle) -> Program[None]:
    """`by` shuffles its own or public slots under its key alone, with proof."""
    slots, by = cards.slots, question.by
    chain = ShuffleChain(
        cards, cards.keys.public[by], [slots.cipher(slot) for slot in question.slots]
    )
    permuted, transcript, step = yield from _one(
        cards, chain, by, step_kinds.RESHUFFLE, question.slots
    )
    chain.append(by, step, permuted, transcript)
    yield Work(chain.verify)
    cards.shuffles += 1
    with blaming(*chain.last):
        slots.permute(question.slots, permuted.deck, cards.chain.step)
    cards.learn(question.slots, by)


def cut(cards: Cards, question: acts.Cut) -> Program[tuple[Card, ...]]:
    """Show random cards but not their places: a shuffled copy is opened and dropped."""
    copy = [cards.slots.cipher(slot) for slot in question.slots]
    chain = yield from by_everybody(cards, step_kinds.CUT, question.slots, copy)
    return (
        yield from sharing.reveal(cards, step_kinds.CUT_OPEN, chain.decks[-1][: question.count])
    )


def check_merge(cards: Cards, seat: Seat, slots: tuple[Slot, ...], merged: Permuted) -> None:
    """The proof of a reshuffle that came inside another entry (slot tracking)."""
    chain = ShuffleChain(cards, cards.keys.public[seat], [cards.slots.ciphers[s] for s in slots])
    transcript = cards.bind(seat, "merge", slots)
    chain.append(seat, cards.chain.step, merged, transcript)
    chain.verify()


def merge(cards: Cards, slots: tuple[Slot, ...]) -> tuple[Permuted, list[int]]:
    """This seat's own reshuffle of its hidden slots, and where each card came from."""
    me = cards.keys.own_seat
    deck = [cards.slots.ciphers[slot] for slot in slots]
    part = cards.parts.take(len(deck), cards.keys.public[me])
    shuffled = prove_shuffle(part, deck, cards.bind(me, "merge", slots), cards.keys.entropy)
    return Permuted(shuffled.deck, shuffled.proof), list(shuffled.permutation)
