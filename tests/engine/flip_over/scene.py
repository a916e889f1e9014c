"""Tables of Flip Over in the middle of a round, for tests of single rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from engine import acts
from engine import question as ask
from engine.cards import Card, Deck
from engine.dealer import TrustedDealer
from engine.game import Value
from engine.games.flip_over.cards import DECKS
from engine.games.flip_over.rules import GAME
from engine.games.flip_over.table import FlipTable, new_table
from engine.session import Session
from engine.table_state import JOINT
from tests.engine.play import step


def named(deck: Deck, name: str) -> Card:
    return next(card for card in deck.faces if card.name == name)


class Scene:
    """Seats with the given cards, about to play the trick for `disc`; seat 0 leads."""

    def __init__(
        self, hands: Sequence[str], disc: int, blue: str | None = None, **options: Value
    ) -> None:
        seats = len(hands)
        table = new_table(seats, {**GAME.defaults(), **options})
        deck = table.deck = DECKS[seats]
        table.faces, table.locks = [None] * len(deck), [JOINT] * len(deck)
        for seat, cards in enumerate(hands):
            for name in cards.split():
                slot = deck.cards.index(named(deck, name))
                table.hands[seat].append(slot)
                table.locks[slot] = seat
        held = [slot for hand in table.hands for slot in hand]
        table.stock.extend(slot for slot in range(len(deck)) if slot not in held)
        table.round, table.disc = 1, disc
        table.blue = [side == "B" for side in blue or "B" * table.numbers]
        table.takers = [seats - 1] * (disc - 1)
        self.table = table
        self.dealer = TrustedDealer(Random(0))
        self.dealer.act(table, acts.Fresh())
        game = replace(GAME, table=lambda seats, options: table)
        self.session = Session(game, seats, options, check=True)

    def lay(self, *names: str) -> Scene:
        """The next players lay these cards."""
        for name in names:
            asked = self.session.pending
            assert isinstance(asked, ask.Play)
            slot = DECKS[self.table.seats].cards.index(named(DECKS[self.table.seats], name))
            decision = {asked.seat: slot}
            self.session.answer(self.dealer.answer(self.table, asked, decision))
        return self

    @property
    def taker(self) -> int:
        """The seat that took the last disc."""
        return self.table.takers[-1]


def playing(
    seats: int, seed: int = 0, **options: Value
) -> tuple[Session, FlipTable, TrustedDealer, Random]:
    """A whole game about to begin."""
    rng = Random(seed)
    session = Session(GAME, seats, options, check=True)
    assert isinstance(session.table, FlipTable)
    return session, session.table, TrustedDealer(rng), rng


def play_until(
    session: Session, dealer: TrustedDealer, rng: Random, *, round_: int, disc: int = 1
) -> None:
    """Play at random until the first card of this trick is to be led."""
    table = session.table
    assert isinstance(table, FlipTable)
    while (table.round, table.disc) != (round_, disc) or table.trick:
        step(session, dealer, rng)
