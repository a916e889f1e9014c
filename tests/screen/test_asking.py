"""Questions about several cards at once: picked in order, laid with Enter."""

from __future__ import annotations

from cli.line.choices import Decided, Refused
from cli.screen.asking import Asking
from cli.screen.presenter import Presenter
from engine.games import load_text
from engine.question import LayDown, Together
from engine.sets import Lay, LayTogether
from tests.engine.flaps.scene import Scene as FlapsScene
from tests.engine.flip_over.scene import Scene as FlipScene
from tests.engine.sneak.scene import Scene
from tests.screen.boards import Position, position
from tests.screen.test_pace import Watched


def put_down(count: int) -> Asking:
    """A question of Flaps for cards to be put face down."""
    at = Position("flaps", 4, {"level": "7"}, 3)
    hand = next(zone for zone in at.session.table.zones if zone.owner == 0 and zone.name == "hand")
    return Asking(at.view, LayDown(0, hand, count), at.presenter.describe)


def test_a_card_for_each_other_player_is_picked_in_their_order() -> None:
    at = Position("flip-over", 4, {"teams": "on"}, 11)
    asking = at.asking()
    assert isinstance(asking.question, Together)
    assert len(asking.legal) == 720
    assert asking.entries == []
    first, second, third = asking.hand[2], asking.hand[0], asking.hand[1]
    for place in (2, 0, 1):
        assert isinstance(asking.enter(), Refused)
        asking.cursor = place
        assert asking.pick() == ""
    found = asking.enter()
    assert isinstance(found, Decided)
    assert isinstance(found.decision, int)
    gifts = asking.question.options[0][found.decision]
    assert gifts == ((first, 1), (second, 2), (third, 3))
    asking.erase()
    assert asking.picked == []


def test_three_cards_are_put_down_in_any_order() -> None:
    asking = put_down(3)
    for place in (2, 0, 1):
        asking.cursor = place
        asking.pick()
    found = asking.enter()
    assert isinstance(found, Decided)
    assert isinstance(found.decision, tuple)
    assert set(found.decision) == set(asking.hand[:3])
    assert asking.question.allows(asking.view, found.decision)


def test_one_card_is_put_down_by_enter_alone() -> None:
    asking = put_down(1)
    asking.move(1)
    found = asking.enter()
    assert isinstance(found, Decided)
    assert found.decision == (asking.hand[1],)
    assert asking.pick() != ""


def test_the_cursor_goes_round_and_jumps_to_the_other_choices_and_back() -> None:
    asking = Position("flaps", 4, {"level": "6"}, 9).asking()
    asking.cursor = 0
    asking.move(-1)
    assert asking.cursor == len(asking.hand)
    asking.move(1)
    assert asking.cursor == 0
    asking.jump(1)
    assert asking.cursor == len(asking.hand)
    asking.jump(-1)
    assert asking.playable(asking.hand[asking.cursor])


def test_a_set_is_offered_in_every_way_in_which_it_may_be_laid() -> None:
    asking = Position("sneak", 4, {}, 1).asking()
    ways = [choice.decision for choice in asking.entries if isinstance(choice.decision, Lay)]
    assert [way.down for way in ways] == [True, False]
    assert all(asking.question.allows(asking.view, way) for way in ways)


def test_card_names_that_are_no_choice_get_the_reason_of_the_rules() -> None:
    asking = Position("flaps", 4, {"level": "6"}, 9).asking()
    for words, reason in (("4d", "Not now: "), ("frog", "That is not one of your cards")):
        asking.typed = words
        found = asking.enter()
        assert isinstance(found, Refused)
        assert found.why.startswith(reason)


def contest(hand: str) -> Asking:
    """Seat 1 holds this hand and may challenge a sneak of one card."""
    scene = Scene(["4C 9H", hand]).sneak("4C")
    assert scene.session.pending is not None
    presenter = Presenter(load_text("sneak"), ("Ada", "Bo"))
    view = scene.dealer.view(scene.table, 1)
    return Asking(view, scene.session.pending, presenter.describe)


def test_ones_own_sneak_is_drawn_face_down_with_what_it_is() -> None:
    scene = Scene(["4C 9H KS", "2S 3D"]).sneak("4C 9H")
    presenter = Presenter(load_text("sneak"), ("Ada", "Bo"))
    own, other = (
        presenter.board(scene.dealer.view(scene.table, seat)).piles[-1] for seat in (0, 1)
    )
    assert (own.label, own.top, [card.down for card in own.under]) == ("Ada 9♥ 4♣", "", [True])
    assert (other.label, other.top) == ("Ada", "")


def test_a_digit_is_a_number_also_where_a_card_begins_with_it() -> None:
    asking = contest("10C 2S")
    numbers = {number: choice.label for number, choice in asking.numbered()}
    assert numbers == {1: "pass", 2: "challenge 10♣"}
    asking.type("1")
    assert asking.chosen() == asking.entries[0]
    assert asking.marked == len(asking.hand)
    for more in ("0", "c"):  # there is no number 10, and one card begins so
        asking.type(more)
        chosen = asking.chosen()
        assert chosen is not None
        assert chosen.label == "challenge 10♣"


def test_digits_that_are_no_number_and_begin_no_name_are_not_kept() -> None:
    asking = contest("10C 2S")
    assert asking.type("9") == "The choices are numbered 1 to 2."
    assert asking.typed == ""
    assert asking.cursor == len(asking.hand)
    assert asking.type("10") == ""
    assert asking.completions() == ["10c"]


