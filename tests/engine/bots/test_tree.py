"""A node of the tree: what turns out better is chosen, and only what is offered."""

from __future__ import annotations

from engine.bots.tree import Node


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
