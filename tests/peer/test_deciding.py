"""When claims and passes leave a seat: at once, or when the window says so (section 4, rule 5)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import pytest
import trio

from engine.bots.pace import Pace
from engine.cards import Card
from engine.dealer import TrustedDealer
from engine.games import load
from engine.question import PASS, Choose, Otherwise, Play, Race
from engine.session import Session
from engine.table import Table
from engine.view import View
from p2p.driver.driver import Driver
from p2p.errors import LocalError
from p2p.player.bots import BotPlayer
from p2p.player.events import Claimed
from p2p.player.substitute import Substitute
from p2p.protocol.effects import Decide
from p2p.protocol.races.book import Races
from p2p.protocol.races.times import TIE_US, pass_after
from p2p.protocol.races.timing import Timing
from p2p.protocol.races.window import Window
from p2p.seat.decision import Deciding
from p2p.seat.desk import Desk
from p2p.seat.reply import Reply
from p2p.seat.timing import microseconds
from tests.peer.desk_kit import NoDisk, World

ME, RIVAL, DUE = 0, 1, 2
CAP_US, HOLD_US = 20_000, 600_000
AT = 7
SLAP = 0


def _no_face(slot: int) -> Card:
    raise KeyError(f"slot {slot}: in a race of slaps there is no card")


VIEW = View(Table(3), ME, _no_face)


def _race(**terms: Any) -> Race:
    return Race([Choose(seat, ("slap",), "slap") for seat in range(3)], "slap", **terms)


def _window(now: Callable[[], float], hidden: bool = False, **terms: Any) -> tuple[Timing, Window]:
    timing = Timing(lambda: microseconds(now()), lambda _: None)
    timing.begin(AT - 1, automatic=True)
    for seat in range(3):
        timing.note(AT - 1, seat)
    timing.begin(AT, automatic=False)
    races = Races(3, CAP_US, HOLD_US, [[0] * 3] * 3, ME)
    given: dict[str, Any] = {"length": None, "awaited": None, **terms}
    return timing, Window(races, timing, AT, hidden=hidden, **given)


def _deciding(desk: Desk, clock: int = 0) -> Deciding:
    return Deciding(desk, Substitute(load("you-fink"), desk.entropy), clock)


class Seat:
    """A seat that is asked in a race: what left it, and when, in seconds after the question."""

    def __init__(self, race: Race | None = None, view: View = VIEW, **window: Any) -> None:
        self.world = World()
        self.timing, self.window = _window(self.world.time.now, **window)
        self.deciding = _deciding(self.world.desk)
        self.left: list[tuple[object, float]] = []
        self.deciding.ask(view, Decide(0, race or _race(), self.window), self._leaves)

    def _leaves(self, decision: object) -> None:
        self.left.append((decision, self.world.time.now()))

    def decides(self, decision: object, after: float) -> None:
        """The player decides after a time, if it is still asked by then."""
        self.world.time.after(after, lambda: self.world.decide(decision))

    def hears(self, rival: int, after: float, *, claims: bool) -> None:
        """An entry of another seat comes after a time."""

        def act() -> None:
            self.timing.note(AT, rival)
            self.window.take(rival, claims)
            self.deciding.stir()

        self.world.time.after(after, act)

    def ends(self) -> tuple[object, float]:
        """The one decision that leaves in the next two minutes, and when."""
        self.world.time.pass_(120)
        (left,) = self.left
        return left


def test_a_claim_leaves_at_once() -> None:
    seat = Seat(hidden=True)
    seat.decides(SLAP, 0.312)
    assert seat.ends() == (SLAP, pytest.approx(0.312))
    (echo,) = seat.world.told
    assert isinstance(echo, Claimed)
    assert echo.microseconds == pytest.approx(312_000, abs=2)


def test_the_awaited_act_is_not_echoed() -> None:
    seat = Seat(_race(awaited=ME), awaited=ME)
    seat.decides(SLAP, 0.1)
    assert seat.ends() == (SLAP, pytest.approx(0.1))
    assert seat.world.told == []


def test_who_says_nothing_passes_when_the_window_ends() -> None:
    seat = Seat(_race(window_ms=8000), length=8_000_000)
    seat.decides(SLAP, 60)
    assert seat.ends() == (PASS, pytest.approx(8))
    assert len(seat.world.unasked) == 1


@pytest.mark.parametrize("seen", [0.04, 0.3])
def test_a_pass_waits_as_long_as_a_claim_could_win(seen: float) -> None:
    seat = Seat()
    seat.hears(RIVAL, seen, claims=True)
    seat.decides(SLAP, 60)
    decision, when = seat.ends()
    limit = pass_after(round(1e6 * seen), CAP_US)
    assert limit == max(100_000, 1e6 * seen) + 2 * CAP_US + TIE_US
    assert decision is PASS
    assert 1e6 * when == pytest.approx(limit, abs=3)


def test_a_claim_in_that_time_still_leaves() -> None:
    seat = Seat()
    seat.hears(RIVAL, 0.3, claims=True)
    seat.decides(SLAP, 0.34)
    assert seat.ends() == (SLAP, pytest.approx(0.34))


def test_nothing_is_awaited_after_the_pass_of_the_awaited_seat() -> None:
    seat = Seat(_race(awaited=DUE), awaited=DUE)
    seat.hears(DUE, 2, claims=False)
    seat.decides(SLAP, 60)
    assert seat.ends() == (PASS, pytest.approx(2))


def test_who_stops_hears_and_decides_nothing_more() -> None:
    """The table is over: the question is taken back, and no pass leaves when the window ends."""
    seat = Seat(length=8_000_000)
    seat.world.time.pass_(1)
    seat.deciding.stop()
    seat.decides(SLAP, 1)
    seat.world.time.pass_(120)
    assert (seat.left, seat.world.asked, len(seat.world.unasked)) == ([], [], 1)


class _Cards:
    """A view of a seat that may hold a card that fits."""

    seat = ME

    def __init__(self, fitting: tuple[int, ...]) -> None:
        self._fitting = fitting

    def fitting(self, zone: Any, fits: Any) -> list[int]:
        return list(self._fitting)


@pytest.mark.parametrize("length", [None, 8_000_000])
def test_a_pass_tells_nothing_about_the_hand(length: int | None) -> None:
    """A seat that holds a FLAP and keeps it passes in the same instant as one without."""
    moments = []
    for fitting in ((), (11,)):
        hand: Any = list(fitting)
        play = Play(ME, hand, lambda card: True, Otherwise.PASS)
        view: Any = _Cards(fitting)
        seat = Seat(Race([play], "any more flapping?"), view, hidden=True, length=length)
        seat.decides(PASS, 0.1)
        decision, when = seat.ends()
        assert decision is PASS
        moments.append(when)
    assert moments == [pytest.approx(HOLD_US / 1e6)] * 2


def test_a_player_decides_what_is_allowed() -> None:
    seat = Seat()
    with pytest.raises(LocalError):
        seat.world.decide(5)
    assert seat.left == []


def test_nobody_looks_at_a_decision_that_is_no_longer_asked_for() -> None:
    """Our own entry has come back from a peer meanwhile: the view shows what came after it."""
    world, said = World(), list[object]()
    asked = Decide(0, _race())
    _deciding(world.desk).ask(VIEW, asked, said.append, stands=lambda: False)
    world.decide(5)
    assert said == [5]


class _NoMesh:
    """Nobody is linked."""

    async def drain(self) -> None:
        await trio.lowlevel.checkpoint()


async def _driven(player: BotPlayer) -> tuple[object, float]:
    """What leaves the seat of this player, driven in virtual time, and when."""
    driver, began = Driver(_NoMesh(), player, NoDisk()), trio.current_time()  # type: ignore[arg-type]
    decided, (_, window) = Reply[object](), _window(trio.current_time)

    async def seat() -> object:
        _deciding(driver.desk).ask(VIEW, Decide(0, _race(), window), decided.give)
        return await decided

    return await driver.run(seat()), trio.current_time() - began


async def test_what_a_driven_player_may_not_decide_ends_the_seat(
    autojump_clock: trio.testing.MockClock,
) -> None:
    with pytest.raises(LocalError, match="does not allow"):
        await _driven(BotPlayer("you-fink", Random(0), bot=lambda *_: 5))


def _slapper(seed: int, claims: bool = True, pace: Pace | None = None) -> BotPlayer:
    """A bot that claims whatever it is asked, or passes."""
    return BotPlayer(
        "you-fink",
        Random(seed),
        bot=lambda view, question, rng: SLAP if claims else PASS,
        pace=pace or Pace(),
    )


async def test_bots_take_their_time(autojump_clock: trio.testing.MockClock) -> None:
    """About 500 ms and never below 300, drawn before they look, even if they do not claim."""
    times = []
    for seed in range(40):
        claims = seed % 2 == 0
        decision, when = await _driven(_slapper(seed, claims))
        assert (decision is SLAP) == claims
        times.append(when)
    assert all(0.3 <= when <= 0.8 for when in times)
    assert sum(times) / len(times) == pytest.approx(0.5, abs=0.05)
    assert len(set(times)) > 10


async def test_a_bot_sees_each_moment_once_and_then_only_presses_again(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """A touch, then a slap 120 to 220 ms later; a card that moves has to be seen anew."""
    view = View(Table(3), ME, _no_face)
    stock = view.table.zone("stock")
    bot = _slapper(1, pace=Pace(600, 0))
    times = [trio.current_time()]
    for pressed in range(3):
        if pressed == 2:
            stock.append(0)
        await bot.decide(view, _race())
        times.append(trio.current_time())
    first, second, third = (after - before for before, after in pairwise(times))
    assert (first, third) == (pytest.approx(0.6), pytest.approx(0.6))
    assert 0.12 <= second <= 0.22


async def test_a_bot_sees_that_somebody_else_has_to_go_on(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """A power was named and no card has moved: the bot that has to turn now sees that first."""
    view, bot = View(Table(3), ME, _no_face), _slapper(1, pace=Pace(600, 0))
    await bot.decide(view, _race(awaited=1))
    began = trio.current_time()
    await bot.decide(view, _race(awaited=ME))
    assert trio.current_time() - began == pytest.approx(0.6)


async def test_a_question_that_is_asked_again_gives_no_second_look(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """Somebody else touched first: what was nearly seen is seen when it would have been."""
    view, bot = View(Table(3), ME, _no_face), _slapper(1, pace=Pace(600, 0))
    began = trio.current_time()
    with trio.move_on_after(0.5):
        await bot.decide(view, _race())
    await bot.decide(view, _race())
    assert trio.current_time() - began == pytest.approx(0.6)


async def test_a_normal_bot_is_a_match_for_a_person_of_half_a_second(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """Who touches after N(0.5, 0.08) s and slaps as people do wins about every second slap."""
    rng, won, slaps = Random(1), 0, 300
    for seed in range(slaps):
        view, bot, began = View(Table(3), ME, _no_face), _slapper(seed), trio.current_time()
        await bot.decide(view, _race())
        await bot.decide(view, _race())
        person = rng.gauss(0.5, 0.08) + rng.uniform(0.12, 0.22)
        won += person < trio.current_time() - began
    assert 0.42 < won / slaps < 0.58


async def test_bots_think_as_long_as_everybody_can_tell_that_they_have_to(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """By the cards of the hand, not by those that fit: the time tells nothing about them."""
    game = Session(load("flip-over"), 3, {})
    dealer = TrustedDealer(Random(1))
    while not isinstance(game.pending, Play):
        assert game.pending is not None
        game.answer(dealer.act(game.table, game.pending))
    asked = game.pending
    view = dealer.view(game.table, asked.seat)
    fits = view.face(asked.zone[0])
    narrow = Play(asked.seat, asked.zone, lambda card: card is fits, Otherwise.PASS, "no")
    bot = BotPlayer("flip-over", Random(1), bot=lambda *_: None, thinks=lambda size: 10.0 * size)
    for question in (asked, narrow):
        before = trio.current_time()
        await bot.decide(view, question)
        assert trio.current_time() - before == pytest.approx(10.0 * len(asked.zone))
    before = trio.current_time()
    await bot.decide(VIEW, _race())
    assert trio.current_time() == before


@pytest.mark.parametrize("in_race", [False, True])
def test_question_that_no_longer_stands_is_taken_back(in_race: bool) -> None:
    """Our own entry came back from a peer, or the others went on without a seat."""
    world = World()
    _, window = _window(world.time.now, hidden=True)
    question, left, stands = _race() if in_race else Choose(ME, ("a", "b"), "which"), [], [True]
    deciding = _deciding(world.desk, clock=30)
    asked = Decide(0, question, window if in_race else None)
    deciding.ask(VIEW, asked, left.append, lambda: stands[0])
    deciding.stir()
    assert len(world.asked) == 1
    stands[0] = False
    deciding.stir()
    assert (world.asked, len(world.unasked)) == ([], 1)
    world.time.pass_(120)
    assert (left, world.told) == ([], [])
