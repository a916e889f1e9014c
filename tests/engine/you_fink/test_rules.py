"""Rules that no scenario of the specification covers: decisions, options, windows, ends."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.bots import random_bot
from engine.errors import IllegalAnswer, UsageError
from engine.games.you_fink.acts import BARRED_MS, FIFTH_CARD_MS, FREE_MS
from engine.games.you_fink.cards import DECKS, POWERS
from engine.games.you_fink.rules import GAME
from engine.games.you_fink.table import LONGEST, Phase, limit_of, slappable
from engine.question import Question
from engine.simulate import game_seed, play_game
from engine.view import View
from engine.won import Won
from tests.engine.play import finish
from tests.engine.you_fink.scene import (
    FOREHEAD,
    MAGIC,
    MIGHT,
    RESHUFFLE,
    SLAP,
    TURN,
    A,
    B,
    C,
    D,
    Scene,
    playing,
)

# -- cards (section 1) --------------------------------------------------------------------------


def test_the_table_of_powers_is_that_of_the_rules() -> None:
    """Section 1: sums 7, 6, 5, 4; 0 to 4; two powers at least; 3, 4 and 3 zeros."""
    powers = {face.name: POWERS[face.id] for face in DECKS[True].faces if POWERS[face.id]}
    assert len(powers) == 16
    assert {name[0]: sum(values) for name, values in powers.items()} == {
        "A": 7,
        "K": 6,
        "Q": 5,
        "J": 4,
    }
    assert len({(name[0], sum(values)) for name, values in powers.items()}) == 4
    assert all(0 <= value <= 4 for values in powers.values() for value in values)
    assert all(sum(value > 0 for value in values) >= 2 for values in powers.values())
    assert [sum(values[i] == 0 for values in powers.values()) for i in range(3)] == [3, 4, 3]
    assert powers["AD"] == (3, 0, 4)
    assert (powers["KS"], powers["QC"], powers["JD"]) == ((2, 0, 4), (1, 3, 1), (2, 1, 1))


def test_two_minions_and_fifty_two_others() -> None:
    names = [card.name for card in DECKS[True].cards]
    assert len(names) == 54
    assert names.count("M") == 2
    assert len(set(names)) == 53
    assert [card.name for card in DECKS[False].cards] == names[:52]


# -- slapping (section 4) -----------------------------------------------------------------------


def test_a_forehead_touch_is_good_for_two_cards() -> None:
    scene = Scene(["7C 9C", "8D 2D", "4H 6H", ""], rest=C)
    scene.act(D, FOREHEAD).turn(A)
    assert SLAP in scene.may(D)
    scene.turn(B)
    assert scene.may(D) == {FOREHEAD}


def test_a_slap_ends_the_touch_and_bars_the_hand_until_the_next_card() -> None:
    scene = Scene(["7C 9C 2H 3H 4H 5H 6H", "8D 2D", "4C"], rest=C).turn(A).slap(A)
    assert scene.may(A) == set()
    scene.turn(B)
    assert scene.may(A) == {FOREHEAD}


def test_a_touch_costs_nobody_a_slap_or_a_turn() -> None:
    """Touches are aside: the slap, or the card, counts in the same race (section 4)."""
    scene = Scene(["7C", "7D", "4H", ""], rest=A).turn(A)
    scene.act(B, TURN, (C, FOREHEAD), (D, FOREHEAD))
    assert scene.race.aside == (FOREHEAD, RESHUFFLE)
    assert scene.may(C) == {TURN, SLAP}
    assert scene.may(D) == {SLAP}
    scene.act(D, SLAP, (A, FOREHEAD))
    assert len(scene.table.claimed[D]) == 2
    notes = scene.table.notes or []
    assert [note[0] for note in notes[-3:]] == ["forehead", "slap", "take"]


def test_a_touch_in_the_race_for_a_card_ends_with_the_card_after_it() -> None:
    scene = Scene(["7C", "2D 3D", "4H", ""], rest=A).act(A, TURN, (D, FOREHEAD))
    assert scene.may(D) == {SLAP}
    assert scene.turn(B).may(D) == {FOREHEAD}


def test_without_foreheads_one_just_slaps() -> None:
    scene = Scene(["7C", "7D", "4H"], rest=A, forehead=False).turn(A).turn(B)
    assert scene.may(C) == {TURN, SLAP}
    assert scene.why_not(C, FOREHEAD) == "at this table nobody touches his forehead"
    assert scene.slap(B).owns(B) == 2


def test_the_card_that_is_due_and_the_slap_are_one_race() -> None:
    """Section 4, covering: the slap that is first leaves the card unopened, and the other way."""
    scene = Scene(["7C", "7D", "4H 5H"], rest=A).turn(A).turn(B).act(A, FOREHEAD)
    assert {TURN} < scene.may(C)
    assert SLAP in scene.may(A)
    covered = scene.fork()
    scene.act(A, SLAP)
    assert (scene.owns(C), scene.pile()) == (2, "")
    covered.act(C, TURN)
    assert (covered.owns(C), covered.pile()) == (1, "7C 7D 4H")
    covered.act(A, SLAP)
    assert len(covered.table.booty) == 3


def test_a_later_slap_of_the_same_pile_costs_nothing() -> None:
    """Section 4: slaps within the grace are late, no penalty: only the first claim counts."""
    scene = Scene(["7C", "7D 8D 9D", "4H 5H 6H"], rest=A).turn(A).turn(B)
    scene.act(B, FOREHEAD).act(C, FOREHEAD)
    assert SLAP in scene.may(B) & scene.may(C)
    scene.act(C, SLAP)
    assert (scene.owns(B), scene.owns(C)) == (2, 5)
    assert not scene.table.booty


def test_a_false_slap_of_the_player_due_passes_the_turn_on() -> None:
    scene = Scene(["7C", "8D", "4H 5H"], rest=C).turn(A)
    scene.slap(B)
    assert (scene.owns(B), scene.table.due) == (0, C)


def test_an_act_that_is_not_allowed_changes_nothing() -> None:
    scene = Scene(["7C", "8D", "4H 5H"], rest=C).turn(A)
    before = scene.session.digest()
    for seat, act, sentence in (
        (C, TURN, "due from another player"),
        (B, SLAP, "touch your forehead"),
        (B, MIGHT, "not for you to choose"),
        (B, RESHUFFLE, "not before"),
        (B, 7, "nothing one can do"),
        (B, -1, "nothing one can do"),
        (B, True, "nothing one can do"),
    ):
        with pytest.raises(IllegalAnswer, match=sentence):
            scene.session.answer(Won(seat, act, ()))
    assert scene.session.digest() == before


def test_every_refusal_has_its_sentence() -> None:
    scene = Scene(["KH", "4C", "5C"], rest=A, claimed=["", "", "6C 7C"]).turn(A)
    assert scene.why_not(A, TURN) == "nobody turns a card while a power is chosen"
    scene.act(B, FOREHEAD)
    assert scene.why_not(B, FOREHEAD) == "your forehead is touched already"
    scene = Scene(["7C", "8D", ""], rest=A, claimed=["", "", "6C 7S"]).turn(A)
    scene.turn(B)
    assert scene.table.due == C
    assert "when you turn one" in (scene.why_not(C, RESHUFFLE) or "")
    scene = Scene(["7C", "8D 9D", ""], rest=A, guests=1).turn(A)
    assert scene.why_not(C, RESHUFFLE) == "you have won no cards to reshuffle"


# -- challenges (sections 5 and 6) --------------------------------------------------------------


def test_who_does_not_choose_gets_the_highest_power() -> None:
    """D8: ties Intel before Might before Magic."""
    scene = Scene(["KH", "4C"], rest=B).turn(A).quiet()
    assert (scene.table.asked, scene.table.remaining) == (0, 3)
    scene = Scene(["AD", "4C"], rest=B).turn(A).quiet()
    assert (scene.table.asked, scene.table.remaining) == (2, 4)


def test_when_all_wait_the_card_that_is_due_is_turned() -> None:
    scene = Scene(["7C", "4C"], rest=B).quiet()
    assert (scene.pile(), scene.table.due) == ("7C", B)


def test_a_last_challenger_that_matches_is_free_for_all() -> None:
    """Section 5, 3: all used, but it matches the card below; no slap: the win stands."""
    scene = Scene(["KH QC 2C", "KD 3C", "QH 5C"], rest=B).turn(A).act(A, MIGHT)
    scene.turn(B).act(B, MAGIC).turn(C)  # QH has Intel 2 left
    assert (scene.table.asked, scene.table.due) == (0, A)
    scene.turn(A)
    assert (scene.table.phase, scene.table.heir) == (Phase.FREE, A)
    assert TURN not in scene.may(A)
    left_alone = scene.fork().quiet()
    assert (left_alone.owns(A), left_alone.table.due) == (1 + 4, A)
    assert scene.slap(C).owns(C) == 1 + 4


def test_the_fifth_card_of_a_minion_may_match() -> None:
    """D12: a short slap window first, then the owner takes the pile."""
    scene = Scene(["M", "2C 3C 4C 6C 6D", "9D"], rest=C).turn(A).turn(B, 5)
    assert (scene.table.phase, scene.table.heir) == (Phase.FREE, A)
    left_alone = scene.fork().quiet()
    assert (left_alone.owns(A), left_alone.table.due) == (6, A)
    assert scene.slap(B).owns(B) == 6


def test_a_minion_that_answers_a_minion_asks_the_next_for_five() -> None:
    """D11."""
    scene = Scene(["M", "2C M", "9D"], rest=A).turn(A).turn(B, 2)
    assert (scene.table.owner, scene.table.due, scene.table.remaining) == (B, C, 5)
    assert not slappable(scene.table)


@pytest.mark.parametrize("takes", [False, True])
def test_who_beats_a_minion(takes: bool) -> None:
    """D10: the pile stays, or by option what lies below goes to the challenger's owner."""
    scene = Scene(["M", "2C KC", "9D"], rest=A, booty="4C 5C", minionBeatenTakesPile=takes)
    scene.turn(A).turn(B, 2)
    assert (scene.table.phase, scene.table.owner, scene.table.used) == (Phase.CHOOSE, B, [])
    assert scene.pile() == ("KC" if takes else "M 2C KC")
    assert (scene.owns(B), len(scene.table.booty)) == ((4, 0) if takes else (0, 2))
    assert scene.act(B, MIGHT).table.due == C


