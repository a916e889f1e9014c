"""What games tell the search: what a table is worth, when to stop, what deserves a thought."""

from __future__ import annotations

from collections.abc import Sequence
from math import e
from typing import Any

import pytest

from engine.bots.lookahead import Lookahead, alike, any_decision, chances, lookahead, never
from engine.games import NAMES, load
from engine.games.flaps.lookahead import TURNS
from engine.games.flaps.table import FlapsTable
from engine.games.flip_over.table import FlipTable
from engine.games.flop_a.lookahead import SWING, duel
from engine.games.flop_a.table import FlopTable, Stage
from engine.games.sneak.table import SneakTable
from engine.games.you_fink.acts import FOREHEAD, INTEL, SLAP, TURN
from engine.games.you_fink.cards import POWERS
from engine.games.you_fink.lookahead import CARDS
from engine.games.you_fink.table import FinkTable, Phase, powers_left, slappable
from engine.view import View
from tests.engine.bots.test_search import Played

COST = 10


def table_of(name: str, seats: int, **options: Any) -> Any:
    game = load(name)
    return game.table(seats, {**game.defaults(), **options})


@pytest.mark.parametrize("name", NAMES)
def test_what_a_game_says_of_itself_is_used(name: str) -> None:
    said = lookahead(name)
    assert said.worth is not alike
    assert said.enough is not never


def test_a_game_that_says_nothing_is_played_to_its_end() -> None:
    said = Lookahead()
    assert said.considered is any_decision
    table = table_of("flaps", 4)
    assert not said.enough(table, table)
    assert said.worth(table) == [0.25] * 4


@pytest.mark.parametrize("name", NAMES)
def test_chances_of_a_table_add_up_and_nothing_is_considered_that_is_not_allowed(name: str) -> None:
    played, said = Played(name, 11), lookahead(name)
    for met, (asked, seat) in enumerate(played.positions(5)):
        table = played.session.table
        assert sum(said.worth(table)) == pytest.approx(1.0)
        assert not said.enough(table, table)
        view = played.dealer.view(table, seat)
        found = said.considered(view, asked)
        assert found
        assert all(asked.allows(view, decision) for decision in found)
        if met == 12:
            break


def test_a_lot_more_points_are_e_times_as_likely() -> None:
    behind, ahead = chances([3, 10], 7)
    assert ahead / behind == pytest.approx(e)
    assert behind + ahead == pytest.approx(1)
    assert chances([5, 5, 5, 5], 2) == [0.25] * 4


def test_in_a_tied_game_of_points_all_are_alike_and_points_help() -> None:
    for name, points in (("sneak", 15.0), ("flip-over", 8.0)):
        table = table_of(name, 3)
        if isinstance(table, SneakTable):
            table.scores[:] = [0, 15, 0]
        else:
            assert isinstance(table, FlipTable)
            table.scores[:] = [(0, 8, 0)]
        first, second, third = lookahead(name).worth(table)
        assert second / first == pytest.approx(e), points
        assert first == third


def test_in_flaps_fewer_cards_are_better_and_who_has_left_has_no_chance() -> None:
    table, worth = table_of("flaps", 3), lookahead("flaps").worth
    assert isinstance(table, FlapsTable)
    table.hands[0].append(0)
    table.hands[1].extend([1, 2, 3])
    table.hands[2].append(4)
    table.lost.append(2)
    assert worth(table) == pytest.approx([0.8, 0.2, 0.0])


def test_a_look_ahead_ends_after_so_many_turns_or_cards() -> None:
    flaps, fink = table_of("flaps", 3), table_of("you-fink", 3)
    assert isinstance(flaps, FlapsTable)
    assert isinstance(fink, FinkTable)
    then, enough = flaps.copy(), lookahead("flaps").enough
    for turns, ends in ((TURNS - 1, False), (TURNS, True)):
        flaps.turns = then.turns + turns
        assert enough(then, flaps) == ends
    before, enough = fink.copy(), lookahead("you-fink").enough
    for turned, ends in ((CARDS - 1, False), (CARDS, True)):
        fink.turned = before.turned + turned
        assert enough(before, fink) == ends
    fink.pile.append(0)
    assert not enough(before, fink), "somebody may still win the pile"


