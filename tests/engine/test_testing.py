"""The test kit finds what it should find: each of these games has one fault."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest

from engine import testing
from engine.compiling import is_compiled
from engine.dealer import TrustedDealer
from engine.errors import EngineError, IllegalAnswer
from engine.game import Game, Options
from engine.games import load
from engine.question import Choose, LayDown, Play
from engine.session import Session
from engine.table import Table
from tests.engine.play import finish
from tests.engine.tiny import DECK, GAME, RED, TinyTable, turn

REMEMBERED: list[int] = []


async def remembers_elsewhere(t: TinyTable) -> None:
    """Keeps something outside of the table, where no copy reaches."""
    REMEMBERED.append(1)
    await turn(t)
    t.points[0] += len(REMEMBERED) % 7


async def lends_a_card(t: TinyTable) -> None:
    """Has a card in no zone while it asks."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    card = t.stock.pop()
    await t.flip(2)
    t.stock.append(card)
    t.over = True


async def asks_for_the_unreadable(t: TinyTable) -> None:
    """Asks a seat for a card that is locked to everybody."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.play(0, t.stock, RED, t.laid)


async def pays_too_much(t: TinyTable) -> None:
    await turn(t)
    t.points[0] += 1000


async def drops_its_last_card(t: TinyTable) -> None:
    """When nothing is asked any more."""
    await turn(t)
    t.laid.pop()


def misprinted(returns: Callable[[TinyTable], tuple[int, ...]]) -> Game:
    return replace(GAME, returns=returns)


@pytest.mark.parametrize(
    ("game", "fault"),
    [
        (replace(GAME, turn=remembers_elsewhere), "differs"),
        (replace(GAME, turn=lends_a_card), "lost a card"),
        (replace(GAME, turn=asks_for_the_unreadable), "cannot read"),
        (replace(GAME, turn=pays_too_much), "out of the bounds"),
        (replace(GAME, turn=drops_its_last_card), "the game is over, and a card is lost"),
        (misprinted(lambda t: tuple(t.points)[:1]), "number of results"),
    ],
)
def test_a_faulty_game_does_not_pass(game: Game, fault: str) -> None:
    def all_checks() -> None:
        testing.check_simulation(game, 2, {}, seed=1)
        testing.check_sync(game, 2, {"rounds": 2}, seed=1)

    with pytest.raises((AssertionError, EngineError), match=fault):
        all_checks()


@pytest.mark.parametrize(
    "check",
    [
        lambda game: testing.play_out(game, 2, {}, 1),
        lambda game: testing.play_drawn(game, 2, {}, Random(1).randrange),
        lambda game: testing.check_leaving(game, 2, {}, 1),
        lambda game: testing.check_time_outs(game, 2, {}, 1),
    ],
)
def test_every_way_to_play_a_game_looks_at_its_end(check: Callable[[Game], object]) -> None:
    with pytest.raises(AssertionError, match="number of results"):
        check(misprinted(lambda t: tuple(t.points)[:1]))


@dataclass(slots=True, eq=False)
class Choice(Table):
    taken: int = -1


def choosing(asked: Callable[[Choice], Choose]) -> Game:
    async def one_turn(t: Choice) -> None:
        t.taken = await asked(t)
        t.over = True

    def table(seats: int, options: Options) -> Table:
        return Choice(seats)

    return replace(GAME, table=table, turn=one_turn, returns=lambda t: (0, 0))


class Lax(Choose):
    __slots__ = ()

    def why_not(self, table: Table, answer: int) -> str | None:
        return None


class Fussy(Choose):
    __slots__ = ()

    def why_not(self, table: Table, answer: int) -> str | None:
        return "never"


class Mute(Choose):
    __slots__ = ()

    def why_not(self, table: Table, answer: int) -> str | None:
        return None if 0 <= answer < 2 else ""


class Meddling(Choose):
    __slots__ = ()

    def why_not(self, table: Table, answer: int) -> str | None:
        assert isinstance(table, Choice)
        table.taken += answer > 1
        return super().why_not(table, answer)


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        (lambda t: Meddling(0, ("a", "b"), "?"), "the session after refusals"),
        (lambda t: Lax(0, ("a", "b"), "?"), "accepts"),
        (lambda t: Fussy(0, ("a", "b"), "?"), "offers"),
        (lambda t: Mute(0, ("a", "b"), "?"), "without a sentence"),
        (lambda t: Choose(0, (), "?"), "nothing to decide"),
    ],
)
def test_a_faulty_question_does_not_pass(asked: Callable[[Choice], Choose], fault: str) -> None:
    with pytest.raises(AssertionError, match=fault):
        testing.check_legality(choosing(asked), 2, {}, seed=1)


def test_a_fork_that_changes_what_it_was_made_of_does_not_pass() -> None:
    """It has to be played on: nothing is wrong before."""
    tables: list[TinyTable] = []

    async def reaches_the_first(t: TinyTable) -> None:
        tables.append(t)
        await t.flip(2)
        tables[0].points[1] += 1
        t.over = tables[0].points[1] >= 20

    with pytest.raises(AssertionError, match="after its fork has been played on"):
        testing.check_simulation(replace(GAME, turn=reaches_the_first), 2, {}, seed=1)


def test_what_a_copy_forgets_is_missed_when_the_game_goes_on_from_there() -> None:
    """Where the copy is made nothing differs yet."""
    kept: dict[int, list[TinyTable]] = {}

    async def counts_beside_the_table(t: TinyTable) -> None:
        turns = kept.setdefault(id(t), [])
        turns.append(t)
        await t.flip(2)
        t.points[1] += 1
        if t.points[1] == 10:
            t.points[0] = len(turns)
        t.over = t.points[1] == 20

    with pytest.raises(AssertionError, match="answers 7 to 14 again"):
        testing.check_sync(replace(GAME, turn=counts_beside_the_table), 2, {}, seed=1)


def test_the_first_fork_and_every_eighth_after_it_are_played_to_their_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played = list[int]()
    monkeypatch.setattr(testing, "_check_fork", lambda *given: played.append(given[-1]))
    testing.check_simulation(load("flaps"), 4, {"level": 1}, seed=1)
    assert len(played) > 8
    whole = [place for place, answers in enumerate(played) if answers == testing.MOST_ANSWERS]
    assert whole == [*range(0, len(played), testing.PLAYED_OUT)]


def test_a_game_that_does_not_end_does_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.testing.MOST_ANSWERS", 40)

    async def again(t: TinyTable) -> None:
        await t.flip(2)

    with pytest.raises(AssertionError, match="tiny does not end"):
        testing.play_out(replace(GAME, turn=again), 2, {}, seed=1)


@pytest.mark.skipif(is_compiled(Session), reason="a compiled class takes no other method")
def test_a_refusal_that_is_written_down_does_not_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Session.answer

    def answer(session: Session, given: object) -> None:
        try:
            real(session, given)
        except IllegalAnswer:
            session.journal.append(given)
            raise

    monkeypatch.setattr(Session, "answer", answer)
    with pytest.raises(AssertionError, match="a refusal has moved the game on"):
        testing.check_legality(choosing(lambda t: Choose(0, ("a", "b"), "?")), 2, {}, seed=1)


def test_cards_laid_down_are_wrong_in_one_way_each() -> None:
    """One card twice, too few, and cards that are not there: else only the number is tried."""
    table = TinyTable(2)
    table.deck = DECK
    zone = table.zone("hand", 1)
    zone.extend((3, 4, 5))
    view = TrustedDealer(Random(1)).view(table, 1)
    for count in (2, 3):
        asked = LayDown(1, zone, count)
        assert asked.hand(1) is zone
        twice, few, nowhere = asked.wrong(view)
        assert twice == (3,) * count
        assert few == (3, 4)[: count - 1]
        assert nowhere == (-1,) * count


def test_a_question_describes_itself() -> None:
    table = TinyTable(2)
    table.deck = DECK
    zone = table.zone("hand", 1)
    zone.extend((3, 4))
    said = testing.describe(table, Play(1, zone, RED, why="red!"))
    assert (
        said == 'play fits=[1R,2R,3R,4R,5R,6R] otherwise=nothing seat=1 why="red!" zone=hand@1[3,4]'
    )


def test_a_number_that_is_chosen_last_is_no_slot() -> None:
    """Nothing is asked after it, so it names no card."""

    async def guesses(t: TinyTable) -> None:
        await t.fresh(DECK, t.stock)
        t.points[0] = await t.choose(0, (1, 2, 3), "how many?")
        t.over = True

    game = replace(GAME, turn=guesses)
    assert testing.play_out(game, 2, {}, seed=1).returns[0] in range(3)


def test_what_the_rules_warn_of_is_passed_on() -> None:
    """Only of a coroutine that nobody awaited the kit says more than Python does."""

    async def warns(t: TinyTable) -> None:
        warnings.warn("old rules", RuntimeWarning, stacklevel=1)
        await turn(t)

    with pytest.warns(RuntimeWarning, match="old rules") as caught:
        testing.play_out(replace(GAME, turn=warns), 2, {}, seed=1)
    assert {(one.filename, one.category) for one in caught} == {(__file__, RuntimeWarning)}


def test_a_golden_file_of_rules_that_lose_a_card_is_refused(tmp_path: Path) -> None:
    """Whoever wrote it did not look."""
    session = Session(replace(GAME, turn=lends_a_card), 2, {})
    finish(session, TrustedDealer(Random(1)), Random(1))
    testing.write_golden(tmp_path / "lent.txt", session)
    with pytest.raises(EngineError, match="lost a card"):
        testing.check_golden(tmp_path / "lent.txt", lambda name: session.game)
