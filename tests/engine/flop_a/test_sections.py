"""Sections of the rule book under table stakes: who pays, who splits, who may raise."""

from __future__ import annotations

import pytest

from engine import question as ask
from engine.games.flop_a.table import Stage
from tests.engine.flop_a.scene import A, C, Scene, showdown
from tests.engine.flop_a.test_stakes import restart


def flopped(hands: list[str]) -> Scene:
    """The flip is a 9.  The main pot has 20 chips; the side pot of C, who is all in, and D 50."""
    scene = Scene(hands, board="KC", coming="9C", stack=50)
    scene.table.paid, scene.table.pot = [5, 5, 30, 30], 70
    scene.table.tally = [-50, -50, -50, -30]
    return scene.flip()


def test_section_4_one_winner_is_paid_from_what_goes_back() -> None:
    """Each other player still in pays 20 % of the pot won: C has 25 of the side pot again."""
    scene = flopped(["9D", "2D 3D", "2S 3S", "2H 3H"])
    assert scene.tally == [-50 + 20 + 4 + 4, -50, -50 + 25 - 4, -30 + 25 - 4]


def test_section_4_two_winners_are_paid_from_what_goes_back() -> None:
    """Each player still in who is not a winner pays 10, C too, who was all in before."""
    scene = flopped(["9D", "9S", "2S 3S", "2H 3H"])
    assert scene.tally == [-50 + 20, -50 + 20, -50 + 25 - 10, -30 + 25 - 10]
    assert scene.table.pot == 0


def test_section_4_of_two_winners_one_has_a_part_in_the_side_pot() -> None:
    scene = flopped(["2D 3D", "9S", "9H", "2H 3H"])
    assert scene.tally == [-50, -50 + 15, -50 + 15 + 50, -30 - 10]


def failed(paid: list[int], tally: list[int], **how: int) -> Scene:
    """All swing and fail; the first of them may have a part in a smaller pot."""
    scene = showdown(["7C", "KC 2C", "KD 2D"], pot=sum(paid), stack=50, **how)
    scene.table.paid, scene.table.tally = paid, tally
    return scene.declare("swing", "swing", "swing")


def test_section_5_a_pot_of_one_who_is_all_in_is_not_carried_over() -> None:
    """D12: A could not play for it in the next hand; the side pot of B and C stays."""
    scene = failed([6, 16, 16], [-50, -16, -16], hands_to_play=3)
    assert scene.tally == [-50 + 6, -16 + 6, -16 + 6]
    assert scene.table.pot == 20
    assert (scene.table.hand, scene.session.over) == (2, False)


def test_section_5_all_who_can_play_on_carry_it_over() -> None:
    scene = failed([6, 6, 6], [-6, -6, -6], hands_to_play=3)
    assert scene.tally == [-6, -6, -6]
    assert scene.table.pot == 18


def test_section_5_after_the_last_hand_they_split_all_pots() -> None:
    scene = failed([6, 16, 16], [-50, -16, -16], hands_to_play=1)
    assert scene.tally == [-50 + 6, -16 + 6 + 10, -16 + 6 + 10]
    assert scene.session.over


def test_section_5_if_nobody_opens_each_pot_is_split_by_itself() -> None:
    """A, who is all in for 6, gets nothing of what B and C have paid beyond that."""
    scene = showdown(["7C", "KC 2C", "KD 2D"], pot=38, stack=50)
    scene.table.paid, scene.table.tally = [6, 16, 16], [-50, -16, -16]
    scene.session.answer((None, None, None))
    assert scene.tally == [-50 + 6, -16 + 16, -16 + 16]


@pytest.mark.parametrize("bet", [1, 3])
def test_section_3_nobody_raises_whom_no_other_could_call(bet: int) -> None:
    """The only opponent is all in: what is left is to call, or to fold."""
    scene = Scene(["2C 3C", "2D 3D", "2S 3S"], Stage.DECLARATION, stack=50, board="KC")
    scene.table.tally = [0, bet - 50, 0]
    scene.table.still_in[C] = False
    scene = restart(scene, Stage.BETTING)
    scene.act(f"bet {bet}")
    assert scene.asked.seat == A
    assert scene.asked.topic == f"fold or call {bet} (no further raise)"
    assert [act.verb for act in scene.asked.options] == ["fold", "call"]


def test_section_3_with_a_third_player_who_has_chips_one_may_raise() -> None:
    scene = Scene(["2C 3C", "2D 3D", "2S 3S"], Stage.DECLARATION, stack=50, board="KC")
    scene.table.tally = [0, 3 - 50, 0]
    scene = restart(scene, Stage.BETTING).act("bet 3")
    assert scene.asked.topic == "fold, call 3, or raise by 1 to 4 chips"
    scene.act("raise 4")
    assert scene.asked.seat == A
    scene.act("call")
    assert isinstance(scene.asked, ask.Choose) is False
