"""The peers' dealer: turns every question of the rules into steps.

Where the trusted dealer answers from a seeded deck, this one answers from entries and
proofs.  The same programs serve a seat that plays (it holds a secret and makes its own
entries) and an audit (it holds none and only checks).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine import question as ask
from engine.question import Question, Seat, Slot
from engine.sets import LaySet, LayTogether
from engine.table import Table
from engine.view import View
from p2p import checks
from p2p.crypto.group import Point
from p2p.crypto.shuffle import ShuffleProof
from p2p.crypto.transcript import Transcript
from p2p.errors import PeerError
from p2p.protocol import (
    choosing,
    laying,
    laying_all,
    laying_sets,
    moving,
    racing,
    sharing,
    shuffling,
)
from p2p.protocol.context import Keys, bind
from p2p.protocol.entry import Chain
from p2p.protocol.parts import Parts
from p2p.protocol.slots import Slots
from p2p.protocol.step import Program


class Dealer:
    """The cards of one table as this machine sees them."""

    def __init__(self, chain: Chain, keys: Keys, table: Table, parts: Parts | None = None) -> None:
        self.chain: Final = chain
        self.keys: Final = keys
        self.table: Final = table
        self.slots: Final = Slots()
        self.parts: Final = parts or Parts(keys.entropy)
        self.kept: Final[dict[int, bytes]] = {}
        """Secrets behind own entries, by step: nonces of commitments (on disk first)."""
        self.shuffles = 0
        self._commitments: set[bytes] = set()

    def answer(self, question: Question[Any]) -> Program[Any]:
        """The program whose steps answer `question`; it returns the engine's answer."""
        self.parts.idle = bool(question.deciders)
        return _ACTS[type(question)](self, question)

    def view(self, seat: Seat) -> View:
        """What the seat of this machine may know."""
        return View(self.table, seat, lambda slot: self.slots.card(self.slots.own[slot]))

    def bind(self, seat: Seat, operation: str, slots: tuple[Slot, ...]) -> Transcript:
        """A transcript for a proof of `seat` in the step that comes now."""
        return bind(self.chain, self.keys, seat, operation, slots)

    def learn(self, slots: tuple[Slot, ...], seat: Seat) -> None:
        """Slots now stand under the key of `seat`: read them if that is this machine."""
        if seat == self.keys.me:
            self.slots.learn(slots, self.keys.own)

    def count_shuffle(self, proof: ShuffleProof, seat: Seat) -> None:
        """Note a shuffle by `seat`; an offline part that was used before is refused."""
        self.count_part(proof.commitment, seat)
        self.shuffles += 1

    def count_part(self, commitment: Point, seat: Seat) -> None:
        """Note the offline part in a shuffle or an oath of `seat`, which may be used once.

        Reuse reveals the permutation (protocol section 2), so honest seats never do it.
        """
        new = commitment not in self._commitments
        try:
            checks.require("shuffle.reuse", new, "bad-shuffle", "an offline part was used twice")
        except PeerError as error:
            raise error.blame(seat) from None
        self._commitments.add(commitment)


def _fresh(dealer: Dealer, question: ask.Fresh) -> Program[None]:
    deck = dealer.table.deck
    if deck is None:
        raise ValueError("a fresh deck without a deck")
    dealer.slots.lay_fresh(deck)
    dealer.parts.expect(len(deck), dealer.keys.joint)
    return
    yield  # a program without steps


_ACTS: Final[dict[type[Question[Any]], Callable[[Dealer, Any], Program[Any]]]] = {
    ask.Fresh: _fresh,
    ask.Shuffle: shuffling.shuffle,
    ask.Reshuffle: shuffling.reshuffle,
    ask.Cut: shuffling.cut,
    ask.Deal: sharing.deal,
    ask.Open: sharing.open_cards,
    ask.Flip: sharing.flip,
    ask.HandOver: moving.hand_over,
    ask.PutBack: moving.put_back,
    ask.Play: laying.play,
    ask.LayAll: laying_all.lay_all,
    ask.LayDown: laying.lay_down,
    LaySet: laying_sets.lay_set,
    LayTogether: laying_sets.lay_together,
    ask.Swear: laying.swear,
    ask.Choose: choosing.choose,
    ask.Race: racing.race,
    ask.Together: choosing.together,
}
