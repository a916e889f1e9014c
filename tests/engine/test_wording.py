"""The frame in which all games speak: defaults if a game has no words, and the layout."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from engine import acts
from engine import question as ask
from engine.bots import random_bot
from engine.cards import Card
from engine.dealer import TrustedDealer
from engine.game import Game
from engine.games import NAMES, load, load_text, plain_text
from engine.session import Session
from engine.sets import Lay, LaySet, LayTogether, Terms
from engine.table import Table
from engine.view import SPECTATOR, View
from engine.wording import CardStyle, MarkKind, Words, by_value, counted, listed, sentence
from engine.wording.layout import fit
from engine.wording.roles import mark_kind
from tests.engine import tiny

PEOPLE = ("Ann", "Bartholomew the Long-Winded", "Cy")
HERE = Path(__file__).parents[2] / "engine" / "games"


def spoken(game: Game, seats: int, plain: bool) -> Iterator[str]:
    """All that is said to all seats in one play of a game without any wording."""
    text, names, rng = plain_text(game), PEOPLE[:seats], Random(4)
    session, dealer = Session(game, seats, {}, notes=True), TrustedDealer(rng)
    while (asked := session.pending) is not None:
        for seat in (*range(seats), SPECTATOR):
            view = dealer.view(session.table, seat)
            yield from text.table_lines(view, names, ascii=plain)
            yield text.describe_question(view, asked, names, ascii=plain)
            if seat in asked.deciders:
                for decision in asked.decisions(view)[:20]:
                    yield text.describe_decision(view, asked, decision, names, ascii=plain)
        decisions = {
            seat: random_bot(dealer.view(session.table, seat), asked, rng)
            for seat in asked.deciders
        }
        session.answer(dealer.answer(session.table, asked, decisions))
    for note in session.table.notes or []:
        yield text.describe_note(note, names, ascii=plain)


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("name", ["tiny", "flip-over", "flop-a", "sneak"])
def test_a_game_without_any_words_can_be_shown_to_its_end(name: str, plain: bool) -> None:
    game = tiny.GAME if name == "tiny" else load(name)
    lines = list(spoken(game, min(3, game.seats[-1]), plain))
    assert max(map(len, lines)) <= 160  # questions and notes are wrapped when they are printed
    assert all(line.isprintable() for line in lines)
    assert not plain or all(line.isascii() for line in lines)


def test_what_is_said_without_any_words() -> None:
    text, table = plain_text(tiny.GAME), tiny.GAME.table(2, {"rounds": 1})
    view = View(table, 0, tiny.FACES.__getitem__)
    table.faces, table.locks = list(tiny.FACES), [0] * 12
    stock, hand, other, laid = table.zones
    stock[:], hand[:], other[:], laid[:] = [1, 2], [6, 3, 4], [8], [5]
    assert text.table_lines(view, PEOPLE[:2]) == [
        "Tiny",
        "Stock: 2 cards, 3R on top",
        "Laid: 1 card, 6R on top",
        "",
        "  Seat              hand",
        "  Ann (you)            3",
        "  Bartholomew the.     1",
        "",
        "Your hand: 4R 5R 1B",
    ]
    play = ask.Play(0, hand, tiny.RED, ask.Otherwise.PASS)
    assert text.describe_question(view, play, PEOPLE) == "Your turn: lay a card, or pass."
    assert [text.describe_decision(view, play, one, PEOPLE) for one in (6, None)] == ["1B", "pass"]
    other_play = ask.Play(2, other, tiny.RED)
    assert text.describe_question(view, other_play, PEOPLE) == "Cy is asked: lay a card."
    put = ask.LayDown(0, hand, 1)
    assert text.describe_question(view, put, PEOPLE) == "Your turn: put 1 card face down."
    choose = ask.Choose(0, (True, None, ("a", tiny.FACES[1])), "take it?")
    assert text.describe_question(view, choose, PEOPLE) == "Your turn: take it?"
    told = [text.describe_decision(view, choose, one, PEOPLE) for one in range(3)]
    assert told == ["yes", "no", "a, 2R"]
    assert text.describe_question(view, acts.Reshuffle((8,), 2), PEOPLE).startswith("Cy hides")


def test_secret_choices_sets_and_races_without_any_words() -> None:
    text, table = plain_text(tiny.GAME), tiny.GAME.table(3, {"rounds": 1})
    table.faces, table.locks = list(tiny.FACES), [0] * 12
    hand = table.zones[1]
    hand[:] = [6, 3]
    own, watch = (View(table, seat, tiny.FACES.__getitem__) for seat in (0, SPECTATOR))
    both = ask.Together((0, 2), (("high", "low"), ("high",)), "declare")
    assert text.describe_question(own, both, PEOPLE).startswith("Declare. All choose before")
    assert text.describe_question(watch, both, PEOPLE) == "In secret, Ann and Cy: declare."
    assert text.describe_decision(own, both, 1, PEOPLE) == "low"
    lead = LaySet(0, hand, range(1, 3), Terms("lead", down=True, may_pass=True))
    assert text.describe_question(own, lead, PEOPLE) == (
        "Your turn: lay 1 to 2 cards face up or face down, or pass."
    )
    assert text.describe_decision(own, lead, Lay((3, 6), True), PEOPLE) == "lay 4R 1B face down"
    assert text.describe_question(watch, LayTogether([lead]), PEOPLE).endswith("Ann may lay cards.")
    race = ask.Race([ask.Choose(0, ("slap",), "slap")], "slap or wait")
    assert text.describe_question(own, race, PEOPLE) == "Who is first? Slap or wait."
    assert [text.describe_decision(own, race, one, PEOPLE) for one in (None, 0)] == [
        "do nothing",
        "slap",
    ]


def test_notes_without_any_words() -> None:
    text = plain_text(tiny.GAME)
    assert text.describe_note(("dealt",), PEOPLE) == "Dealt."
    assert text.describe_note(("laid", 2, tiny.FACES[0]), PEOPLE) == "Cy: laid 1R."
    assert text.describe_note(("passed", 0), PEOPLE) == "Ann: passed."
    assert text.describe_note(("sum", 99, True), PEOPLE) == "Sum 99, yes."
    said = "Ann does not open what was chosen in secret, and forfeits."
    assert text.describe_note(("forfeit", 0), PEOPLE) == said


def test_a_card_is_written_with_its_suit_as_a_symbol() -> None:
    heart = Card(0, "10H", 2, 10)
    assert CardStyle().card(heart, ascii=False) == "10♥"
    assert CardStyle().card(heart, ascii=True) == "10H"
    assert CardStyle().card(tiny.FACES[0], ascii=False) == "1R"
    assert CardStyle(spell=lambda card, plain: "that one").card(heart, ascii=True) == "that one"


def test_sentences_are_filled_in_by_what_their_values_are() -> None:
    words = Words(("Ann", "Bo", "Cy"), seat=1)
    assert words.say("{0:who} pays {1:n chip} to {2:people}.", 0, 1, (1, 2)) == (
        "Ann pays 1 chip to Bo and Cy."
    )
    assert words.say("{0:each+}: {1:wins}", (3, -1, 3), (0, 2)) == (
        "Ann +3, Bo -1, Cy +3: Ann and Cy win"
    )
    assert words.say("{0:wins}, {1:wins}.", (), (1,)) == "Nobody wins, Bo wins."
    told = by_value(1, {"": "{0:who} says nothing.", ...: "{0:who} says {1}."})
    assert (words.say(told, 0, ""), words.say(told, 0, "no")) == (
        "Ann says nothing.",
        "Ann says no.",
    )
    assert (words.does(1, "lead"), words.does(0, "lead")) == ("You lead", "Ann leads")
    assert (counted(2, "card"), listed("abc"), sentence("why?")) == (
        "2 cards",
        "a, b and c",
        "Why?",
    )


def test_a_line_that_is_too_long_is_wrapped_and_not_cut() -> None:
    line = " ".join(["10C"] * 40)
    assert [len(part) <= 80 for part in fit(line)] == [True] * 3
    assert " ".join(fit(line)).split() == line.split()


def test_a_table_of_another_game_is_refused() -> None:
    with pytest.raises(TypeError, match="that is no table of Sneak"):
        load_text("sneak").table_lines(View(Table(2), 0, tiny.FACES.__getitem__), PEOPLE)


@pytest.mark.parametrize("name", NAMES)
def test_every_note_that_the_rules_make_is_worded(name: str) -> None:
    """By name, as in the source; a note without words would be told barely."""
    text, found = load_text(name), set()
    for path in (HERE / name.replace("-", "_")).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".note"):
                found |= {one.value for one in node.args[:1] if isinstance(one, ast.Constant)}
    assert len(found) > 5
    assert found <= set(text.notes)


@pytest.mark.parametrize("name", NAMES)
def test_how_to_play_fits_the_screen(name: str) -> None:
    paragraphs = load_text(name).brief.splitlines()
    assert all(paragraphs)
    assert 4 <= sum(len(fit(one)) for one in paragraphs) <= 15


# -- what zones and notes are to a screen ----


def test_a_hand_is_what_was_made_first_for_a_seat() -> None:
    text, made = plain_text(tiny.GAME), tiny.table(2, {"rounds": 1})
    for seat in range(2):
        made.zone("kept", seat)
    assert [zone.id for zone in text.held(made, 1)] == [made.hands[1].id]
    assert not text.held(made, SPECTATOR)


def test_a_deck_that_lies_there_whole_is_the_stock() -> None:
    text, made = plain_text(tiny.GAME), tiny.table(2, {"rounds": 1})
    assert text.stock(made) is None
    made.deck = tiny.DECK
    made.stock.extend(range(len(tiny.DECK)))
    assert text.stock(made) is made.stock
    made.laid.append(made.stock.pop())
    assert text.stock(made) is None


def test_every_note_of_a_game_that_marks_none_is_an_effect_but_those_of_the_table() -> None:
    assert mark_kind(None, "dealt") is MarkKind.EFFECT
    assert mark_kind(None, "play") is mark_kind(None, "pick blind") is None
    assert mark_kind({}, "dealt") is None
    assert mark_kind({}, "forfeit") is MarkKind.EFFECT


class Strange(ask.Question[None]):
    """A kind of question of which nobody has heard."""

    __slots__ = ("deciders", "topic")
    kind = "strange"

    def __init__(self, topic: str, *deciders: int) -> None:
        self.topic, self.deciders = topic, deciders


def test_of_an_unknown_question_its_seat_and_topic_are_told() -> None:
    made = tiny.table(2, {"rounds": 1})
    view = View(made, SPECTATOR, made.face)
    told = [
        plain_text(tiny.GAME).describe_question(view, asked, PEOPLE[:2])
        for asked in (Strange("", 0), Strange("the tide", 0, 1), Strange("the tide", 0))
    ]
    assert told[:2] == ["Asked now: strange.", "Asked now: the tide."]
    assert "Ann" in told[2]
    assert "the tide" in told[2]
