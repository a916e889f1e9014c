"""The scenarios of the rules, section 8, one test each."""

from __future__ import annotations

import pytest

from engine import question as ask
from engine.errors import IllegalAnswer, UsageError
from engine.games.flip_over.discs import next_flip, set_up
from engine.games.flip_over.rules import GAME
from engine.games.flip_over.table import totals, winner
from tests.engine.flip_over.scene import Scene, play_until, playing
from tests.engine.play import finish, step


@pytest.mark.parametrize(("seats", "cards", "hand"), [(3, 24, 8), (4, 40, 10), (5, 60, 12)])
def test_scenario_01_players_cards_hands_and_discs(seats: int, cards: int, hand: int) -> None:
    """3 players: 24 cards, 8 each, discs 1-8; 4: 40/10/1-10; 5: 60/12/1-12."""
    session, table, dealer, rng = playing(seats)
    play_until(session, dealer, rng, round_=1)
    assert len(table.faces) == cards
    assert [len(zone) for zone in table.hands] == [hand] * seats
    assert len(table.blue) == hand
    assert not table.stock


@pytest.mark.parametrize("seats", [2, 6])
def test_scenario_01_other_numbers_of_players_are_refused(seats: int) -> None:
    """2 or 6 players refused."""
    with pytest.raises(UsageError, match="3 to 5 players"):
        GAME.check(seats, {})


TRACES = (
    "BBBBBBBB BBBBBBRB BBBBRBRB BBRBRBRB BRRBRBRB",
    "BBBRRRBB BRBRRRBB BRBRBRBB BRBRBRBR",
    "RRBBBBBR RRBBBRBR RRBRBRBR RBBRBRBR",
    "BBRBBRBB BBRBBRBR BBRBRRBR",
    "BRRBRRBR BRRBRBBR",
    "BBRRBBRR",
    "RBRBRBRB",
    "RRBRRBBR RRBRRBRR RRBRRBRB RRBRBBRB",
)
ARROWS = [pair for trace in TRACES for pair in zip(trace.split(), trace.split()[1:], strict=False)]


def row(colours: str) -> list[bool]:
    return [colour == "B" for colour in colours]


@pytest.mark.parametrize(("before", "after"), ARROWS)
def test_scenario_02_each_arrow_of_the_set_up_turns_one_disc(before: str, after: str) -> None:
    """Set-up traces of section 2 (each arrow one test)."""
    discs = row(before)
    place = next_flip(discs)
    assert place is not None
    discs[place] = not discs[place]
    assert discs == row(after)


@pytest.mark.parametrize(
    ("start", "end"),
    [(trace.split()[0], trace.split()[-1]) for trace in TRACES]
    + [("BBBBBBBBBB", "BRRBRBRBRB"), ("RRRRRRRRRRRR", "RBBRBRBRBRBR")],
)
def test_scenario_02_set_up_ends_in_the_last_row_of_the_trace(start: str, end: str) -> None:
    """Set-up traces of section 2, from the first row to the last."""
    discs = row(start)
    set_up(discs)
    assert discs == row(end)
    assert next_flip(discs) is None


def test_scenario_02_all_blue_ten_passes_through_the_row_before_the_last() -> None:
    """BBBBBBBBBB -> ... -> BBRBRBRBRB -> BRRBRBRBRB."""
    discs, rows = row("BBBBBBBBBB"), []
    while (place := next_flip(discs)) is not None:
        discs[place] = not discs[place]
        rows.append("".join("RB"[blue] for blue in discs))
    assert rows[-2:] == ["BBRBRBRBRB", "BRRBRBRBRB"]


def test_scenario_03_the_highest_card_of_the_led_suit_wins() -> None:
    """Trick 3: lead 7D, 8D, 2D -> 8D wins disc 3."""
    assert Scene(["7H", "8H", "2H"], disc=3).lay("7H", "8H", "2H").taker == 1


