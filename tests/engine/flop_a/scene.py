"""Tables of Flop-A in the middle of a hand, for tests of single rules.

Seats are A (the dealer), B, C, D: 0, 1, 2, 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from engine import acts
from engine import question as ask
from engine.cards import Card
from engine.dealer import TrustedDealer
from engine.errors import IllegalAnswer
from engine.game import Value
from engine.games.flop_a.betting import Act, start_round
from engine.games.flop_a.cards import DECK
from engine.games.flop_a.rules import GAME
from engine.games.flop_a.table import FlopTable, Stage, new_table
from engine.session import Session
from engine.table_state import JOINT, OPEN
from tests.engine.play import step

A, B, C, D = range(4)
CARDS = {card.name: card for card in DECK.faces}


def cards(names: str) -> list[Card]:
    return [CARDS[name] for name in names.split()]


class Scene:
    """Seats with the given cards after some flips; `stage` says what comes now.

    `board` are the flipped cards on the table, `coming` those that will be turned next: the rest of
    the row, then the deck.  `folded` seats are out, everybody's tally is 0.
    """

    def __init__(
        self,
        hands: Sequence[str],
        stage: Stage = Stage.FLIP,
        *,
        board: str = "",
        coming: str = "",
        folded: Sequence[int] = (),
        pot: int = 0,
        hands_to_play: int = 1,
        **options: Value,
    ) -> None:
        options = {"hands": hands_to_play, "ante": 0, **options}
        self.table = new_table(len(hands), {**GAME.defaults(), **options})
        self._lay(hands, cards(board), cards(coming))
        self.table.first_dealer, self.table.hand = A, 1
        self.table.pot = pot
        self.table.still_in = [seat not in folded for seat in range(len(hands))]
        self.table.stage = stage
        self.table.paid = [pot // len(hands)] * len(hands)
        if stage is Stage.BETTING:
            start_round(self.table, B)
        self.dealer = TrustedDealer(Random(0))
        self.dealer.act(self.table, acts.Fresh())
        game = replace(GAME, table=lambda seats, options: self.table)
        self.table.notes = []
        self.session = Session(game, len(hands), options, check=True)

    def _lay(self, hands: Sequence[str], board: list[Card], coming: list[Card]) -> None:
        table, place = self.table, DECK.cards.index
        table.deck = DECK
        table.faces, table.locks = [None] * len(DECK), [JOINT] * len(DECK)
        for card in board:
            table.board.append(place(card))
            table.faces[place(card)], table.locks[place(card)] = card, OPEN
        table.ranks = list(dict.fromkeys(card.rank for card in board))
        table.flips = len(table.ranks)
        for seat, names in enumerate(hands):
            table.hands[seat].extend(place(card) for card in cards(names))
            for slot in table.hands[seat]:
                table.locks[slot] = seat
        next_up = [place(card) for card in coming]
        rest = set(range(len(DECK))) - {slot for zone in table.zones for slot in zone}
        stock = sorted(rest - set(next_up)) + next_up[::-1]
        while len(table.row) < 4 - table.flips:
            table.row.append(stock.pop())
        table.stock.extend(stock)

    @property
    def asked(self) -> Any:
        """The pending question."""
        return self.session.pending

    def flip(self) -> Scene:
        """Turn cards, until somebody has to decide or the hand is over."""
        while self.asked is not None and not self.asked.deciders and self.table.hand == 1:
            step(self.session, self.dealer, Random(0))
        return self

    def act(self, *said: str) -> Scene:
        """The players whose turn it is act, one after another: "check", "bet 3", "fold"."""
        for words in said:
            verb, _, chips = words.partition(" ")
            asked = self.asked
            assert isinstance(asked, ask.Choose)
            legal = [act for act in asked.options if isinstance(act, Act) and act.verb == verb]
            wanted = [act for act in legal if not chips or act.chips == int(chips)]
            if not wanted:
                raise IllegalAnswer(asked.topic)
            self.session.answer(asked.options.index(wanted[0]))
        return self

    def declare(self, *said: str) -> Scene:
        """All who are left declare, in the order of the question; then the hands are opened."""
        asked = self.asked
        assert isinstance(asked, ask.Together)
        words = dict(zip(sorted(asked.seats), said, strict=True))
        self.session.answer(
            tuple(list(asked.options[0]).index(words[seat]) for seat in asked.seats)
        )
        return self.flip()

    @property
    def opener(self) -> int:
        """The seat that has to bet."""
        assert isinstance(self.asked, ask.Choose)
        return self.asked.seat

    @property
    def tally(self) -> list[int]:
        return self.table.tally


def showdown(hands: Sequence[str], pot: int = 20, **how: Any) -> Scene:
    """Five ranks that nobody holds lie on the table, and declarations are asked for."""
    return Scene(hands, Stage.DECLARATION, board=how.pop("board", BLANKS), pot=pot, **how)


BLANKS = "4C 5C 6C 8C 9C"


def playing(
    seats: int, seed: int = 0, **options: Value
) -> tuple[Session, FlopTable, TrustedDealer, Random]:
    """A whole session about to begin; the coin says that A deals first."""
    rng = Random(seed)
    session = Session(GAME, seats, options, check=True, notes=True)
    assert isinstance(session.table, FlopTable)
    session.answer((A,))
    return session, session.table, TrustedDealer(rng), rng
