"""Whoever shuffles last signs two decks: what it could read, and why it does not (decision 13).

Three seats; the last one is the cheat, and the other two hear of each other only what it lets
through, as at a table where it alone can be reached.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from engine.cards import Card
from engine.zone import Slot
from p2p.crypto.elgamal import Cipher, pack_ciphers, unpack_ciphers
from p2p.crypto.group import ORDER, POINT_BYTES, Point, add, mul, sub
from p2p.crypto.shuffle import OfflinePart, prove_shuffle
from p2p.crypto.shuffle_offline import Prepared, encrypt_under, lay_ground
from p2p.protocol.acts import shuffling
from p2p.protocol.cards import Cards
from p2p.protocol.context import bind
from p2p.protocol.entry import Chain, Entry, decode_entry
from p2p.protocol.step import Program
from tests.protocol.cheats import bend_entry, bend_payload, convict, sign_again
from tests.protocol.kit import Hub, game_hub, seeded
from tests.protocol.scenes import SCENES
from tests.protocol.verbs import DECK

ANA, BO, EVE = range(3)
CARDS = len(DECK)


@dataclass
class TwoDecks:
    """Eve's two shuffles of one deck: Ana is sent the first one, Bo the second."""

    hub: Hub
    prepared: list[Prepared] = field(default_factory=list)
    decks: list[list[Cipher]] = field(default_factory=list)
    signed: dict[int, list[Entry]] = field(default_factory=lambda: {ANA: [], BO: []})
    """What left the honest seats."""

    def __post_init__(self) -> None:
        bend_entry(self.hub, "shuffle", self._send_two, EVE)
        bend = self.hub.bend

        def note(seat: int, record: bytes) -> list[bytes]:
            if seat != EVE:
                self.signed[seat].append(decode_entry(record))
            return bend(seat, record)

        self.hub.bend = note

    @property
    def cards(self) -> Cards:
        return self.hub.seats[EVE].cards

    def _send_two(self, entry: Entry) -> list[bytes]:
        for seat, order in zip((ANA, BO), (list(range(CARDS)), self._crossed()), strict=True):
            payload = self._shuffle(entry, order)
            self.hub.wire.append((seat, sign_again(entry.record, payload=payload)))
        return []

    def _crossed(self) -> list[int]:
        """Another order: the cards of the places dealt to Ana and to Bo are exchanged."""
        order = list(range(CARDS))
        of = {seat: [slot for slot, to in self.moves().items() if to == seat] for seat in (ANA, BO)}
        for hers, his in zip(of[ANA], of[BO], strict=True):
            order[hers], order[his] = his, hers
        return order

    def _shuffle(self, entry: Entry, permutation: list[int]) -> dict[str, bytes]:
        """A shuffle by Eve as honest as any, with a permutation of her choice."""
        keys, before = self.cards.keys, self._before()
        ground = lay_ground(permutation, seeded(repr(permutation)))
        self.prepared.append(encrypt_under(ground, keys.joint))
        part = OfflinePart(keys.joint, self.prepared[-1])
        chain = Chain(entry.table)
        chain.step, chain.head = entry.step, entry.previous
        transcript = bind(chain, keys, EVE, "shuffle", tuple(range(CARDS)))
        shuffled = prove_shuffle(part, before, transcript, seeded("two decks"))
        self.decks.append(shuffled.deck)
        return {"deck": pack_ciphers(shuffled.deck), "proof": shuffled.proof.encode()}

    def _before(self) -> list[Cipher]:
        """The deck as the seat before Eve left it."""
        (record,) = self.hub.seats[EVE].machine.records[BO]
        return unpack_ciphers(decode_entry(record).payload["deck"], CARDS)

    def moves(self) -> dict[Slot, int]:
        """To whom the scene deals which slot: three cards each, from the top, in turn."""
        top = range(CARDS - 1, CARDS - 10, -1)
        return {slot: place % 3 for place, slot in enumerate(top)}

    def share(self, seat: int, slot: Slot) -> Point | None:
        """The share of an honest seat for a slot of the deck that it was sent, if it left."""
        dealt = [entry for entry in self.signed[seat] if entry.kind == "deal"]
        owed = [one for one, to in self.moves().items() if to != seat]
        if not dealt or slot not in owed:
            return None
        at = owed.index(slot) * POINT_BYTES
        found: Point = dealt[0].payload["shares"][at : at + POINT_BYTES]
        return found

    def read(self, slot: Slot) -> Card | None:
        """What Eve reads of a card of Bo, as it lies in Ana's deck: Bo's share for it is made
        from the one that he gave for the same card in his own deck."""
        first, second = self.prepared
        twin = second.permutation.index(first.permutation[slot])
        anas, bos = self.share(ANA, slot), self.share(BO, twin)
        if anas is None or bos is None:
            return None
        keys, (a, b) = self.cards.keys, self.decks[0][slot]
        shift = (first.factors[slot] - second.factors[twin]) % ORDER
        bos = add(bos, mul(keys.public[BO], shift))
        for layer in (anas, bos, mul(a, keys.own.scalar)):
            b = sub(b, layer)
        slots = self.cards.slots
        return slots.card(slots.identify(b))