def test_scenario_04_the_number_of_the_trick_is_a_trump() -> None:
    """Trick 3: lead 7D, 3D, 8D -> 3D wins (trump by number)."""
    assert Scene(["7H", "3H", "8H"], disc=3).lay("7H", "3H", "8H").taker == 1


def test_scenario_05_a_trump_can_be_led() -> None:
    """Trick 3: lead 3D, 8D, 6D -> 3D wins."""
    assert Scene(["3H", "8H", "6H"], disc=3).lay("3H", "8H", "6H").taker == 0


def test_scenario_06_the_last_trump_wins() -> None:
    """Trick 3: lead 3D, then 3C from a void player -> 3C."""
    assert Scene(["3H", "3C", "6H"], disc=3).lay("3H", "3C", "6H").taker == 1


def test_scenario_07_a_discard_wins_nothing() -> None:
    """Void player discards 10C on 4D in trick 2, no 2s -> 4D wins."""
    scene = Scene(["4H", "10C", "3H", "1H"], disc=2).lay("4H", "10C", "3H", "1H")
    assert scene.taker == 0


def test_scenario_08_a_later_trump_beats_a_led_one() -> None:
    """Lead in trick 1 with a 1 -> trump; a later 1 beats it."""
    assert Scene(["1H", "8H", "6H"], disc=1).lay("1H", "8H", "6H").taker == 0
    assert Scene(["1H", "8H", "1C"], disc=1).lay("1H", "8H", "1C").taker == 2


@pytest.mark.parametrize(("colour", "score"), [("B", 8), ("R", -8)])
def test_scenario_09_the_disc_counts_by_its_present_colour(colour: str, score: int) -> None:
    """Winner gets disc t with its present colour; score blue +t, red -t."""
    scene = Scene(["7H", "6H", "2H"], disc=8, blue="BRBRBRB" + colour)
    scene.table.takers = [1, 1, 1, 1, 1, 1, 1]
    scene.lay("7H", "6H", "2H")
    assert scene.table.scores == [(score, 1 - 2 + 3 - 4 + 5 - 6 + 7, 0)]


def test_scenario_10_blue_8_red_7_red_2_is_minus_1() -> None:
    """Scores of a player with blue 8, red 7, red 2 -> -1."""
    scene = Scene(["7H", "6H", "2H"], disc=8, blue="BRBRBRRB")
    scene.table.takers = [1, 0, 1, 1, 1, 1, 0]
    scene.lay("7H", "6H", "2H")
    assert scene.table.scores[0][0] == -1


@pytest.mark.parametrize("seed", range(8))
def test_scenario_11_who_took_the_last_disc_leads_the_next_round(seed: int) -> None:
    """Round 2 leader = taker of disc n in round 1."""
    session, table, dealer, rng = playing(4, seed)
    while len(table.takers) < 9 or table.trick or table.round != 1:
        step(session, dealer, rng)
    for _ in range(3):
        step(session, dealer, rng)
    assert session.pending is not None
    assert len(table.trick) == 3
    view = dealer.view(table, session.pending.deciders[0])
    (last,) = session.pending.decisions(view)
    assert isinstance(last, int)
    expected = (table.leader + winner([*table.trick, view.face(last)], 10, True)) % 4
    step(session, dealer, rng)
    assert table.round == 2
    assert isinstance(session.pending, ask.Play)
    assert session.pending.seat == expected


def test_scenario_12_round_3_is_dealt_anew() -> None:
    """Round 3: hands differ (new deal), discs newly set up."""
    session, table, dealer, rng = playing(4, seed=3, rounds=4)
    hands, discs = [], []
    for number in (1, 2, 3):
        play_until(session, dealer, rng, round_=number)
        hands.append(
            [
                {dealer.view(table, seat).face(slot) for slot in hand}
                for seat, hand in enumerate(table.hands)
            ]
        )
        discs.append(list(table.blue))
    assert hands[0] == hands[1] != hands[2]
    assert discs[1] == [not blue for blue in discs[0]]
    assert discs[2] not in (discs[0], discs[1])
    assert next_flip(discs[2]) is None


