"""A hint says what the hard bot would do, to whoever plays against bots only."""

from __future__ import annotations

import multiprocessing
from random import Random

import pytest
import trio
import trio.testing

from cli.line.hints import Hints
from cli.line.told import Teller
from cli.options.settings import Settings
from cli.screen.keys import press
from cli.screen.model import Model
from cli.screen.player import ScreenPlayer
from cli.words.hints import NO_HINT, REFUSED, THINKS, hint
from engine.bots.hard import Advice, Hard
from engine.question import Choose, Race
from engine.view import View
from engine.wording.words import ALIKE
from p2p.player.beside import Beside, ProcessGoneError
from p2p.player.events import Opened, Seated
from p2p.protocol.terms import Terms
from tests.screen.boards import NAMES, Position, position


def sit(at: Position, bots: frozenset[int]) -> tuple[ScreenPlayer, Model, View]:
    """At a table with these bots, and a view that knows how the game came here."""
    model = Model("test", lambda: 0.0)
    player = ScreenPlayer(model, Settings())
    seats, session = len(at.presenter.names), at.session
    words = tuple(f"lime-{seat}" for seat in range(seats))
    view = at.dealer.view(session.table, 0, session.course)
    player.tell(Seated(NAMES[:seats], words, 0, Terms.of(session.game.name), 80_000, bots))
    player.tell(Opened(view, lambda: session.pending))
    return player, model, view


def everybody_else(at: Position) -> frozenset[int]:
    return frozenset(range(1, len(at.presenter.names)))


@pytest.fixture
def advised(monkeypatch: pytest.MonkeyPatch) -> list[View]:
    """The views about which advice was asked; it is always the first decision."""
    asked: list[View] = []

    async def advise(self: Beside, view: View, rng: Random) -> Advice:
        asked.append(view)
        await trio.sleep(1)
        pending = asked_now[0].pending
        assert pending is not None
        first, second = pending.decisions(view)[:2]
        return Advice(first, 0.64, second, 0.55, (("exchange",),))

    asked_now = [position("flip-over").session]
    monkeypatch.setattr(Beside, "advise", advise)
    return asked


async def test_a_hint_stands_among_what_happened(
    autojump_clock: trio.testing.MockClock, advised: list[View]
) -> None:
    at = position("flip-over")
    player, model, view = sit(at, everybody_else(at))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.decide, view, at.question)
        await trio.testing.wait_all_tasks_blocked()
        press(model, "f6")
        await trio.sleep(0.5)
        assert model.notice == THINKS
        model.notice = "Say how, by its number."
        press(model, "f6")
        assert model.notice == THINKS, "one is on its way"
        await trio.sleep(1)
        assert model.asking is not None, "the person still decides"
        labels = {choice.decision: choice.label for choice in model.asking.legal}
        first, second = (labels[decision] for decision in at.question.decisions(view)[:2])
        told = (
            f"{first}: it helps the others least. "
            f"It wins the game in 64 of 100 games played on from here, {second} in 55."
        )
        assert model.events.told()[-1] == model.notice == f"Hint: {told}"
        model.notice = ""
        press(model, "f6")
        assert model.notice == f"Hint: {told}", "told again"
        nursery.cancel_scope.cancel()
    assert advised == [view]


