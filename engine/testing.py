"""The public test kit: what every game has to pass, whatever its rules.

A game writer calls these from tests; each raises AssertionError with a sentence, also when
it plays into one of the traps of `engine.traps`.  Nothing here needs a test
framework.  For Hypothesis, hand `play_drawn` a function that draws:

    @given(st.data())
    def test_drawn(data):
        play_drawn(game, 4, {}, lambda count: data.draw(st.integers(0, count - 1)))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from random import Random
from typing import Any, Final

from engine.bots import Bot, random_bot
from engine.dealer import TrustedDealer
from engine.env.checking import check_environment
from engine.errors import IllegalAnswer
from engine.game import Game, Options
from engine.golden import GoldenError, check_golden, describe, write_golden
from engine.question import PASS, Question
from engine.session import Session
from engine.time_out import decide_for, is_under_clock, public_default
from engine.totals import ending_of
from engine.traps import Traps, told, whole
from engine.view import SPECTATOR, View

__all__ = [
    "GoldenError",
    "check_environment",
    "check_golden",
    "check_leaving",
    "check_legality",
    "check_simulation",
    "check_sync",
    "check_time_outs",
    "describe",
    "play_drawn",
    "play_out",
    "write_golden",
]

FORK_EVERY: Final = 7
"""A prime, so that forks are taken at every place of a turn sooner or later."""
MARK_EVERY: Final = 3
"""Another one, so that going back begins at a mark, or plays some answers again."""
FORK_ON: Final = 2 * FORK_EVERY
"""For how many answers a fork is played on: enough for a few turns of games that last hundreds."""
MOST_ANSWERS: Final = 1_000_000
NUMBER: Final = re.compile(r"\d+")
PLAYED_OUT: Final = 8
"""One in this many forks is played to the end: the first, when everything is still to come."""


class _Played:
    """A session, its dealer and its source of chance, one answer after the other."""

    def __init__(
        self,
        game: Game,
        seats: int,
        options: Options,
        rng: Random,
        *,
        every: int = 1,
        leave: float = 0,
    ) -> None:
        self.rng = rng
        self.leave = leave
        self.dealer = TrustedDealer(rng)
        with whole(game, None, lambda: game.table(seats, {**game.defaults(), **options})):
            self.session = Session(game, seats, options, every=every, check=True)
        self.traps = Traps(self.session, self.dealer)

    def questions(self, bot: Bot = random_bot) -> Iterator[Question[Any]]:
        """Each question before it is answered or somebody leaves; the game has to end well."""
        session = self.session
        while (asked := session.pending) is not None:
            if len(session.journal) > MOST_ANSWERS:
                raise AssertionError(f"{session.game.name} does not end")
            self.traps.look(asked)
            yield asked
            if self.leave and self.rng.random() < self.leave:
                self.lose(self.rng.choice(session.table.present()))
                continue
            answer = self.answer_of(bot)
            with whole(session.game, asked, lambda: session.table):
                session.answer(answer)
        _check_end(session)

    def lose(self, seat: int) -> None:
        """A seat leaves: nobody knows a card then who did not know it before."""
        session, asked = self.session, self.session.pending
        before = self._known()
        with whole(session.game, asked, lambda: session.table):
            session.lose(seat)
        after = self._known()
        table = session.table
        if any(len(zone) == len(table.faces) for zone in table.zones):
            return  # all cards are gathered: they become those of a new deck
        for reader, slots in after.items():
            seen = sorted(slots - before[SPECTATOR if reader == seat else reader])
            if seen:
                what = f"knows the cards in {seen} since seat {seat} has left"
                raise told(session.game, asked, (reader,), what)

    def _known(self) -> dict[int, set[int]]:
        """The slots whose cards each seat knows, or remembers; and those that all know."""
        table, face = self.session.table, self.dealer.truth.cards.__getitem__
        views = [View(table, seat, face, face) for seat in (SPECTATOR, *range(table.seats))]
        slots = range(len(table.faces))
        return {
            view.seat: {slot for slot in slots if view.recall(slot) is not None} for view in views
        }

    def fork(self) -> _Played:
        """The same position, to be played on by itself."""
        twin = copy(self)
        twin.rng = Random(len(self.session.journal))
        twin.session, twin.dealer = self.session.fork(), self.dealer.copy(twin.rng)
        twin.traps = self.traps.copy(twin.session, twin.dealer)
        return twin

    def answer_of(self, bot: Bot) -> object:
        """The answer to the pending question, with `bot` at every seat."""
        table, asked = self.session.table, self.session.pending
        if asked is None:
            raise AssertionError("nothing is asked")
        decisions = {}
        for seat in asked.deciders:
            view = self.dealer.view(table, seat)
            decisions[seat] = bot(view, asked, self.rng)
            if not asked.allows(view, decisions[seat]):
                raise AssertionError(f"a bot may not decide {decisions[seat]!r}: {asked.kind}")
        return self.dealer.answer(table, asked, decisions)


def play_out(
    game: Game,
    seats: int,
    options: Options,
    seed: int,
    bot: Bot = random_bot,
    *,
    leave: float = 0,
) -> Session:
    """Play one game to its end, checking every card at every question.

    At each question somebody leaves for good with the probability `leave`.
    """
    played = _Played(game, seats, options, Random(seed), leave=leave)
    for _ in played.questions(bot):
        pass
    return played.session


def play_drawn(
    game: Game, seats: int, options: Options, draw: Callable[[int], int], *, leave: float = 0
) -> Session:
    """Play one game with all cards and decisions from `draw(count)`, a number below count.

    At each question somebody leaves for good with the probability `leave`, by a seed from `draw`.
    """

    def drawn_bot(view: Any, question: Question[Any], rng: Random) -> object:
        decisions = question.decisions(view)
        return decisions[draw(len(decisions))]

    played = _Played(game, seats, options, Random(draw(2**32)), leave=leave)
    for _ in played.questions(drawn_bot):
        pass
    return played.session


def check_leaving(game: Game, seats: int, options: Options, seed: int, *, games: int = 1) -> int:
    """At every kind of question of some random games any seat may leave, and the game ends well.

    No card is lost or doubled or known to anybody who did not know it before, a lost seat is asked
    nothing, nothing is asked with one seat left, and there is a result for each seat.  Return how
    often somebody left.
    """
    rng, kinds, tried = Random(seed), set[tuple[object, ...]](), 0
    for _ in range(games):
        played = _Played(game, seats, options, Random(rng.random()))
        for asked in played.questions():
            kind = (asked.kind, NUMBER.sub("", asked.topic), *played.session.where()[-2:])
            if kind not in kinds:
                kinds.add(kind)
                tried += _check_each_leaves(played)
    return tried


def _check_each_leaves(played: _Played) -> int:
    """Each seat leaves in a fork, which is played to its end; the number of seats."""
    present = played.session.table.present()
    for seat in present:
        one = played.fork()
        one.lose(seat)
        for _ in one.questions():
            pass
    return len(present)


def check_time_outs(game: Game, seats: int, options: Options, seed: int) -> set[tuple[str, str]]:
    """At each question of a random game, what a clock decides is allowed; and the game ends.

    Every second question is decided by it.  Return the kind and topic (digits left out) of the
    questions at which the rules say nothing, and nobody may pass: there the game's bot decides.
    """
    played, left = _Played(game, seats, options, Random(seed)), set[tuple[str, str]]()

    def late(view: View, asked: Question[Any], rng: Random) -> object:
        if not is_under_clock(asked, view.seat) or rng.random() < 1 / 2:
            return random_bot(view, asked, rng)
        if public_default(game, view, asked) is PASS and not asked.allows(view, PASS):
            left.add((asked.kind, NUMBER.sub("", asked.topic)))
        return decide_for(game, view, asked, random_bot, rng)

    for _ in played.questions(late):
        pass
    return left


def check_simulation(
    game: Game, seats: int, options: Options, seed: int, *, leave: float = 0
) -> None:
    """In random play a fork is equal, independent, and answers alike; results are in bounds.

    At each question somebody leaves for good with the probability `leave`.
    """
    played = _Played(game, seats, options, Random(seed), leave=leave)
    session = played.session
    for number, asked in enumerate(played.questions()):
        if number % FORK_EVERY == 0:
            to_the_end = number % (FORK_EVERY * PLAYED_OUT) == 0
            _check_fork(session, played, asked, MOST_ANSWERS if to_the_end else FORK_ON)


def _check_fork(session: Session, played: _Played, asked: Question[Any], answers: int) -> None:
    """A fork is equal, and stays a game of its own while it is played on for `answers` answers."""
    before, fork = session.digest(), session.fork()
    where = f"a fork at answer {len(session.journal)}"
    if fork.pending is None:
        raise AssertionError(f"{where} asks nothing")
    _same(where, describe(session.table, asked), describe(fork.table, fork.pending))
    _same(where, before, fork.digest())
    _same(where, session.table.state(), fork.table.state())
    dealer, rng = played.dealer.copy(Random(0)), Random(0)
    traps = played.traps.copy(fork, dealer)
    while (pending := fork.pending) is not None and answers:
        views = {seat: dealer.view(fork.table, seat) for seat in pending.deciders}
        decisions = {seat: random_bot(view, pending, rng) for seat, view in views.items()}
        with whole(fork.game, pending, lambda: fork.table):
            fork.answer(dealer.answer(fork.table, pending, decisions))
        if fork.pending is not None:
            traps.look(fork.pending)
        answers -= 1
    if fork.pending is None:
        _check_end(fork)
    fork.close()
    _same("the session, after its fork has been played on,", before, session.digest())


def check_sync(game: Game, seats: int, options: Options, seed: int, *, leave: float = 0) -> None:
    """Save, advance, go back: any peer that has the answers has the same digests.

    At each question somebody leaves for good with the probability `leave`.
    """
    played = _Played(game, seats, options, Random(seed), every=MARK_EVERY, leave=leave)
    digests = [played.session.digest() for _ in played.questions()]
    digests.append(played.session.digest())
    journal = played.session.journal
    follower = Session(game, seats, options)
    for number, answer in enumerate(journal):
        _same(f"a follower at answer {number}", digests[number], follower.digest())
        follower.answer(answer)
    _same("a follower at the end", digests[-1], follower.digest())
    for number in range(0, len(journal), FORK_EVERY):
        back = played.session.fork(number)
        _same(f"going back to answer {number}", digests[number], back.digest())
        for answer in journal[number : number + FORK_EVERY]:
            back.answer(answer)
        again = min(number + FORK_EVERY, len(journal))
        _same(f"answers {number} to {again} again", digests[again], back.digest())


def check_legality(game: Game, seats: int, options: Options, seed: int) -> int:
    """What a question offers is accepted; anything else is refused and changes nothing.

    Return the number of refusals seen.
    """
    played = _Played(game, seats, options, Random(seed))
    refused = 0
    for asked in played.questions():
        if asked.deciders:
            _check_offers(played, asked)
            refused += _check_refusals(played, asked)
    return refused


def _offers(played: _Played, asked: Question[Any]) -> dict[int, Sequence[object]]:
    """What each seat may decide."""
    table, dealer = played.session.table, played.dealer
    return {seat: asked.decisions(dealer.view(table, seat)) for seat in asked.deciders}


def _check_offers(played: _Played, asked: Question[Any]) -> None:
    table, dealer, offers = played.session.table, played.dealer, _offers(played, asked)
    others = {seat: offered[0] for seat, offered in offers.items()}
    for seat, offered in offers.items():
        for decision in offered[:20]:
            answer = dealer.answer(table, asked, {**others, seat: decision})
            sentence = asked.why_not(table, answer)
            if sentence is not None:
                raise AssertionError(f"{asked.kind} offers {decision!r} but says {sentence!r}")


def _check_refusals(played: _Played, asked: Question[Any]) -> int:
    session, dealer = played.session, played.dealer
    before, answers = session.digest(), len(session.journal)
    wrong = list(_wrong_decisions(played, asked))
    for decisions in wrong:
        try:
            session.answer(dealer.answer(session.table, asked, decisions))
        except IllegalAnswer as refusal:
            if not str(refusal):
                raise AssertionError("a refusal without a sentence") from refusal
        else:
            raise AssertionError(f"{asked.kind} accepts {decisions!r}")
    _same("the session after refusals", before, session.digest())
    if session.pending is not asked or len(session.journal) != answers:
        raise AssertionError("a refusal has moved the game on")
    return len(wrong)


def _wrong_decisions(played: _Played, asked: Question[Any]) -> Iterator[Mapping[int, object]]:
    """Decisions in which one seat decides what it may not, the others what they may."""
    others = {seat: offered[0] for seat, offered in _offers(played, asked).items()}
    for seat in asked.deciders:
        view = played.dealer.view(played.session.table, seat)
        yield from ({**others, seat: wrong} for wrong in asked.wrong(view))


def _check_end(session: Session) -> None:
    seats = session.table.seats
    low, high = session.game.bounds(seats, session.options)
    results = session.returns
    _same("the number of results", seats, len(results))
    if not all(low <= result <= high for result in results):
        raise AssertionError(f"{results} is out of the bounds {low} to {high}")
    if not session.table.conserved():
        raise AssertionError("the game is over, and a card is lost, or lies twice")
    _check_sides(session)


def _check_sides(session: Session) -> None:
    """Check that each seat is on one side, and that the members of a side have the same result."""
    results, _, sides = ending_of(session)
    seated = sorted([seat for side in sides for seat in side])
    if sides and seated != list(range(len(results))):
        raise AssertionError(f"not every seat is on one side: {sides}")
    for side in sides:
        if len({results[seat] for seat in side}) > 1:
            raise AssertionError(f"the members {side} of a side differ: {results}")


def _same(what: str, expected: object, found: object) -> None:
    if expected != found:
        raise AssertionError(f"{what} differs: {expected!r} became {found!r}")