def test_scenario_13_who_wins_nothing_scores_0() -> None:
    """A player who wins nothing scores 0."""
    scene = Scene(["7H", "6H", "2H"], disc=8).lay("7H", "6H", "2H")
    assert scene.table.scores[0][1] == 0


def test_scenario_14_without_trumps_the_number_means_nothing() -> None:
    """No-trump option, trick 3: lead 7D, 3D, 8D -> 8D wins."""
    scene = Scene(["7H", "3H", "8H"], disc=3, trumps=False)
    assert scene.lay("7H", "3H", "8H").taker == 2


@pytest.mark.parametrize("seats", [3, 5])
def test_scenario_15_teams_need_four_players(seats: int) -> None:
    """Team mode with 3 or 5 players refused."""
    with pytest.raises(UsageError, match="4 players"):
        GAME.check(seats, {"teams": True})


def test_scenario_15_partners_sit_opposite_and_add_up() -> None:
    """With 4: seats 0+2 vs 1+3, discs summed."""
    GAME.check(4, {"teams": True})
    session, table, dealer, rng = playing(4, seed=5, teams=True)
    finish(session, dealer, rng)
    alone = [sum(scores[seat] for scores in table.scores) for seat in range(4)]
    assert session.returns == (alone[0] + alone[2], alone[1] + alone[3]) * 2


@pytest.mark.parametrize("seed", range(5))
def test_scenario_16_the_exchange_keeps_hands_full_and_passes_nothing_on(seed: int) -> None:
    """Team even round: each hand size stays 10 after exchange; nobody can pass on a card he has
    just received."""
    session, table, dealer, rng = playing(4, seed, teams=True)
    while not isinstance(session.pending, ask.Together):
        step(session, dealer, rng)
    before = [set(hand) for hand in table.hands]
    options = session.pending.options
    for seat, choices in enumerate(options):
        assert len(choices) == 10 * 9 * 8
        for gifts in choices:
            assert {slot for slot, _ in gifts} <= before[seat]
            assert [to for _, to in gifts] == [(seat + step) % 4 for step in (1, 2, 3)]
    chosen = tuple(rng.randrange(720) for _ in range(4))
    session.answer(chosen)
    step(session, dealer, rng)
    assert [len(hand) for hand in table.hands] == [10] * 4
    for seat, choice in enumerate(chosen):
        for slot, receiver in options[seat][choice]:
            assert slot in table.hands[receiver]
            assert table.locks[slot] == receiver
            assert table.faces[slot] is None
    finish(session, dealer, rng)


@pytest.mark.parametrize("seed", range(3))
def test_section_5_the_exchange_may_be_with_the_partner_only(seed: int) -> None:
    """D7, the narrower reading: one card for the partner, none for the others."""
    session, table, dealer, rng = playing(4, seed, teams=True, exchange="partner")
    while not isinstance(session.pending, ask.Together):
        step(session, dealer, rng)
    options, before = session.pending.options, [list(hand) for hand in table.hands]
    for seat, choices in enumerate(options):
        assert choices == [((slot, (seat + 2) % 4),) for slot in before[seat]]
    assert session.pending.topic == "give one card to your partner"
    session.answer((3, None, 5, 7))
    step(session, dealer, rng)
    for seat, place in enumerate((3, 0, 5, 7)):
        assert before[seat][place] in table.hands[(seat + 2) % 4]
    assert [len(hand) for hand in table.hands] == [10] * 4
    finish(session, dealer, rng)


def test_section_5_only_teams_exchange_cards() -> None:
    with pytest.raises(UsageError, match="option teams=on"):
        GAME.check(4, {"exchange": "partner"})


def test_scenario_16_hands_are_hidden_again_and_oaths_are_owed() -> None:
    """Section 5: each hand is reshuffled by its holder; from then on off-suit plays owe oaths."""
    session, table, dealer, rng = playing(4, 2, teams=True)
    play_until(session, dealer, rng, round_=2)
    assert all(table.locks[slot] == seat for seat in range(4) for slot in table.hands[seat])
    step(session, dealer, rng)
    assert isinstance(session.pending, ask.Play)
    assert session.pending.otherwise is ask.Otherwise.ANY_SWORN


