"""Hidden means hidden: who knows a card after each hidden move (rules section 10), and leaks."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.acts import Shuffle
from engine.dealer import TrustedDealer
from engine.env.seen import faces_seen
from engine.games.flaps.rules import GAME, begin
from engine.games.flaps.text import TEXT
from engine.question import Race
from engine.session import Session
from engine.testing import describe
from engine.view import View
from tests.engine.flaps.scene import Scene

A, B, C = range(3)
BIT = (1, 2, 4)
NAMES = ("Ann", "Bo", "Cy")


def readers(scene: Scene, slot: int) -> list[int]:
    """The seats that can read a slot."""
    return [seat for seat in range(scene.table.seats) if scene.view(seat).knows(slot)]


def test_nothing_of_the_game_before_is_known_or_due_in_the_next() -> None:
    """The cards have other faces then; who knew one of them knows nothing."""
    table = Scene(["2C 9H", "9D 9S"], "5C").table
    slot = table.hands[A][0]
    table.known_by[slot] = BIT[B]
    table.due.append((A, slot, False))
    table.face_up.append(slot)
    begin(table, B)
    assert (table.known_by, table.due, table.face_up) == ({}, [], [])


def test_trumps_and_spoof_show_nothing_before_the_reveal() -> None:
    scene = Scene(["TRS 2D 5D 5C", "AH 9C 9D", "KC 9C 9S"], "5S").lay("TRS").say(2).put("AH")
    assert readers(scene, scene.table.aside[B][0]) == [B]
    scene.put("KC").put("2D")
    assert all(scene.view(B).knows(slot) for slot in scene.table.hands[A][-3:])


def test_a_cut_shows_cards_and_not_their_places() -> None:
    hands = ["TRS OM1 5D 5C", "KC 9C 9D", "KD 9C 9S"]
    scene = Scene(hands, "5S", stock="2D 3D").lay("TRS").say(2).put("KC").put("KD").put("OM1")
    assert all(readers(scene, slot) == [] for slot in scene.table.stock)


def test_lose_is_known_to_the_former_owner_only() -> None:
    scene = Scene(["LOSEC 9H 8H", "9D 9S", "8D 8S"], "5C").lay("LOSEC")
    pile = scene.table.mystery[0]
    assert [readers(scene, slot) for slot in pile] == [[B], [C], [A]]
    assert [scene.table.known_by[slot] for slot in pile] == [BIT[B], BIT[C], BIT[A]]


def test_pick_is_known_to_the_layer_only() -> None:
    scene = Scene(["PICKD 9H 8H 8C", "9D 9S", "8D"], "5D").lay("PICKD").put("8H")
    (slot,) = scene.table.mystery[0]
    assert readers(scene, slot) == [A]
    assert scene.table.known_by == {slot: BIT[A]}


@pytest.mark.parametrize(("card", "knows"), [("BLINDH", []), ("GUESSS", [A])])
def test_guessing_blind_and_looking(card: str, knows: list[int]) -> None:
    scene = Scene([f"{card} 9H 8H 8C", "9D 9S", "8D"], "5" + card[-1], stock="KC").lay(card)
    (slot,) = scene.table.mystery[0]
    assert scene.truth(slot) == "KC"
    assert readers(scene, slot) == knows
    assert scene.table.known_by == {slot: BIT[A] if knows else 0}


@pytest.mark.parametrize("card", ["BLINDH", "GUESSS", "1DOWNC"])
def test_the_last_card_of_the_stack_is_enough_where_one_is_needed(card: str) -> None:
    """What was laid is shuffled only if the stock has too few."""
    scene = Scene([f"{card} 9H 8H 8C", "9D 9S", "8D"], "5" + card[-1], "KC", "2C 3C", dry=True)
    laid = len(scene.lay(card).table.discard)
    if card == "1DOWNC":
        scene.say(B)
    assert (list(scene.table.stock), len(scene.table.discard), laid) == ([], 4, 4)


@pytest.mark.parametrize(("card", "kind"), [("BLINDH", "guess blind"), ("GUESSS", "guess")])
def test_without_a_stack_a_guess_takes_the_card_that_was_laid_on(card: str, kind: str) -> None:
    """The discards but the new one are the stock then, and one secret is told."""
    scene = Scene([f"{card} 9H 8H 8C", "9D 9S", "8D"], "5" + card[-1], dry=True).lay(card)
    assert scene.names(scene.table.mystery[0]) == ["5" + card[-1]]
    assert (scene.names(scene.table.discard), list(scene.table.stock)) == ([card], [])
    told = [note for note in scene.table.notes or [] if note[0] == "secrets"]
    assert told == [("secrets", kind, A, 1)]


def test_share_is_known_to_both() -> None:
    scene = Scene(["SHAREH 9H 8H 8C", "9D 9S", "8D"], "5H").lay("SHAREH").say(B)
    (slot,) = scene.table.mystery[0]
    assert readers(scene, slot) == [A]
    assert scene.table.known_by == {slot: BIT[A] | BIT[B]}


def test_solve_shows_the_pile_to_the_layer_only() -> None:
    scene = Scene(["SOLVEC 9H 8H 8C", "9D 9S", "8D"], "5C", mystery="KC KD").lay("SOLVEC")
    assert scene.hand(A) == "8C 8H 9H KC KD"
    assert [readers(scene, slot) for slot in scene.table.hands[A][-2:]] == [[A], [A]]


def test_down_is_known_to_the_placer_and_travels_with_the_pile() -> None:
    scene = Scene(["1DOWNC 1RIGHTC 8H 8C", "1LEFTS 1DOWNC", "8D"], "5C", stock="KC")
    scene.lay("1DOWNC").say(B)
    (slot,) = scene.table.down[B]
    assert readers(scene, slot) == [A]
    scene.lay("1LEFTS")
    assert scene.table.down[C] == [slot]
    assert readers(scene, slot) == [A]
    assert scene.table.known_by == {slot: BIT[A]}


def test_over_is_known_to_all() -> None:
    scene = Scene(["1OVERH 9H 8H 8C", "9D 9S", "8D"], "5H", down=["", "KC KD"]).lay("1OVERH")
    slot = scene.table.down[B][0]
    scene.say((B, slot))
    assert scene.table.down[B][0] == slot
    assert readers(scene, slot) == [A, B, C]
    assert readers(scene, scene.table.down[B][1]) == []


def test_a_look_puts_the_card_on_top_and_is_known_to_the_looker() -> None:
    scene = Scene(["1LOOKC 9H 8H 8C", "9D 9S", "8D"], "5C", down=["", "KC KD"]).lay("1LOOKC")
    slot = scene.table.down[B][0]
    scene.say((B, slot))
    assert scene.table.down[B][-1] == slot
    assert readers(scene, slot) == [A]


def test_a_look_into_ones_own_hand_tells_nobody_else() -> None:
    """The next seat has not seen the card, nor has it in an observation."""
    scene = Scene(["1LOOKC 9H 8H 8C", "9D 9S 8S", "8D 9C 7C"], "5C").lay("1LOOKC").say(A)
    (slot,) = scene.asked.options
    assert scene.table.known_by == {slot: BIT[A]}
    scene.say(slot)
    assert [scene.table.has_seen(seat, slot) for seat in (A, B, C)] == [True, False, False]
    read = scene.dealer.truth.cards.__getitem__
    assert faces_seen(View(scene.table, B, read, read), [slot]) == [0]


def test_swap_takes_place_and_facing() -> None:
    scene = Scene(["1SWAPD 9H 8H 8C", "9D 9S", "8D"], "5D", down=["", "KC KD"]).lay("1SWAPD")
    taken = scene.table.down[B][0]
    scene.say((B, taken)).put("9H")
    given = scene.table.down[B][0]
    assert scene.truth(given) == "9H"
    assert readers(scene, given) == [A]
    assert readers(scene, taken) == [A]
    assert taken in scene.table.hands[A]


def test_swap_with_a_card_that_lies_face_up_shows_the_given_one() -> None:
    hands = ["1OVERH 9H 8H 8C", "1SWAPD 9D 9S 1DOWNH", "8D"]
    scene = Scene(hands, "5H", down=["", "KC KD"]).lay("1OVERH")
    taken = scene.table.down[B][0]
    scene.say((B, taken)).lay("1SWAPD").say((B, taken)).put("9D")
    given = scene.table.down[B][0]
    assert readers(scene, given) == [A, B, C]
    assert scene.table.face_up == [given]


def test_up_is_seen_by_the_taker_only() -> None:
    scene = Scene(["1UPC 9H 8H 8C", "9D 9S", "8D"], "5C", down=["", "", "KC KD"]).lay("1UPC")
    slot = scene.table.down[C][-1]
    scene.say(C)
    assert slot in scene.table.hands[C]
    assert readers(scene, slot) == [C]


def test_monty_shows_one_card_to_all_and_one_to_the_taker() -> None:
    scene = Scene(["FMH 9S 9H 8C", "9D 9S", "8D"], "5H").lay("FMH").put("9S", "9H", "8C")
    three = scene.say(C).asked.options
    scene.say(three[0]).say(three[1])
    assert readers(scene, three[1]) == [A, B, C]
    scene.say(three[2])
    assert three[2] in scene.table.hands[C]
    assert readers(scene, three[2]) == [C]
    assert readers(scene, three[0]) == [A]


def test_the_stall_shuffle_forgets_who_knew() -> None:
    scene = Scene(["1DOWNC 9C", "8C 8D"], "5C", stock="KC", dry=True).lay("1DOWNC").say(B)
    assert scene.table.known_by
    scene.table.zones[-1].extend(scene.table.discard[:-1])
    del scene.table.discard[:-1]
    scene.decline().decline()
    assert scene.table.known_by == {}
    assert all(readers(scene, slot) == [] for slot in scene.table.stock)


def test_the_stall_shuffle_forgets_only_what_was_shuffled() -> None:
    """A has looked at a card of B's hand, and knows it after the piles were shuffled."""
    scene = Scene(["1LOOKC 9H 8H", "8C 8D"], "5C", dry=True).lay("1LOOKC").say(B)
    (held,) = scene.asked.options
    scene.say(held)
    pile = scene.table.hands[A].pop()
    scene.table.down[A].append(pile)
    scene.table.known_by[pile] = BIT[B]
    scene.table.zones[-1].extend(scene.table.discard[:-1])
    del scene.table.discard[:-1]
    scene.decline().decline()
    assert scene.table.known_by == {held: BIT[A] | BIT[B]}