def test_nobody_slaps_and_nobody_can_cover_a_lost_pile() -> None:
    """D9 and D15: all cards lie in the centre, the last placer takes them."""
    scene = Scene(["KH", "4C 9D 2S"], rest=A, minions=False)
    scene.table.pile[:0] = scene.table.decks[A][:-1]
    for slot in scene.table.pile:
        scene.table.faces[slot], scene.table.locks[slot] = DECKS[False].cards[slot], -2
    del scene.table.decks[A][:-1]
    scene.turn(A).act(A, MIGHT).turn(B, 3)
    assert (scene.owns(A), scene.owns(B), scene.table.phase) == (0, 0, Phase.FREE)
    scene.quiet()
    assert scene.session.returns == (0, 52)


# -- running out (section 7) --------------------------------------------------------------------


def test_section_7_an_early_reshuffle_bars_the_hand_for_two_cards() -> None:
    """D13, 3 s: allowed out of turn with an empty deck; play goes on."""
    scene = Scene(["7C", "8D 9D", ""], rest=A, claimed=["", "", "2H 3H 4S"]).turn(A)
    assert scene.may(C) == {FOREHEAD, RESHUFFLE}
    scene.act(C, RESHUFFLE)
    assert (len(scene.table.decks[C]), len(scene.table.claimed[C])) == (3, 0)
    assert (scene.table.due, scene.may(C)) == (B, set())
    scene.turn(B)
    assert scene.may(C) == {TURN}
    assert scene.why_not(C, FOREHEAD) == "your hand is not back yet: wait for the next cards"
    scene.turn(C)
    assert scene.may(C) == {FOREHEAD}