def _star(hub: Hub) -> None:
    """Eve lets nothing through, of what the honest seats pass on, that shows her second deck."""
    spread = hub.spread

    def some(source: int, record: bytes) -> None:
        entry = decode_entry(record)
        if source == EVE or (entry.seat, entry.kind) != (EVE, "shuffle"):
            spread(source, record)

    hub.spread = some  # type: ignore[method-assign]


def _nobody_confirms(_: Cards) -> Program[None]:
    return
    yield  # a program without steps


def test_without_a_confirmation_the_last_shuffler_reads_a_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The attack: each honest seat leaves out the shares for its own hand, but in two decks these
    are different cards.  The table can never go on, and its cards are known."""
    monkeypatch.setattr(shuffling, "confirm", _nobody_confirms)
    hub = game_hub(SCENES["dealt"], 3)
    _star(hub)
    attack = TwoDecks(hub)
    hub.run()
    of_bo = [slot for slot, to in attack.moves().items() if to == BO]
    read = [attack.read(slot) for slot in of_bo]
    assert read == [_face(hub, attack, slot) for slot in of_bo]


def _face(hub: Hub, attack: TwoDecks, slot: Slot) -> Card:
    """What is really there, as only all secrets together tell."""
    a, b = attack.decks[0][slot]
    for seat in hub.seats:
        b = sub(b, mul(a, seat.cards.keys.own.scalar))
    slots = hub.seats[ANA].cards.slots
    return slots.card(slots.identify(b))


def test_two_last_shuffles_release_no_share() -> None:
    """The last seat to shuffle signs two decks, one for each of two seats that hear of each other
    through it alone, so that shares for one deck become shares for the other.

    Answer: before any share is sent, all sign a step that names the last shuffle; with two
    different decks that step is never complete.  Remains: the table stands still, and nobody is
    named until the two honest seats are linked.
    """
    hub = game_hub(SCENES["dealt"], 3)
    _star(hub)
    attack = TwoDecks(hub)
    hub.run()
    kinds = {entry.kind for entries in attack.signed.values() for entry in entries}
    assert kinds == {"shuffle", "confirm"}
    assert {attack.read(slot) for slot in range(CARDS)} == {None}


def test_two_last_shuffles_that_the_others_compare_name_the_seat() -> None:
    """The same, but the honest seats are linked: each shows the other what it was sent.

    Answer: `equivocation`, before any share has left.
    """
    hub = game_hub(SCENES["dealt"], 3)
    attack = TwoDecks(hub)
    convict(hub, "equivocation", EVE)
    kinds = {entry.kind for entries in attack.signed.values() for entry in entries}
    assert kinds <= {"shuffle", "confirm"}


@pytest.mark.check("shuffle.confirm")
@pytest.mark.call("p2p.protocol.acts.shuffling:confirm -> parse")
def test_a_confirmation_that_says_something_is_malformed() -> None:
    hub = game_hub(SCENES["dealt"], 3)
    bend_payload(hub, "confirm", lambda _: 1)
    convict(hub, "malformed")
