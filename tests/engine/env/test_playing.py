"""Games asked action by action: every decision can be said, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine import testing
from engine.bots import random_bot, sensible
from engine.bots.pace import Pace
from engine.bots.reactions import ReactingDealer, Reactions
from engine.cards import Card, Deck
from engine.env.actions import DONE, DOWN, PASS, WORDS, Actions
from engine.env.checking import observed
from engine.env.playing import Playing, Setting
from engine.env.spelling import Decided, OneOf, SetOf, Spelling, spelling
from engine.errors import EngineError, IllegalAnswer, UsageError
from engine.game import Options
from engine.games import load
from engine.question import Choose, Question, Race
from engine.table import Table
from engine.view import View
from engine.won import Won
from tests.engine import tiny
from tests.engine.env.walk import IDS, TABLES, started, walked


@pytest.mark.parametrize(("name", "seats", "options"), TABLES, ids=IDS)
def test_every_decision_can_be_said(name: str, seats: int, options: Options) -> None:
    bots = (random_bot, sensible(name))
    longest = testing.check_environment(load(name), seats, options, 3, bots=bots)
    assert (longest == 1) == (name == "you-fink" or (name, seats) == ("flip-over", 3))


@pytest.mark.parametrize(("name", "seats", "options"), TABLES, ids=IDS)
def test_every_legal_action_leads_to_a_decision_that_is_allowed(
    name: str, seats: int, options: Options
) -> None:
    """From each position, by each action, and then by the first that is legal."""
    for playing in walked(started(name, seats, options, 7), 8, 60):
        assert playing.turn is not None
        seat, asked, spelled = playing.turn
        legal = playing.legal()
        assert len(legal) == len(set(legal)) > 0
        for action in legal:
            said = spelled.say(action)
            while isinstance(said, Spelling):
                said = said.say(said.legal()[0])
            assert asked.allows(playing.views[seat], said.decision)


def test_an_action_that_is_not_offered_changes_nothing() -> None:
    playing = started("sneak", 2, {}, 1)
    before = playing.session.digest(), playing.seat, playing.said
    for action in set(range(playing.setting.actions.count)) - set(playing.legal()):
        with pytest.raises(IllegalAnswer):
            playing.say(action)
    assert (playing.session.digest(), playing.seat, playing.said) == before


def test_a_set_is_chosen_card_by_card() -> None:
    playing = started("sneak", 2, {}, 1)
    for at in walked(playing, 2):
        assert at.turn is not None
        zone = at.turn.asked.hand(at.turn.seat)
        if zone is not None and len(zone) > 3 and {PASS, DOWN} & set(at.legal()):
            break
    first = next(action for action in playing.legal() if action > DOWN)
    playing.say(first)
    assert playing.said == [first]
    assert PASS not in playing.legal()
    assert {DONE, DOWN} <= set(playing.legal())


def test_an_option_of_two_parts_is_said_part_by_part() -> None:
    playing = started("flop-a", 2, {}, 1)
    actions = playing.setting.actions
    assert playing.legal() == [actions.word(0), actions.word(1), actions.word(2)]
    playing.say(actions.word(2))
    assert playing.legal() == [actions.number(chips) for chips in (1, 2, 3, 4)]
    assert playing.said == [actions.word(2)]


def test_who_decides_at_the_same_time_sees_nothing_of_what_others_decided() -> None:
    """In Sneak a challenge is laid in secret."""
    together = 0
    for at in walked(started("sneak", 5, {"target": 25}, 3), 4, 300):
        assert at.turn is not None
        asked = at.turn.asked
        if len(asked.deciders) < 2 or at.turn.seat != asked.deciders[0] or at.said:
            continue
        seats, seen = asked.deciders[1:], []
        for action in (at.legal()[0], at.legal()[-1]):
            twin = started("sneak", 5, {"target": 25}, 3)
            _follow(twin, at)
            twin.say(action)
            while twin.seat == asked.deciders[0]:
                twin.say(twin.legal()[0])
            assert twin.seat == seats[0]
            seen.append([twin.seen(seat) for seat in seats])
        assert seen[0] == seen[1]
        together += 1
        if together == 3:
            return
    raise AssertionError("too few were asked together")


def _follow(twin: Playing, at: Playing) -> None:
    """Bring a game of the same seed to where another has come."""
    rng = Random(4)
    while twin.session.journal != at.session.journal or twin.seat != at.seat:
        twin.say(rng.choice(twin.legal()))


def test_the_same_seed_plays_the_same_game() -> None:
    for name, seats, options in TABLES:
        one, other = (started(name, seats, options, 9) for _ in range(2))
        assert [[*at.legal()] for at in walked(one, 1, 200)] == [
            [*at.legal()] for at in walked(other, 1, 200)
        ]
        assert one.session.digest() == other.session.digest()
    assert started("sneak", 2, {}, 1).seen(0) != started("sneak", 2, {}, 2).seen(0)


@pytest.mark.parametrize("fast", [0, 1])
def test_whoever_is_faster_is_first(fast: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In You Fink! both slap what can be slapped, and one of them has seen it sooner."""
    paces, firsts = [Pace(700, 0), Pace(700, 0)], list[int]()

    class Counted:
        """A dealer that notes whose claims of several take effect."""

        def __init__(self, rng: Random, paces: Sequence[Pace]) -> None:
            self._dealer = ReactingDealer(rng, paces)
            self.act, self.truth = self._dealer.act, self._dealer.truth

        def answer(self, table: Table, asked: Race, decisions: Mapping[int, object]) -> object:
            answer = self._dealer.answer(table, asked, decisions)
            if asked.timed and sum(one is not None for one in decisions.values()) > 1:
                assert isinstance(answer, Won)
                firsts.extend(seat for seat, _ in answer.claims)
            return answer

    monkeypatch.setattr("engine.env.playing.ReactingDealer", Counted)
    paces[fast], bot, rng = Pace(350, 0), sensible("you-fink"), Random(1)
    for seed in range(5):
        playing = Playing(Setting(load("you-fink"), 2, {}), Random(seed), paces)
        while playing.turn is not None:
            for action in playing.actions_of(bot, rng):
                playing.say(action)
    assert len(firsts) > 5
    assert set(firsts) == {fast}


