"""What a game has to stand as an environment: a part of the public kit (`engine.testing`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from random import Random
from typing import Any, Final

from engine.bots import Bot, random_bot
from engine.bots.pace import PACES
from engine.bots.tree import key_of
from engine.cards import Card
from engine.env.playing import Playing, Setting, Turn
from engine.env.seen import faces_seen
from engine.env.spelling import Decided, Spelling, spelling
from engine.game import Game, Options
from engine.levels import NORMAL
from engine.question import Question
from engine.table_state import JOINT, OPEN, TableState
from engine.view import View
from engine.zone import Seat, Slot

MOST: Final = 400
"""So many decisions of a game are looked at."""
SEEN_EVERY: Final = 7
"""At one in so many decisions the cards that a seat cannot see are exchanged, and a copy made."""


def check_environment(
    game: Game,
    seats: int,
    options: Options,
    seed: int,
    *,
    bots: Sequence[Bot] = (random_bot,),
    most: int = MOST,
) -> int:
    """Play by actions, the bots in turn: how many actions the longest decision took.

    Every decision can be said by actions that are legal, and comes out the same but for which of
    several equal cards it takes.  Cards that a seat cannot see change nothing that it observes.
    A copy of the game plays on as the game does, and independently.
    """
    paces, rng = [PACES[NORMAL]] * seats, Random(seed)
    playing = Playing(Setting(game, seats, options), Random(seed), paces)
    twin, longest = deepcopy(playing), 0
    for number in range(most):
        if playing.turn is None:
            break
        if number % SEEN_EVERY == 0:
            _check_hidden(playing)
            _check_equal(playing, twin)
            twin = deepcopy(playing)
        actions = _said(playing, playing.turn, bots[number % len(bots)], rng)
        longest = max(longest, len(actions))
        for one in (twin, playing):
            for action in actions:
                one.say(action)
    _check_equal(playing, twin)
    return longest


@contextmanager
def others_hidden(playing: Playing, view: View) -> Iterator[int]:
    """The cards that this view does not know change their places meanwhile; how many they are."""
    cards = playing.dealer.truth.cards
    honest = [*cards]
    slots = [slot for slot in range(len(view.table.faces)) if view.recall(slot) is None]
    for slot, other in zip(slots, slots[1:] + slots[:1], strict=True):
        cards[slot] = honest[other]
    try:
        yield len({honest[slot] for slot in slots})
    finally:
        cards[:] = honest


def observed(playing: Playing, view: View) -> tuple[Any, ...]:
    """All that the seat of this view observes, and how it may begin to decide."""
    turn, setting = playing.turn, playing.setting
    legal: Sequence[int] = ()
    if turn is not None and view.seat in turn.asked.deciders:
        legal = spelling(setting.actions, view, turn.asked).legal()
    return playing.seen(view.seat), setting.sight.fields_of(view.table), [*legal]


class Readable:
    """The slots that each seat has been able to read, until their cards changed places.

    An observation may show the faces of these and of no others, whatever the rules say of who has
    seen a card: no peer could show more.
    """

    def __init__(self, seats: int) -> None:
        self._unread: list[set[Slot]] = [set() for _ in range(seats)]
        self._locks: list[int] = []
        self._asked: Question[Any] | None = None

    def copy(self) -> Readable:
        """The same, for a game that goes on by itself."""
        made = Readable(0)
        made._unread, made._locks = [{*slots} for slots in self._unread], [*self._locks]
        made._asked = self._asked
        return made

    def look(self, table: TableState, asked: Question[Any], answered: bool) -> None:
        """Take in what is so at this question; `answered`: the one before got its answer."""
        last, self._asked = self._asked, asked
        if answered and last is not None and last.mixes:
            deck = set(range(len(table.faces)))  # it may be smaller than the one before
            mixed = set(last.about()) or deck
            self._unread = [(slots | mixed) & deck for slots in self._unread]
            self._locks = [JOINT] * len(table.locks)
        before, self._locks = self._locks, [*table.locks]
        for slot, (was, lock) in enumerate(zip(before, self._locks, strict=False)):
            if lock not in (was, JOINT):
                for slots in self._unread if lock == OPEN else (self._unread[lock],):
                    slots.discard(slot)

    def never_read(self, table: TableState, seat: Seat, cards: Sequence[Card]) -> list[Slot]:
        """The slots of which this seat would observe a face that it could never read."""
        slots = sorted(self._unread[seat])
        faces = faces_seen(View(table, seat, cards.__getitem__, cards.__getitem__), slots)
        return [slot for slot, face in zip(slots, faces, strict=True) if face]


def _check_hidden(playing: Playing) -> None:
    for view in playing.views:
        honest = observed(playing, view)
        with others_hidden(playing, view):
            if observed(playing, view) != honest:
                raise AssertionError(f"seat {view.seat} observes cards that it cannot see")


def _check_equal(playing: Playing, twin: Playing) -> None:
    if _position(playing) != _position(twin):
        raise AssertionError("a copy of the game plays on in another way")


def _position(playing: Playing) -> tuple[object, ...]:
    seen = [playing.seen(view.seat) for view in playing.views]
    return playing.seat, seen, [*playing.legal()], playing.session.digest()


def _said(playing: Playing, turn: Turn, bot: Bot, rng: Random) -> list[int]:
    """How the seat says what the bot decides; AssertionError if something else comes out."""
    view, asked = playing.views[turn.seat], turn.asked
    decision = bot(view, asked, rng)
    said: Spelling | Decided = turn.spelling
    actions: list[int] = []
    while isinstance(said, Spelling):
        action = said.towards(decision)
        if action not in said.legal():
            raise AssertionError(f"{decision!r} cannot be said: {action} is not legal")
        actions.append(action)
        said = said.say(action)
    wanted, came = (key_of(view, asked, one, hides=False) for one in (decision, said.decision))
    if came != wanted:  # which of several equal cards it takes makes no difference
        raise AssertionError(f"{decision!r} is said, and {said!r} comes out")
    return actions
