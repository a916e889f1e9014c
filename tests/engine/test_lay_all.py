"""The question that nobody decides: every card that fits is laid."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.acts import LayAll
from engine.dealer import TrustedDealer
from engine.errors import EngineError, IllegalAnswer
from engine.session import Session
from engine.testing import check_golden, check_simulation, check_sync, play_out, write_golden
from tests.engine.play import step
from tests.engine.tiny import DECK, GAME, RED, TinyTable


async def red_flops(t: TinyTable) -> None:
    """Each of two hands of three lays its red cards; one card of seat 1 is known before."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands, 3)
    await t.open(t.hands[1][:1])
    laid = await t.lay_all(t.hands, RED, t.laid)
    t.points = [len(cards) for cards in laid]
    t.last = next((card for cards in laid for card in cards), None)
    t.over = True


FLOPS = replace(GAME, name="flops", turn=red_flops)


def asked(seed: int) -> tuple[Session, TrustedDealer, LayAll]:
    rng = Random(seed)
    session, dealer = Session(FLOPS, 2, {}, check=True), TrustedDealer(rng)
    while not isinstance(session.pending, LayAll):
        step(session, dealer, rng)
    return session, dealer, session.pending


@pytest.mark.parametrize("seed", range(20))
def test_all_that_fit_are_laid_and_no_other(seed: int) -> None:
    session, dealer, question = asked(seed)
    table = session.table
    assert isinstance(table, TinyTable)
    assert question.deciders == ()
    views = [dealer.view(table, seat) for seat in range(2)]
    before = [views[seat].cards(hand) for seat, hand in enumerate(table.hands)]
    session.answer(dealer.answer(table, question, {}))
    after = [views[seat].cards(hand) for seat, hand in enumerate(table.hands)]
    assert after == [[card for card in cards if not RED(card)] for cards in before]
    laid = [[card for card in cards if RED(card)] for cards in before]
    assert [table.face(slot) for slot in table.laid] == laid[0] + laid[1]
    assert session.returns == (len(laid[0]), len(laid[1]))


def spoiled(answer: Any, table: TinyTable) -> dict[str, Any]:
    """Wrong answers, each by the sentence that refuses it."""
    first, second = answer
    other = next(slot for slot in table.hands[0] if slot not in dict(first))
    return {
        "one answer for each hand": (first,),
        "each once and in its order": ((*first, first[0]), second),
        "cards of the hand are laid": (((table.stock[0], first[0][1]),), second),
        "does not fit": (((other, DECK.faces[-1]),), second),
        "not the face": (first, ((second[0][0], DECK.faces[0]),)),
        "every card that fits has to": (first, ()),
    }


def test_what_all_can_see_to_be_wrong_is_refused() -> None:
    for seed in range(100):
        session, dealer, question = asked(seed)
        table = session.table
        assert isinstance(table, TinyTable)
        answer = dealer.answer(table, question, {})
        assert isinstance(answer, tuple)
        known = table.face(table.hands[1][0])
        if len(answer[0]) in (1, 2) and RED(known) and known is not DECK.faces[0]:
            break
    digest = session.digest()
    for sentence, wrong in spoiled(answer, table).items():
        with pytest.raises(IllegalAnswer, match=sentence):
            session.answer(wrong)
    assert session.digest() == digest
    session.answer(answer)
    assert session.over


def test_it_stands_the_generic_tests(tmp_path: Any) -> None:
    check_simulation(FLOPS, 2, {}, 1)
    check_sync(FLOPS, 3, {}, 2)
    write_golden(tmp_path / "flops.txt", play_out(FLOPS, 3, {}, seed=4))
    assert check_golden(tmp_path / "flops.txt", lambda name: FLOPS).over


def test_cards_that_their_owner_cannot_read_are_not_asked_for() -> None:
    async def blind(t: TinyTable) -> None:
        await t.fresh(DECK, t.stock)
        await t.shuffle(t.stock)
        t.hands[0].append(t.stock.pop())
        await t.lay_all(t.hands, RED, t.laid)

    session, dealer = (
        Session(replace(FLOPS, turn=blind), 2, {}, check=True),
        TrustedDealer(Random(1)),
    )
    step(session, dealer, Random(1))
    with pytest.raises(EngineError, match="cannot read"):
        step(session, dealer, Random(1))