def test_scenario_16_a_forfeited_choice_gives_the_first_three_cards() -> None:
    """Section 5: who does not open his choice gives the first three cards of his hand."""
    session, table, dealer, rng = playing(4, 2, teams=True)
    while not isinstance(session.pending, ask.Together):
        step(session, dealer, rng)
    first = table.hands[1][:3]
    session.answer((0, None, 0, 0))
    step(session, dealer, rng)
    assert [table.locks[slot] for slot in first] == [2, 3, 0]


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_scenario_17_the_last_trick_of_the_last_round_ends_the_game(rounds: int) -> None:
    """Last trick of the last agreed round -> game over, highest total wins, tie shared."""
    session, table, dealer, rng = playing(3, seed=1, rounds=rounds)
    play_until(session, dealer, rng, round_=rounds, disc=8)
    for _ in range(3):
        assert not session.over
        step(session, dealer, rng)
    assert session.over
    assert len(table.scores) == rounds
    assert session.returns == tuple(map(sum, zip(*table.scores, strict=True)))


def test_scenario_17_a_tie_is_shared() -> None:
    """Tie shared: equal sums are equal results."""
    scene = Scene(["7H", "6H", "2H"], disc=8, blue="RRRRRRBR")
    scene.table.scores = [(9, 1, 0)]
    scene.table.round, scene.table.takers = 2, [1, 1, 1, 1, 1, 1, 2]
    scene.table.blue = [True, True, True, True, False, True, True, False]
    scene.lay("7H", "6H", "2H")
    assert scene.session.returns == (9 - 8, 1 + 1 + 2 + 3 + 4 - 5 + 6, 7)
    scene.table.scores = [(5, 5, 1)]
    assert totals(scene.table) == (5, 5, 1)


def test_scenario_18_in_the_last_trick_nobody_chooses() -> None:
    """Last trick: each player has one card, no choice; trump rule still applies (number n)."""
    scene = Scene(["7H", "8C", "6H"], disc=8)
    for seat, name in enumerate(("7H", "8C", "6H")):
        asked = scene.session.pending
        assert asked is not None
        assert len(asked.decisions(scene.dealer.view(scene.table, seat))) == 1
        scene.lay(name)
    assert scene.table.scores == [(0, 8, 28)]


def test_a_player_who_can_follow_has_to() -> None:
    """Section 3, rule 2: a card off the led suit is refused by the dealer, in the game's words."""
    scene = Scene(["7H 1C", "8H 3C", "2H 2C"], disc=3).lay("7H")
    with pytest.raises(IllegalAnswer, match="you hold a ♥ and have to follow ♥"):
        scene.lay("3C")


def test_public_hands_need_no_oath_to_be_held_to_suit() -> None:
    """Section 4: in even rounds all know the hands, so the session itself refuses a revoke."""
    session, table, dealer, rng = playing(4, seed=1)
    play_until(session, dealer, rng, round_=2)
    refused = 0
    while not session.over:
        asked = session.pending
        assert isinstance(asked, ask.Play)
        can = asked.decisions(dealer.view(table, asked.seat))
        for slot in asked.zone:
            if slot not in can:
                refused += 1
                with pytest.raises(IllegalAnswer, match="have to follow"):
                    session.answer((slot, table.face(slot)))
        step(session, dealer, rng)
    assert refused > 10


def test_alternating_discs() -> None:
    """Section 2, option alternating: disc 1 random, then strictly alternating."""
    firsts = set()
    for seed in range(10):
        session, table, dealer, rng = playing(3, seed, discs="alternating")
        play_until(session, dealer, rng, round_=1)
        assert all(a != b for a, b in zip(table.blue, table.blue[1:], strict=False))
        firsts.add(table.blue[0])
    assert firsts == {True, False}
