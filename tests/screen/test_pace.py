"""What ended stays until it could be read; time goes by when a test says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from cli.kit.canvas import plain_text
from cli.kit.reaction import EARLY_SECONDS
from cli.options.settings import Settings
from cli.options.table_pace import NAMES as PACES
from cli.options.table_pace import TablePace
from cli.screen.asking import Asking
from cli.screen.board import Board
from cli.screen.endings import GLANCE_WORDS, WORD_SECONDS, seconds_to_read
from cli.screen.keys import press
from cli.screen.layout import render
from cli.screen.model import Model
from cli.screen.pace import (
    CARD_SECONDS,
    MOST_WHEN_ASKED,
    PASSING_SECONDS,
    READ_SECONDS,
    UNASKED_SECONDS,
    Pictures,
)
from cli.screen.player import ScreenPlayer
from engine.bots import Bot, random_bot
from engine.question import Play, Race
from p2p.player.events import Event, Noted, Seated
from p2p.protocol.terms import Terms
from tests.screen.boards import NAMES
from tests.screen.test_keys import Clock
from tests.screen.told import Told


def board(name: str) -> Board:
    return Board(name, prompt=name)


def pictures(pace: str = "normal") -> Pictures:
    return Pictures(TablePace(pace))


def seen(queue: Pictures, now: float) -> str:
    """What is drawn at this time."""
    found = queue.look(now)
    queue.drawn(now)
    return "" if found is None else found.board.headline


def watched(queue: Pictures, since: float, seconds: float) -> list[str]:
    """What is on the screen from this time on, drawn 100 times a second."""
    return [seen(queue, since + step / 100) for step in range(round(100 * seconds) + 1)]


def test_what_ends_stays_for_its_words_and_for_each_card() -> None:
    queue = pictures()
    queue.stay(board("trick"), 4, 10.0)
    long = READ_SECONDS + 4 * CARD_SECONDS
    assert seen(queue, 10.0) == "trick"
    assert seen(queue, 10.0 + long - 0.01) == "trick"
    assert seen(queue, 10.0 + long) == ""


def test_its_time_begins_when_it_is_drawn() -> None:
    """Peers that share the processor drew it late, and declarations stood for 1.1 s."""
    queue = pictures()
    queue.stay(board("one"), 0, 10.0)
    queue.stay(board("two"), 0, 10.0)
    assert seen(queue, 10.4) == "one"
    assert seen(queue, 10.4 + READ_SECONDS - 0.01) == "one"
    assert seen(queue, 13.0) == "two"
    assert queue.shown_for(13.0) == 0
    assert seen(queue, 13.0 + READ_SECONDS - 0.01) == "two"
    assert seen(queue, 13.01 + READ_SECONDS) == ""


@pytest.mark.parametrize("name", ["normal", "fast"])
def test_words_can_be_read_at_every_pace_that_holds_anything(name: str) -> None:
    """The end of a round stood for 0.85 s at `fast`, with the scores of three players."""
    queue = pictures(name)
    queue.stay(board("round"), 0, 10.0, 1.7)
    assert seen(queue, 10.0) == "round"
    assert seen(queue, 11.69) == "round"
    assert seen(queue, 11.7) == ""
    for number in range(4):
        queue.stay(board(str(number)), 8, 20.0)
    met = [seen(queue, 20 + step / 20) for step in range(200)]
    assert min(met.count(str(number)) for number in range(4)) >= READ_SECONDS * 20 - 1


def test_long_sentences_stay_as_long_as_they_take_to_read() -> None:
    """The scores of four players were gone after 0.6 s."""
    assert seconds_to_read("Bo takes disc +3 with 3♥, a trump.", READ_SECONDS) == READ_SECONDS
    scores = "Round 1 is over: Nell +7, Cleo -15, Ada +10, Bo -5."
    assert seconds_to_read(scores, READ_SECONDS) == READ_SECONDS + 2 * WORD_SECONDS
    at, seen_for, words = Watched("flip-over", 4), 0.0, 0
    while "round" not in at.words:
        at.model.pictures.clear()
        at.told.step()
    while at.model.board().held:
        said = at.model.board().prompt
        if "Round 1" in said:
            seen_for, words = seen_for + 0.05, len(said.split())
        at.clock.seconds += 0.05
    assert words > GLANCE_WORDS
    assert seen_for >= READ_SECONDS + WORD_SECONDS * (words - GLANCE_WORDS) - 0.1


def test_what_happens_meanwhile_is_seen_after_it_in_order() -> None:
    queue = pictures()
    queue.pass_by(board("nothing is held"), 9.0)
    assert seen(queue, 9.0) == ""
    queue.stay(board("one"), 0, 10.0)
    queue.pass_by(board("two"), 10.1)
    queue.pass_by(board("three"), 10.2)
    queue.stay(board("four"), 0, 10.3)
    met = [seen(queue, 10 + step / 20) for step in range(80)]
    assert list(dict.fromkeys(met)) == ["one", "two", "three", "four", ""]


def test_what_ends_together_is_one_picture_with_all_that_is_said() -> None:
    queue = pictures()
    queue.stay(replace(board("table"), prompt="Ada is out."), 0, 10.0)
    queue.stay(replace(board("table"), prompt="Bo is out."), 0, 10.0)
    found = queue.look(10.0)
    assert found is not None
    assert found.board.prompt == "Ada is out. Bo is out."
    assert queue.waiting() == 0


def test_what_only_passes_by_gives_its_time_first() -> None:
    queue = pictures()
    queue.stay(board("end"), 8, 10.0)
    for number in range(10):
        queue.pass_by(board(str(number)), 10.0)
    queue.shorten(MOST_WHEN_ASKED, 10.0)
    assert seen(queue, 10.0 + READ_SECONDS + 8 * CARD_SECONDS - 0.01) == "end"


@pytest.mark.parametrize("name", PACES)
def test_the_pace_stretches_what_is_held_and_what_bots_think(name: str) -> None:
    pace = TablePace(name)
    queue = Pictures(pace)
    queue.stay(board("end"), 0, 10.0)
    assert (seen(queue, 10.0) == "") == (name == "off")
    assert pace.thinks(1) == pytest.approx(pace.stretched(0.4))
    assert pace.thinks(50) == pytest.approx(pace.stretched(1.2))
    pace.follow()
    assert pace.name != name


class Watched:
    """A game whose notes reach a screen, as told to seat 0, at a clock."""

    def __init__(
        self,
        game: str,
        seats: int,
        options: Mapping[str, str] | None = None,
        bot: Bot | None = None,
    ) -> None:
        self.clock = Clock()
        self.model = Model("test", self.clock, pace=TablePace())
        self.player = ScreenPlayer(self.model, Settings())
        words = tuple("a-b" for _ in range(seats))
        self.player.tell(Seated(NAMES[:seats], words, 0, Terms.of(game), 80_000))
        self.words: list[str] = []
        self.told = Told(game, seats, self._tell, options, bot=bot)
        self.decided: list[object] = []

    def _tell(self, event: Event) -> None:
        if isinstance(event, Noted):
            self.words.append(str(event.note[0]))
        self.player.tell(event)

    def until(self, word: str) -> None:
        self.words.clear()
        while word not in self.words:
            self.told.step()

    def ask(self) -> Asking:
        question = self.told.session.pending
        assert question is not None
        presenter = self.model.presenter
        assert presenter is not None
        seat = question.deciders[0]
        asking = Asking(self.told.view(seat), question, presenter.describe)
        self.model.ask(asking, self.decided.append)
        return asking

    def picture(self) -> str:
        return plain_text(render(self.model.board(), 80, 24))


def test_a_trick_stays_with_its_cards_while_the_next_is_led() -> None:
    at = Watched("flip-over", 4)
    at.until("trick")
    shown = at.model.board()
    assert shown.held
    assert [pile.past for pile in shown.piles].count(False) == 1
    assert len(shown.piles) == 4
    assert shown.prompt.endswith(".")
    assert "takes disc" in shown.prompt
    at.until("play")
    assert at.model.board() == replace(shown, keys=at.model.board().keys)
    assert "SHORT PAUSE" in at.model.board().keys
    at.clock.seconds += READ_SECONDS + 4 * CARD_SECONDS
    passing = at.model.board()
    assert (passing.held, len(passing.piles)) == (True, 1)
    at.clock.seconds += PASSING_SECONDS
    assert not at.model.board().held


def test_the_last_trick_of_a_round_is_seen_though_one_answer_goes_on_to_the_next() -> None:
    at = Watched("flip-over", 3)
    at.until("round")
    shown = at.model.board()
    assert len(shown.piles) == 3
    assert "round 1 of 2" in shown.headline


def test_the_sets_of_a_contest_are_drawn_as_cards_and_say_who_takes_them() -> None:
    at = Watched("sneak", 4)
    for _ in range(40):
        at.until("contest")
        shown = at.model.board()
        if len(shown.sets) > 1:
            break
        at.clock.seconds += 10
        at.model.board()
    assert [one.lit for one in shown.sets].count(True) == 1
    text = at.picture()
    for one in shown.sets:
        assert all(f"│{name}" in text for name in (*(card.name for card in one.under), one.top))
    assert "wins the contest" in shown.prompt


def test_a_showdown_and_who_gets_the_pot_are_seen_before_the_next_hand() -> None:
    at = Watched("flop-a", 4)
    at.until("declares")
    declared = at.model.board()
    assert declared.held
    assert not declared.sets
    assert not any(pile.owner is not None for pile in declared.piles), "cards that were flopped"
    at.until("hand-over")
    at.until("hand")
    pictures = []
    while at.model.board().held:
        pictures.append(at.model.board())
        press_later(at, "enter")
    said = " ".join(picture.prompt for picture in pictures)
    winners = [[one.lit for one in picture.sets] for picture in pictures if picture.sets]
    assert winners
    assert all(any(marks) for marks in winners), "also when the hand is over"
    assert "declares" in said
    assert "from the pot" in said
    assert "is over" in said
    assert any(len(picture.sets) > 1 for picture in pictures)


def test_all_who_share_a_pot_are_marked_until_the_hand_is_over() -> None:
    """The mark jumped from who takes the high half to who takes the low one, and was gone then."""
    at, marks = Watched("flop-a", 4), list[tuple[str, set[int | None]]]()
    while not any("Hand 2" in said for said, _ in marks):
        at.told.step()
        while at.model.board().held:
            shown = at.model.board()
            marks.append((shown.prompt, {one.owner for one in shown.sets if one.lit}))
            press_later(at, "enter")
    shared = [found for said, found in marks if "33 chips from the pot" in said]
    assert [len(found) for found in shared] == [1, 2]
    assert shared[0] < shared[1]
    assert next(found for said, found in marks if "Hand 2 is over" in said) == shared[1]


def test_the_card_that_has_won_stays_marked_when_the_round_is_over() -> None:
    at = Watched("flip-over", 3)
    at.until("round")
    last = at.model.board()
    while at.model.board().held:
        last = at.model.board()
        press_later(at, "enter")
    assert "Round 1 is over" in last.prompt
    assert [pile.lit for pile in last.piles].count(True) == 1


def test_each_card_that_is_turned_up_is_seen_though_nobody_lays_on_it() -> None:
    at = Watched("flop-a", 4)
    at.until("flip")
    shown = at.model.board()
    assert shown.held
    assert "The flip is" in shown.prompt


def test_each_turn_of_a_hand_that_can_lead_nothing_is_seen() -> None:
    """Nobody decides anything then, so that without a pause several would go by in one picture."""
    at = Watched("sneak", 4, bot=random_bot)
    while at.words[-2:] != ["has to draw"] * 2:
        while at.words[-1:] != ["has to draw"] and at.model.board().held:
            at.clock.seconds += 10
        at.told.step()
    for number in range(2):
        shown = at.model.board()
        assert shown.held
        assert shown.prompt.endswith(" can lead nothing, and draws a card.")
        assert at.model.pictures.waiting() == 1 - number
        assert at.model.seconds_held() == pytest.approx(UNASKED_SECONDS)
        at.clock.seconds += UNASKED_SECONDS
    assert not at.model.board().held


def test_up_jacks_leave_their_card_in_the_story() -> None:
    """All who pick up are told of in one sentence, so that the card before it can be read."""
    at = Watched("flaps", 6)
    at.until("draw each")
    laid = next(line for line in reversed(at.model.events.told()) if "UP-JACKS" in line)
    told = list(at.model.events.told())
    assert told.index(laid) == len(told) - 2
    assert told[-1].endswith("pick up a card each.")
    at.until("play")
    assert "UP-JACKS" in at.picture()


def press_later(at: Watched, *keys: str) -> None:
    for key in keys:
        at.clock.seconds += EARLY_SECONDS
        press(at.model, key)


def test_a_key_goes_on_but_only_from_what_can_have_been_seen() -> None:
    at = Watched("flip-over", 4)
    at.until("trick")
    assert at.model.board().held
    press(at.model, "enter")
    assert at.model.board().held
    press_later(at, "enter")
    assert not at.model.board().held


def test_who_is_asked_sees_first_what_led_there_and_no_key_for_that_decides() -> None:
    at = Watched("flip-over", 4)
    at.until("trick")
    at.ask()
    assert at.model.asking is None
    assert "then you decide" in at.model.board().keys
    press_later(at, "enter")
    assert at.decided == []
    assert at.model.board().yours
    press(at.model, "enter")
    assert at.decided == []
    press_later(at, "enter")
    assert len(at.decided) == 1


def test_the_question_comes_up_by_itself_too_and_can_be_taken_back_before() -> None:
    at = Watched("flip-over", 4)
    at.until("trick")
    asking = at.ask()
    at.model.withdraw()
    assert at.model.board().held
    at.clock.seconds += 10
    assert not at.model.board().held
    assert not at.model.board().yours
    at.until("trick")
    asking = at.ask()
    assert at.model.board().held
    at.clock.seconds += MOST_WHEN_ASKED
    assert at.model.board().yours
    assert at.model.asking is asking or at.model.asking is not None


def test_a_race_is_on_the_screen_at_once() -> None:
    at = Watched("flip-over", 4)
    at.until("trick")
    presenter = at.model.presenter
    assert presenter is not None
    play = at.told.session.pending
    assert isinstance(play, Play)
    race = Race([play], "who is first", awaited=play.seat)
    at.model.ask(Asking(at.told.view(play.seat), race, presenter.describe), at.decided.append)
    assert at.model.asking is not None
    assert not at.model.board().held


def test_a_race_of_others_ends_what_is_held_too() -> None:
    at = Watched("you-fink", 3)
    at.until("take")
    assert not at.model.board().held


def test_commands_work_while_a_picture_is_held() -> None:
    at = Watched("flip-over", 4)
    at.until("trick")
    at.clock.seconds += EARLY_SECONDS
    press(at.model, "f2")
    assert at.model.page is not None
    press(at.model, "x")
    assert at.model.board().held
    press(at.model, "f5")
    assert at.model.board().notice == "Pace: fast."


def test_who_comes_back_is_not_held_up_by_what_was_before() -> None:
    at = Watched("flip-over", 4)
    model = Model("test", at.clock, pace=TablePace())
    player = ScreenPlayer(model, Settings())
    player.tell(Seated(NAMES[:4], ("a-b",) * 4, 0, Terms.of("flip-over"), 80_000))
    player.tell(Noted(("take-up",)))
    assert model.events.told()[-1].startswith("Everybody takes up")
    assert not model.board().held


def test_no_enter_leaves_the_end_of_the_game_however_often_it_is_pressed() -> None:
    """The last pile of You Fink! was held; Enter for the next card closed it, and the program."""
    at = Watched("flip-over", 4)
    left: list[bool] = []
    at.model.leave = lambda: left.append(True)
    at.until("trick")
    at.model.ended = "It is over."
    assert at.model.board().held
    press_later(at, *["enter"] * 20)
    assert not at.model.board().held
    assert left == []
    press_later(at, "q")
    assert left == [True]


def test_trumps_are_turned_up_as_cards_and_whoever_takes_them_is_lit() -> None:
    at = Watched("flaps", 4, {"level": "4"})
    at.until("takes all")
    shown = at.model.board()
    assert shown.held
    assert len(shown.piles) == 4
    assert [pile.past for pile in shown.piles].count(False) == 1
    assert "takes all 4 cards" in shown.prompt


def test_why_a_card_has_lost_is_said_where_it_has_lost() -> None:
    """The trump suit, or the sum and who has called what: they have left the story by then."""
    at = Watched("flaps", 4, {"level": "4", "wins": "20"})
    seen = set()
    while len(seen) < 2:
        at.until("takes all")
        while "takes all" not in at.model.board().prompt:  # the end of a game comes before
            at.clock.seconds += 10
        *_, first, second, _, _ = (
            " ".join(line.split()) for line in at.picture().splitlines()[:-1]
        )
        said = f"{first} {second}"
        seen.add("trumps" in at.words)
        if "trumps" in at.words:
            assert "trumps: they are above every other suit, OL' MAIDS above all." in said
        else:
            assert said.count(" calls ") == 4
            assert "The sum is " in said
        at.clock.seconds += 10
        at.model.board()
