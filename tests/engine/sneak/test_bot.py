"""The sensible bot of Sneak."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from engine.bots import random_bot
from engine.games.sneak.bot import candidates, hasty_bot, sensible_bot
from engine.games.sneak.cards import FACES
from engine.games.sneak.combos import AUTHOR, STRAIGHT_FLUSH, kind_of, strength
from engine.games.sneak.rules import GAME
from engine.games.sneak.unseen import Unseen
from engine.sets import Lay
from engine.simulate import play_game, simulate
from engine.zone import Seat
from tests.engine.sneak.scene import Scene, cards


def chosen(scene: Scene, seat: Seat = 0, seed: int = 1) -> str:
    """What the bot does, in a word and the names of its cards."""
    asked, view = scene.session.pending, scene.dealer.view(scene.table, seat)
    assert asked is not None
    decision = sensible_bot(view, asked, Random(seed))
    if decision is None:
        return "pass"
    assert isinstance(decision, Lay)
    names = sorted(card.name for card in view.cards(decision.slots))
    return " ".join(["down" if decision.down else "up", *names])


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 4])
def test_one_sensible_bot_beats_random_ones(seats: int) -> None:
    bots = [sensible_bot, *[random_bot] * (seats - 1)]
    result = simulate(GAME, seats, {}, 30, 1, bots, clock=lambda: 0.0)
    assert result.shares()[0] > 0.9


def test_it_challenges_a_flaunt_with_what_beats_it_or_not_at_all() -> None:
    scene = Scene(["QH 2C", "KS 3C"]).flaunt("QH")
    assert chosen(scene, 1) == "up KS"
    scene = Scene(["QH 2C", "JS 3C"]).flaunt("QH")
    assert chosen(scene, 1) == "pass"


def test_it_knows_the_exceptions_of_flaunts() -> None:
    scene = Scene(["AH KH 9C", "2S 2D 3C"]).flaunt("AH KH")
    assert chosen(scene, 1) == "pass"
    scene = Scene(["AH KH 9C", "2S 2D 3C"]).sneak("AH KH")
    assert chosen(scene, 1) == "up 2D 2S"


def test_it_draws_where_another_would_draw_its_card() -> None:
    """Whoever has cards left when the others have none wins them."""
    hands = ["AC AD 3H", "9S 8C", "7D 5C"]
    for stock in (1, 2, 4, 5, 10):
        drawn = {chosen(Scene(hands, stock=stock), seed=seed) for seed in range(20)}
        assert drawn == {"pass"}, stock
    assert chosen(Scene(["AC AD 3H", "9S 8C", "7D 5C"], stock=0)).startswith("up")


def test_it_bluffs_traps_and_draws_where_a_sneak_costs_no_card() -> None:
    """In the last lap of draws mostly, with the worst or the best, so that nobody knows which."""
    scene = Scene(["KC 4D 3H", "9S 8C", "7D 5C"], stock=3)
    made = [chosen(scene, seed=seed) for seed in range(200)]
    assert {"pass", "down 3H", "down KC"} <= {*made}
    assert all(one == "pass" or one.startswith("down ") for one in made)
    assert made.count("pass") == pytest.approx(40, abs=20)
    assert any(one.count(" ") == 2 for one in made), "sometimes two cards"
    early = Scene(["KC 4D 3H", "9S 8C", "7D 5C"], stock=9)
    drawn = [chosen(early, seed=seed) for seed in range(100)].count("pass")
    assert 75 < drawn < 100


def test_it_sneaks_when_a_seat_is_gone_by_the_laps_of_those_who_are_there() -> None:
    scene = Scene(["KC 3H", "9S 8C", "7D 5C"], stock=2)
    assert {chosen(scene, seed=seed) for seed in range(20)} == {"pass"}
    scene.table.lost.append(2)
    assert "down 3H" in {chosen(scene, seed=seed) for seed in range(20)}


def test_it_suspects_some_sneaks_that_it_will_hardly_beat() -> None:
    """Whoever never challenges lets others sneak their worst cards for nothing."""
    scene = Scene(["KC 3H 2C 2D 4S 4C 5S 6D", "9S 8C 5C 4D"]).sneak("3H")
    made = [chosen(scene, 1, seed) for seed in range(100)]
    assert {*made} == {"pass", "up 9S"}
    assert made.count("pass") == pytest.approx(65, abs=15)


def test_a_hasty_player_decides_nothing_that_is_not_allowed_and_lays_few_cards() -> None:
    scene = Scene(["AC AD 3H 5S 6S", "9S 8C 2D 3D", "7D 5C 4C 2H"])
    asked, view = scene.session.pending, scene.dealer.view(scene.table, 0)
    assert asked is not None
    made = [hasty_bot(view, asked, Random(seed)) for seed in range(50)]
    assert all(asked.allows(view, one) for one in made)
    assert {len(one.slots) for one in made if isinstance(one, Lay)} == {1, 2}


def test_after_the_stock_it_flaunts() -> None:
    assert chosen(Scene(["AC 2D", "9S 8C"], stock=0)).startswith("up")


def test_it_knows_only_its_view() -> None:
    """The decision is the same whatever the others hold in secret."""
    decisions = set()
    for others in (("9S 8C", "7D 5C"), ("AS KC", "AD QC"), ("2S 2C", "4D 4C")):
        decisions.add(chosen(Scene(["JC JD 3H", *others])))
    assert len(decisions) == 1


def beaten(scene: Scene, names: str, held: int, *, flaunted: bool = False) -> float:
    unseen = Unseen(scene.dealer.view(scene.table, 0), scene.table)
    laid = cards(names)
    return unseen.beaten(laid, [held], AUTHOR, kind_of(laid) if flaunted else None)[0]


def test_its_estimate_is_near_the_count_of_all_hands() -> None:
    """Of two cards that it cannot see, how many pairs beat a set; equal ones do."""
    scene = Scene(["2S 2H AS AH 7S 8H QS KS 9S 3S", "4C 5C"])
    held = set(scene.table.hands[0])
    pool = [
        card
        for card in FACES
        if card.name not in ["2S", "2H", "AS", "AH", "7S", "8H", "QS", "KS", "9S", "3S"]
    ]
    assert len(pool) == 52 - len(held)
    every = [strength(pair, AUTHOR) for pair in combinations(pool, 2)]
    for names in ("2S 2H", "AS AH", "7S 8H", "QS KS", "9S 3S", "9S 8H"):
        own = strength(cards(names), AUTHOR)
        exact = sum(one >= own for one in every) / len(every)
        assert beaten(scene, names, 2) == pytest.approx(exact, abs=0.12), names


def test_its_estimate_is_exact_where_all_unseen_cards_are_in_one_hand() -> None:
    """Then it knows the hand: either a set in it beats the cards or none does."""
    scene = Scene(["7S 8S KD", "9H 9D 6C"], stock=0)
    scene.table.faces[:] = [
        None if slot in scene.table.hands[0] + scene.table.hands[1] else card
        for slot, card in enumerate(scene.table.deck.cards)  # type: ignore[union-attr]
    ]
    assert kind_of(cards("7S 8S")) is STRAIGHT_FLUSH
    assert beaten(scene, "7S 8S", 3) == 1.0  # by the nines
    assert beaten(scene, "7S 8S", 3, flaunted=True) == 0.0  # only a straight flush beats it
    assert beaten(scene, "KD", 3) == 0.0
    assert beaten(scene, "7S", 3) == 1.0


def test_it_thinks_of_every_kind_of_set() -> None:
    scene = Scene(["7S 7H 8S 8H 9S 2S 10D JC", "AS AH AC AD"])
    view = scene.dealer.view(scene.table, 0)
    hand = scene.table.hands[0]
    for size in (2, 3):
        kinds = {
            kind_of(view.cards(one)).value for one in candidates(view, hand, size, combos=True)
        }
        assert {"straight flush", "straight", "flush"} <= kinds


@pytest.mark.slow
def test_a_whole_game_of_sensible_bots() -> None:
    for seats in (2, 5):
        session = play_game(GAME, seats, {}, 9, [sensible_bot] * seats, check=True)
        assert session.over


@pytest.mark.full
def test_the_win_rate_over_two_thousand_games() -> None:
    """Seat by seat, against three random bots: won or shared in at least 95 of 100."""
    shares = 0.0
    for seat in range(4):
        bots = [sensible_bot if other == seat else random_bot for other in range(4)]
        result = simulate(GAME, 4, {}, 500, seat, bots, clock=lambda: 0.0)
        shares += result.shares()[seat] / 4
    assert shares > 0.95