async def test_a_hint_whose_process_ends_says_so_and_can_be_asked_for_again(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole program ended with a traceback."""
    asked: list[View] = []

    async def advise(self: Beside, view: View, rng: Random) -> Advice:
        asked.append(view)
        raise ProcessGoneError

    monkeypatch.setattr(Beside, "advise", advise)
    at = position("flip-over")
    player, model, view = sit(at, everybody_else(at))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.decide, view, at.question)
        await trio.testing.wait_all_tasks_blocked()
        for _ in range(2):
            press(model, "f6")
            await trio.testing.wait_all_tasks_blocked()
            assert model.notice == NO_HINT
        nursery.cancel_scope.cancel()
    assert asked == [view, view]
    assert not any("int" in line for line in model.events.told())


async def test_no_hint_where_another_person_sits(
    autojump_clock: trio.testing.MockClock, advised: list[View]
) -> None:
    at = position("flip-over")
    player, model, view = sit(at, everybody_else(at) - {1})
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.decide, view, at.question)
        await trio.testing.wait_all_tasks_blocked()
        for key in ("f6",):
            press(model, key)
            assert model.notice == REFUSED
        await trio.sleep(5)
        nursery.cancel_scope.cancel()
    assert not advised
    assert not any(line.startswith("Hint") for line in model.events.told())


async def test_no_hint_in_a_race_for_anothers_turn_and_none_where_nothing_is_asked(
    advised: list[View],
) -> None:
    at = position("you-fink")
    player, model, view = sit(at, everybody_else(at))
    press(model, "f6")
    assert model.notice == REFUSED
    race = Race([Choose(0, ("slap",), "slap or go on")], "free for all", window_ms=100)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.decide, view, race)
        await trio.testing.wait_all_tasks_blocked()
        press(model, "f6")
        assert model.notice == REFUSED
        nursery.cancel_scope.cancel()
    assert not advised


def test_a_hint_in_a_race_where_it_is_ones_own_turn() -> None:
    """In You Fink! nearly every turn is a race: somebody may slap while one turns a card."""
    at = position("you-fink")
    race, session = at.question, at.session
    assert isinstance(race, Race)
    assert race.awaited is not None
    hints, seats = Hints(Teller(Settings()), Random(0)), range(len(at.presenter.names))
    for seat in seats:
        names, words, bots = NAMES[: len(seats)], ("a",) * len(seats), frozenset(seats) - {seat}
        hints.sit(Seated(names, words, seat, Terms.of("you-fink"), 80_000, bots))
        view = at.dealer.view(session.table, seat, session.course)
        assert hints.offered(view, race) == (seat == race.awaited)
    view = at.dealer.view(session.table, race.awaited, session.course)
    assert Hard().advise(view, race, Random(1)).best in race.decisions(view)


@pytest.mark.slow
async def test_the_hint_is_what_the_hard_bot_would_do_and_its_process_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A clock that stands still: however busy the machine is, the process thinks to the end.
    monkeypatch.setattr("p2p.player.beside.monotonic", float)
    at = position("flip-over")
    view = at.dealer.view(at.session.table, 0, at.session.course)
    beside, seed = Beside(), Random(4).getrandbits(64)
    advice = await beside.advise(view, Random(4))
    beside.close()
    # Faces of cards are not equal to those of another process: they are compared as they read.
    assert repr(advice) == repr(Hard().advise(view, at.question, Random(seed)))
    assert advice.best == Hard()(view, at.question, Random(seed))
    assert not multiprocessing.active_children()


def test_a_hint_in_words() -> None:
    def said(decision: object) -> str:
        return "9C" if decision == 1 else "4D"

    found = "It wins the game in 64 of 100 games played on from here"
    differs = hint(Advice(1, 0.64, 2, 0.55), said, "")
    assert differs == f"Hint: 9C. {found}, 4D in 55."
    assert hint(Advice(1, 0.64, 2, 0.55, (), alike=True), said, "") == f"{differs} {ALIKE}"
    for other in (0.637, 0.66):
        told = hint(Advice(1, 0.64, 2, other), said, "it is high")
        assert told == f"Hint: 9C: it is high. {found}; 4D is about as good."
    alone = hint(Advice(1, 1.0), said, "it is high")
    further = "It does not look further: everything else seems clearly worse."
    assert alone == f"Hint: 9C: it is high. {further}"
    forced = hint(Advice(1, 1.0, forced=True), said, "it is high")
    assert forced == "Hint: 9C: it is high. Nothing else is allowed."
