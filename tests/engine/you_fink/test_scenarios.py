"""The scenarios of the rules, section 12, one test or more each."""

from __future__ import annotations

import pytest

from engine.acts import Open
from engine.errors import IllegalAnswer
from engine.games.you_fink.table import NOBODY, Phase, counts, is_touched, slappable
from engine.question import Race
from engine.session import Session
from engine.won import Won
from tests.engine.play import step
from tests.engine.you_fink.scene import (
    FOREHEAD,
    INTEL,
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


def dealt(seats: int, seed: int = 0, **options: bool) -> Session:
    session, _, dealer, rng = playing(seats, seed, **options)
    while not isinstance(session.pending, Race):
        step(session, dealer, rng)
    return session


@pytest.mark.parametrize(
    ("seats", "minions", "sizes"),
    [
        (2, True, [27, 27]),
        (3, True, [18, 18, 18]),
        (4, True, [13, 13, 14, 14]),
        (4, False, [13, 13, 13, 13]),
        (5, True, [10, 11, 11, 11, 11]),
        (3, False, [17, 17, 18]),
    ],
)
def test_scenario_01_all_cards_are_dealt_evenly(
    seats: int, minions: bool, sizes: list[int]
) -> None:
    """54 cards, 2 players -> 27 each; 3 -> 18; 4 -> 14,14,13,13; 52/4 -> 13."""
    table = dealt(seats, minions=minions).table
    assert sorted(map(len, table.decks)) == sizes  # type: ignore[attr-defined]


@pytest.mark.parametrize("seed", range(8))
def test_scenario_02_left_of_the_dealer_starts_among_those_with_most(seed: int) -> None:
    """4 players, 54 cards, dealer D: A, B hold 14 -> A starts."""
    session = dealt(4, seed)
    dealer = session.journal[0][0]  # type: ignore[index]
    first = (dealer + 1) % 4
    sizes = counts(session.table)  # type: ignore[arg-type]
    assert session.table.due == first  # type: ignore[attr-defined]
    assert sizes[first] == sizes[(first + 1) % 4] == 14
    assert sizes[dealer] == sizes[(first + 2) % 4] == 13


def test_scenario_03_a_covered_match_is_slapped_in_vain() -> None:
    """A 7, B 7, C places 4 -> slap by A afterwards: false, 3 cards to booty."""
    scene = Scene(["7C 2H 3H 5H 6H", "7D", "4H"], rest=B).turn(A).turn(B)
    assert slappable(scene.table)
    scene.turn(C)
    assert not slappable(scene.table)
    scene.slap(A)
    assert (scene.owns(A), len(scene.table.booty)) == (1, 3)
    assert scene.pile() == "7C 7D 4H"


@pytest.mark.parametrize(("left", "paid"), [("2H 3H", 2), ("", 0)])
def test_scenario_04_who_has_less_pays_what_he_has(left: str, paid: int) -> None:
    """As 3, but A has 2 cards -> both go. A has none -> nothing."""
    scene = Scene([f"7C {left}", "7D", "4H 5H"], rest=B).turn(A).turn(B).turn(C)
    scene.slap(A)
    assert (scene.owns(A), len(scene.table.booty)) == (0, paid)
    assert scene.table.due == B


def test_scenario_04_the_deck_pays_before_claimed_cards() -> None:
    """Section 4: off the top of the deck, then of the claimed cards."""
    scene = Scene(["7C 2H", "7D", "4H"], rest=B, claimed=["8H 9H 10H"]).turn(A).turn(B).turn(C)
    scene.slap(A)
    assert [scene.dealer.view(scene.table, A).knows(slot) for slot in scene.table.booty] == [
        False,
        True,
        True,
    ]
    assert [scene.table.face(slot).name for slot in scene.table.claimed[A]] == ["8H"]


def test_scenario_05_no_forehead_while_ones_own_card_is_turned() -> None:
    """Forehead while turning one's own card -> not registered."""
    scene = Scene(["7C 8C", "9D"], rest=B)
    scene.act(A, FOREHEAD)
    assert is_touched(scene.table, A)
    scene.session.answer(Won(A, TURN, ()))
    assert isinstance(scene.session.pending, Open)
    assert scene.session.pending.deciders == ()
    scene._settle()
    assert not is_touched(scene.table, A)
    assert scene.may(A) == {FOREHEAD}
    assert scene.why_not(A, SLAP) == "touch your forehead before you slap"


def test_scenario_06_a_guest_slaps_in() -> None:
    """Guest without cards slaps a match -> owns the pile, is in the turn order."""
    scene = Scene(["7C", "7D 8D", ""], rest=A, guests=1)
    assert scene.turn(A).turn(B).table.due == A
    scene.slap(C)
    assert scene.owns(C) == 2
    assert scene.table.due == C
    scene.turn(C)
    assert (scene.owns(C), scene.table.due) == (1, A)
    assert [scene.turn(seat).table.due for seat in (A, B)] == [B, C]


def test_scenario_07_a_lost_challenge_is_free_for_all() -> None:
    """A KH chooses Might 3; B 4, 9, 2 -> lost; anyone may slap; C first -> takes pile."""
    scene = Scene(["KH", "4C 9D 2S", "5C"], rest=A).turn(A).act(A, MIGHT).turn(B, 3)
    assert scene.table.phase is Phase.FREE
    assert [scene.may(seat) for seat in (A, B, C)] == [{FOREHEAD}] * 3
    scene.slap(C)
    assert scene.owns(C) == 5
    assert scene.table.due == C
    assert not scene.table.pile


def test_scenario_08_a_challenger_beats_and_its_owner_chooses_anew() -> None:
    """A KH chose Might 3; B turns 4, 9, KD (3/1/2) -> beats KH; B may choose Intel 3 or Magic 2,
    Might 1 refused (used)."""
    scene = Scene(["KH", "4C 9D KD", "5C"], rest=A).turn(A).act(A, MIGHT).turn(B, 3)
    assert (scene.table.phase, scene.table.due) == (Phase.CHOOSE, B)
    assert scene.may(B) == {INTEL, MAGIC, FOREHEAD}
    assert scene.why_not(B, MIGHT) == "Might was used in this series"
    scene.act(B, MAGIC)
    assert (scene.table.due, scene.table.remaining, scene.table.used) == (C, 2, [1])


def series() -> Scene:
    """KH Might by A, then KD Magic by B; C has turned JH (1/3/0)."""
    scene = Scene(["KH 6C QC", "KD", "JH"], rest=B)
    return scene.turn(A).act(A, MIGHT).turn(B).act(B, MAGIC).turn(C)


def test_scenario_09_the_only_power_left_is_asked_at_once() -> None:
    """Series KH Might, then KD Magic; C turns JH (1/3/0) -> Intel 1; A must turn one card."""
    table = series().table
    assert (table.phase, table.owner, table.asked) == (Phase.TURN, C, 0)
    assert (table.due, table.remaining, table.used) == (A, 1, [1, 2])


def test_scenario_10_free_only_after_the_last_card_lies() -> None:
    """In 9 A turns 6 -> lost, free-for-all only after that card lies."""
    scene = series()
    assert not slappable(scene.table)
    scene.turn(A)
    assert slappable(scene.table)
    assert scene.table.phase is Phase.FREE
    assert scene.pile().endswith("6C")


def test_scenario_11_all_powers_used_takes_the_pile_at_once() -> None:
    """In 9 A turns QC -> all used, no match -> A takes the pile, no slap."""
    scene = Scene(["KH QC 2C", "KD 3C", "JH"], rest=B)
    scene.turn(A).act(A, MIGHT).turn(B).act(B, MAGIC).turn(C).turn(A)
    assert (scene.owns(A), scene.table.due) == (1 + 4, A)
    assert scene.table.owner == NOBODY
    assert not scene.table.pile


def test_scenario_12_the_first_challenger_stops_the_turning() -> None:
    """Number reached is checked after each single card; first challenger stops the turning."""
    scene = Scene(["KH", "4C KD 9D", "5C"], rest=A).turn(A).act(A, MIGHT)
    assert (scene.turn(B).table.remaining, scene.table.due) == (2, B)
    scene.turn(B)
    assert (scene.table.phase, scene.table.owner) == (Phase.CHOOSE, B)
    assert scene.pile() == "KH 4C KD"


def test_scenario_13_a_covered_match_in_a_lost_challenge() -> None:
    """B answers Might 3 with 5, 5 (a match) but covers it with 8 (third card) before anyone slaps
    -> no match, challenge lost -> free-for-all."""
    scene = Scene(["KH", "5C 5D 8S", "9C"], rest=A).turn(A).act(A, MIGHT).turn(B, 2)
    assert slappable(scene.table)
    assert scene.table.phase is Phase.TURN
    scene.turn(B)
    assert scene.table.phase is Phase.FREE


def test_scenario_14_five_number_cards_are_the_minions() -> None:
    """A Minion: B 2,3,4,6,8 -> A takes pile; slaps are false."""
    scene = Scene(["M 5C", "2C 3C 4C 6C 8C 9C 10C 2D", "9D"], rest=C).turn(A).turn(B, 4)
    scene.slap(B)
    assert len(scene.table.booty) == 3
    scene.turn(B)
    assert (scene.owns(A), scene.table.due) == (1 + 6 + 3, A)
    assert not scene.table.pile


def test_scenario_15_a_minion_ends_a_series_and_is_beaten() -> None:
    """Series with used={Might}, B turns Minion -> series over; C must turn five. C turns KC: new
    series, Might allowed again."""
    scene = Scene(["KH", "5C KD", "6H M", ""], rest=D)
    scene.turn(A).act(A, MIGHT).turn(B, 2).act(B, INTEL)
    assert scene.turn(C).table.used == [1]
    scene.turn(C)
    assert (scene.table.used, scene.table.due, scene.table.remaining) == ([], D, 5)


def test_scenario_15_any_power_may_be_chosen_after_the_minion() -> None:
    """C turns KC (0/4/2): new series, Might allowed again; Intel 0 is refused."""
    scene = Scene(["KH", "M", "KC 5H"], rest=A).turn(A).act(A, MIGHT).turn(B)
    assert (scene.table.owner, scene.table.due, scene.table.remaining) == (B, C, 5)
    scene.turn(C)
    assert scene.may(C) == {MIGHT, MAGIC, FOREHEAD}
    assert scene.why_not(C, INTEL) == "this card has no Intel"
    assert scene.pile() == "KH M KC"


def test_scenario_16_two_minions_match_and_ask_the_next() -> None:
    """A Minion, B Minion -> match slappable and C owes five cards."""
    scene = Scene(["M", "M", "5C 6C"], rest=A).turn(A).turn(B)
    assert slappable(scene.table)
    assert (scene.table.owner, scene.table.due, scene.table.remaining) == (B, C, 5)
    assert not slappable(scene.turn(C).table)


def test_scenario_17_the_booty_goes_with_a_slapped_pile() -> None:
    """Booty holds 3 cards; C wins pile by slap -> gets booty."""
    scene = Scene(["7C", "7D", "4H"], rest=A, booty="2C 3C 4C").turn(A).turn(B).slap(C)
    assert (scene.owns(C), len(scene.table.booty)) == (1 + 2 + 3, 0)


def test_scenario_17_the_booty_goes_to_a_minions_owner_and_a_last_challenger() -> None:
    """Same when Minion's owner or last challenger takes it."""
    scene = Scene(["M", "2C 3C 4C 6C 8C", "9D"], rest=B, booty="2D 3D 4D").turn(A).turn(B, 5)
    assert (scene.owns(A), len(scene.table.booty)) == (6 + 3, 0)
    scene = Scene(["KH QC 2C", "KD 3C", "JH"], rest=B, booty="2D 3D 4D")
    scene.turn(A).act(A, MIGHT).turn(B).act(B, MAGIC).turn(C).turn(A)
    assert (scene.owns(A), len(scene.table.booty)) == (1 + 4 + 3, 0)


TWELVE = "2C 3C 4C 5C 6C 7C 8C 9C 10C 2D 3D 4D"


def test_scenario_18_an_empty_deck_is_made_anew_when_a_card_is_due() -> None:
    """B's deck empty, claimed 12, his turn -> reshuffle, all wait, then he plays."""
    scene = Scene(["9S", ""], rest=A, claimed=["", TWELVE]).turn(A)
    assert scene.table.due == B
    assert RESHUFFLE not in scene.may(B)
    scene.session.answer(Won(B, TURN, ()))
    kinds = []
    while not isinstance(scene.session.pending, Race):
        asked = scene.session.pending
        assert asked is not None
        kinds.append(asked.kind)
        scene.session.answer(0 if asked.deciders else scene.dealer.act(scene.table, asked))
    assert kinds == ["shuffle", "choose", "open"]
    assert (len(scene.table.decks[B]), len(scene.table.claimed[B])) == (11, 0)
    assert not any(scene.dealer.view(scene.table, B).knows(slot) for slot in scene.table.decks[B])


def test_scenario_19_in_the_middle_of_an_answer() -> None:
    """B owes 4, 2 in deck, claimed 9 -> 2, reshuffle, 2 more."""
    nine = "2D 3D 4D 6D 7D 8D 9D 10D 2H"
    scene = Scene(["AH", "9C 5C", "4S"], rest=A, claimed=["", nine]).turn(A).act(A, MIGHT)
    assert scene.table.remaining == 4
    scene.turn(B, 2)
    assert (len(scene.table.decks[B]), scene.table.remaining, scene.table.due) == (0, 2, B)
    scene.turn(B, 2)
    assert (len(scene.table.decks[B]), len(scene.table.claimed[B])) == (7, 0)
    assert scene.table.phase is Phase.FREE


def test_scenario_20_who_has_run_out_slaps_back_in() -> None:
    """B's last card is a challenger, not matched; C fails the count and B slaps first -> B back
    in."""
    scene = Scene(["4D", "JC", "5C 6D 7D 8D"], rest=A).turn(A).turn(B)
    assert scene.owns(B) == 0
    scene.act(B, MAGIC).turn(C)
    scene.slap(B)
    assert (scene.owns(B), scene.table.due) == (3, B)


def test_scenario_21_who_owns_everything_has_won() -> None:
    """A owns 54 after taking the pile -> wins immediately."""
    scene = Scene(["7C", "7D"], rest=A, due=A).turn(A).turn(B).slap(A)
    assert scene.session.over
    assert scene.session.returns == (54, 0)


def test_scenario_22_a_challenge_nobody_can_answer() -> None:
    """Two players, B has nothing, A turns AC -> nobody can answer -> A takes the pile, wins."""
    scene = Scene(["AC", ""], rest=A).turn(A)
    assert scene.session.over
    assert scene.session.returns == (54, 0)


def test_scenario_23_a_slap_on_the_empty_centre_is_ignored() -> None:
    """Slap on empty centre -> ignored."""
    scene = Scene(["7C", "7D"], rest=A).act(A, FOREHEAD).act(B, FOREHEAD)
    assert SLAP not in scene.may(A) | scene.may(B)
    assert scene.why_not(A, SLAP) == "there is nothing to slap"
    before = scene.session.digest()
    with pytest.raises(IllegalAnswer, match="takes no part"):
        scene.session.answer(Won(B, SLAP, ()))
    assert scene.session.digest() == before
    assert not scene.table.booty


@pytest.mark.parametrize("seed", range(3))
def test_scenario_24_without_minions(seed: int) -> None:
    """Without Minions: 52 cards, no Minion ever."""
    session, table, dealer, rng = playing(2, seed, minions=False)
    table.notes = []
    while not session.over:
        step(session, dealer, rng)
    assert len(table.faces) == 52
    assert sum(session.returns) == 52
    assert not any(note[0] == "minion" for note in table.notes)


def test_scenario_25_a_slap_cancels_the_series() -> None:
    """Pile slapped while A is choosing a power (his challenger matched) -> series cancelled."""
    scene = Scene(["KD 2H", "3H", "KC"], rest=B, due=C).turn(C).act(C, MIGHT).turn(A)
    assert (scene.table.phase, scene.table.due) == (Phase.CHOOSE, A)
    scene.slap(B)
    assert (scene.table.owner, scene.table.used) == (NOBODY, [])
    assert (scene.table.phase, scene.table.due) == (Phase.TURN, B)


def test_scenario_26_a_lost_pile_that_nobody_slaps_is_covered() -> None:
    """Lost challenge, nobody slaps 8 s -> next player after the answerer turns; late slap is
    false."""
    scene = Scene(["KH 5H", "4C 9D 2S", "5C 6C 7C 8C"], rest=A).turn(A).act(A, MIGHT).turn(B, 3)
    for seat in (A, B, C):
        assert TURN not in scene.may(seat)
    assert "cover" in (scene.why_not(C, TURN) or "")
    scene.quiet()
    assert scene.pile().endswith("2S 5C")
    assert (scene.table.last_placer, scene.table.due) == (C, A)
    scene.slap(C)
    assert len(scene.table.booty) == 3
