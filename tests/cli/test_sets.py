"""Several cards typed at once, at questions of Sneak."""

from __future__ import annotations

from typing import Any

import pytest

from cli.line.choices import THOUGHT_OF, Decided, choices
from cli.line.kinds import form_of
from engine.games.sneak.text import TEXT
from engine.question import Question
from engine.sets import Lay
from engine.view import View
from tests.engine.sneak.scene import Scene

NAMES = ("Ada", "Bo", "Cleo")


def describe(view: View, question: Question[Any], decision: object) -> str:
    return TEXT.describe_decision(view, question, decision, NAMES)


def typed(scene: Scene, line: str, seat: int = 0) -> object:
    asked = scene.session.pending
    assert asked is not None
    view = scene.dealer.view(scene.table, seat)
    found = form_of(view, asked).read(line, lambda decision: describe(view, asked, decision))
    if found is None:
        return None
    return found.decision if isinstance(found, Decided) else found.why


def lead() -> Scene:
    return Scene(["4C 9H 10H KS", "2S 3H 7D"])


@pytest.mark.parametrize(
    ("line", "names", "down"),
    [
        ("sneak 4c 9h", "4C 9H", True),
        ("FLAUNT 9H 10h", "9H 10H", False),
        ("flaunt K♠", "KS", False),
        ("4c 9h", "4C 9H", True),
        ("sneak 4 k", "4C KS", True),
    ],
)
def test_a_set_by_its_cards(line: str, names: str, down: bool) -> None:
    """No word is needed if there is only one way: what is no combination can only be sneaked."""
    scene = lead()
    assert typed(scene, line) == Lay(scene.slots(scene.table.hands[0], names), down)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("9h 10h", "Say how: sneak 10♥ 9♥ or flaunt 10♥ 9♥."),
        ("flaunt 4c 9h", "Not now: two or more cards are flaunted only as a match"),
        ("sneak 4c 9h 10h ks", "Not now: at least one other player has to hold"),
        ("4c 4c", "'4c' is not something that you can do"),
        ("wave 4c", "'wave' is not something that you can do"),
    ],
)
def test_why_it_is_none(line: str, sentence: str) -> None:
    said = typed(lead(), line)
    assert isinstance(said, str)
    assert said.startswith(sentence)


@pytest.mark.parametrize("line", ["draw", "sneak 2s", "flaunt", ""])
def test_what_are_no_cards_of_the_hand_is_no_set(line: str) -> None:
    assert typed(lead(), line) is None


def test_a_challenge_by_its_cards() -> None:
    scene = lead().sneak("4C 9H")
    hand = scene.table.hands[1]
    for line in ("challenge 2s 3h", "2s 3h"):
        assert typed(scene, line, 1) == Lay(scene.slots(hand, "2S 3H"))


def test_a_big_hand_is_not_listed_to_its_end() -> None:
    """26 cards against 26: more sets than anybody would read."""
    ranks = ("A", "K", "Q", "J", *range(2, 11))
    hands = [" ".join(f"{rank}{suit}" for suit in two for rank in ranks) for two in ("CS", "HD")]
    scene = Scene(hands, stock=0)
    asked = scene.session.pending
    assert asked is not None
    view = scene.dealer.view(scene.table, 0)
    assert len(asked.decisions(view)) > 50_000
    assert len(choices(view, asked, describe)) == THOUGHT_OF
    line = "flaunt " + " ".join(f"{rank}c" for rank in ranks)
    assert isinstance(typed(scene, line), Lay)
