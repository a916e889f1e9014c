"""What the screen says: complete, in 80 columns, and nothing that the seat may not know."""

from __future__ import annotations

import pytest

from engine import acts
from engine import question as ask
from engine.games.flip_over.cards import DECKS
from engine.games.flip_over.table import round_scores
from engine.games.flip_over.text import TEXT
from engine.view import SPECTATOR, View
from engine.wording.layout import fit
from tests.engine.flip_over.scene import Scene, playing
from tests.engine.play import Heard, step

NAMES = ("Ann", "Bartholomew", "Cy", "Di", "Ed")


@pytest.mark.parametrize("seats", [3, 4, 5])
@pytest.mark.parametrize("teams", [False, True])
@pytest.mark.parametrize("plain", [False, True])
def test_every_position_can_be_shown(seats: int, teams: bool, plain: bool) -> None:
    session, table, dealer, rng = playing(seats, 7, teams=teams and seats == 4)
    table.notes = []
    names = NAMES[:seats]
    while not session.over:
        assert session.pending is not None
        for seat in (0, seats - 1, SPECTATOR):
            view = dealer.view(table, seat)
            lines = TEXT.table_lines(view, names, ascii=plain)
            lines += fit(TEXT.describe_question(view, session.pending, names, ascii=plain))
            assert all(len(line) <= 80 for line in lines)
            assert len(lines) <= 17
            if plain:
                assert all(line.isascii() for line in lines)
        step(session, dealer, rng)
    said = [TEXT.describe_note(note, names, ascii=plain) for note in table.notes]
    assert said[0].endswith("leads to the first trick.")
    assert "The game is over" in said[-1]
    assert all(said)
    assert "game over" in TEXT.table_lines(dealer.view(table, 0), names)[0]


def test_the_table_says_who_laid_what_for_which_disc() -> None:
    scene = Scene(["7H 2C", "8H 10C", "2H 3C", "5S 4D"], disc=3, blue="BRRBRBRBBR")
    scene.lay("7H", "8H")
    view = scene.dealer.view(scene.table, 2)
    lines = TEXT.table_lines(view, NAMES[:4])
    assert lines[0] == "Flip Over   round 1 of 2   trick 3 of 10   trumps: every 3"
    assert " ".join(lines[1].split()) == "Discs +1 -2 [-3] +4 -5 +6 -7 +8 +9 -10"
    assert lines[2].split() == ["taken", "Di", "Di"]
    assert lines[5].split() == ["Ann", "1", "+0", "+0", "7♥", "led"]
    assert lines[7].split() == [">", "Cy", "(you)", "2", "+0", "+0"]
    assert lines[-1] == "Your hand: 3♣  2♥"
    asked = scene.session.pending
    assert asked is not None
    said = TEXT.describe_question(view, asked, NAMES)
    assert said == "You follow suit (♥), for disc -3."
    other = View(scene.table, 0, scene.dealer.view(scene.table, 0).face)
    assert TEXT.describe_question(other, asked, NAMES).startswith("Cy follows suit")


def test_a_hand_is_sorted_and_only_its_own() -> None:
    scene = Scene(["7H 2C 8C 1H", "8H", "3H"], disc=3)
    assert TEXT.hand_line(scene.dealer.view(scene.table, 0)) == "2♣ 8♣  1♥ 7♥"
    assert TEXT.hand_line(scene.dealer.view(scene.table, 0), ascii=True) == "2C 8C  1H 7H"


def test_the_choices_of_an_exchange_are_told() -> None:
    session, table, dealer, rng = playing(4, 2, teams=True)
    while not isinstance(session.pending, ask.Together):
        step(session, dealer, rng)
    view = dealer.view(table, 1)
    said = TEXT.describe_decision(view, session.pending, 0, NAMES, ascii=True)
    cards = [view.face(slot).name for slot in table.hands[1][:3]]
    assert said == f"{cards[0]} to Cy, {cards[1]} to Di, {cards[2]} to Ann"


