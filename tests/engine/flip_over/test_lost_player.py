"""The sentences of the rule book about a lost player (section 4), one by one."""

from __future__ import annotations

from random import Random

import pytest

from engine.games.flip_over.cards import DECKS
from engine.games.flip_over.rules import GAME
from engine.games.flip_over.table import FlipTable
from engine.session import Session
from engine.totals import winners_of
from tests.engine.flip_over.scene import Scene, play_until, playing
from tests.engine.play import finish, step


@pytest.mark.parametrize("seat", range(3))
def test_round_under_way_is_void_with_two_left(seat: int) -> None:
    """Seat 2 has taken two discs, and nobody scores for them."""
    scene = Scene(["7H 6H", "8H 5H", "2H 1H"], disc=3).lay("7H")
    scene.table.notes = []
    scene.session.lose(seat)
    assert scene.session.over
    assert scene.session.returns == (0, 0, 0)
    assert winners_of(scene.session) == ()
    assert scene.table.notes == [("leaves", seat), ("void", 1), ("over", (0, 0, 0), ())]


def test_finished_rounds_decide_between_two_left() -> None:
    session, table, dealer, rng = playing(3, seed=3, rounds=4)
    play_until(session, dealer, rng, round_=3, disc=7)
    first, second = table.scores
    table.notes = []
    best, *others = sorted(range(3), key=lambda seat: -(first[seat] + second[seat]))
    session.lose(best)
    assert session.over
    assert session.returns == tuple(a + b for a, b in zip(first, second, strict=True))
    assert session.returns[others[0]] > session.returns[others[1]]
    assert winners_of(session) == (others[0],)
    assert table.notes[1:] == [("void", 3), ("over", session.returns, (others[0],))]


def test_three_left_start_new_pair_with_their_deck() -> None:
    session, table, dealer, rng = playing(4, seed=3)
    play_until(session, dealer, rng, round_=2, disc=7)
    (before,) = table.scores
    session.lose(1)
    play_until(session, dealer, rng, round_=2, disc=1)
    assert (table.deck, table.numbers, len(table.blue)) == (DECKS[3], 8, 8)
    assert [len(hand) for hand in table.hands] == [8, 0, 8, 8]
    assert table.scores == [before]
    row = list(table.blue)
    play_until(session, dealer, rng, round_=3, disc=1)
    assert table.blue == [not blue for blue in row], "the new pair is a whole one"
    finish(session, dealer, rng)
    assert len(table.scores) == 3, "with two rounds and a loss in round 2 three count"
    assert [scores[1] for scores in table.scores[1:]] == [0, 0]
    assert session.returns[1] == before[1]


def test_winner_of_last_disc_leads_if_still_seated() -> None:
    for seed in range(4):
        session, table, dealer, rng = playing(4, seed=seed)
        play_until(session, dealer, rng, round_=2, disc=3)
        last, table.notes = table.last_taker, []
        session.lose(seed)
        play_until(session, dealer, rng, round_=2, disc=1)
        drawn = [note for note in table.notes if note[0] == "leader"]
        assert (table.leader == last) if seed != last else drawn == [("leader", table.leader)]
        assert table.leader != seed


def test_leader_is_drawn_if_no_round_is_finished() -> None:
    leaders = set()
    for seed in range(12):
        session, table, dealer, rng = playing(4, seed=seed)
        play_until(session, dealer, rng, round_=1, disc=3)
        table.notes = []
        session.lose(1)
        play_until(session, dealer, rng, round_=1, disc=1)
        assert ("leader", table.leader) in table.notes
        leaders.add(table.leader)
    assert leaders == {0, 2, 3}


@pytest.mark.parametrize("rounds", [1, 2, 3, 4])
@pytest.mark.parametrize("seats", [4, 5])
def test_continued_match_reaches_its_rounds_in_whole_pairs(seats: int, rounds: int) -> None:
    """Players leave at random questions, some of them in the midst of a new deal."""
    for seed in range(12):
        session, table, dealer, rng = playing(seats, seed=seed, rounds=rounds)
        lost, leaves = list[int](), Random(seed)
        while not session.over:
            assert table.length >= max(rounds, len(table.scores))
            if len(table.present()) > 3 and leaves.random() < 0.03:
                session.lose(leaves.choice(table.present()))
                lost.append(len(table.scores))
            else:
                step(session, dealer, rng)
        played = len(table.scores)
        assert played >= rounds
        assert (played - lost[-1]) % 2 == 0 if lost else played == rounds
        assert played <= rounds + len(lost)
        assert not set(winners_of(session)) & set(table.lost)


def test_further_player_may_leave_in_new_deal() -> None:
    for questions in range(6):
        session, table, dealer, rng = playing(5, seed=questions)
        play_until(session, dealer, rng, round_=1, disc=4)
        session.lose(2)
        for _ in range(questions):
            step(session, dealer, rng)
        session.lose(0)
        assert not session.over
        play_until(session, dealer, rng, round_=1, disc=1)
        assert [len(hand) for hand in table.hands] == [0, 8, 0, 8, 8]


@pytest.mark.parametrize("leaver", range(4))
def test_other_team_wins_though_no_round_is_finished(leaver: int) -> None:
    session, table, dealer, rng = playing(4, seed=3, teams=True)
    play_until(session, dealer, rng, round_=1, disc=4)
    table.notes = []
    session.lose(leaver)
    others = (1, 3) if leaver in (0, 2) else (0, 2)
    assert winners_of(session) == others
    assert table.notes[1:] == [("void", 1), ("over", (0, 0, 0, 0), others)]


def test_team_that_leads_and_loses_a_member_cannot_win() -> None:
    """Partners exchange cards before the second round; the leaver's partner keeps their sum."""
    session, table, dealer, rng = playing(4, seed=3, teams=True)
    play_until(session, dealer, rng, round_=1, disc=10)
    while session.pending is not None and session.pending.kind != "together":
        step(session, dealer, rng)
    (scored,) = table.scores
    sums = tuple(scored[seat] + scored[(seat + 2) % 4] for seat in range(4))
    leaver = max(range(4), key=sums.__getitem__)
    table.notes = []
    session.lose(leaver)
    assert session.returns == sums
    assert winners_of(session) == ((1, 3) if leaver in (0, 2) else (0, 2))
    assert [note[0] for note in table.notes] == ["leaves", "over"], "no round is void"


def test_before_first_deal_others_are_dealt_cards() -> None:
    session = Session(GAME, 5, {})
    session.lose(4)
    assert not session.over
    assert isinstance(session.table, FlipTable)
    assert session.pending is not None
    assert session.pending.kind == "flip"
