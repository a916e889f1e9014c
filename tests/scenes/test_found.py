"""Files about which the two verifiers once differed, as the random games found them."""

from __future__ import annotations

from typing import Any, Final
from unittest.mock import patch

import pytest

from engine import question as ask
from engine.game import Game
from p2p.crypto.group import GENERATOR
from p2p.protocol import terms
from p2p.protocol.acts import laying, swearing
from tests.page.second import alone, case, judge, needs_node
from tests.protocol.cheats import bend_decision, bend_payload
from tests.protocol.deals import seed_with
from tests.protocol.kit import Hub, Seat, game_hub, log_bytes
from tests.protocol.scenes import SCENES, Turn, low, one_turn
from tests.protocol.test_cheating_plays import lay, slots_of
from tests.protocol.verbs import DECK, VerbsTable, anything
from tests.replay.logs import entries, with_records
from tests.scenes.bends import Bent
from tests.scenes.cases import Case, agree, audited

GAMES: Final = {**SCENES}
pytestmark = needs_node


@pytest.fixture(autouse=True)
def games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terms, "load", GAMES.__getitem__)


def _game(name: str, turn: Turn) -> Game:
    GAMES[name] = one_turn(name, turn)
    return GAMES[name]


async def _raced(t: VerbsTable) -> None:
    """Seat 0 may claim a card, and seat 1 a choice."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands, 2)
    card = ask.Play(0, t.hands[0], anything, ask.Otherwise.PASS)
    await t.race([card, ask.Choose(1, ("slap",), "a slap")], "first", t.pile)


RACED: Final = _game("raced-by-type", _raced)
CARD: Final[dict[str, Any]] = dict.fromkeys(("slot", "card", "share", "proof", "oath", "merge"))


@pytest.mark.slow
@pytest.mark.parametrize(("seat", "claim"), [(0, 0), (1, CARD)])
def test_a_claim_of_the_type_of_the_other_sort_is_malformed(seat: int, claim: object) -> None:
    """Once `illegal-move` to the second: a type is looked at before what the value means."""
    hub = game_hub(RACED, 2)
    hub.chooser = lambda view, question: None
    bend_payload(hub, "race", lambda _: claim, seat)
    _both_say(hub, "malformed", seat)


async def _pressed(t: VerbsTable) -> None:
    """Seat 1 has to lay the card of its hand that lies open, and to swear if it lays another."""
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands, 3)
    (card,) = await t.open(t.hands[1][:1])
    asked = card.suit
    fits = lambda face: face is card or (face.suit != asked and face.rank == 0)  # noqa: E731
    await t.play(1, t.hands[1], fits, t.pile, ask.Otherwise.ANY_SWORN)


PRESSED: Final = _game("pressed-by-an-open-card", _pressed)


@pytest.mark.slow
def test_another_card_is_laid_though_the_one_that_is_asked_for_lies_open() -> None:
    """Once nothing to the second, which asked for oaths about hidden cards only."""
    hub = game_hub(PRESSED, 2)
    bend_decision(hub, _laid)
    _both_say(hub, "illegal-move", 1)


def _laid(seat: Seat, asked: Any) -> Any:
    hand = laying.Hand(seat.cards, seat.seat, tuple(asked.zone))
    with patch.object(swearing, "make", lambda *_: bytes(64)):
        return laying.make_laid(seat.cards, hand, asked, asked.zone[-1])


@pytest.mark.slow
def test_an_oath_that_is_missing_is_found_before_a_share_that_is_false() -> None:
    """What may not be comes before the proofs (section 8, "Order"); once it did not everywhere."""
    hub = game_hub(SCENES["followed"], 3, seed_with("followed", 0))
    bend_payload(hub, "play", lambda said: {**said, "oath": None, "share": GENERATOR})
    _both_say(hub, "illegal-move", 1)


@pytest.mark.slow
def test_a_share_that_is_no_point_is_found_before_a_card_that_does_not_fit() -> None:
    """A shape comes before what may not be (section 8, "Order"); once it did not to the first."""
    hub = game_hub(SCENES["laid-low"], 3, seed_with("laid-low", 1))
    bend_decision(hub, lambda seat, asked: {**_high(seat, asked), "share": bytes(32)})
    _both_say(hub, "malformed", 1)


def _high(seat: Seat, asked: Any) -> Any:
    """The seat lays a card that does not fit."""
    return lay(seat, asked, slots_of(seat, lambda card: not low(card))[0])


def _both_say(hub: Hub, verdict: str, seat: int) -> None:
    """Play; of what the cheat signed both verifiers say this."""
    hub.run()
    honest = hub.seats[seat - 1]
    said = [entry.record for entry in entries(log_bytes(honest))]
    data = with_records(log_bytes(honest), [*said, hub.faults[honest.seat].evidence[-1]])
    report = audited(data)
    told = alone(case(data, report=report))
    assert (report.verdict, report.seat) == (verdict, seat)
    assert agree(Case(0, 0, Bent("", "", data)), report, judge([told])[0])
