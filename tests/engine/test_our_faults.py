"""What only a mistake of a game's author can cause is an error that says what it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import pytest

from engine import acts
from engine.bots.determinization import Determinizations
from engine.bots.following import Follower
from engine.cards import Deck
from engine.dealer import TrustedDealer
from engine.env.playing import Playing, Setting
from engine.errors import EngineError, IllegalAnswer
from engine.question import Otherwise, Play
from engine.session import Session
from engine.table import Table
from tests.engine.bots.test_search import Played
from tests.engine.env.walk import started, walked
from tests.engine.tiny import DECK, GAME, TinyTable


def test_a_deck_that_is_not_there_cannot_be_fresh() -> None:
    dealer = TrustedDealer(Random(1))
    with pytest.raises(EngineError, match="before the table had one"):
        dealer.act(Table(2), acts.Fresh())


def test_what_a_seat_cannot_know_fits_no_deal() -> None:
    """An oath that no unseen card of the slot could keep."""
    played = Played("flip-over", 5)
    _, seat = next(played.positions(4))
    follower = Follower(played.session.course)
    follower.catch_up()
    view = played.dealer.view(played.session.table, seat)
    (hidden, *_) = [slot for slot in range(len(view.table.faces)) if view.recall(slot) is None]
    follower.oaths.hear(view.table, acts.Swear(1 - seat, (hidden,), lambda _: True), None, ())
    with pytest.raises(EngineError, match="no deal fits what this seat knows"):
        Determinizations(view, follower.oaths).draw(Random(1))


def test_a_game_that_is_over_takes_no_action() -> None:
    playing = started("flip-over", 3, {"rounds": 1}, 1)
    assert sum(1 for _ in walked(playing, 1)) > 10
    assert (playing.legal(), playing.seat) == ((), None)
    with pytest.raises(IllegalAnswer, match="the game is over"):
        playing.say(0)


async def _asks_first(t: TinyTable) -> None:
    await t.choose(0, ("one", "other"), "before there is a deck")


async def _changes_its_deck(t: TinyTable) -> None:
    t.stock.clear()
    await t.fresh(DECK if t.deck is None else Deck("tiny/again", DECK.faces), t.stock)
    await t.choose(0, ("one", "other"), "what")


def test_an_environment_needs_one_deck_from_the_start() -> None:
    with pytest.raises(EngineError, match="has no deck when it begins"):
        Setting(replace(GAME, turn=_asks_first), 2, {})
    setting = Setting(replace(GAME, turn=_changes_its_deck), 2, {})
    playing = Playing(setting, Random(1), [])
    with pytest.raises(EngineError, match="has changed its deck"):
        playing.say(playing.legal()[0])


@dataclass(slots=True, eq=False)
class Either(Table):
    of: int | str = 0


def test_a_field_of_two_types_is_refused() -> None:
    with pytest.raises(EngineError, match=r"only `X \| None` is plain"):
        Either(2).digest()


async def _races_to_nowhere(t: TinyTable) -> None:
    await t.fresh(DECK, t.stock)
    await t.deal(t.stock, t.hands, 1)
    await t.race([Play(0, t.hands[0], lambda _: True, Otherwise.PASS)], "first")


def test_a_race_for_a_card_needs_a_zone() -> None:
    session = Session(replace(GAME, turn=_races_to_nowhere), 2, {})
    dealer = TrustedDealer(Random(1))
    for _ in range(2):
        assert session.pending is not None
        session.answer(dealer.act(session.table, session.pending))
    assert session.pending is not None
    hand = session.table.zones[1]
    answer = dealer.answer(session.table, session.pending, {0: hand[0]})
    with pytest.raises(EngineError, match="needs a zone to lay it onto"):
        session.answer(answer)