def test_a_beginning_that_one_card_has_is_that_card_where_sets_are_laid_too() -> None:
    """An ace was typed as `a`, and that was no choice."""
    asking = contest("AS KH KD 3S")
    for typed, label in (("a", "challenge A♠"), ("3", "challenge 3♠"), ("kh", "challenge K♥")):
        asking.type(typed)
        found = asking.chosen()
        assert found is not None
        assert found.label == label
        asking.clear()
    asking.type("k")
    assert asking.enter() == Refused("'k' could be KD, KH: type more of it.")


def test_enter_alone_gives_no_card_away_where_one_may_pass() -> None:
    """The mark stood on the lowest card, and a careless Enter challenged with it."""
    asking = contest("10C 2S")
    chosen = asking.chosen()
    assert chosen is not None
    assert chosen.label == "pass"
    asking.jump(-1)
    assert asking.cursor == 0, "the cards are one key away"
    leads = Position("sneak", 4, {}, 1).asking()
    assert leads.cursor == 0, "two ways to lay a card: Enter asks which"


def test_a_rank_is_typed_as_a_name_and_its_cards_are_shown() -> None:
    at = position("flip-over")
    asking = at.asking()
    asking.type("5")
    assert asking.chosen() is None
    board = at.presenter.board(at.view, asking=asking)
    assert board.preview.split() == asking.completions()
    assert not any(card.cursor for card in board.hand)
    asking.type("h")
    assert at.presenter.board(at.view, asking=asking).preview == "Enter: 5♥"


def test_a_number_that_begins_one_card_is_that_card_and_one_that_begins_none_is_told() -> None:
    """Of five cards one was an 8, and Enter said: '8' could be 8♦: type more of it."""
    scene = FlipScene(["8D 7S 6H 6C", "3H 2C", "1H 2H", "4H 5H"], disc=5)
    presenter = Presenter(load_text("flip-over"), ("Ada", "Bo", "Cy", "Di"))
    view, asked = scene.dealer.view(scene.table, 0), scene.session.pending
    assert asked is not None
    asking = Asking(view, asked, presenter.describe)
    assert asking.type("8") == ""
    assert presenter.board(view, asking=asking).preview == "Enter: 8♦"
    assert asking.view.face(asking.hand[asking.marked]).name == "8D"
    assert isinstance(asking.enter(), Decided)
    asking.clear()
    assert asking.type("2") == "No choice is called 2, or begins so: type its name (6c), or ?."
    assert asking.type("6") == ""
    assert asking.enter() == Refused("'6' could be 6♣, 6♥: type more of it.")


def test_no_card_of_the_hand_is_listed_whatever_its_slot() -> None:
    scene = FlapsScene(["AC 9H 2C", "4D 2S"], "5C")
    assert 0 in scene.table.hands[0]
    presenter = Presenter(load_text("flaps"), ("Ada", "Bo"))
    asking = Asking(scene.view(0), scene.asked, presenter.describe)
    assert [choice.label for choice in asking.entries] == ["pick up"]


def test_a_set_that_is_typed_is_shown_before_enter() -> None:
    at = position("sneak")
    asking = at.asking()
    asking.type("4s 9s")
    preview = at.presenter.board(at.view, asking=asking).preview
    assert preview == "Enter: challenge 9♠ 4♠"


def test_a_card_that_is_put_face_down_is_not_said_to_do_what_it_does_when_laid() -> None:
    scene = FlapsScene(["TRC 5H 4D", "9H 3S"], "5C").lay("TRC")
    presenter = Presenter(load_text("flaps"), ("Ada", "Bo"))

    def preview() -> str:
        view = scene.view(scene.asked.deciders[0])
        asking = Asking(view, scene.asked, presenter.describe)
        asking.type("3s")
        return presenter.board(view, asking=asking).preview

    scene.say(2)
    assert isinstance(scene.asked, LayDown)
    assert preview() == "Enter: 3♠ face down"


def test_what_may_still_be_typed_does_not_look_like_seconds() -> None:
    """ "Enter: pick up   or go on: 10s" was read as ten seconds."""
    scene = FlapsScene(["10S 9H 2C", "4D 2S"], "5S")
    presenter = Presenter(load_text("flaps"), ("Ada", "Bo"))
    asking = Asking(scene.view(0), scene.asked, presenter.describe)
    asking.type("1")
    said = presenter.board(scene.view(0), asking=asking).preview
    assert said == "Enter: pick up   or type on: 10s"


def test_where_no_choice_is_marked_it_is_said_that_enter_takes_none() -> None:
    """At "Last Card" of Flaps people pressed Enter, and did not know what it would do."""
    scene = FlapsScene(["9H 2C", "4D 2S"], "9S", silent=True).lay("9H")
    presenter = Presenter(load_text("flaps"), ("Ada", "Bo"))
    asking = Asking(scene.view(0), scene.asked, presenter.describe)
    assert [choice.label for choice in asking.entries] == ["Last Card", "say nothing"]
    said = presenter.board(scene.view(0), asking=asking).preview
    assert said.startswith("No choice is marked for Enter: ")
    assert asking.enter() == Refused(said)
    assert len(said) <= 78, "eighty columns show it whole"


def test_who_may_challenge_or_pass_is_told_how_to_mark_cards() -> None:
    """A challenge of Sneak offered the first card, and nothing said how to take another."""
    at = Watched("sneak", 3)
    while not (isinstance(asked := at.told.session.pending, LayTogether) and 0 in asked.deciders):
        at.told.step()
    presenter = at.model.presenter
    assert presenter is not None
    asking = Asking(at.told.view(0), asked, presenter.describe)
    told = presenter.board(at.told.view(0), asking=asking).preview
    assert told == "Enter: pass.   Arrows mark a card, Space picks several"
    asking.move(2)
    assert "Arrows" not in presenter.board(at.told.view(0), asking=asking).preview
