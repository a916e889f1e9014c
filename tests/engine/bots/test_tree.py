"""A node of the tree: what turns out better is chosen, and only what is offered."""

from __future__ import annotations

from random import Random

from engine.bots.tree import DEVIATIONS, EXPLORE, Node, Spread


def test_what_turns_out_better_is_chosen_more() -> None:
    node, chosen = Node(), list[object]()
    node.usual(0, "b").note(0.5)
    for _ in range(200):
        arm, decision = node.choose(0, [("a", 1), ("b", 2), ("c", 3)], "b")
        arm.note({1: 0.2, 2: 0.5, 3: 0.8}[int(str(decision))])
        chosen.append(decision)
    assert chosen.count(3) > 190
    assert {1, 2} < {*chosen}


def test_what_another_deal_allowed_is_not_chosen_where_it_is_not_offered() -> None:
    node = Node()
    node.usual(0, "b").note(0.5)
    for _ in range(10):
        node.choose(0, [("a", 1), ("b", 2)], "b")[0].note(1.0)
    arm, decision = node.choose(0, [("a", 7)], "b")
    assert decision == 7
    assert arm is node.arms[0]["a"]


def test_what_lost_once_is_tried_again_where_games_are_won_or_lost() -> None:
    """By the constant for chances that differ little, one lost game decides for thousands."""
    assert _tried_of_what_lost_once(EXPLORE) == 1
    won_or_lost = Spread()
    for result in (0.0, 1.0):
        won_or_lost.note(result)
    assert won_or_lost.deviation == 0.5
    assert _tried_of_what_lost_once(DEVIATIONS * won_or_lost.deviation) > 900


def _tried_of_what_lost_once(explore: float) -> int:
    """How often of 2,000 times a decision is taken that wins 0.9 of games, but not its first."""
    node, rng, tried = Node(), Random(1), 0
    for _ in range(100):
        node.usual(0, "b").note(0.6)
    for _ in range(2000):
        arm, decision = node.choose(0, [("a", 1), ("b", 2)], "b", explore)
        if decision == 2:
            arm.note(float(rng.random() < 0.6))
        else:
            arm.note(float(tried > 0 and rng.random() < 0.9))
            tried += 1
    return tried
