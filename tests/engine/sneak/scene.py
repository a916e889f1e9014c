"""Tables of Sneak in the middle of a round, for tests of single rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from engine import acts
from engine.cards import Card
from engine.dealer import TrustedDealer
from engine.errors import IllegalAnswer
from engine.game import Value
from engine.games.sneak.cards import DECKS, FACES
from engine.games.sneak.rules import GAME
from engine.games.sneak.table import SneakTable, new_table
from engine.question import PASS
from engine.session import Session
from engine.sets import Lay, LaySet, LayTogether
from engine.table_state import JOINT
from engine.zone import Slot, Zone
from tests.engine.play import step

NAMED = {card.name: card for card in FACES}


def cards(names: str) -> list[Card]:
    """The faces of several names."""
    return [NAMED[name] for name in names.split()]


class Scene:
    """Seats A, B, C, ... (0, 1, 2, ...) with the given cards; it is the turn of `turn`.

    `stock` cards lie in the stock, in the order of the deck; all others lie in the winnings of
    the last seat, so that the round's points add up.
    """

    def __init__(
        self, hands: Sequence[str], *, stock: int = 10, turn: int = 0, **options: Value
    ) -> None:
        seats = len(hands)
        table = new_table(seats, {**GAME.defaults(), **options})
        deck = table.deck = DECKS[table.packs]
        table.faces, table.locks = [None] * len(deck), [JOINT] * len(deck)
        self.table = table
        free = list(range(len(deck)))
        for seat, names in enumerate(hands):
            for name in names.split():
                slot = next(slot for slot in free if deck.cards[slot].name == name)
                free.remove(slot)
                table.hands[seat].append(slot)
                table.locks[slot] = seat
        table.stock.extend(free[:stock])
        table.winnings[-1].extend(free[stock:])
        table.round, table.dealing, table.dealer, table.seat = 1, False, seats - 1, turn
        self.dealer = TrustedDealer(Random(0))
        self.dealer.act(table, acts.Fresh())
        game = replace(GAME, table=lambda seats, options: table)
        self.session = Session(game, seats, options, check=True, notes=True)

    def slots(self, zone: Zone, names: str) -> tuple[Slot, ...]:
        """Slots of a zone by the names of their cards."""
        truth, free = DECKS[self.table.packs].cards, list(zone)
        found = []
        for name in names.split():
            slot = next(slot for slot in free if truth[slot].name == name)
            free.remove(slot)
            found.append(slot)
        return tuple(found)

    def _lead(self, decision: Lay | None) -> Scene:
        asked = self.session.pending
        assert isinstance(asked, LaySet)
        self.session.answer(self.dealer.answer(self.table, asked, {asked.seat: decision}))
        return self

    def sneak(self, names: str) -> Scene:
        return self._lead(Lay(self.slots(self.table.hands[self.table.seat], names), down=True))

    def flaunt(self, names: str) -> Scene:
        return self._lead(Lay(self.slots(self.table.hands[self.table.seat], names)))

    def draw(self) -> Scene:
        return self._lead(PASS).deal()

    def deal(self) -> Scene:
        """The drawn card arrives."""
        assert isinstance(self.session.pending, acts.Deal)
        self.session.answer(None)
        return self

    def challenge(self, **sets: str) -> Scene:
        """What A, B, C, ... challenge with; seats not named pass.  A sneak is turned up."""
        asked = self.session.pending
        assert isinstance(asked, LayTogether)
        decisions = {
            seat: Lay(self.slots(self.table.hands[seat], sets["ABCDEFG"[seat]]))
            for seat in asked.deciders
            if "ABCDEFG"[seat] in sets
        }
        assert len(decisions) == len(sets), "somebody challenges who may not"
        self.session.answer(self.dealer.answer(self.table, asked, decisions))
        if isinstance(self.session.pending, acts.Open):
            self.session.answer(self.dealer.act(self.table, self.session.pending))
        return self

    def refused(self, names: str, *, down: bool, flaunt_by: int | None = None) -> str:
        """The sentence with which this lead (or this challenge of a seat) is refused."""
        asked, before = self.session.pending, self.session.digest()
        if isinstance(asked, LayTogether):
            assert flaunt_by is not None
            seat = flaunt_by
        else:
            assert isinstance(asked, LaySet)
            seat = asked.seat
        decision = Lay(self.slots(self.table.hands[seat], names), down)
        try:
            self.session.answer(self.dealer.answer(self.table, asked, {seat: decision}))
        except IllegalAnswer as refusal:
            assert self.session.pending is asked
            assert self.session.digest() == before
            return str(refusal)
        raise AssertionError("the move was accepted")

    @property
    def notes(self) -> list[tuple[object, ...]]:
        assert self.table.notes is not None
        return self.table.notes

    def won(self, seat: int) -> int:
        """The cards of the last contest, if this seat won it."""
        last = [note for note in self.notes if note[0] in ("contest", "unchallenged")][-1]
        winner, count = last[1:3]
        assert isinstance(count, int)
        return count if winner == seat else 0


def playing(
    seats: int, seed: int = 0, **options: Value
) -> tuple[Session, SneakTable, TrustedDealer, Random]:
    """A whole game about to begin."""
    rng = Random(seed)
    session = Session(GAME, seats, options, check=True, notes=True)
    assert isinstance(session.table, SneakTable)
    return session, session.table, TrustedDealer(rng), rng


def play_until_choice(session: Session, dealer: TrustedDealer, rng: Random) -> None:
    """Let the dealer act until somebody has to decide."""
    while session.pending is not None and not session.pending.deciders:
        step(session, dealer, rng)