# -- leaks -----------------------------------------------------------------------------------------


def seen(session: Session, dealer: TrustedDealer, seat: int) -> tuple[Any, ...]:
    """Everything that one seat is given: state, faces, the question, decisions, and in words."""
    view, asked = dealer.view(session.table, seat), session.pending
    assert asked is not None
    faces = [view.recall(slot) for slot in range(len(session.table.faces))]
    legal = list(asked.decisions(view)) if seat in asked.deciders else None
    told = [TEXT.describe_decision(view, asked, one, NAMES) for one in legal or ()]
    lines = TEXT.table_lines(view, NAMES)
    return (session.table.state(), faces, describe(session.table, asked), legal, told, lines)


@pytest.mark.parametrize("level", [1, 4, 7])
@pytest.mark.parametrize("seed", range(6))
def test_cards_that_a_seat_may_not_know_change_nothing_for_it(level: int, seed: int) -> None:
    """Two runs with other hidden cards, the same public answers: seat 0 is given the same.

    At each position all cards that seat 0 has not seen change places at random.
    """
    rng = Random(seed)
    options: dict[str, Any] = {"level": level, "turn-limit": 60, "last-card": "catch"}
    session, dealer = Session(GAME, 3, options, check=True), TrustedDealer(rng)
    while (asked := session.pending) is not None:
        other = dealer.copy(Random(0))
        view = dealer.view(session.table, 0)
        hidden = [slot for slot in range(len(session.table.faces)) if view.recall(slot) is None]
        other.act(session.table, Shuffle(tuple(hidden)))
        assert seen(session, dealer, 0) == seen(session, other, 0)
        everybody = tuple(asked.deciders)
        if isinstance(asked, Race):
            assert all(asked.claims[seat].seat == seat for seat in everybody)
        decisions = {
            seat: rng.choice(asked.decisions(dealer.view(session.table, seat)))
            for seat in everybody
        }
        session.answer(dealer.answer(session.table, asked, decisions))


def test_who_is_asked_in_a_window_does_not_tell_who_holds_a_flap() -> None:
    """The same seats are asked whatever they hold."""
    first = Scene(["4C 5C 5D", "4H 8S 8C", "8C 8H"], "5C").lay("4C")
    second = Scene(["4C 5C 5D", "9H 8S 8C", "4S 8H"], "5C").lay("4C")
    assert first.asked.deciders == second.asked.deciders == (B, C)