def test_a_moment_is_seen_once_and_the_second_press_is_quick() -> None:
    table = Table(2)
    pile = table.zone("pile")
    race = Race([Choose(seat, ("slap",), "slap") for seat in range(2)], "slap")
    reactions = Reactions(Random(1), [Pace(500, 0), Pace(600, 0)])
    reactions.begin(table, race)
    assert reactions.first((0, 1)) == 0
    reactions.end([0])  # at 500 ms; the other would have seen it at 600
    reactions.begin(table, race)
    assert reactions.first((0, 1)) == 1  # at 600 ms, and the first presses again from 620 on
    reactions.end([])
    pile.append(1)
    reactions.begin(table, race)
    assert reactions.first((0, 1)) == 0


def test_what_an_action_says() -> None:
    actions = Setting(load("flop-a"), 2, {}).actions
    told = [actions.told(action) for action in range(actions.count)]
    assert len(set(told)) == len(told)
    assert told[:4] == ["pass", "done", "done, face down", "option 0"]
    assert told[actions.number(7) or 0] == "number 7"
    first_card = actions.card(Setting(load("flop-a"), 2, {}).deck.faces[0])
    assert told[first_card] == f"card {Setting(load('flop-a'), 2, {}).deck.faces[0].name}"
    assert told[-1] == f"card {Setting(load('flop-a'), 2, {}).deck.faces[-1].name}"


def test_a_number_has_an_action_up_to_the_number_of_cards() -> None:
    actions = Actions(Deck("three", [Card(n, f"{n}C", 0, n) for n in range(3)]), 2)
    first = 3 + WORDS
    numbers = {value: actions.number(value) for value in range(-1, 4)}
    assert numbers == {-1: None, 0: first, 1: first + 1, 2: first + 2, 3: None}
    assert actions.count == first + 3 + 3


def test_too_many_words_are_our_fault() -> None:
    actions = Actions(Deck("none", ()), 2)
    question = Choose(0, [f"word {number}" for number in range(WORDS + 1)], "too many")
    with pytest.raises(EngineError, match=f"more than {WORDS} options"):
        spelling(actions, View(Table(2), 0, _no_face), question)
    spelling(actions, View(Table(2), 0, _no_face), Choose(0, question.options[:WORDS], "enough"))


def test_options_of_any_kind_are_told_apart() -> None:
    """None is an option like any other; a longer one goes on where a shorter one is done."""
    actions = Actions(Deck("none", ()), 4)
    options = [None, -1, "a", ("a", 2), ("a", 3), ("b", 2, "c"), True, ()]
    said = spelling(actions, View(Table(4), 0, _no_face), Choose(0, options, "any"))
    reached = {}
    for number, option in enumerate(options):
        at: Spelling | Decided = said
        while isinstance(at, Spelling):
            at = at.say(at.towards(number))
        assert at.decision == number, option
        reached[number] = option
    assert len(reached) == len(options)
    with pytest.raises(IllegalAnswer):
        said.towards(len(options))
    either = spelling(actions, View(Table(4), 0, _no_face), Choose(0, ["a", ("a", 2)], "either"))
    assert either.legal() == [actions.word(0)]
    begun = either.say(actions.word(0))
    assert isinstance(begun, OneOf)
    assert begun.legal() == [DONE, actions.number(2)]


def _no_face(slot: int) -> Any:
    raise AssertionError("nobody looks")


def test_a_bot_is_asked_before_anything_was_said() -> None:
    playing = started("flop-a", 2, {}, 1)
    playing.say(playing.legal()[2])
    with pytest.raises(EngineError):
        playing.actions_of(random_bot, Random(1))


