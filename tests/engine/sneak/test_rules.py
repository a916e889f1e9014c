"""Rounds and games: how they end, what the options change, who may know what."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine import acts
from engine.bots import random_bot
from engine.dealer import TrustedDealer
from engine.errors import IllegalAnswer, UsageError
from engine.game import Value
from engine.games.sneak.cards import DECKS
from engine.games.sneak.rules import GAME, MOST_TIES
from engine.games.sneak.table import SneakTable
from engine.question import PASS
from engine.session import Session
from engine.sets import Lay, LaySet, LayTogether
from engine.simulate import game_seed, play_game
from engine.table_state import OPEN
from tests.engine.play import step
from tests.engine.sneak.scene import Scene, play_until_choice, playing

ENDS: list[dict[str, Value]] = [{}, {"ending": "one-more-turn"}]


@pytest.mark.parametrize("seats", range(2, 8))
@pytest.mark.parametrize("options", ENDS)
def test_the_points_of_a_round_are_its_cards(seats: int, options: dict[str, Value]) -> None:
    """Section 6, check; with one more turn, what is left in hands is missing."""
    session, table, dealer, rng = playing(seats, seats, **options)
    while not session.over:
        step(session, dealer, rng)
    assert table.notes is not None
    lost = 0
    for note in table.notes:
        if note[0] == "leftover":
            lost += 0 if note[3] else int(str(note[2]))
        elif note[0] == "round over":
            won: Any = note[2]
            assert sum(won) == len(DECKS[table.packs]) - lost
            lost = 0
    assert max(session.returns) >= table.target
    assert table.round <= {1: 8, 2: 14}[table.packs]


def test_the_deal_moves_left_and_the_first_dealer_is_drawn_by_lot() -> None:
    firsts = set()
    for seed in range(12):
        session, table, dealer, rng = playing(3, seed)
        while not session.over:
            step(session, dealer, rng)
        assert table.notes is not None
        rounds = [note for note in table.notes if note[0] == "round"]
        first = rounds[0][2]
        assert isinstance(first, int)
        expected = [((first + place) % 3, (first + place + 1) % 3) for place in range(len(rounds))]
        assert [note[2:] for note in rounds] == expected
        firsts.add(first)
    assert firsts == {0, 1, 2}


def test_an_unchallenged_sneak_is_never_seen() -> None:
    """Section 7: known to the leader only, for ever."""
    scene = Scene(["4C 9H KS", "2S 3D", "7C 8C"]).sneak("4C 9H").challenge()
    assert scene.won(0) == 2
    assert scene.table.played[0] == []
    for slot in scene.table.winnings[0]:
        assert scene.table.faces[slot] is None
        assert scene.table.locks[slot] == 0


def test_a_challenged_sneak_is_seen_by_all_and_passed_hands_are_not() -> None:
    scene = Scene(["4C 9H KS", "2S 3D", "7C 8C"]).sneak("4C 9H").challenge(B="2S 3D")
    pile = scene.table.winnings[1]
    assert [scene.table.locks[slot] for slot in pile] == [OPEN] * 4
    assert all(scene.table.locks[slot] == 2 for slot in scene.table.hands[2])


def test_who_challenged_in_vain_loses_his_cards() -> None:
    scene = Scene(["KC 9H", "2S 3D", "7C 8C"]).flaunt("KC").challenge(B="2S", C="8C")
    assert scene.won(0) == 3
    assert [len(hand) for hand in scene.table.hands] == [1, 1, 1]


def test_all_are_told_what_was_laid_down_and_what_challenged_it() -> None:
    scene = Scene(["KC 9H", "2S 3D", "7C 8C"]).sneak("KC").challenge(B="2S")
    told = [note for note in scene.notes if note[0] in ("turned up", "challenge")]
    truth = {card.name: card for card in DECKS[1].faces}
    assert told == [("turned up", 0, (truth["KC"],)), ("challenge", 1, (truth["2S"],))]


def test_a_seat_that_forfeits_keeps_its_cards_and_is_no_challenger() -> None:
    """A commitment that is never opened names no cards: nobody knows which they were."""
    scene = Scene(["KC 9H", "2S 3D"]).sneak("KC")
    scene.session.answer((None,))
    assert scene.won(0) == 1
    assert len(scene.table.hands[1]) == 2


def test_after_the_stock_who_has_no_cards_is_skipped() -> None:
    scene = Scene(["9H 4H", "", "10C 5C"], stock=0).flaunt("9H").challenge(C="10C")
    assert isinstance(scene.session.pending, LaySet)
    assert scene.session.pending.seat == 2


@pytest.mark.parametrize(
    ("down", "names", "sentence"),
    [
        (False, "4S 9H", "only as a match"),
        (True, "4S 9H KC", "has to hold as many"),
    ],
)
def test_why_a_lead_is_refused(down: bool, names: str, sentence: str) -> None:
    assert sentence in Scene(["4S 9H KC", "2S 3H"]).refused(names, down=down)


@pytest.mark.parametrize(
    ("names", "down", "sentence"),
    [("2S 3H", False, "as many cards as the lead"), ("2S", True, "turned up")],
)
def test_why_a_challenge_is_refused(names: str, down: bool, sentence: str) -> None:
    scene = Scene(["4S 9H KC", "2S 3H"]).sneak("9H")
    assert sentence in scene.refused(names, down=down, flaunt_by=1)


def test_a_challenge_face_down_to_a_flaunt_is_refused() -> None:
    scene = Scene(["4S 9H KC", "2S 3H"]).flaunt("9H")
    assert "face up" in scene.refused("2S", down=True, flaunt_by=1)


def test_a_foreign_card_is_not_laid() -> None:
    scene = Scene(["4S 9H KC", "2S 3H"])
    asked = scene.session.pending
    assert asked is not None
    foreign = Lay((scene.table.hands[1][0],))
    with pytest.raises(IllegalAnswer, match="not there to be laid"):
        scene.dealer.answer(scene.table, asked, {0: foreign})


# -- the end of the game ------------------------------------------------------------------------


def tied(ties: int) -> Scene:
    scene = Scene(["9H", "10C", ""], stock=0)
    table = scene.table
    lying = list(table.winnings[2])
    for seat in range(2):
        table.winnings[seat][:] = lying[25 * seat : 25 * (seat + 1)]
    table.winnings[2].clear()
    table.scores = [102, 100, 0]
    table.ties = ties
    return scene.flaunt("9H").challenge(B="10C")


def test_a_tie_at_the_top_plays_another_round() -> None:
    """D9: A 102 + 25, B 100 + 27."""
    scene = tied(0)
    assert scene.table.scores == [127, 127, 0]
    assert not scene.session.over
    assert scene.notes[-1] == ("tie", (0, 1))
    assert isinstance(scene.session.pending, acts.Fresh)


def test_the_win_is_shared_after_ten_ties() -> None:
    """Decision: otherwise a game might never end."""
    scene = tied(MOST_TIES)
    assert scene.session.over
    assert scene.session.returns == (127, 127, 0)


# -- options ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "options", "sentence"),
    [
        (3, {"packs": "two"}, "two packs are for 4 to 7 players, not 3"),
        (5, {"packs": "one"}, "one pack is for 2 to 4 players, not 5"),
        (4, {"ranking": "house"}, "the house ranking is for two packs"),
        (4, {"packs": "three"}, "option packs is one of: auto, one, two"),
        (4, {"speed": 3}, "no option 'speed'; its options are: packs, target, ranking, ending"),
    ],
)
def test_a_table_that_cannot_be_is_refused(
    seats: int, options: dict[str, Value], sentence: str
) -> None:
    with pytest.raises(UsageError, match=sentence):
        Session(GAME, seats, options)


@pytest.mark.parametrize(("packs", "expected"), [("auto", 1), ("one", 1), ("two", 2)])
def test_four_players_take_one_pack_or_two(packs: str, expected: int) -> None:
    """D1: one by default."""
    _, table, _, _ = playing(4, packs=packs)
    assert (table.packs, table.target) == (expected, 100 * expected)


@pytest.mark.parametrize("target", [25, 50, 150])
def test_another_target_ends_the_game_sooner_or_later(target: int) -> None:
    session, table, dealer, rng = playing(3, 2, target=target)
    while not session.over:
        step(session, dealer, rng)
    assert target <= max(table.scores) < target + 52


def test_the_house_ranking_decides_contests() -> None:
    hands = ["AH AS 9C", "2S 3S 3C", "7C 8C", "7C 8C"]
    scene = Scene(hands, packs="two").sneak("AH AS").challenge(B="2S 3S")
    assert scene.won(0) == 4
    scene = Scene(hands, packs="two", ranking="house").sneak("AH AS").challenge(B="2S 3S")
    assert scene.won(1) == 4


def test_one_more_turn_each_and_no_leftovers() -> None:
    """Option ending=one-more-turn: the drawer of the last card is the last to flaunt."""
    scene = Scene(
        ["9H 2C 3C 4C 5C", "10C 6H 7H", "JC 6S 7S"], stock=1, ending="one-more-turn"
    ).draw()
    for name, left in (("10C", 3), ("JC", 2), ("9H", 1)):
        assert scene.table.turns_left == left
        scene.flaunt(name).challenge()
    assert scene.table.dealing
    lost = [note[1:] for note in scene.notes if note[0] == "leftover"]
    assert lost == [(0, 5, False), (1, 2, False), (2, 2, False)]
    assert sum(scene.table.scores) == 52 - 9


def test_with_one_more_turn_the_last_to_hold_cards_wins_none() -> None:
    """Decision: the option is to stop hoarding."""
    scene = Scene(["9H", "10C 2C 3D"], stock=0, ending="one-more-turn")
    scene.table.turns_left = 2
    scene.flaunt("9H").challenge(B="10C")
    assert scene.table.dealing
    assert ("leftover", 1, 2, False) in scene.notes
    assert scene.table.scores == [0, 50]


# -- hidden means hidden --------------------------------------------------------------------------


def seen(dealer: TrustedDealer, table: SneakTable, seat: int, asked: Any) -> object:
    """Everything that a seat is handed: its own faces, the public state, its choices."""
    view = dealer.view(table, seat)
    known = {slot: view.face(slot).name for slot in range(len(table.faces)) if view.knows(slot)}
    own = list(asked.decisions(view)[:200]) if seat in asked.deciders else None
    return known, table.state(), asked.kind, asked.deciders, own


@pytest.mark.parametrize("seed", range(6))
def test_cards_that_a_seat_may_not_know_change_nothing_it_is_shown(seed: int) -> None:
    """Two runs whose hidden cards differ, with the same public answers, look alike to seat 0.

    The other run swaps two cards that seat 0 cannot know at every question of another seat.
    """
    session, table, dealer, rng = playing(3, seed)
    twin, other, swapper, _ = playing(3, seed)
    looked = swapped = 0
    while not session.over and looked < 400:
        asked, twin_asked = session.pending, twin.pending
        assert asked is not None
        assert twin_asked is not None
        assert seen(dealer, table, 0, asked) == seen(swapper, other, 0, twin_asked)
        looked += 1
        decisions = {
            seat: random_bot(dealer.view(table, seat), asked, rng) for seat in asked.deciders
        }
        answer = dealer.answer(table, asked, decisions)
        session.answer(answer)
        twin.answer(answer)
        swapper.truth.cards[:] = dealer.truth.cards
        swapped += swap_hidden(swapper, other, rng)
    assert swapped > 50


def swap_hidden(dealer: TrustedDealer, table: SneakTable, rng: Random) -> bool:
    """Exchange two cards of stock, foreign hands and unseen winnings."""
    unknown = [slot for slot in range(len(table.faces)) if table.locks[slot] not in (0, OPEN)]
    if len(unknown) < 2:
        return False
    one, two = rng.sample(unknown, 2)
    truth = dealer.truth.cards
    truth[one], truth[two] = truth[two], truth[one]
    return True


def test_a_challenge_is_asked_of_all_who_can_whatever_they_hold() -> None:
    """Section 7: the question is the same for a hand without any combination."""
    for hand in ("2S 9D", "KS KD"):
        scene = Scene(["5S 6D KC", hand, "4C"]).flaunt("5S 6D")
        asked = scene.session.pending
        assert isinstance(asked, LayTogether)
        assert asked.deciders == (1,)


# -- length ---------------------------------------------------------------------------------------


def whole_games(seats: int, games: int, **options: Value) -> list[int]:
    """How many steps each random game took; every card is looked after to the end."""
    lengths = []
    for number in range(games):
        players = [random_bot] * seats
        session = play_game(GAME, seats, options, game_seed(seats, number), players)
        assert session.table.conserved()
        lengths.append(len(session.journal))
    return lengths


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
def test_random_games_end(seats: int) -> None:
    """100 games each: no engine error, no stall, no lost card."""
    assert max(whole_games(seats, 100)) < 2_000


@pytest.mark.full
def test_ten_thousand_random_games_end() -> None:
    """Of all sizes, with all options; README gives the lengths."""
    tables: list[tuple[int, int, dict[str, Value]]] = [
        (2, 4000, {}),
        (3, 2500, {}),
        (4, 2000, {}),
        (4, 500, {"packs": "two", "ranking": "house"}),
        (3, 500, {"ending": "one-more-turn"}),
        (5, 200, {}),
        (6, 150, {"ending": "one-more-turn", "ranking": "house"}),
        (7, 150, {}),
    ]
    assert sum(games for _, games, _ in tables) == 10_000
    for seats, games, options in tables:
        assert max(whole_games(seats, games, **options)) < 5_000


def test_hoarding_all_through_the_stock_ends_too() -> None:
    """Everybody only draws: the flaunts after the stock end the round; a big hand is no hurdle."""
    session, table, dealer, rng = playing(2, 1)
    while table.round < 2:
        play_until_choice(session, dealer, rng)
        asked = session.pending
        assert asked is not None
        if isinstance(asked, LaySet) and asked.terms.may_pass:
            session.answer(PASS)
        elif isinstance(asked, LayTogether):
            session.answer((None,))
        else:
            step(session, dealer, rng)
    assert sum(table.scores) == 52
