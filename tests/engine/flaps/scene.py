"""Tables of Flaps in the middle of a game, for tests of single rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine import acts
from engine import question as ask
from engine.dealer import TrustedDealer
from engine.errors import IllegalAnswer
from engine.game import Value
from engine.games.flaps.calls import ONE_LEFT
from engine.games.flaps.cards import BY_NAME, DECKS
from engine.games.flaps.rules import GAME, begin
from engine.games.flaps.table import FlapsTable, new_table
from engine.session import Session
from engine.table_state import JOINT, OPEN
from engine.won import Won
from engine.zone import Seat, Slot, Zone


class Scene:
    """Seats A, B, ... (0, 1, ...) with the given cards; A is to move, clockwise.

    `stock` names the stock from the top down, on top of all cards that are nowhere else; with `dry`
    those cards are out of the game.  `discard` lies below the top, oldest first.  Dealer's acts
    happen by themselves, and a player with one card left says so unless `silent`.
    """

    def __init__(
        self,
        hands: Sequence[str],
        top: str,
        stock: str = "",
        discard: str = "",
        dry: bool = False,
        silent: bool = False,
        down: Sequence[str] = (),
        mystery: str = "",
        level: int = 7,
        seed: int = 0,
        **options: Value,
    ) -> None:
        named = {name.replace("_", "-"): value for name, value in options.items()}
        self.table = new_table(len(hands), {**GAME.defaults(), "level": level, **named})
        table, deck = self.table, DECKS[level]
        table.deck, self.silent = deck, silent
        table.faces, table.locks = [None] * len(deck), [JOINT] * len(deck)
        self._free = list(range(len(deck)))
        for seat, names in enumerate(hands):
            self._put(names, table.hands[seat], seat)
        self._put(discard, table.discard, OPEN)
        self._put(top, table.discard, OPEN)
        for seat, names in enumerate(down):
            self._put(names, table.down[seat], JOINT)
        if mystery:
            self._put(mystery, table.mystery[0], JOINT)
        self._put(" ".join(reversed(stock.split())), table.stock, JOINT)
        box = table.zone("box") if dry else table.stock
        box[:0] = self._free
        begin(table, 0)
        for slot in table.discard:
            table.follow(deck.cards[slot])
        self.dealer = TrustedDealer(Random(seed))
        self.dealer.act(table, acts.Fresh())
        game = replace(GAME, table=lambda seats, options: table)
        settings = {"level": level, **named}
        self.session = Session(game, len(hands), settings, check=True, notes=True)
        self._settle()

    def _put(self, names: str, zone: Zone, lock: int) -> None:
        deck = self.table.deck
        assert deck is not None
        for name in names.split():
            slot = next(slot for slot in self._free if deck.cards[slot] is BY_NAME[name])
            self._free.remove(slot)
            zone.append(slot)
            self.table.locks[slot] = lock
            if lock == OPEN:
                self.table.faces[slot] = deck.cards[slot]

    # -- what is there ----------------------------------------------------------------------

    @property
    def asked(self) -> Any:
        return self.session.pending

    @property
    def decider(self) -> Seat:
        """The one seat that is asked."""
        (seat,) = self.asked.deciders
        return int(seat)

    @property
    def top(self) -> str:
        return self.names(self.table.discard)[-1]

    def hand(self, seat: Seat) -> str:
        return " ".join(sorted(self.names(self.table.hands[seat])))

    def names(self, zone: Sequence[Slot]) -> list[str]:
        return [self.truth(slot) for slot in zone]

    def truth(self, slot: Slot) -> str:
        (card,) = self.dealer.act(self.table, acts.Open((slot,)))  # type: ignore[misc]
        return str(card.name)

    def view(self, seat: Seat) -> Any:
        return self.dealer.view(self.table, seat)

    @property
    def over(self) -> bool:
        return self.session.over

    # -- what is done -----------------------------------------------------------------------

    def lay(self, *names: str) -> Scene:
        """The seats that are asked lay these cards, one after another."""
        for name in names:
            self.decide({self.decider: self.slot(self.decider, name)})
        return self

    def flap(self, seat: Seat, *names: str) -> Scene:
        """In a race `seat` lays; everybody else passes."""
        for name in names:
            others: dict[Seat, object] = dict.fromkeys(self.asked.deciders)
            self.decide({**others, seat: self.slot(seat, name)})
        return self

    def call(self, seat: Seat, index: int = 0) -> Scene:
        """In a race `seat` makes the call with this index; everybody else passes."""
        claim, others = self.asked.claims[seat], dict.fromkeys(self.asked.deciders)
        both = isinstance(claim, ask.Either)
        return self.decide({**others, seat: ask.said(index) if both else index})

    def decline(self) -> Scene:
        """The seat that is asked declines: it picks up, knocks, or has no more flaps."""
        return self.decide(dict.fromkeys(self.asked.deciders))

    def say(self, option: object) -> Scene:
        """Choose this option."""
        return self.decide({self.decider: list(self.asked.options).index(option)})

    def put(self, *names: str) -> Scene:
        """Lay these cards face down."""
        slots = tuple([self.slot(self.decider, name) for name in names])
        return self.decide({self.decider: slots})

    def decide(self, decisions: dict[Seat, Any]) -> Scene:
        asked = self.asked
        self.session.answer(self.dealer.answer(self.table, asked, decisions))
        self._settle()
        return self

    def refused(self, name: str, seat: Seat | None = None) -> str:
        """This card may not be laid now; why."""
        before = self.session.digest()
        seat = self.decider if seat is None else seat
        slot = self.slot(seat, name)
        answer: Any = (slot, BY_NAME[name])
        if isinstance(self.asked, ask.Race):
            answer = Won(seat, answer, ())
        with pytest.raises(IllegalAnswer) as refusal:
            self.session.answer(answer)
        assert self.session.digest() == before
        return str(refusal.value)

    def slot(self, seat: Seat, name: str) -> Slot:
        hand = self.table.hands[seat]
        return next(slot for slot in hand if self.truth(slot) == name)

    def _settle(self) -> None:
        """Do what the dealer does, until somebody has to decide."""
        while self.asked is not None:
            if not self.asked.deciders:
                self.session.answer(self.dealer.act(self.table, self.asked))
            elif getattr(self.asked, "topic", "") == ONE_LEFT and not self.silent:
                self.session.answer(0)
            else:
                return


def wins(scene: Scene) -> list[int]:
    table = scene.table
    assert isinstance(table, FlapsTable)
    return table.wins