def test_an_exchange_with_the_partner_is_told() -> None:
    session, table, dealer, rng = playing(4, 2, teams=True, exchange="partner")
    while not isinstance(session.pending, ask.Together):
        step(session, dealer, rng)
    view, asked = dealer.view(table, 1), session.pending
    assert TEXT.describe_question(view, asked, NAMES) == (
        "Give a card to Di; all choose before any is seen."
    )
    said = TEXT.describe_decision(view, asked, 0, NAMES, ascii=True)
    assert said == f"{view.face(table.hands[1][0]).name} to Di"
    assert TEXT.describe_note(("exchange", "partner"), NAMES) == (
        "Everybody has given one card to the partner."
    )


def test_during_an_exchange_nobody_has_taken_a_disc() -> None:
    """All discs are turned: those of the round before would count the other way."""
    session, table, dealer, rng = playing(4, 2, teams=True)
    while not isinstance(session.pending, ask.Together):
        step(session, dealer, rng)
    assert (table.takers, round_scores(table)) == ([], (0, 0, 0, 0))


def test_the_fifth_suit_is_a_star() -> None:
    assert TEXT.describe_card(DECKS[5].faces[-1]) == "12★"
    assert TEXT.describe_card(DECKS[5].faces[-1], ascii=True) == "12T"


def test_why_discs_are_turned_before_a_round_is_told() -> None:
    """ "Turned in setting up the discs: 5 9." said neither what nor why."""
    row = (True, False) * 5
    told = [TEXT.describe_note(("set-up", row, turned), NAMES) for turned in ((), (4,), (5, 9))]
    assert told == [
        "The discs lie well as they fell.",
        "So that plus and minus are mixed, disc 4 is turned.",
        "So that plus and minus are mixed, discs 5 and 9 are turned.",
    ]


def test_what_chance_decides_is_told() -> None:
    session, table, dealer, rng = playing(4, 7)
    told = set()
    while table.round < 1 or isinstance(session.pending, acts.Flip):
        if isinstance(session.pending, acts.Flip):
            question = TEXT.describe_question(dealer.view(table, 0), session.pending, NAMES[:4])
            told.add((session.pending.sides == 2, question))
        step(session, dealer, rng)
    assert told == {(True, "The discs are being thrown."), (False, "Chance decides who leads.")}


def test_the_end_of_a_trick_says_by_what_it_was_won() -> None:
    """3♥ beat 10♥, and the screen only said who took the disc."""
    scene = Scene(["7H 2C", "3H 10C", "8H 3S", "3D 4D"], disc=3, blue="BRBBRBRBRR")
    table = scene.table
    table.notes = []
    scene.lay("7H", "3H", "8H")
    assert table.notes[-1][0] == "play"
    scene.lay("3D").lay("4D", "2C", "10C", "3S")
    told = [TEXT.describe_note(note, NAMES) for note in table.notes if note[0] == "trick"]
    assert told == [
        "Di takes disc +3 with 3♦, the last trump laid.",
        "Di takes disc +4 with 4♦, a trump.",
    ]
    suited = ("trick", 5, False, 1, DECKS[4].faces[0], 0)
    assert TEXT.describe_note(suited, NAMES).endswith("with 1♣, the highest ♣.")
    plain = Scene(["7H", "3H", "8H", "4D"], disc=3, trumps=False)
    plain.table.notes = []
    plain.lay("7H", "3H", "8H", "4D")
    assert plain.table.notes[-1][-1] == 0


