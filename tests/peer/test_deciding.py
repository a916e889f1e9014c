"""When claims and passes leave a seat: at once, or when the window says so (section 4, rule 5)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
import trio
from p2p.seat.clock import run_clock

from engine.cards import Card
from engine.dealer import TrustedDealer
from engine.games import load
from engine.question import PASS, Choose, Otherwise, Play, Race
from engine.session import Session
from engine.table import Table
from engine.view import View
from p2p.errors import LocalError
from p2p.player.bots import BotPlayer, Pace
from p2p.player.events import Claimed, Event
from p2p.protocol.races.book import Races
from p2p.protocol.races.times import TIE_US, pass_after
from p2p.protocol.races.timing import Timing
from p2p.protocol.races.window import Window
from p2p.seat.decision import Deciding

ME, RIVAL, DUE = 0, 1, 2
CAP_US, HOLD_US = 20_000, 600_000
AT = 7
SLAP = 0


class _Scripted:
    """Decides after a time; remembers what it is told, and whether it was interrupted."""

    def __init__(self, decision: object, after: float) -> None:
        self.decision = decision
        self.after = after
        self.told: list[Event] = []
        self.interrupted = False

    async def decide(self, view: View, question: Any) -> object:
        try:
            await trio.sleep(self.after)
        except trio.Cancelled:
            self.interrupted = True
            raise
        return self.decision

    def tell(self, event: Event) -> None:
        self.told.append(event)


def _no_face(slot: int) -> Card:
    raise KeyError(f"slot {slot}: in a race of slaps there is no card")


VIEW = View(Table(3), ME, _no_face)


def _race(**terms: Any) -> Race:
    return Race([Choose(seat, ("slap",), "slap") for seat in range(3)], "slap", **terms)


def _window(hidden: bool = False, **terms: Any) -> tuple[Timing, Window]:
    timing = Timing(run_clock(), lambda _: None)
    timing.begin(AT - 1, automatic=True)
    for seat in range(3):
        timing.note(AT - 1, seat)
    timing.begin(AT, automatic=False)
    races = Races(3, CAP_US, HOLD_US, [[0] * 3] * 3, ME)
    given: dict[str, Any] = {"length": None, "awaited": None, **terms}
    return timing, Window(races, timing, AT, hidden=hidden, **given)


async def _left(
    player: Any, race: Race, window: Window, meanwhile: Callable[[Deciding], Any] | None = None
) -> tuple[object, float]:
    """What left the seat, and when, in seconds after the question."""
    deciding, began = Deciding(player), trio.current_time()
    decision: object = None
    async with trio.open_nursery() as nursery:
        if meanwhile is not None:
            nursery.start_soon(meanwhile, deciding)
        decision = await deciding.decide(VIEW, race, window)
    return decision, trio.current_time() - began


def _rival(
    timing: Timing, window: Window, seat: int, after: float, claims: bool
) -> Callable[[Deciding], Any]:
    async def act(deciding: Deciding) -> None:
        await trio.sleep(after)
        timing.note(AT, seat)
        window.take(seat, claims)
        deciding.stir()

    return act


async def test_a_claim_leaves_at_once(autojump_clock: trio.testing.MockClock) -> None:
    _, window = _window(hidden=True)
    player = _Scripted(SLAP, 0.312)
    decision, when = await _left(player, _race(), window)
    assert (decision, when) == (SLAP, pytest.approx(0.312))
    (echo,) = player.told
    assert isinstance(echo, Claimed)
    assert echo.microseconds == pytest.approx(312_000, abs=2)


async def test_the_awaited_act_is_not_echoed(autojump_clock: trio.testing.MockClock) -> None:
    _, window = _window(awaited=ME)
    player = _Scripted(SLAP, 0.1)
    await _left(player, _race(awaited=ME), window)
    assert player.told == []


async def test_who_says_nothing_passes_when_the_window_ends(
    autojump_clock: trio.testing.MockClock,
) -> None:
    _, window = _window(length=8_000_000)
    player = _Scripted(SLAP, 60)
    decision, when = await _left(player, _race(window_ms=8000), window)
    assert (decision, when) == (PASS, pytest.approx(8))
    assert player.interrupted


@pytest.mark.parametrize("seen", [0.04, 0.3])
async def test_a_pass_waits_as_long_as_a_claim_could_win(
    seen: float, autojump_clock: trio.testing.MockClock
) -> None:
    timing, window = _window()
    rival = _rival(timing, window, RIVAL, seen, claims=True)
    decision, when = await _left(_Scripted(SLAP, 60), _race(), window, rival)
    limit = pass_after(round(1e6 * seen), CAP_US)
    assert limit == max(100_000, 1e6 * seen) + 2 * CAP_US + TIE_US
    assert decision is PASS
    assert 1e6 * when == pytest.approx(limit, abs=3)


async def test_a_claim_in_that_time_still_leaves(
    autojump_clock: trio.testing.MockClock,
) -> None:
    timing, window = _window()
    rival = _rival(timing, window, RIVAL, 0.3, claims=True)
    decision, when = await _left(_Scripted(SLAP, 0.34), _race(), window, rival)
    assert (decision, when) == (SLAP, pytest.approx(0.34))


async def test_nothing_is_awaited_after_the_pass_of_the_awaited_seat(
    autojump_clock: trio.testing.MockClock,
) -> None:
    timing, window = _window(awaited=DUE)
    declined = _rival(timing, window, DUE, 2, claims=False)
    decision, when = await _left(_Scripted(SLAP, 60), _race(awaited=DUE), window, declined)
    assert (decision, when) == (PASS, pytest.approx(2))


class _Cards:
    """A view of a seat that may hold a card that fits."""

    seat = ME

    def __init__(self, fitting: tuple[int, ...]) -> None:
        self._fitting = fitting

    def fitting(self, zone: Any, fits: Any) -> list[int]:
        return list(self._fitting)


@pytest.mark.parametrize("length", [None, 8_000_000])
async def test_a_pass_tells_nothing_about_the_hand(
    length: int | None, autojump_clock: trio.testing.MockClock
) -> None:
    """A seat that holds a FLAP and keeps it passes in the same instant as one without."""
    moments = []
    for fitting in ((), (11,)):
        _, window = _window(hidden=True, length=length)
        hand: Any = list(fitting)
        play = Play(ME, hand, lambda card: True, Otherwise.PASS)
        race, deciding = Race([play], "any more flapping?"), Deciding(_Scripted(PASS, 0.1))
        began = trio.current_time()
        view: Any = _Cards(fitting)
        assert await deciding.decide(view, race, window) is PASS
        moments.append(trio.current_time() - began)
    assert moments == [pytest.approx(HOLD_US / 1e6)] * 2


async def test_a_player_decides_what_is_allowed(
    autojump_clock: trio.testing.MockClock,
) -> None:
    _, window = _window()
    with pytest.raises(LocalError):
        await Deciding(_Scripted(5, 0)).decide(VIEW, _race(), window)


async def test_bots_take_their_time(autojump_clock: trio.testing.MockClock) -> None:
    """Between 350 and 1200 ms, drawn before they look, even if they do not claim."""
    times = []
    for seed in range(20):
        _, window = _window()
        claims = seed % 2 == 0
        bot = BotPlayer(
            "you-fink",
            Random(seed),
            bot=lambda view, question, rng, claims=claims: SLAP if claims else PASS,
            pace=Pace(),
        )
        decision, when = await _left(bot, _race(), window)
        assert (decision is SLAP) == claims
        times.append(when)
    assert all(0.35 <= when <= 1.2 for when in times)
    assert len(set(times)) > 10


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
