"""What the screen says: complete, in 80 columns, and nothing that the seat may not know."""

from __future__ import annotations

import re

import pytest

from engine import acts
from engine.games.flop_a.cards import DECK
from engine.games.flop_a.table import Stage
from engine.games.flop_a.text import TEXT
from engine.table import Table
from engine.view import SPECTATOR, View
from tests.engine.flop_a.scene import A, B, Scene, playing, showdown
from tests.engine.play import Heard, step

NAMES = ("Ann", "Bartholomew", "Cy", "Di", "Ed", "Flo", "Gus", "Hildegard")
ENDS = {"takes", "pays", "pays-in", "uncalled", "declares", "shows", "carried", "hand-over", "over"}


@pytest.mark.parametrize("seats", [2, 5, 8])
@pytest.mark.parametrize("stack", [0, 20])
@pytest.mark.parametrize("plain", [False, True])
def test_every_position_can_be_shown(seats: int, stack: int, plain: bool) -> None:
    session, table, dealer, rng = playing(seats, 7, stack=stack, hands=12)
    assert table.notes is not None
    names = NAMES[:seats]
    while not session.over:
        assert session.pending is not None
        for seat in (0, seats - 1, SPECTATOR):
            view = dealer.view(table, seat)
            lines = TEXT.table_lines(view, names, ascii=plain)
            lines.append(TEXT.describe_question(view, session.pending, names, ascii=plain))
            if seat in session.pending.deciders:
                for decision in session.pending.decisions(view):
                    lines.append(
                        TEXT.describe_decision(view, session.pending, decision, names, ascii=plain)
                    )
                    assert len(lines.pop()) <= 20
            assert all(len(line) <= 80 for line in lines)
            assert len(lines) <= 16
            if plain:
                assert all(line.isascii() for line in lines)
        step(session, dealer, rng)
    said = [TEXT.describe_note(note, names, ascii=plain) for note in table.notes]
    assert said[0] == "Hand 1: Ann deals. Everybody antes 1."
    assert "The game is over" in said[-1]
    assert all(said)
    assert "game over" in TEXT.table_lines(dealer.view(table, 0), names)[0]


def test_every_kind_of_note_is_told() -> None:
    seen = set()
    for seed in range(12):
        session, table, dealer, rng = playing(3, seed, stack=20, hands=20)
        while not session.over:
            step(session, dealer, rng)
        assert table.notes is not None
        for note in table.notes:
            seen.add(note[0])
            assert TEXT.describe_note(note, NAMES[:3])
    told = {"hand", "deal", "betting", "act", "flip", "flop", "flopped-out"}
    assert seen >= told | (ENDS - {"carried", "pays", "pays-in"})


def test_the_table_says_who_is_in_and_what_lies_there() -> None:
    hands = ["2C 7D", "AC KC 3C", "2S 3S 4S"]
    scene = Scene(hands, Stage.BETTING, board="4C 5C 5D", pot=12, folded=[2])
    scene.act("bet 3")
    lines = TEXT.table_lines(scene.dealer.view(scene.table, B), NAMES[:3])
    assert lines[0] == "Flop-A   hand 1 of 1   betting round 3 of 6   pot 15"
    assert lines[1] == "Table  4♣   5♣ 5♦   [ ]   [ ]"
    assert lines[4].split() == [">", "Ann", "2", "0", "+0", "dealer"]
    assert lines[5].split() == ["Bartholom.", "(you)", "3", "3", "-3"]
    assert lines[6].split() == ["Cy", "3", "0", "+0", "out"]
    assert lines[-1] == "Your hand: 3♣ K♣ A♣   (counts 24/14)"
    other = scene.dealer.view(scene.table, A)
    said = TEXT.describe_question(other, scene.asked, NAMES)
    assert said == "Your turn: fold, call 3, or raise by 1 to 4 chips."
    said = TEXT.describe_question(scene.dealer.view(scene.table, B), scene.asked, NAMES)
    assert said == "Ann may fold, call 3, or raise by 1 to 4 chips."