def test_whoever_is_asked_reads_what_the_hand_allows_and_which_cards_are_trumps() -> None:
    """You were told to follow a suit that you did not hold, and led the only trump by chance."""
    scene = Scene(["7H 3C", "3H 2C", "10C 3S", "1D 4D"], disc=3)

    def asked(reader: int) -> str:
        assert scene.session.pending is not None
        view = scene.dealer.view(scene.table, reader)
        return TEXT.describe_question(view, scene.session.pending, NAMES)

    assert asked(0) == "You lead to trick 3, for disc +3; trick 2 still lies there. 3♣ is a trump."
    scene.lay("7H")
    assert asked(1) == "You follow suit (♥), for disc +3. 3♥ is a trump."
    assert asked(0) == "Bartholomew follows suit (♥) if possible, for disc +3."
    scene.lay("3H")
    assert asked(2) == "You hold no ♥: lay any card, for disc +3. 3♠ is a trump."
    plain = Scene(["7H 3C", "3H 2C", "10C 3S", "1D 4D"], disc=1, trumps=False)
    scene = plain
    assert asked(0) == "You lead to trick 1, for disc +1."


def test_the_last_trick_lies_as_it_was_laid_until_the_next_is_led() -> None:
    scene = Scene(["7H 2C", "8H 10C", "2H 3C", "5S 4D"], disc=4)
    assert TEXT.trick is not None
    for card in ("7H", "8H", "2H", "5S"):
        scene.lay(card)
    lying = TEXT.trick(TEXT.scene(scene.dealer.view(scene.table, 0), NAMES))
    assert [(seat, card.name) for seat, card in lying.cards] == [
        (0, "7H"), (1, "8H"), (2, "2H"), (3, "5S"),
    ]  # fmt: skip
    assert (lying.won, lying.best) == (True, 1)
    scene.lay("10C", "3C", "4D", "2C")
    lying = TEXT.trick(TEXT.scene(scene.dealer.view(scene.table, 0), NAMES))
    assert [seat for seat, _ in lying.cards] == [1, 2, 3, 0]
    assert scene.table.copy().led_last == 1


def test_a_round_whose_discs_are_all_taken_has_no_next_trick() -> None:
    """While the end of the round was told, the title said: trick 11 of 10, trumps: every 11."""
    scene = Scene(["7H", "8H", "2H", "5S"], disc=10)
    table, titles = scene.table, dict[object, str]()

    def noted(what: tuple[object, ...]) -> None:
        assert TEXT.headline is not None
        titles[what[0]] = TEXT.headline(TEXT.scene(scene.dealer.view(table, 0), NAMES))

    table.notes = Heard(noted)
    scene.lay("7H", "8H", "2H", "5S")
    assert titles["trick"] == "Flip Over   round 1 of 2   trick 10 of 10   trumps: every 10"
    assert titles["round"] == "Flip Over   round 1 of 2"


def totals_of(scene: Scene) -> list[object]:
    """What stands below "total" for each seat."""
    seats = range(scene.table.seats)
    shown = TEXT.scene(scene.dealer.view(scene.table, 2), NAMES[: len(seats)], ascii=True)
    columns = TEXT.columns(scene.table)
    (total,) = [column for column in columns if column.heading == "total"]
    return [total.of(shown, seat) for seat in seats]


@pytest.mark.parametrize("lost", [False, True])
def test_the_total_is_how_it_stands_now_and_without_a_round_that_is_void(lost: bool) -> None:
    """A player had to add the round to the rounds before, for each seat."""
    scene = Scene(["7H 6H", "8H 5H", "2H 1H"], disc=3, blue="BRBRBRBR")
    scene.table.scores, scene.table.round = [(4, -6, 2)], 2
    scene.table.takers[:] = [0, 1]
    if lost:
        scene.session.lose(1)
    assert totals_of(scene) == (["+4", "-6", "+2"] if lost else ["+5", "-8", "+2"])


def test_partners_see_their_total_with_what_both_have_in_the_round() -> None:
    scene = Scene(["7H 6H", "8H 5H", "2H 1H", "9H 3H"], disc=3, blue="BRBRBRBRBR", teams=True)
    scene.table.takers[:] = [0, 2]
    assert totals_of(scene) == ["-1", "+0", "-1", "+0"]
