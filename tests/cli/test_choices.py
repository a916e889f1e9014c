"""What a typed line means at a question of Flip Over."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from cli.line.choices import Choice, Decided, Refused, choices, numbered, read
from engine.dealer import TrustedDealer
from engine.games import load, load_text
from engine.games.flop_a.table import Stage
from engine.question import Choose, Play, Question, Race, Together
from engine.session import Session
from engine.view import View
from tests.engine.flaps.scene import Scene as FlapsScene
from tests.engine.flop_a.scene import Scene as FlopScene
from tests.engine.you_fink.scene import Scene as FinkScene

NAMES = ("Ada", "Bo", "Cleo", "Dara")
TEXT = load_text("flip-over")


def in_words_of(game: str) -> Callable[[View, Question[Any], object], str]:
    def told(view: View, question: Question[Any], decision: object) -> str:
        return load_text(game).describe_decision(view, question, decision, NAMES)

    return told


FLAPS, FINK, FLOP = in_words_of("flaps"), in_words_of("you-fink"), in_words_of("flop-a")


def describe(view: View, question: Question[Any], decision: object) -> str:
    return str(TEXT.describe_decision(view, question, decision, NAMES))


def first(kind: type, seed: int, **options: bool | int | str) -> tuple[View, Any]:
    """The first question of a kind that leaves a choice and forbids something."""
    session = Session(load("flip-over"), 4, options)
    rng = Random(seed)
    dealer = TrustedDealer(rng)
    while (asked := session.pending) is not None:
        views = {seat: dealer.view(session.table, seat) for seat in asked.deciders}
        if isinstance(asked, kind) and _offers_a_choice(asked, views):
            return views[asked.deciders[0]], asked
        decisions = {s: rng.choice(list(asked.decisions(view))) for s, view in views.items()}
        session.answer(dealer.answer(session.table, asked, decisions))
    raise AssertionError("the match asked no such question")


def _offers_a_choice(asked: Question[Any], views: dict[int, View]) -> bool:
    if not isinstance(asked, Play):
        return True
    return 1 < len(asked.decisions(views[asked.seat])) < len(asked.zone)


@pytest.fixture
def following() -> tuple[View, Play, list[Choice]]:
    view, question = first(Play, seed=4)
    return view, question, choices(view, question, describe)


def test_cards_are_listed_in_the_order_of_the_hand(
    following: tuple[View, Play, list[Choice]],
) -> None:
    view, question, legal = following
    cards = [view.face(choice.decision) for choice in legal]  # type: ignore[arg-type]
    assert cards == sorted(cards, key=lambda card: (card.suit, card.rank))
    assert {choice.decision for choice in legal} == set(question.decisions(view))


def test_a_card_by_number_and_by_every_spelling(
    following: tuple[View, Play, list[Choice]],
) -> None:
    view, question, legal = following
    choice = legal[1]
    name = view.face(choice.decision).name  # type: ignore[arg-type]
    rank, suit = name[:-1], name[-1]
    for typed in ("2", name, name.lower(), f"{suit}{rank}", f" {rank} {suit} ", choice.label):
        assert read(typed, view, question, legal, describe) == Decided(choice.decision)
    emoji = f"{choice.label}\ufe0f"
    assert read(emoji, view, question, legal, describe) == Decided(choice.decision)


def test_a_forbidden_card_is_refused_with_the_rule(
    following: tuple[View, Play, list[Choice]],
) -> None:
    view, question, legal = following
    allowed = {choice.decision for choice in legal}
    other = next(slot for slot in question.zone if slot not in allowed)
    reply = read(view.face(other).name, view, question, legal, describe)
    assert reply == Refused(f"Not now: {question.why}.")
    assert "have to follow" in question.why


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("0", "The choices are numbered 1 to"),
        ("99", "The choices are numbered 1 to"),
        ("knave", "That is not one of your cards."),
        ("", "Type a choice"),
        ("²", "That is not one of your cards."),
    ],
)
def test_what_is_no_choice(
    following: tuple[View, Play, list[Choice]], typed: str, why: str
) -> None:
    reply = read(typed, *following, describe)
    assert isinstance(reply, Refused)
    assert reply.why.startswith(why)


def test_enter_takes_the_only_choice(following: tuple[View, Play, list[Choice]]) -> None:
    view, question, legal = following
    assert read("", view, question, legal[:1], describe) == Decided(legal[0].decision)


def test_a_beginning_is_enough_when_it_is_unmistakable() -> None:
    view, question = first(Play, seed=4)
    legal = [Choice(1, "12C", frozenset({"12c"})), Choice(2, "13C", frozenset({"13c"}))]
    assert read("c", view, question, legal, describe) != Decided(1)
    legal = [Choice(1, "bid high", frozenset({"bidhigh"})), Choice(2, "pass", frozenset({"pass"}))]
    assert read("bid", view, question, legal, describe) == Decided(1)
    legal.append(Choice(3, "bid low", frozenset({"bidlow"})))
    reply = read("bid", view, question, legal, describe)
    assert reply == Refused("'bid' could be bid high, bid low: type more of it.")


def test_gifts_are_typed_as_cards_in_the_order_of_receivers() -> None:
    view, question = first(Together, seed=1, teams=True)
    legal = choices(view, question, describe)
    assert len(legal) == 10 * 9 * 8
    gifts = question.options[question.seats.index(view.seat)][5]
    typed = " ".join(view.face(slot).name for slot, _ in gifts)
    assert read(typed, view, question, legal, describe) == Decided(5)


def test_a_card_in_a_race_is_typed_like_any_other() -> None:
    """A player who may flap or call types 4c; the symbol is as good as the letter."""
    hand = ["4C 9H", "4D 2S", "3S 8D"]
    scene = FlapsScene(hand, "4H", stock="8D 7D").lay("4C")
    view, question = scene.view(1), scene.asked
    assert isinstance(question, Race)
    legal = choices(view, question, FLAPS)
    flap = next(choice.decision for choice in legal if choice.label == "4\u2666 FLAPS")
    for typed in ("4d", "d4", "4\u2666", "4D flaps", "4d fl"):
        assert read(typed, view, question, legal, describe) == Decided(flap)
    refused = read("2s", view, question, legal, describe)
    assert refused == Refused("Not now: only a FLAP may be laid while there is flapping.")


def test_an_answer_to_an_attack_that_is_none_is_refused_in_the_words_of_the_game() -> None:
    scene = FlapsScene(["2C 5H 4D", "3H 9S"], "5C", stock="8D").lay("2C")
    view, question = scene.view(1), scene.asked
    legal = choices(view, question, FLAPS)
    refused = read("3h", view, question, legal, describe)
    assert isinstance(refused, Refused)
    assert refused.why.startswith("Not now: only another 2, a 3, 7 or 9 of \u2663, or a QUACK")


def test_an_act_that_is_not_allowed_is_refused_with_its_reason() -> None:
    scene = FinkScene(["7C", "7D", "4H"], rest=0).turn(0)
    view = scene.dealer.view(scene.table, 2)
    legal = choices(view, scene.race, FINK)
    refused = read("slap", view, scene.race, legal, describe)
    assert refused == Refused("Not now: touch your forehead before you slap.")
    assert read("sing", view, scene.race, legal, describe) == Refused(
        "That is nothing one can do in this game. Type ? for help."
    )


def test_a_bet_that_is_too_high_is_refused_with_what_may_be_done() -> None:
    scene = FlopScene(["2C 7D", "AC KC 3C"], Stage.BETTING)
    view = scene.dealer.view(scene.table, 1)
    refused = read("bet 9", view, scene.asked, choices(view, scene.asked, FLOP), FLOP)
    assert refused == Refused(
        "That is not one of the choices: fold, check, or bet 1 to 4 chips. Type ? for help."
    )


def test_a_choice_that_is_called_by_a_number_is_taken_by_that_number() -> None:
    view, question = first(Play, seed=4)
    legal = [Choice(one, str(one), frozenset({str(one)})) for one in (20, 31, 2)]
    assert read("31", view, question, legal, describe) == Decided(31)
    assert read("2", view, question, legal, describe) == Decided(2)
    assert read("1", view, question, legal, describe) != Decided(20)
    assert [number for number, _ in numbered(legal)] == [None] * 3


def race_of(scene: FinkScene, seat: int) -> tuple[View, Question[Any]]:
    return scene.dealer.view(scene.table, seat), scene.race


@pytest.mark.parametrize(("seat", "label"), [(0, "turn a card"), (1, "do nothing")])
def test_enter_in_a_race_is_the_act_that_is_due_or_none(seat: int, label: str) -> None:
    view, race = race_of(FinkScene(["7C", "7D", "4H"], rest=0), seat)
    legal = choices(view, race, FINK)
    entered, named = (read(typed, view, race, legal, FINK) for typed in ("", label))
    assert isinstance(entered, Decided)
    assert entered == named


def test_an_act_goes_by_the_name_that_the_game_gives_it() -> None:
    view, race = race_of(FinkScene(["7C", "7D", "4H"], rest=0), 1)
    legal = choices(view, race, FINK)
    named = read("touch forehead", view, race, legal, FINK)
    assert read("f", view, race, legal, FINK) == named


def test_forced_choice_is_named_instead_of_its_topic() -> None:
    """Other words were refused as "not one of the choices: your cards are shuffled"."""
    session = Session(load("you-fink"), 2, {})
    view = TrustedDealer(Random(0)).view(session.table, 0)
    forced = Choose(0, ("done",), "your cards are shuffled")
    describe = load_text("you-fink").describe_decision
    spell: Any = lambda view, asked, decision: describe(view, asked, decision, ("Ada", "Bo"))  # noqa: E731
    legal = choices(view, forced, spell)
    refused = read("slap", view, forced, legal, spell)
    assert refused == Refused("The only choice is: done. Type ? for help.")