def test_with_table_stakes_it_is_said_what_each_has_paid() -> None:
    """Side pots are made of it; "pot" is the word for the pot alone."""
    _, table, dealer, _ = playing(3, 7, stack=50)
    lines = TEXT.table_lines(dealer.view(table, A), NAMES[:3])
    heads = next(line.split() for line in lines if "cards" in line)
    assert heads == ["Seat", "cards", "bet", "paid", "chips"]


def test_the_choices_are_told() -> None:
    scene = Scene(["2C 7D", "AC KC 3C"], Stage.BETTING)
    view = scene.dealer.view(scene.table, B)
    said = [TEXT.describe_decision(view, scene.asked, one, NAMES) for one in range(3)]
    assert said == ["fold", "check", "bet 1"]
    scene = showdown(["KC", "2C"])
    said = [TEXT.describe_decision(view, scene.asked, one, NAMES) for one in range(3)]
    assert said == ["high", "low", "swing"]
    with pytest.raises(TypeError, match="nobody decides"):
        TEXT.describe_decision(view, acts.Open(()), 0, NAMES)


@pytest.mark.parametrize(
    ("note", "said"),
    [
        (("act", 0, "raise", 2), "Ann raises by 2."),
        (("flopped-out", (0, 2)), "Ann and Cy have flopped all cards!"),
        (("declares", 1, ""), "Bartholomew does not open his choice, and is out."),
        (("pays", 3, 1, 0), "Di owes Ann a fifth of the pot, and pays 1 chip."),
        (("pays-in", 3, 10), "Di pays 10 chips into the pot: several have flopped all."),
        (("carried", 1), "Nobody wins: 1 chip stays in the pot for the next hand."),
        (("hand", 2, 1, 0, 7), "Hand 2: Bartholomew deals. 7 chips lie in the pot from before."),
    ],
)
def test_what_happened_is_said_in_a_sentence(note: tuple[object, ...], said: str) -> None:
    assert TEXT.describe_note(note, NAMES) == said


def test_what_a_hand_leaves_is_called_the_tally() -> None:
    """It was taken for what the hand had won."""
    said = TEXT.describe_note(("hand-over", 2, (5, -5)), NAMES[:2])
    assert said == "Hand 2 is over. Tally: Ann +5, Bartholomew -5."


def test_the_headline_counts_the_flips_that_are_up() -> None:
    """Never "flip 6 of 5", which stood there when the last flip was up."""
    session, table, dealer, rng = playing(2, 6, hands=20)
    most = 0
    while not session.over:
        line = TEXT.table_lines(dealer.view(table, A), NAMES[:2])[0]
        said = re.search(r"flips (\d) of 5", line)
        if said is not None:
            assert int(said[1]) == len(table.ranks)
            most = max(most, int(said[1]))
        step(session, dealer, rng)
    assert most == 5


def test_a_table_of_another_game_is_a_clear_error() -> None:
    with pytest.raises(TypeError, match="no table of Flop-A"):
        TEXT.table_lines(View(Table(2), 0, DECK.faces.__getitem__), NAMES)


def test_a_declaration_does_not_look_as_if_it_cost_chips() -> None:
    """ "1 chip for high, 2 for low, 3 for swing" was read as the price."""
    scene = showdown(["KC", "2C"])
    asked = TEXT.describe_question(scene.dealer.view(scene.table, B), scene.asked, NAMES)
    assert asked.endswith("It costs no chips.")
    assert "1 chip" not in asked


def test_the_card_that_the_flip_names_lies_on_the_table_then() -> None:
    """It was named for a second while only backs lay there."""
    session, table, dealer, rng = playing(3, 7)
    seen = list[tuple[str, str]]()

    def noted(what: tuple[object, ...]) -> None:
        if what[0] == "flip":
            assert TEXT.laid is not None
            laid = TEXT.laid(TEXT.scene(dealer.view(table, A), NAMES[:3]))
            seen.append((str(what[1]), str([one.cards for one in laid])))

    table.notes = Heard(noted)
    while len(seen) < 4:
        step(session, dealer, rng)
    assert all(card in lying for card, lying in seen)