def test_section_7_a_lost_pile_lies_for_a_barred_hand_after_three_seconds() -> None:
    """D13: at a lost pile no card is turned, so the 3 s are a window of the others."""
    scene = Scene(["KH 5H", "4C 9D 2S 8D", ""], rest=A, claimed=["", "", "2H 3H 4S"])
    scene.turn(A).act(A, MIGHT).turn(B, 2).act(C, RESHUFFLE).turn(B)
    assert (scene.race.window_ms, scene.may(C)) == (BARRED_MS, set())
    scene.quiet()
    assert (scene.race.window_ms, scene.may(C)) == (FREE_MS, {FOREHEAD})
    assert scene.pile() == "KH 4C 9D 2S"
    assert scene.fork().slap(C).owns(C) == 3 + 4
    assert scene.quiet().pile().startswith("KH 4C 9D 2S ")


def test_a_free_pile_that_no_hand_can_slap_is_asked_about_when_they_are_back() -> None:
    """D13 for everybody: nobody owes an entry in a race without claims."""
    scene = Scene(["KH 5H", "4C 9D 2S 8D"], rest=A).turn(A).act(A, MIGHT).turn(B, 2)
    scene.table.barred = [9, 9]
    scene.turn(B)
    assert (scene.may(A), scene.may(B)) == ({FOREHEAD}, {FOREHEAD})
    assert scene.quiet().pile() == "KH 4C 9D 2S 5H"


