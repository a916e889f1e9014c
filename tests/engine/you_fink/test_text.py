"""What the screen says: complete, in 80 columns, and the same for everybody."""

from __future__ import annotations

import pytest

from engine.acts import Flip
from engine.games.you_fink.cards import DECKS
from engine.games.you_fink.text import TEXT
from engine.question import PASS, Race
from engine.view import SPECTATOR
from tests.engine.play import step
from tests.engine.you_fink.scene import FOREHEAD, MIGHT, SLAP, TURN, A, B, C, Scene, playing

NAMES = ("Ann", "Bartholomew-Maximilian", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")


@pytest.mark.parametrize("seats", [2, 4, 8])
@pytest.mark.parametrize("plain", [False, True])
def test_every_position_can_be_shown(seats: int, plain: bool) -> None:
    session, table, dealer, rng = playing(seats, 7)
    table.notes = []
    names = NAMES[:seats]
    while not session.over:
        asked = session.pending
        assert asked is not None
        for seat in (0, seats - 1, SPECTATOR):
            view = dealer.view(table, seat)
            lines = TEXT.table_lines(view, names, ascii=plain)
            lines.append(TEXT.describe_question(view, asked, names, ascii=plain))
            assert len(lines) <= 15
            assert all(len(line) <= 80 for line in lines)
            assert not plain or all(line.isascii() for line in lines)
            for decision in asked.decisions(view) if seat in asked.deciders else ():
                assert TEXT.describe_decision(view, asked, decision, names, ascii=plain)
        step(session, dealer, rng)
    said = [TEXT.describe_note(note, names, ascii=plain) for note in table.notes]
    assert said[0].endswith("leads.")
    assert "The game is over" in said[-1]
    assert "game over" in TEXT.table_lines(dealer.view(table, 0), names)[0]


def test_the_table_says_what_is_to_be_answered() -> None:
    scene = Scene(["KH", "4C KD", "5C"], rest=A, booty="2C 2D").turn(A).act(A, MIGHT).turn(B, 2)
    scene.act(B, 4)
    view = scene.dealer.view(scene.table, C)
    lines = TEXT.table_lines(view, NAMES[:3])
    assert lines[1] == "Pile 3, booty 2: K♥ 4♣ [K♦ 3/1/2]"
    told = "Intel of Bartholomew-M.: 3 cards to answer.   (used in this series: Might)"
    assert lines[2] == told
    assert lines[-1].split() == [">", "Cy", "(you)", "1", "0"]
    said = TEXT.describe_question(view, scene.race, NAMES)
    assert said == "You are to turn 3 more for Bartholomew-Maximilian's Intel."
    other = TEXT.describe_question(scene.dealer.view(scene.table, A), scene.race, NAMES)
    assert other.startswith("Cy is to turn 3 more for Barth")


def test_a_match_and_a_lost_challenge_are_told() -> None:
    scene = Scene(["7C", "7D", "4H"], rest=A).turn(A).turn(B)
    view = scene.dealer.view(scene.table, A)
    assert TEXT.describe_question(view, scene.race, NAMES).endswith("The top two match!")
    assert TEXT.table_lines(view, NAMES[:3])[2] == "The top two cards match."
    scene = Scene(["KH", "4C 9D 2S", "5C"], rest=A).turn(A)
    assert TEXT.describe_question(view, scene.race, NAMES)
    assert [TEXT.describe_decision(_view(scene), scene.race, one, NAMES) for one in (4, 5)] == [
        "Intel 3",
        "Might 3",
    ]
    scene.act(A, MIGHT).turn(B, 3)
    said = TEXT.describe_question(_view(scene), scene.race, NAMES)
    assert said == "Slap! The first takes the pile. If nobody does, the next card covers the pile."
    lines = TEXT.table_lines(_view(scene), NAMES[:3])
    assert "Free for all: whoever slaps first takes the pile." in lines


def test_what_counts_if_no_power_is_chosen_is_said_where_it_is_chosen() -> None:
    """The marked choice is another one: whoever lets the time go by has to know that."""
    scene = Scene(["KH", "4C 9D 2S", "5C"], rest=A).turn(A)
    assert TEXT.describe_question(_view(scene), scene.race, NAMES) == (
        "You choose a power; Intel 3 if you choose none."
    )
    other = TEXT.describe_question(scene.dealer.view(scene.table, B), scene.race, NAMES)
    assert other == "Ann chooses a power."


def test_the_last_pile_is_called_so() -> None:
    scene = Scene(["7C", "7D", "4H"], rest=A).turn(A)
    scene.table.limit = 2
    assert TEXT.table_lines(_view(scene), NAMES[:3])[0] == "You Fink!   card 1 of 2"
    scene.turn(B)
    assert TEXT.table_lines(_view(scene), NAMES[:3])[0] == "You Fink!   card 2 of 2   the last pile"


def test_who_takes_the_pile_when_nobody_slaps_is_told_so() -> None:
    scene = Scene(["KH", "4C 9D 2S", "5C"], rest=A).turn(A).act(A, MIGHT).turn(B, 3)
    scene.table.heir = A
    views = [scene.dealer.view(scene.table, seat) for seat in (A, B)]
    assert [TEXT.describe_question(view, scene.race, NAMES) for view in views] == [
        "Slap! The first takes the pile. If nobody does, you take the pile.",
        "Slap! The first takes the pile. If nobody does, Ann takes the pile.",
    ]


def _view(scene: Scene):  # type: ignore[no-untyped-def]
    return scene.dealer.view(scene.table, A)


def test_acts_have_names_and_so_has_waiting() -> None:
    scene = Scene(["7C", "7D", "4H"], rest=A).turn(A)
    race = scene.race
    assert isinstance(race, Race)
    due, other = scene.dealer.view(scene.table, B), scene.dealer.view(scene.table, C)
    told = [TEXT.describe_decision(due, race, one, NAMES) for one in (TURN, FOREHEAD, SLAP)]
    assert told == ["turn a card", "touch forehead", "slap"]
    assert TEXT.describe_decision(due, race, PASS, NAMES) == "let others slap first"
    assert TEXT.describe_decision(other, race, PASS, NAMES) == "do nothing"


LIMIT = "The game is over: as many cards were turned as agreed, and the most cards win. "


@pytest.mark.parametrize(
    ("note", "sentence"),
    [
        (("false-slap", 0, 3), "Ann slaps in vain and pays 3 cards to the booty."),
        (("false-slap", 0, 0), "Ann slaps in vain, and has no cards to pay with."),
        (("take", 2, 1), "Cy takes the pile and the booty: 1 card."),
        (("power", 2, 1, 3), "Cy challenges with Might: 3 cards to answer."),
        (("all-used", 2), "No power is left to answer: the challenge of Cy wins."),
        (("minion-beaten", 0, 2), "The Minion of Ann is beaten by Cy."),
        (
            ("over", (54, 0), False, (0,)),
            "The game is over: Ann 54 cards, Cy 0 cards. Ann wins: hail!",
        ),
        (("over", (27, 27), True, ()), f"{LIMIT}Ann 27 cards, Cy 27 cards. Nobody wins."),
    ],
)
def test_what_happened_is_one_sentence(note: tuple[object, ...], sentence: str) -> None:
    names = ("Ann", "Cy") if note[0] == "over" else NAMES
    assert TEXT.describe_note(note, names) == sentence


def test_the_help_says_what_the_three_numbers_are_and_when_they_are_used_up() -> None:
    """A pile taken because no power was left looked like a mistake."""
    king = {face.name: face for face in DECKS[True].faces}["KH"]
    said = TEXT.brief.replace("\n", " ")
    powers = TEXT.describe_card(king).split()[1]
    assert f"{powers} on the king of hearts is Intel 3, Might 3 and no Magic" in said
    assert TEXT.brief.isascii()
    assert "if none is left, it wins the pile" in said


def test_chance_is_told() -> None:
    scene = Scene(["7C", "7D"], rest=A)
    assert "Chance" in TEXT.describe_question(_view(scene), Flip(2, 1), NAMES)


def test_cards_as_people_read_them() -> None:
    faces = {face.name: face for face in DECKS[True].faces}
    told = [TEXT.describe_card(faces[name]) for name in ("7D", "KH", "M")]
    assert told == ["7♦", "K♥ 3/3/0", "Minion"]
    assert TEXT.describe_card(faces["KH"], ascii=True) == "KH 3/3/0"
