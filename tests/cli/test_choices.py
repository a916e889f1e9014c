"""What a typed line means at a question of Flip Over."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from cli.line.choices import Choice, Decided, Refused, choices, read
from engine.dealer import TrustedDealer
from engine.games import load, load_text
from engine.question import Play, Question, Together
from engine.session import Session
from engine.view import View

NAMES = ("Ada", "Bo", "Cleo", "Dara")
TEXT = load_text("flip-over")


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
        assert read(typed, view, question, legal) == Decided(choice.decision)
    emoji = f"{choice.label}\ufe0f"
    assert read(emoji, view, question, legal) == Decided(choice.decision)


def test_a_forbidden_card_is_refused_with_the_rule(
    following: tuple[View, Play, list[Choice]],
) -> None:
    view, question, legal = following
    allowed = {choice.decision for choice in legal}
    other = next(slot for slot in question.zone if slot not in allowed)
    reply = read(view.face(other).name, view, question, legal)
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
    reply = read(typed, *following)
    assert isinstance(reply, Refused)
    assert reply.why.startswith(why)


def test_enter_takes_the_only_choice(following: tuple[View, Play, list[Choice]]) -> None:
    view, question, legal = following
    assert read("", view, question, legal[:1]) == Decided(legal[0].decision)


def test_a_beginning_is_enough_when_it_is_unmistakable() -> None:
    view, question = first(Play, seed=4)
    legal = [Choice(1, "12C", frozenset({"12c"})), Choice(2, "13C", frozenset({"13c"}))]
    assert read("c", view, question, legal) != Decided(1)
    legal = [Choice(1, "bid high", frozenset({"bidhigh"})), Choice(2, "pass", frozenset({"pass"}))]
    assert read("bid", view, question, legal) == Decided(1)
    legal.append(Choice(3, "bid low", frozenset({"bidlow"})))
    reply = read("bid", view, question, legal)
    assert reply == Refused("'bid' could be bid high, bid low: type more of it.")


def test_gifts_are_typed_as_cards_in_the_order_of_receivers() -> None:
    view, question = first(Together, seed=1, teams=True)
    legal = choices(view, question, describe)
    assert len(legal) == 10 * 9 * 8
    gifts = question.options[question.seats.index(view.seat)][5]
    typed = " ".join(view.face(slot).name for slot, _ in gifts)
    assert read(typed, view, question, legal) == Decided(5)