def test_section_6_a_match_of_the_fifth_card_waits_for_no_barred_hand() -> None:
    """D12: it lies for 1.5 s, half of what an early reshuffle takes."""
    scene = Scene(["M 5H", "4C 9D 2S 8D 8C", ""], rest=A, claimed=["", "", "2H 3H 4H"])
    scene.turn(A).turn(B, 4).act(C, RESHUFFLE).turn(B)
    assert (scene.race.window_ms, scene.may(C)) == (FIFTH_CARD_MS, set())
    scene.quiet()
    assert scene.owns(A) == 54 - 3


def test_nobody_reshuffles_while_the_deck_still_has_cards() -> None:
    scene = Scene(["7C", "8D 9D", "5C"], rest=A, claimed=["", "", "2H 3H 4S"]).turn(A)
    assert RESHUFFLE not in scene.may(C)
    assert scene.why_not(C, RESHUFFLE) == "you reshuffle when your deck is empty, not before"


def test_who_runs_out_leaves_the_rest_of_the_answer_to_the_next() -> None:
    """D14, and the owner of the challenge is never asked to answer it."""
    scene = Scene(["AH", "9C", "4S", "5D"], rest=A).turn(A).act(A, MIGHT).turn(B)
    assert (scene.table.due, scene.table.remaining) == (C, 3)
    scene.turn(C)
    assert (scene.table.due, scene.table.remaining) == (D, 2)
    scene.turn(D)
    assert (scene.owns(A), scene.table.due) == (54, A)
    assert scene.session.over


def test_a_match_of_the_last_card_can_be_slapped_before_the_owner_takes_it() -> None:
    """D15: nobody can answer any more, but the pile is slappable."""
    scene = Scene(["AH", "9C 9D"], rest=A).turn(A).act(A, MIGHT).turn(B, 2)
    assert (scene.table.phase, scene.table.heir) == (Phase.FREE, A)
    scene.slap(B)
    assert (scene.owns(B), scene.table.due, scene.session.over) == (3, B, False)


def test_a_sole_holder_turns_on_until_the_pile_is_his() -> None:
    """D15: his last card is no challenger: he takes the pile."""
    scene = Scene(["2C 3C", ""], rest=A)
    deck = scene.table.decks[A]
    low = [slot for slot in deck if not POWERS[DECKS[True].cards[slot].id]][:3]
    for slot in [slot for slot in deck if slot not in low]:
        deck.remove(slot)
        scene.table.booty.append(slot)
    scene.turn(A, 3)
    assert scene.session.over
    assert scene.session.returns == (54, 0)


