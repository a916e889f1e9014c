"""The driver of a game: shows the pending question, takes its answer, never does I/O.

Playing, watching, resuming, replaying and auditing are this one loop with different sources of
answers.  Between turns nothing lives in a coroutine, so a plain copy of the table (a mark) is the
whole position; inside a turn it is the mark and the answers since.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

from engine.compiling import mypyc_attr
from engine.course import Course
from engine.errors import AsksLostError, EngineError, IllegalAnswer
from engine.game import Game, Options, Value
from engine.lost import Lost
from engine.question import Question
from engine.table import Table
from engine.table_state import OPEN
from engine.zone import Seat

__all__ = ["EngineError", "IllegalAnswer", "Lost", "Mark", "Session"]

MAX_NESTING: Final = 200
MAX_TURNS: Final = 2_000_000
"""More than 160 games of Flaps (twenty wins for one of eight) of 10,000 turns each."""
MAX_ANSWERS_A_TURN: Final = 10_000
Rule = Coroutine[Any, Any, None]


class Mark(NamedTuple):
    """The position between two turns: `at` answers were given, `turns` turns are done.

    Each links to the one before, so that forks share them: copying a list of all marks of a long
    game would take longer than copying its table.
    """

    at: int
    turns: int
    table: Table
    before: Mark | None


@mypyc_attr(allow_interpreted_subclasses=True)  # or `fork` could make none without `__init__`
class Session:
    """One game being played: read `pending`, call `answer`, until `over`.

    `every=k` marks the table every k turns, which makes `fork` cheap; without marks a fork plays
    the answers again from the start.  `check=True` checks at every question that every card is in
    exactly one zone, and that the seats it is about can read theirs, as every table of peers does;
    otherwise the cards are checked at marks.  `notes=True` collects in `table.notes`, for people,
    what has happened since the first act.  UsageError for seats and options that the game refuses.
    """

    __slots__ = (
        "_check",
        "_every",
        "_look",
        "_mark",
        "_rule",
        "_rules",
        "_turn_began",
        "_turns",
        "game",
        "journal",
        "options",
        "pending",
        "table",
    )

    def __init__(
        self,
        game: Game,
        seats: int,
        options: Options,
        *,
        every: int = 0,
        check: bool = False,
        notes: bool = False,
    ) -> None:
        game.check(seats, options)
        self.game = game
        self.options: dict[str, Value] = {**game.defaults(), **options}
        self.journal: list[object] = []
        """Every answer so far, and `Lost` where a seat left; the game can be rebuilt from it."""
        self.pending: Question[Any] | None = None
        self.table = game.table(seats, self.options)
        if notes:
            self.table.notes = []
        self._every = every
        self._check = self._look = check
        self._mark = Mark(0, 0, self.table.copy(), None) if every else None
        self._begin(0, 0)
        self._resume(None)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.table.over and self.pending is None

    @property
    def course(self) -> Course:
        """How the game came here; it grows with the game."""
        return Course(self.game.name, self.table.seats, self.options, self.journal)

    @property
    def returns(self) -> tuple[int, ...]:
        """The result of each seat; EngineError while the game goes on."""
        if not self.over:
            raise EngineError("there is no result before the end of the game")
        return self.game.returns(self.table)

    def answer(self, answer: object) -> None:
        """Answer the pending question and go on to the next.

        Whoever follows a journal may hand in a `Lost` too.  IllegalAnswer, with a sentence and
        before anything has changed, for an answer that the question refuses; EngineError if the
        rules fail.
        """
        if type(answer) is Lost:  # for every answer, so it has to be quick
            self.lose(*answer)
            return
        pending = self.pending
        if pending is None:
            raise IllegalAnswer("nothing is asked any more")
        sentence = pending.why_not(self.table, answer)
        if sentence is not None:
            raise IllegalAnswer(sentence)
        self.journal.append(answer)
        self._resume(answer)

    def lose(self, seat: Seat, gone: bool = False) -> None:
        """Continue without a seat that has left for good, or is `gone`: the others voted it out.

        Nobody will answer the pending question.  The turn is closed where it waits, and the rules
        say what becomes of what the seat left (`Game.lose`).  If a seat is voted out in the step
        that ends the game, the result stays, and the seat has resigned all the same.

        EngineError if the game cannot continue without a player, or no player has the seat, or
        a seat leaves a game that is over.
        """
        why = self._why_not_lose(seat, gone)
        if why is not None:
            raise EngineError(why)
        lost = Lost(seat, gone)
        self.journal.append(lost)
        self._lose(lost)

    def without(self, seat: Seat) -> Session | None:
        """Fork the game as it continues, or ends, if this seat leaves now; None if it cannot."""
        if self._why_not_lose(seat, False) is not None:
            return None
        twin = self.fork(marks=False)
        twin.lose(seat)
        return twin

    def take_notes(self) -> tuple[tuple[object, ...], ...]:
        """What has happened for people since the last time; nothing where it is not collected."""
        notes = self.table.notes
        if notes is None:
            return ()
        taken = tuple(notes)
        notes.clear()
        return taken

    def digest(self) -> bytes:
        """16 bytes that stand for the public state (see `Table.digest`)."""
        return self.table.digest()

    def where(self) -> list[str]:
        """The open functions of the rules, outermost first: for logs and for people.

        Compiled functions are not among them, and the limit of nesting does not count them.
        """
        names: list[str] = []
        rule: Any = self._rule
        while getattr(rule, "cr_frame", None) is not None:
            names.append(rule.cr_code.co_name)
            rule = rule.cr_await
        return names

    def fork(self, at: int | None = None, *, marks: bool = True) -> Session:
        """An independent session after the first `at` answers (all of them by default).

        Without `marks` it makes none of its own: it is played on once, and not forked much.
        """
        at = len(self.journal) if at is None else at
        twin = Session.__new__(Session)
        twin.game, twin.options = self.game, self.options
        twin._every = self._every if marks else 0
        twin._check, twin._look = self._check, self._check
        twin.pending = None
        twin.journal = self.journal[:at]
        mark = twin._mark = self._before(at)
        if mark is None:
            began, turns, twin.table = 0, 0, self.game.table(self.table.seats, self.options)
        else:
            began, turns, twin.table = mark.at, mark.turns, mark.table.copy()
            twin._look = self._check or bool(twin.table.lost)
        twin._begin(began, turns)
        twin._resume(None)
        for answer in self.journal[began:at]:
            if type(answer) is Lost:
                twin._lose(answer)
            else:
                twin._resume(answer)
        if at == len(self.journal):
            twin._turn_began = self._turn_began
        return twin

    def __deepcopy__(self, memo: Mapping[int, object]) -> Session:
        """Fork: the rules wait in a coroutine, which cannot be copied itself."""
        twin, notes = self.fork(), self.table.notes
        twin.table.notes = None if notes is None else [*notes]
        return twin

    def __reduce__(self) -> tuple[Callable[..., Session], tuple[object, ...]]:
        """Return what another process needs to play these answers again."""
        from engine.answers import encode  # noqa: PLC0415 - no table of peers needs pickle

        notes = self.table.notes
        happened = None if notes is None else [encode(note) for note in notes]
        answers = [encode(answer) for answer in self.journal]
        how = (self._every, self._check, answers, happened)
        return _played_again, (self.game, self.table.seats, self.options, *how)

    def close(self) -> None:
        """Stop the rules where they are; nothing is pending afterwards."""
        self._rules.close()
        self.pending = None

    # -- inside -------------------------------------------------------------------------

    def _before(self, at: int) -> Mark | None:
        """The last marked position between turns with at most `at` answers, if there is one."""
        mark = self._mark
        while mark is not None and mark.at > at:
            mark = mark.before
        return mark

    def _why_not_lose(self, seat: Seat, gone: bool) -> str | None:
        table, title = self.table, self.game.title
        if self.game.lose is None:
            return f"{title} cannot go on without a player"
        if self.pending is None and not gone:
            return f"seat {seat} cannot leave {title}: nothing is asked any more"
        if seat not in table.present():
            return f"seat {seat} cannot leave {title}: it is none of {[*table.present()]}"
        return None

    def _begin(self, at: int, turns: int) -> None:
        """Start the next turn, after `at` answers and `turns` finished turns."""
        self._turn_began = at
        self._turns = turns
        self._run(self.game.turn(self.table))

    def _run(self, rule: Rule) -> None:
        self._rule = rule
        self._rules = _one_by_one(rule)

    def _lose(self, lost: Lost) -> None:
        """Close the turn, and let the rules say how the game goes on."""
        lose, asked = self.game.lose, self.pending
        if lose is None:
            raise EngineError(f"seat {lost.seat} leaves {self.game.name}, which has no rule for it")
        self._rules.close()
        self._look = True
        self.table.leave(lost.seat, lost.gone)
        if asked is None:
            return
        self._turn_began = len(self.journal)
        self._run(lose(self.table, lost.seat, asked))
        self._resume(None)

    def _resume(self, answer: object) -> None:
        """Let the rules go on to their next question, or to the end of the game."""
        while True:
            try:
                asked = self._rules.send(answer)
            except Exception as fault:
                raise self._broken(f"failed with {fault!r}") from fault
            if asked is _NEXT:
                if self._end_turn():
                    return
                answer = self._rule
                continue
            if not isinstance(asked, Question):
                raise self._broken(f"awaited {asked!r}, which is no question of the engine")
            self.pending = asked
            if self._look:
                self._look_at(asked)
            if len(self.journal) >= self._turn_began + MAX_NESTING:
                self._check_limits()
            return

    def _end_turn(self) -> bool:
        """Finish a turn and start the next; True when the game is over."""
        table, turns = self.table, self._turns + 1
        if table.over:
            self.pending = None
            self._turns = turns
            return True
        if turns > MAX_TURNS:
            raise self._broken(f"took more than {MAX_TURNS} turns")
        if self._every and turns % self._every == 0:
            self._check_cards()
            self._mark = Mark(len(self.journal), turns, table.copy(), self._mark)
        self._turns, self._turn_began = turns, len(self.journal)
        self._rule = self.game.turn(table)
        return False

    def _look_at(self, asked: Question[Any]) -> None:
        if self.table.lost:
            self._check_present(asked)
        if self._check:
            self._check_question(asked)

    def _check_present(self, asked: Question[Any]) -> None:
        """Nobody can be asked who has left; one seat alone has every key, so nothing is asked."""
        table = self.table
        for seat in asked.names():
            if seat in table.lost:
                fault = self._broken(f"asked for {told(asked)} of seat {seat}, who has left")
                raise AsksLostError(str(fault), asked, seat) from fault
        if len(table.present()) < 2:
            raise self._broken(f"asked for {told(asked)} with one player left")

    def _check_question(self, asked: Question[Any]) -> None:
        self._check_cards()
        locks = self.table.locks
        if any(seat in locks for seat in self.table.lost):
            raise self._broken("let a seat read a card that has left")
        for seat, slots in asked.read():
            if any(locks[slot] not in (seat, OPEN) for slot in slots):
                raise self._broken(f"asked seat {seat} about cards that it cannot read")

    def _check_cards(self) -> None:
        if not self.table.conserved():
            raise self._broken("lost a card, or have one twice")

    def _check_limits(self) -> None:
        """Check the limits; nesting costs answers, so only a turn that has had many needs it."""
        if len(self.journal) - self._turn_began > MAX_ANSWERS_A_TURN:
            raise self._broken(f"took more than {MAX_ANSWERS_A_TURN} answers in one turn")
        if len(self.where()) > MAX_NESTING:
            raise self._broken(f"nested more than {MAX_NESTING} windows")

    def _broken(self, what: str) -> EngineError:
        place = " > ".join(self.where()) or "their end"
        self.close()
        return EngineError(
            f"the rules of {self.game.name} {what} (answer {len(self.journal)}, in {place})"
        )


class _Next:
    """Asks the session, where rules have ended, for those that go on."""

    def __await__(self) -> Generator[_Next, Rule, Rule]:
        return (yield self)


_NEXT: Final = _Next()


async def _one_by_one(rule: Rule) -> None:
    """Run rules, one after the other, as the session hands them in.

    So their end is no exception, which would cost a sixth of a game's time in compiled code.
    """
    while True:
        await rule
        rule = await _NEXT


def _played_again(
    game: Game,
    seats: int,
    options: Options,
    every: int,
    check: bool,
    answers: Sequence[bytes],
    happened: Sequence[bytes] | None,
) -> Session:
    from engine.answers import decode  # noqa: PLC0415 - as above

    session = Session(game, seats, options, every=every, check=check)
    table = session.table
    for written in answers:
        session.answer(decode(written, table.deck))
    if happened is not None:
        table.notes = [cast("tuple[object, ...]", decode(note, table.deck)) for note in happened]
    return session


def told(asked: Question[Any]) -> str:
    """A question in a sentence about it: its kind and its topic."""
    return f"{asked.kind} ({asked.topic})" if asked.topic else asked.kind