def test_in_flop_a_it_ends_with_the_hand() -> None:
    table, enough = table_of("flop-a", 2), lookahead("flop-a").enough
    assert isinstance(table, FlopTable)
    table.stage = next(stage for stage in Stage if stage is not Stage.DEAL)
    then = table.copy()
    assert not enough(then, table)
    table.hand += 1
    assert enough(then, table)
    then.hand, then.stage = table.hand, Stage.DEAL
    assert enough(table, then)


def test_of_two_in_flop_a_the_chance_is_that_of_the_best_of_folding_and_playing() -> None:
    """By hand: of one hand 80 % change nothing, the others the lead by a swing either way."""
    assert [duel(lead, 0, COST) for lead in (-1, 0, 1)] == [0.0, 0.5, 1.0]
    assert duel(COST, 1, COST) == pytest.approx(0.8 + 0.1)
    assert duel(COST + 1, 1, COST) == 1.0, "one folds, and is still ahead"
    assert duel(0, 1, COST) == pytest.approx(0.8 * 0.5 + 0.1)
    assert duel(SWING, 1, SWING) == pytest.approx(0.8 + 0.1 * 1.5)
    two = 0.8 * duel(COST, 1, COST) + 0.1 * (
        duel(COST + SWING, 1, COST) + duel(COST - SWING, 1, COST)
    )
    assert duel(COST, 2, COST) == pytest.approx(two)
    for lead in range(0, 120, 7):
        for hands in range(4):
            ahead, behind = duel(lead, hands, COST), duel(-lead, hands, COST)
            assert ahead + behind == pytest.approx(1.0), (lead, hands)
            assert ahead >= 0.5


def test_of_two_in_flop_a_the_lead_counts_and_the_hands_that_are_left() -> None:
    table, worth = table_of("flop-a", 2), lookahead("flop-a").worth
    assert isinstance(table, FlopTable)
    table.tally[:] = [-30, 30]
    table.hand = table.hands_to_play
    assert worth(table) == [0.0, 1.0]
    table.hand = table.hands_to_play - 1
    assert worth(table) == [duel(-30, 1, 2 * table.ante), duel(30, 1, 2 * table.ante)]


@pytest.mark.parametrize("seats", [3, 4])
def test_in_flop_a_a_lead_counts_the_more_the_fewer_hands_are_left(seats: int) -> None:
    table, worth = table_of("flop-a", seats), lookahead("flop-a").worth
    assert isinstance(table, FlopTable)
    table.tally[:] = [8 * seats, *[0] * (seats - 1)]
    for left, ratio in ((1, e), (4, e ** (1 / 2)), (16, e ** (1 / 4))):
        table.hand = table.hands_to_play - left
        first, *others = worth(table)
        assert [first / other for other in others] == pytest.approx([ratio] * (seats - 1))
    table.hand = table.hands_to_play
    assert worth(table)[0] / worth(table)[1] == pytest.approx(e), "by how much: who won is known"


def test_in_you_fink_a_slap_neither_waits_nor_misses_and_no_touch_is_in_vain() -> None:
    played = Played("you-fink", 4)
    met = dict.fromkeys(("slap", "match", "turn", "ready", "power", "other"), 0)
    for asked in played.questions():
        for seat in asked.deciders:
            view = played.dealer.view(played.session.table, seat)
            allowed = asked.decisions(view)
            kind, expected = _fink_choice(view, allowed)
            met[kind] += 1
            assert list(lookahead("you-fink").considered(view, asked)) == expected, kind
    assert all(met.values()), met


def _fink_choice(view: View, allowed: Sequence[Any]) -> tuple[str, list[object]]:
    """What is decided, and which decisions are worth a thought."""
    table = view.table
    assert isinstance(table, FinkTable)
    if slappable(table):
        return ("slap", [SLAP]) if SLAP in allowed else ("match", list(allowed))
    if TURN in allowed:
        return "turn", [TURN]
    if table.phase is not Phase.CHOOSE or table.due != view.seat:
        return "other", [one for one in allowed if one != SLAP]
    card = table.face(table.pile[-1])
    powers = powers_left(table, card)
    if FOREHEAD in allowed and any(POWERS[card.id][power] == 1 for power in powers):
        return "ready", [FOREHEAD]
    return "power", [INTEL + power for power in powers]