# -- options and ends (sections 8 and 10) -------------------------------------------------------


def test_the_player_after_the_last_to_place_leads_by_option() -> None:
    """D5."""
    scene = Scene(["7C", "7D", "4H"], rest=A, leader="next").turn(A).turn(B).slap(A)
    assert scene.table.due == C
    assert Scene(["7C", "7D", "4H"], rest=A).turn(A).turn(B).slap(A).table.due == A


@pytest.mark.parametrize(("written", "limit"), [("off", LONGEST), ("250", 250)])
def test_how_long_a_game_may_be(written: str, limit: int) -> None:
    """D16."""
    assert limit_of({"cardLimit": written}) == limit
    assert limit_of(GAME.defaults()) == 500


def test_at_the_limit_the_pile_in_play_is_finished() -> None:
    """Section 8: most cards win, ties share."""
    scene = Scene(["7C 2H", "8D 8S", "4H"], rest=C, cardLimit="50")
    scene.table.turned = 48
    scene.turn(A).turn(B)
    assert (scene.table.turned, scene.session.over) == (50, False)
    scene.turn(C)
    assert not scene.session.over
    scene.turn(A)
    scene = Scene(["7C 2H", "7D 8S", "4H"], rest=C, cardLimit="50")
    scene.table.turned = 48
    scene.turn(A).turn(B).slap(A)
    assert scene.session.over
    assert scene.session.returns == (3, 1, 50)


def test_no_game_is_longer_than_the_limit_and_its_last_pile() -> None:
    for seed in range(6):
        session, table, dealer, rng = playing(3, seed, cardLimit="50", forehead=False)
        finish(session, dealer, rng)
        assert table.turned <= 50 + 54
        assert sum(session.returns) == 54


@pytest.mark.parametrize(("seats", "guests"), [(2, 1), (3, 2), (7, 6)])
def test_two_players_at_least_are_dealt_cards(seats: int, guests: int) -> None:
    with pytest.raises(UsageError, match="two are dealt cards"):
        GAME.check(seats, {"guests": guests})


@pytest.mark.parametrize("seats", [1, 9])
def test_other_numbers_of_players_are_refused(seats: int) -> None:
    with pytest.raises(UsageError, match="2 to 8 players"):
        GAME.check(seats, {})


def test_unknown_values_of_options_are_refused_with_the_allowed_ones() -> None:
    with pytest.raises(UsageError, match="off, 50"):
        GAME.parse_options({"cardLimit": "7"})
    with pytest.raises(UsageError, match="0 to 6"):
        GAME.parse_options({"guests": "7"})
    assert GAME.parse_options({"forehead": "off"})["forehead"] is False


# -- whole games --------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 5, 8])
def test_random_games_end_with_all_cards_owned(seats: int) -> None:
    for number in range(50):
        session = play_game(GAME, seats, {}, game_seed(5, number), [random_bot] * seats, check=True)
        assert sum(session.returns) == 54


@pytest.mark.full
def test_ten_thousand_random_games() -> None:
    """No engine error, no stall, no lost card; most end because somebody owns everything."""
    for seats in (2, 3, 4, 6, 8):
        for number in range(2_000):
            session = play_game(
                GAME, seats, {}, game_seed(6, number), [random_bot] * seats, check=True
            )
            assert sum(session.returns) == 54


@pytest.mark.parametrize("seats", [2, 3])
def test_players_who_never_do_anything_come_to_an_end(seats: int) -> None:
    """All windows end by themselves: D8, D9, D15 and the limit are answers of nobody."""

    def idle(view: View, question: Question[Any], rng: Random) -> object:
        return question.decisions(view)[0]

    options = {"cardLimit": "500"}
    for number in range(5):
        session = play_game(GAME, seats, options, game_seed(3, number), [idle] * seats)
        assert sum(session.returns) == 54
