"""Tables of You Fink! in the middle of a pile, for tests of single rules."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from random import Random

from engine import acts
from engine import question as ask
from engine.dealer import TrustedDealer
from engine.game import Value
from engine.games.you_fink.acts import FOREHEAD, INTEL, MAGIC, MIGHT, RESHUFFLE, SLAP, TURN
from engine.games.you_fink.cards import DECKS
from engine.games.you_fink.rules import GAME
from engine.games.you_fink.table import FinkTable, new_table
from engine.question import Race
from engine.session import Session
from engine.table_state import JOINT, OPEN
from engine.won import Won
from engine.zone import Zone

A, B, C, D = range(4)

__all__ = [
    "FOREHEAD",
    "INTEL",
    "MAGIC",
    "MIGHT",
    "RESHUFFLE",
    "SLAP",
    "TURN",
    "A",
    "B",
    "C",
    "D",
    "Scene",
    "playing",
]


class Scene:
    """Decks (top card first), claimed cards and a pile (top card last) of named cards.

    `rest` is the seat below whose deck all other cards lie; A is to turn.
    """

    def __init__(
        self,
        decks: Sequence[str],
        *,
        rest: int,
        claimed: Sequence[str] = (),
        pile: str = "",
        booty: str = "",
        due: int = A,
        **options: Value,
    ) -> None:
        seats = len(decks)
        table = new_table(seats, {**GAME.defaults(), **options})
        deck = table.deck = DECKS[table.minions]
        table.faces, table.locks = [None] * len(deck), [JOINT] * len(deck)
        self.table, self.left = table, list(range(len(deck)))
        for seat, names in enumerate(decks):
            self._put(names, table.decks[seat])
            table.decks[seat].reverse()
        for seat, names in enumerate(claimed):
            self._put(names, table.claimed[seat], known=True)
        self._put(pile, table.pile, known=True)
        self._put(booty, table.booty)
        table.decks[rest][:0] = self.left
        table.due, table.last_placer = due, (due - 1) % seats
        self.dealer = TrustedDealer(Random(0))
        self.dealer.act(table, acts.Fresh())
        self._begin()

    def _begin(self) -> None:
        game = replace(GAME, table=lambda seats, options: self.table)
        self.session = Session(game, self.table.seats, {}, check=True, notes=True)

    def fork(self) -> Scene:
        """The same position, to try something else that may happen now."""
        twin = copy(self)
        twin.table, twin.dealer = self.table.copy(), self.dealer.copy()
        twin._begin()
        return twin

    def _put(self, names: str, zone: Zone, *, known: bool = False) -> None:
        for name in names.split():
            deck = self.table.deck
            assert deck is not None
            slot = next(slot for slot in self.left if deck.cards[slot].name == name)
            self.left.remove(slot)
            zone.append(slot)
            if known:
                self.table.faces[slot], self.table.locks[slot] = deck.cards[slot], OPEN

    @property
    def race(self) -> Race:
        """The race that is pending."""
        asked = self.session.pending
        assert isinstance(asked, Race)
        return asked

    def may(self, seat: int) -> set[object]:
        """What a seat may do now, besides nothing."""
        if seat not in self.race.claims:
            return set()
        return set(self.race.claims[seat].decisions(self.dealer.view(self.table, seat)))

    def why_not(self, seat: int, act: int) -> str | None:
        """The sentence that refuses an act of a seat."""
        return self.race.refuses(self.table, seat, act)

    def act(self, seat: int, act: int, *aside: tuple[int, int]) -> Scene:
        """This seat is first with this act; what others do aside, as (seat, act)."""
        self.session.answer(Won(seat, act, (), aside))
        return self._settle()

    def turn(self, seat: int, count: int = 1) -> Scene:
        """This seat turns cards; it has to be its turn."""
        for _ in range(count):
            self.act(seat, TURN)
        return self

    def slap(self, seat: int) -> Scene:
        """This seat touches its forehead and slaps, before anybody does anything else."""
        if FOREHEAD in self.may(seat):
            self.act(seat, FOREHEAD)
        return self.act(seat, SLAP)

    def quiet(self) -> Scene:
        """Nobody does anything until the window ends."""
        self.session.answer(None)
        return self._settle()

    def _settle(self) -> Scene:
        """The dealer does its part; `done` is pressed."""
        while self.session.pending is not None and not isinstance(self.session.pending, Race):
            asked = self.session.pending
            if isinstance(asked, ask.Choose):
                self.session.answer(0)
            else:
                self.session.answer(self.dealer.act(self.table, asked))
        return self

    def owns(self, seat: int) -> int:
        """How many cards a seat owns."""
        return len(self.table.decks[seat]) + len(self.table.claimed[seat])

    def pile(self) -> str:
        """The pile from the bottom up."""
        return " ".join(self.table.face(slot).name for slot in self.table.pile)


def playing(
    seats: int, seed: int = 0, **options: Value
) -> tuple[Session, FinkTable, TrustedDealer, Random]:
    """A whole game about to begin."""
    rng = Random(seed)
    session = Session(GAME, seats, options, check=True)
    assert isinstance(session.table, FinkTable)
    return session, session.table, TrustedDealer(rng), rng
