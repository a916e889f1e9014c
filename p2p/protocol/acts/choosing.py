"""Choices: open ones, and secret simultaneous ones by commit and reveal."""

from __future__ import annotations

from typing import Any

from engine import question as ask
from engine.zone import Seat
from p2p import checks
from p2p.crypto.commitment import COMMITMENT_BYTES, NONCE_BYTES, verify_choice
from p2p.errors import PeerError
from p2p.protocol import step_kinds, wire
from p2p.protocol.acts.secret_choice import recall, seal
from p2p.protocol.cards import Cards
from p2p.protocol.step import Kept, Program, Step


def choose(cards: Cards, question: ask.Choose) -> Program[int]:
    """One seat picks an option, openly."""

    def parse(_: Seat, payload: Any) -> int:
        index: int = wire.exactly(payload, int, "a choice")
        why = question.why_not(cards.table, index)
        checks.require("choose.legal", why is None, "illegal-move", why or "")
        return index

    entries = yield Step(
        step_kinds.CHOOSE,
        (question.seat,),
        parse,
        make=lambda decision: decision,
        question=question,
    )
    answer: int = entries[question.seat]
    return answer


def together(cards: Cards, question: ask.Together) -> Program[tuple[int | None, ...]]:
    """All named seats commit, then all open.

    A commitment is bound to its seat, so a seat that copies another's can never open it: the
    opening shows which of the two copied.  A seat that opens something other than what it
    committed to, or what was never offered, forfeits: its answer is None, which everybody
    sees, and the rules say what that means (never what it would rather have done; decision
    4).  If a seat opens nothing, the others wait for it.
    """
    seats, committed_at = question.seats, cards.chain.step
    context = {seat: wire.pack(["choice", cards.chain.table, committed_at, seat]) for seat in seats}

    def commit(decision: int) -> Kept:
        return seal(cards, context[cards.keys.own_seat], decision)

    def parse_commitment(_: Seat, payload: Any) -> bytes:
        return wire.octets(payload, COMMITMENT_BYTES, "a commitment")

    commitments = yield Step(
        step_kinds.COMMIT, seats, parse_commitment, make=commit, question=question
    )

    def parse(_: Seat, payload: Any) -> tuple[bytes, int]:
        fields = wire.take(payload, {"nonce": bytes, "choice": int})
        return wire.octets(fields["nonce"], NONCE_BYTES, "a nonce"), fields["choice"]

    def verify(seat: Seat, nonce: bytes, choice: int) -> None:
        verify_choice(commitments[seat], context[seat], nonce, wire.pack(choice))
        options = question.options[seats.index(seat)]
        legal = 0 <= choice < len(options)
        checks.require("choice.legal", legal, "illegal-move", "that is not one of the choices")

    def settle(seat: Seat, nonce: bytes, choice: int) -> int | None:
        try:
            verify(seat, nonce, choice)
        except PeerError:
            cards.table.note("forfeit", seat)
            cards.forfeits += 1
            return None
        return choice

    def reveal(_: object) -> object:
        nonce, choice = recall(cards, committed_at)
        return {"nonce": nonce, "choice": choice}

    opened = yield Step(step_kinds.REVEAL, seats, parse, make=reveal)
    return tuple([settle(seat, *opened[seat]) for seat in seats])
