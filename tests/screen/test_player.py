"""What the table tells a person at the full screen."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from cli.options.settings import Settings
from cli.screen.asking import Asking
from cli.screen.board import SeatShown
from cli.screen.lobby import KNOCKING, Gathered
from cli.screen.model import SETTING, Model
from cli.screen.others_time import TICK_SECONDS
from cli.screen.player import PROVEN, SLOW_MS, WHO, ScreenPlayer
from cli.screen.presenter import BACK_LATER
from cli.words.going import LATER_SAID
from engine.games.you_fink.acts import SHUFFLED
from engine.games.you_fink.text import DONE_SECONDS
from engine.question import PASS, Choose, Race
from p2p.net.seat_links import SeatLink, Way
from p2p.player.events import Chat, Claimed, LinkNews, Opened, Seated, Stopped, Talk
from p2p.protocol.terms import Terms
from tests.engine.flaps.scene import Scene
from tests.patience import PATIENCE
from tests.screen.boards import NAMES, Position, position


def sit(at: Position) -> tuple[ScreenPlayer, Model]:
    model = Model("test", lambda: 0.0)
    player = ScreenPlayer(model, Settings())
    seats = len(at.presenter.names)
    words = tuple(f"lime-{seat}" for seat in range(seats))
    player.tell(Seated(NAMES[:seats], words, 0, Terms.of(at.session.game.name), 80_000))
    player.tell(Opened(at.view, lambda: at.session.pending))
    return player, model


def seats(model: Model) -> tuple[SeatShown, ...]:
    return model.board().seats


def test_links_and_proofs_stand_beside_every_other_seat() -> None:
    player, model = sit(position("flip-over"))
    assert {seat.proof for seat in seats(model)[1:]} == {PROVEN}
    assert seats(model)[0].proof == ""
    links = (
        SeatLink(1, "Ada", Way.DIRECT, rtt_ms=12),
        SeatLink(2, "Bartholomew", Way.VIA, via="Ada"),
        SeatLink(3, "Cleo", Way.LOST),
    )
    player.tell(LinkNews(links))
    assert [seat.link for seat in seats(model)[1:]] == ["", "via Ada", "lost, retrying"]
    assert model.states[1].link == "direct, 12 ms", "the page about people says it"
    player.tell(LinkNews((SeatLink(1, "Ada", Way.DIRECT, rtt_ms=SLOW_MS),)))
    assert seats(model)[1].link == f"direct, {SLOW_MS} ms"
    assert [seat.lost for seat in seats(model)] == [False, False, False, True]


def test_who_said_that_he_comes_back_is_not_only_lost() -> None:
    """ "lost, retrying" stood beside somebody who had said that he comes back later."""
    player, model = sit(position("flip-over"))
    lost, there = SeatLink(1, "Ada", Way.LOST), SeatLink(1, "Ada", Way.DIRECT, rtt_ms=12)
    player.tell(Chat(1, "Ada", LATER_SAID))
    player.tell(LinkNews((there,)))
    assert seats(model)[1].link == ""
    player.tell(LinkNews((lost,)))
    assert seats(model)[1].link == BACK_LATER
    assert seats(model)[1].lost
    player.tell(LinkNews((there,)))
    player.tell(LinkNews((lost,)))
    assert seats(model)[1].link == "lost, retrying", "this time nothing was said"


def test_who_is_caught_is_marked_and_the_words_are_kept_for_after_the_screen() -> None:
    player, model = sit(position("flip-over"))
    evidence = Path("games") / "evidence.ndlog"
    player.tell(Stopped("bad-share", "a share is wrong", 2, evidence, "Bartholomew"))
    assert seats(model)[2].proof == "caught"
    assert player.last_words[0].startswith("*** The table stopped (bad-share). Bartholomew")
    assert any("evidence.ndlog" in line for line in player.last_words)


def test_who_is_there_is_kept_with_the_words_of_their_keys() -> None:
    _, model = sit(position("you-fink"))
    assert any("Cleo" in line and "lime-3" in line for line in model.people)
    assert any("cap 80 ms" in line for line in model.people)


def test_a_claim_is_echoed_at_once() -> None:
    player, model = sit(position("you-fink"))
    player.tell(Claimed("slap or go on", 312_000))
    assert (
        model.events.told()[-1]
        == "You pressed 312 ms after the question; the other programs say who was first."
    )
    assert model.events.fresh() > 0


def test_chat_is_what_the_table_gives() -> None:
    player, model = sit(position("flip-over"))
    said: list[str] = []

    def say(line: str) -> bool:
        said.append(line)
        return True

    player.tell(Talk(say))
    assert model.send_chat is not None
    model.send_chat("hello")
    assert said == ["hello"]


async def test_who_rests_passes_until_it_is_his_turn_again() -> None:
    at = position("you-fink")
    player, model = sit(at)
    race = Race([Choose(0, ("slap",), "slap or go on")], "free for all", awaited=1)
    model.resting = True
    with trio.fail_after(PATIENCE):
        assert await player.decide(at.view, race) is PASS
    own = Race([Choose(0, ("turn",), "slap or go on")], "free for all", awaited=0)
    with trio.move_on_after(0.01):
        await player.decide(at.view, own)
    assert not model.resting


async def test_a_question_that_is_taken_back_is_gone_from_the_screen() -> None:
    at = position("flip-over")
    player, model = sit(at)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.decide, at.view, at.question)
        await trio.testing.wait_all_tasks_blocked()
        assert isinstance(model.asking, Asking)
        nursery.cancel_scope.cancel()
    assert model.asking is None
    assert not model.board().yours


async def test_what_is_left_of_a_window_is_counted_down(autojump_clock: MockClock) -> None:
    at = position("flaps")
    player, model = sit(at)
    model.now = trio.current_time
    scene = Scene(["4C 9H", "4D 2S", "3S 8D", "5C"], "4H", stock="8D 7D").lay("4C")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.decide, scene.view(1), scene.asked)
        await trio.testing.wait_all_tasks_blocked()
        assert model.board().prompt == "Any more flapping? Lay a FLAP, or pass.  (8 s)"
        await trio.sleep(2.2)
        assert model.board().prompt.endswith("  (6 s)")
        await trio.sleep(3)
        assert model.board().prompt.endswith("  (LAST CALL, 3 s)")  # Flaps, section 9
        nursery.cancel_scope.cancel()
    assert model.ends is None
    with trio.move_on_after(1):
        await player.decide(at.view, at.question)
    assert "s)" not in model.board().prompt


async def test_a_window_says_for_whom_it_is_kept_open(autojump_clock: MockClock) -> None:
    """It ends early once all have passed (Flaps, section 9): who has not, has to know."""
    at, missing = position("flaps"), [0, 1, 2, 3]
    player, model = sit(at)
    model.now = trio.current_time
    scene = Scene(["4C 9H", "4D 2S", "3S 8D", "5C"], "4H", stock="8D 7D").lay("4C")
    player.tell(Opened(scene.view(1), lambda: scene.asked, missing=lambda: tuple(missing)))
    asked = "Any more flapping? Lay a FLAP, or pass."
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.decide, scene.view(1), scene.asked)
        await trio.testing.wait_all_tasks_blocked()
        assert model.board().prompt == f"{asked}  (8 s)"
        missing[:] = [1]
        assert model.board().prompt == f"{asked}  (8 s; all others have passed)"
        await trio.sleep(6.2)
        assert model.board().prompt == f"{asked}  (LAST CALL, 2 s; all others have passed)"
        missing[:] = [1, 2, 3]
        model.decide(PASS)
    assert model.board().prompt == f"{asked}  (all wait for Bartholomew, Cleo)"
    assert model.next_look() == TICK_SECONDS
    missing[:] = [1, 3]  # one's own pass leaves a moment later than the key
    assert model.board().prompt == f"{asked}  (all wait for Cleo)"
    missing[:] = []
    assert model.board().prompt == asked


async def test_after_a_reshuffle_play_goes_on_by_itself(autojump_clock: MockClock) -> None:
    """You Fink!, section 7: at once by "done", or after ten seconds."""
    at = position("you-fink")
    player, model = sit(at)
    model.now = trio.current_time
    done, began = Choose(0, ("done",), SHUFFLED), trio.current_time()
    with trio.fail_after(60):
        assert await player.decide(at.view, done) == 0
    assert trio.current_time() - began == pytest.approx(DONE_SECONDS)
    assert model.asking is None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(player.decide, at.view, done)
        await trio.testing.wait_all_tasks_blocked()
        model.decide(0)
    assert trio.current_time() - began == pytest.approx(DONE_SECONDS)


def test_guest_who_waits_at_the_door_is_told_so() -> None:
    """Until the host has let them in: no table is being set."""
    model = Model("joining", lambda: 0.0)
    model.lobby.knocks = True
    assert model.board().prompt == KNOCKING
    model.gather(Gathered(("1  Ana",), "1 of 2 seated", ready=False, full=False, signing=""))
    assert model.board().prompt == SETTING


def test_from_one_game_to_another_nothing_of_the_first_is_drawn_as_the_second() -> None:
    """All have signed the next table, and it is drawn before its cards are there."""
    for first in ("flip-over", "sneak", "flaps"):
        player, model = sit(position(first))
        then = position("flop-a")
        names = NAMES[: len(then.presenter.names)]
        words = ("a-b",) * len(names)
        player.tell(Seated(names, words, 0, Terms.of("flop-a"), 80_000))
        board = model.board()
        assert (board.prompt, board.seats) == (SETTING, ())
        player.tell(Opened(then.view, lambda: None))
        assert "Flop-A" in model.board().headline


def test_the_story_of_the_next_game_begins_with_it() -> None:
    """It began with the result, the log and the audit of the game before."""
    model = Model("test", lambda: 0.0)
    player = ScreenPlayer(model, Settings())
    model.happened(["Ada sits down."])
    for game in ("flop-a", "flaps"):
        player.tell(Seated(NAMES[:3], ("a-b",) * 3, 0, Terms.of(game), 80_000))
        assert ("Ada sits down." in model.events.told()) == (game == "flop-a")
        assert "audit  complete" not in model.events.told()
        assert WHO in model.events.told()
        model.happened(["audit  complete"])
        model.board()
    assert "Ada sits down." not in model.events.looked_back()
