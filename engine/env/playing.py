"""A game asked action by action: one seat after the other, with a trusted dealer and a seed.

Whoever decides at the same time as others is asked without being told what they decided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple

from engine.bots import Bot
from engine.bots.pace import Pace
from engine.bots.reactions import ReactingDealer, Times
from engine.cards import Deck
from engine.dealer import TrustedDealer
from engine.env.actions import Actions
from engine.env.seen import Sight
from engine.env.spelling import Decided, Spelling, spelling
from engine.errors import EngineError, IllegalAnswer
from engine.game import Game, Options
from engine.question import Question
from engine.session import Session
from engine.view import View
from engine.zone import Seat


class Setting:
    """What all games at one table have in common: seats, options, deck, and how all is numbered.

    UsageError for seats and options that the game refuses.  EngineError for a game that asks a seat
    before it has a deck.
    """

    def __init__(self, game: Game, seats: int, options: Options) -> None:
        self.game: Final = game
        self.seats: Final = seats
        self.options: Final = options
        session = Session(game, seats, options)
        self.deck: Final = _first_deck(session)
        self.actions: Final = Actions(self.deck, seats)
        self.sight: Final = Sight(session.table, self.deck, self.actions)

    def __deepcopy__(self, memo: Mapping[int, object]) -> Setting:
        return self

    def __reduce__(self) -> tuple[type[Setting], tuple[Game, int, Options]]:
        return Setting, (self.game, self.seats, self.options)


def _first_deck(session: Session) -> Deck:
    dealer = TrustedDealer(Random(0))
    while session.table.deck is None:
        asked = session.pending
        if asked is None or asked.deciders:
            raise EngineError(f"{session.game.title} has no deck when it begins")
        session.answer(dealer.act(session.table, asked))
    return session.table.deck


class Turn(NamedTuple):
    """Who is asked now, for what, and how the seat goes on to say what it decides."""

    seat: Seat
    asked: Question[Any]
    spelling: Spelling


class Position(NamedTuple):
    """A game as plain values: `cards` by their faces, and what was said of the open question."""

    setting: Setting
    session: Session
    rng: Random
    paces: Sequence[Pace]
    times: Times
    cards: Sequence[int]
    actions: Sequence[int]


class Playing:
    """One game.  `turn` says who is asked, and `said` what that seat has said of its decision.

    `turn` is None when the game is over.  Cards, reactions and everything else that is left to
    chance follow from the `rng`; `paces` says how fast each seat is.  With `notes` the session
    tells what happens.  A game can be copied and pickled: the copy plays on independently.
    """

    def __init__(
        self, setting: Setting, rng: Random, paces: Sequence[Pace], *, notes: bool = False
    ) -> None:
        session = Session(setting.game, setting.seats, setting.options, notes=notes)
        self._sit_down(setting, session, ReactingDealer(rng, paces))
        self._go_on()

    def _sit_down(self, setting: Setting, session: Session, dealer: ReactingDealer) -> None:
        self.setting, self.session, self.dealer = setting, session, dealer
        self.said: list[int] = []
        self.turn: Turn | None = None
        read = dealer.truth.cards.__getitem__
        self.views = [
            View(session.table, seat, read, read, session.course) for seat in range(setting.seats)
        ]
        """What each seat sees, and what it remembers."""
        self._decisions: dict[Seat, object] = {}
        self._actions: list[int] = []
        """All that was said of the pending question, by each seat in turn."""

    def __getstate__(self) -> Position:
        truth = self.dealer.reactions
        cards = [card.id for card in truth.cards]
        rest = (truth.rng, truth.paces, truth.times, cards, self._actions)
        return Position(self.setting, self.session, *rest)

    def __setstate__(self, saved: Position) -> None:
        """Sit down at a copy of the table.  Each seat says again what it has said."""
        dealer, faces = ReactingDealer(saved.rng, saved.paces), saved.setting.deck.faces
        dealer.reactions.restore(saved.times, [faces[number] for number in saved.cards])
        self._sit_down(saved.setting, saved.session, dealer)
        if saved.session.pending is not None:
            self._ask(saved.session.pending)
        for action in saved.actions:
            self.say(action)

    @property
    def seat(self) -> Seat | None:
        """Who is asked now; None when the game is over."""
        return None if self.turn is None else self.turn.seat

    def legal(self) -> Sequence[int]:
        """The actions that the seat may take now; none when the game is over."""
        return () if self.turn is None else self.turn.spelling.legal()

    def say(self, action: int) -> None:
        """Take an action; IllegalAnswer, and nothing has changed, for one that is not legal."""
        if self.turn is None:
            raise IllegalAnswer("the game is over")
        said = self.turn.spelling.say(action)
        self._actions.append(action)
        if isinstance(said, Decided):
            self.said = []
            self._decide(self.turn, said.decision)
        else:
            self.said.append(action)
            self.turn = self.turn._replace(spelling=said)

    def actions_of(self, bot: Bot, rng: Random) -> list[int]:
        """The actions by which the seat says what a bot decides for it; `rng` is the bot's.

        EngineError when the seat has said something already, or the game is over.
        """
        if self.turn is None or self.said:
            raise EngineError("a bot is asked before anything was said of a decision")
        seat, asked, spelled = self.turn
        decision = bot(self.views[seat], asked, rng)
        found: list[int] = []
        said: Spelling | Decided = spelled
        while isinstance(said, Spelling):
            found.append(said.towards(decision))
            said = said.say(found[-1])
        return found

    def seen(self, seat: Seat) -> dict[str, Sequence[int]]:
        """The rows of `Sight` for this seat; only who is asked sees what it has said."""
        said = self.said if seat == self.seat else ()
        asked = None if self.turn is None else self.turn.asked
        return self.setting.sight.rows_of(self.views[seat], asked, said)

    def _decide(self, turn: Turn, decision: object) -> None:
        """Keep a decision; when it was the last, answer the question and go on."""
        self._decisions[turn.seat] = decision
        if len(self._decisions) == len(turn.asked.deciders):
            self._answer(turn.asked)
            self._go_on()
        else:
            self._ask(turn.asked)

    def _answer(self, asked: Question[Any]) -> None:
        decisions, self._decisions = self._decisions, {}
        self._actions = []
        self.session.answer(self.dealer.answer(self.session.table, asked, decisions))

    def _go_on(self) -> None:
        """Let the dealer act until a seat is asked, or the game is over."""
        session = self.session
        while (asked := session.pending) is not None and not asked.deciders:
            session.answer(self.dealer.act(session.table, asked))
        if session.table.deck not in (None, self.setting.deck):
            raise EngineError(f"{self.setting.game.title} has changed its deck")
        self.turn = None
        if asked is not None:
            self._ask(asked)

    def _ask(self, asked: Question[Any]) -> None:
        """Ask the next of those who decide."""
        seat = asked.deciders[len(self._decisions)]
        self.turn = Turn(seat, asked, spelling(self.setting.actions, self.views[seat], asked))