def test_a_table_that_the_rules_refuse() -> None:
    with pytest.raises(UsageError):
        Setting(load("flip-over"), 2, {})


async def _ends_at_once(t: Any) -> None:
    t.over = True


def test_a_game_that_ends_without_cards_is_none_for_programs() -> None:
    with pytest.raises(EngineError, match="Tiny has no deck when it begins"):
        Setting(replace(tiny.GAME, turn=_ends_at_once), 2, {})


def test_no_bot_is_asked_after_the_end() -> None:
    playing = started("flip-over", 3, {}, 1)
    assert len([*walked(playing, 2)]) > 20
    with pytest.raises(EngineError, match="before anything was said"):
        playing.actions_of(random_bot, Random(1))


def test_equal_cards_are_one_action() -> None:
    """With two packs a hand may hold a face twice."""
    for at in walked(started("sneak", 7, {"target": 25}, 2), 3, 400):
        assert at.turn is not None
        seat = at.turn.seat
        zone = at.turn.asked.hand(seat)
        names = [card.name for card in at.views[seat].cards(zone or ())]
        if len(set(names)) < len(names) and not at.said:
            cards = [action for action in at.legal() if action > DOWN]
            assert len(cards) <= len(set(names))
            return
    raise AssertionError("no hand held a face twice")


def test_one_of_nothing_offers_nothing() -> None:
    assert OneOf(Actions(Deck("none", ()), 2), []).legal() == []


def test_what_cannot_be_said_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of the public kit fails where it should."""
    game = load("sneak")
    with monkeypatch.context() as patch:
        patch.setattr(SetOf, "towards", lambda spelled, decision: spelled.legal()[-1])
        with pytest.raises(AssertionError, match="comes out"):
            testing.check_environment(game, 2, {}, 1)
    with monkeypatch.context() as patch:
        patch.setattr(Playing, "seen", lambda at, seat: [*map(repr, at.dealer.truth.cards)])
        with pytest.raises(AssertionError, match="seat 0 observes cards that it cannot see"):
            testing.check_environment(game, 2, {}, 1)


def test_what_is_said_and_not_legal_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(OneOf, "legal", lambda spelled: [*spelled._next][:1])
    with pytest.raises(AssertionError, match=r"^2 cannot be said: 5 is not legal$"):
        testing.check_environment(load("flop-a"), 2, {}, 1, bots=[lambda *_: 2])


def test_other_cards_that_are_laid_face_down_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    towards = SetOf.towards

    def other_card(spelled: SetOf, decision: object) -> int:
        wanted = towards(spelled, decision)
        return wanted if wanted <= DOWN else spelled.legal()[-1]

    def sneaks(view: View, question: Question[Any], rng: Random) -> object:
        decisions = question.decisions(view)
        return decisions[1] if len(decisions) > 9 else decisions[0]

    monkeypatch.setattr(SetOf, "towards", other_card)
    with pytest.raises(AssertionError, match=r"down=True\) is said, and Decided"):
        testing.check_environment(load("sneak"), 2, {}, 1, bots=[sneaks])


def test_the_bots_decide_in_turn_and_the_longest_decision_is_counted() -> None:
    """In Flop-A a bet is said in two parts, and all else in one."""
    asked: list[str] = []

    def passive(view: View, question: Question[Any], rng: Random) -> object:
        asked.append("passive")
        return question.decisions(view)[1]

    def bold(view: View, question: Question[Any], rng: Random) -> object:
        asked.append("bold")
        return question.decisions(view)[-1]

    def check(most: int) -> int:
        asked.clear()
        game = load("flop-a")
        return testing.check_environment(game, 2, {}, 1, bots=(passive, bold), most=most)

    assert [check(most) for most in range(3)] == [0, 1, 2]
    assert check(5) == 2
    assert asked == ["passive", "bold", "passive", "bold", "passive"]


def test_hidden_cards_are_exchanged_at_each_seventh_decision(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[int] = []
    monkeypatch.setattr(
        "engine.env.checking.observed",
        lambda playing, view: looked.append(len(playing.session.journal)),
    )
    testing.check_environment(load("you-fink"), 2, {}, 1, most=1)
    once = len(looked)
    assert once == 4, "each of two seats, before and after"
    for most, times in ((7, 1), (8, 2), (14, 2), (15, 3)):
        looked.clear()
        testing.check_environment(load("you-fink"), 2, {}, 1, most=most)
        assert len(looked) == times * once, most


def test_what_a_seat_may_say_is_part_of_what_it_observes() -> None:
    playing = started("flip-over", 3, {}, 1)
    for at in walked(playing, 2):
        for view in at.views:
            legal = [*at.legal()] if view.seat == at.seat else []
            assert observed(at, view)[2] == legal
    assert all(observed(playing, view)[2] == [] for view in playing.views)
