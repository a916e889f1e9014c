"""Bots against bots: fair to both, and the same again from the same seed."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest

from engine.bots.contest import (
    KINDS,
    Outcome,
    Pairing,
    Thought,
    deals,
    elo,
    kind_of_bot,
    pairings,
    play_deal,
    summed,
)
from engine.bots.pace import PACES, Pace
from engine.bots.reactions import ReactingDealer, Reactions
from engine.bots.reference import MOST_WEIGHED, REFERENCES
from engine.errors import UsageError
from engine.games import load
from engine.games.flaps.cards import CARDS
from engine.question import Choose, Race
from engine.simulate import game_seed
from engine.table import Table
from engine.view import View


def clock() -> float:
    """One that stands still."""
    return 0.0


def test_equal_bots_win_their_share_of_each_deal() -> None:
    """With the same cards and one kind at all seats, somebody wins each game once."""
    due = deals("flop-a", 3, {"hands": 2}, Pairing("normal", "normal"), 7, 5)
    assert len(due) == 3
    for deal in due:
        outcome = play_deal(deal, clock)
        assert outcome.games == 3
        assert outcome.won == pytest.approx(1.0)


def test_the_same_seed_plays_the_same() -> None:
    (deal,) = deals("sneak", 2, {"target": 25}, Pairing("normal", "random"), 2, 9)
    assert play_deal(deal, clock) == play_deal(deal, clock)


def test_sense_beats_chance_and_its_interval_says_so() -> None:
    due = deals("flip-over", 3, load("flip-over").defaults(), Pairing("normal", "random"), 45, 1)
    outcome = summed([play_deal(deal, clock) for deal in due])
    low, high = outcome.interval()
    assert 1 / 3 < low < outcome.share < high <= 1
    assert elo(3, {Pairing("normal", "random"): outcome}, "normal")["random"] < -100


def test_deals_follow_from_the_seed_and_are_as_many_as_make_the_games() -> None:
    pairing = Pairing("easy", "normal")
    for games, some in ((6, 2), (7, 3), (9, 3)):
        due = deals("flaps", 3, {"level": 2}, pairing, games, 8)
        assert [one.seed for one in due] == [game_seed(8, number) for number in range(some)]
        assert all(one[:4] == ("flaps", 3, {"level": 2}, pairing) for one in due)


def test_thinking_is_timed_where_there_is_something_to_decide() -> None:
    (deal,) = deals("flip-over", 3, {}, Pairing("normal", "random"), 3, 9)
    thought = play_deal(deal, count(0.0, 2.0).__next__).thought
    assert thought["normal"].longest == 2.0
    assert thought["normal"].seconds == 2.0 * thought["normal"].decisions
    assert 0 < thought["normal"].decisions < thought["random"].decisions


def test_strength_for_two_is_bradley_terry() -> None:
    """Three of four games won is 191 Elo (400 log10 3) but for the one game that is added."""
    results = {Pairing("hard", "normal"): Outcome(4000, 3000.0, {})}
    strengths = elo(2, results, "normal")
    assert strengths["normal"] == 0.0
    assert strengths["hard"] == pytest.approx(190.85, abs=0.2)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_strengths_expect_as_many_wins_as_there_were(seats: int) -> None:
    """Of the likelihood of Luce's model nothing else is the top: each kind wins as often as its
    strength says (each pairing has one more game, with the share that chance gives)."""
    results = {
        Pairing("normal", "easy"): Outcome(60, 40.0, {}),
        Pairing("hard", "easy"): Outcome(30, 25.0, {}),
        Pairing("hard", "normal"): Outcome(90, 33.5, {}),
    }
    found = elo(seats, results, "easy")
    strength = {kind: 10 ** (value / 400) for kind, value in found.items()}
    won, expected = dict.fromkeys(strength, 0.0), dict.fromkeys(strength, 0.0)
    for (one, rest), outcome in results.items():
        games, wins = outcome.games + 1, outcome.won + 1 / seats
        chance = strength[one] / (strength[one] + (seats - 1) * strength[rest])
        won[one] += wins
        won[rest] += games - wins
        expected[one] += games * chance
        expected[rest] += games * (1 - chance)
    assert won == pytest.approx(expected)
    assert found["easy"] == 0


def test_an_equal_share_among_four_is_equal_strength() -> None:
    results = {Pairing("hard", "normal"): Outcome(400, 100.0, {})}
    assert elo(4, results, "normal")["hard"] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(
    ("won", "games", "low", "high"), [(8, 10, 0.490, 0.943), (0, 10, 0, 0.278)]
)
def test_the_interval_is_wilsons(won: int, games: int, low: float, high: float) -> None:
    """The values of the tables, for 8 and 0 of 10."""
    assert Outcome(games, won, {}).interval() == pytest.approx((low, high), abs=1e-3)


def test_who_sits_among_whom() -> None:
    assert pairings(["normal", "hard", "random", "greedy"]) == [
        ("hard", "normal"),
        ("random", "normal"),
        ("random", "hard"),
        ("greedy", "normal"),
        ("greedy", "hard"),
    ]
    assert pairings([*REFERENCES]) == []


def test_every_kind_is_a_bot_and_no_other_name() -> None:
    assert all(callable(kind_of_bot("sneak", kind)) for kind in KINDS)
    with pytest.raises(UsageError, match="bots are one of: easy, normal, hard, random"):
        kind_of_bot("sneak", "lazy")


@pytest.mark.parametrize("count", [MOST_WEIGHED, MOST_WEIGHED + 100])
def test_a_reference_weighs_decisions_in_their_order_however_many_there_are(count: int) -> None:
    """Of equal ones it takes the last; of more than it weighs it took the first of the last."""
    view, asked = View(Table(2), 0, CARDS.__getitem__), Choose(0, range(count), "anything")
    assert REFERENCES["greedy"](view, asked, Random(1)) == count - 1


def test_thoughts_add_up() -> None:
    assert Thought(1, 2.0, 2.0) + Thought(2, 4.0, 3.0) == Thought(3, 6.0, 3.0)


def test_in_races_the_quicker_level_is_first_more_often() -> None:
    """Two that claim alike: a hard bot sees a card in 400 ms, a normal one in 500."""
    race = Race([Choose(seat, ("slap",), "slap") for seat in range(2)], "slap")
    table, won = Table(2), [0, 0]
    pile = table.zone("pile")
    dealer = ReactingDealer(Random(3), [PACES["hard"], PACES["normal"]])
    for card in range(300):
        pile.append(card)
        first = dealer.answer(table, race, {0: 0, 1: 0})
        won[first.seat] += 1  # type: ignore[attr-defined]
    assert won[0] > 210
    assert won[1] > 15


TOUCH, SLAP, TURN = range(3)


def _touched_and_slapped(paces: list[Pace]) -> list[int]:
    """How often each of two seats slaps first, if both have to touch before."""
    claims = [Choose(seat, ("touch", "slap", "turn"), "act") for seat in range(2)]
    race, dealer = Race(claims, "slap", aside=(TOUCH,)), ReactingDealer(Random(5), paces)
    table, won = Table(2), [0, 0]
    pile = table.zone("pile")
    for card in range(100):
        pile.append(card)
        touched: set[int] = set()
        while True:
            decisions = {seat: SLAP if seat in touched else TOUCH for seat in range(2)}
            first = dealer.answer(table, race, decisions)
            claimed = dict(first.claims)  # type: ignore[attr-defined]
            if SLAP in claimed.values():
                won[first.seat] += 1  # type: ignore[attr-defined]
                break
            touched |= claimed.keys()
    return won


def test_whoever_touches_first_presses_again_first() -> None:
    """The touch of the slower is no slap: it too needs a second press."""
    assert _touched_and_slapped([Pace(400, 0), Pace(530, 0)]) == [100, 0]
    assert 30 < _touched_and_slapped([Pace(500, 0), Pace(510, 0)])[0] < 95


def test_what_prepares_comes_too_late_for_a_race_that_is_over() -> None:
    """A touch after 500 ms is not made where a card was turned after 400."""
    claims = [Choose(seat, ("touch", "slap", "turn"), "act") for seat in range(2)]
    race = Race(claims, "slap or go on", awaited=0, aside=(TOUCH,))
    for touches, made in ((500, False), (410, True)):
        dealer = ReactingDealer(Random(1), [Pace(400, 0), Pace(touches, 0)])
        won = dealer.answer(Table(2), race, {0: TURN, 1: TOUCH})
        assert dict(won.claims) == ({0: TURN, 1: TOUCH} if made else {0: TURN})  # type: ignore[attr-defined]


def test_a_race_may_be_told_to_go_as_somebody_says() -> None:
    """However slow seats are; whoever has seen the card then only has to press again."""
    claims = [Choose(seat, ("touch", "slap", "turn"), "act") for seat in range(2)]
    race, table = Race(claims, "slap", aside=(TOUCH,)), Table(2)
    dealer = ReactingDealer(Random(1), [Pace(400, 0), Pace(900, 0)])
    touched = dealer.claimed(table, race, {1: TOUCH})
    assert dict(touched.claims) == {1: TOUCH}  # type: ignore[attr-defined]
    slapped = dealer.claimed(table, race, {0: TOUCH, 1: SLAP})
    assert slapped.claims == ((0, TOUCH), (1, SLAP))  # type: ignore[attr-defined]
    again = dealer.answer(table, race, {0: SLAP, 1: TURN})
    assert len(again.claims) == 1, "both press again, neither looks again"  # type: ignore[attr-defined]


def test_what_somebody_else_chose_has_to_be_seen_too() -> None:
    """No card has moved, but another seat has to go on: nobody acts before it has seen that."""
    paces = [Pace(400, 0), Pace(600, 0)]
    claims = [Choose(seat, ("touch", "slap", "turn"), "act") for seat in range(2)]
    chooses, turns = (Race(claims, "slap or go on", awaited=seat) for seat in (1, 0))
    table, reactions = Table(2), Reactions(Random(1), paces)
    reactions.begin(table, chooses)
    reactions.end([1])
    reactions.begin(table, turns)
    assert reactions.in_time(turns, {0: TURN, 1: SLAP}) == {0: TURN}
    reactions.end([0])
    reactions.begin(table, turns)
    assert reactions.first([0, 1]) == 0
