"""Deals keep what a seat knows of cards whose slot it does not know, and all that was sworn."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from engine.acts import Swear
from engine.bots.belief import Belief
from engine.bots.beside import Listener, Teller
from engine.bots.determinization import Determinizations
from engine.bots.following import Follower, Oaths
from engine.bots.hard import Hard
from engine.bots.lookahead import lookahead
from engine.cards import Card
from engine.errors import EngineError
from engine.memory import Among
from engine.table_state import JOINT
from engine.view import View
from engine.zone import Slot
from tests.engine.bots.test_search import Played
from tests.engine.test_memory import is_true

DRAWN = 30


def remembering(played: Played, seat: int, *known: Among) -> View:
    """The view of a seat of that table which remembers these."""
    view = played.dealer.view(played.session.table, seat, played.session.course)
    return View(view.table, seat, view.face, course=view.course, among=lambda: known)


def hidden(played: Played, seat: int) -> list[Slot]:
    """The slots that this seat cannot read."""
    view = played.dealer.view(played.session.table, seat)
    return [slot for slot in range(len(view.table.faces)) if not view.knows(slot)]


def some(played: Played, seat: int, rng: Random) -> list[Among]:
    """True memories: a card among two slots, another one among three that overlap, one exactly."""
    one, other, third, last, *_ = rng.sample(hidden(played, seat), 5)
    cards = played.dealer.truth.cards
    return [
        Among(cards[one], frozenset({one, other})),
        Among(cards[third], frozenset({other, third, one})),
        Among(cards[last], frozenset({last})),
    ]


def _later(name: str, seed: int) -> tuple[Played, int]:
    played = Played(name, seed)
    _, seat = [position for position, _ in zip(played.positions(5), range(4), strict=False)][-1]
    return played, seat


@pytest.mark.parametrize("name", ["flip-over", "flaps", "sneak"])
@pytest.mark.parametrize("seed", range(3))
def test_every_deal_keeps_it_and_the_oaths(name: str, seed: int) -> None:
    played, rng = Played(name, seed), Random(seed)
    follower, sworn = Follower(played.session.course), 0
    for met, (_, seat) in enumerate(played.positions(2)):
        if met == 12 or len(hidden(played, seat)) < 5:
            break
        follower.catch_up()
        known = some(played, seat, rng)
        deals = Determinizations(remembering(played, seat, *known), follower.oaths)
        for cards in [deals.draw(rng) for _ in range(DRAWN)]:
            assert is_true(known, cards)
            assert Counter(cards) == Counter(played.dealer.truth.cards)
            for slot, card in enumerate(cards):
                assert not any(fits(card) for fits in follower.oaths.of(slot))
        sworn += sum(bool(follower.oaths.of(slot)) for one in known for slot in one.slots)
    assert sworn > 0 or name != "flip-over" or seed != 1


def test_it_lies_in_each_of_the_slots_about_as_often() -> None:
    played, seat = _later("flaps", 2)
    rng, slots = Random(3), sorted(hidden(played, seat)[:3])
    card = played.dealer.truth.cards[slots[1]]
    deals = Determinizations(remembering(played, seat, Among(card, frozenset(slots))), Oaths())
    found = Counter(deals.draw(rng).index(card) for _ in range(600))
    assert sorted(found) == slots
    assert min(found.values()) > 150


def test_a_card_whose_slot_was_sworn_to_hold_none_such_fits_no_deal() -> None:
    played, seat = _later("flaps", 2)
    one, other, *_ = hidden(played, seat)
    card, oaths = played.dealer.truth.cards[one], Oaths()
    view = remembering(played, seat, Among(card, frozenset({one, other})))
    oaths.hear(view.table, Swear(1 - seat, (one, other), lambda face: face is card), None, ())
    deals = Determinizations(view, oaths)
    with pytest.raises(EngineError, match="no deal fits what this seat knows"):
        deals.draw(Random(1))


def test_cards_give_way_to_each_other_until_all_have_a_slot() -> None:
    """Each alone could lie in two of three slots; one order of dealing them leaves none for it."""
    played, seat = _later("flaps", 2)
    one, other, third, *_ = hidden(played, seat)
    cards, rng = played.dealer.truth.cards, Random(1)
    known = [
        Among(cards[one], frozenset({one, other})),
        Among(cards[other], frozenset({other, third})),
        Among(cards[third], frozenset({third, one})),
    ]
    deals = Determinizations(remembering(played, seat, *known), Oaths())
    found = {tuple(deals._deal(rng) or ()) for _ in range(DRAWN)}
    assert () not in found
    assert {tuple(deal[slot] for slot in (one, other, third)) for deal in found} == {
        (cards[one], cards[other], cards[third]),
        (cards[third], cards[one], cards[other]),
    }


def test_hands_that_all_had_seen_are_dealt_at_once_though_much_was_sworn_of_them() -> None:
    """In Flip Over for teams hands are reshuffled that lay open: cards were dealt in vain."""
    played = Played("flip-over", 5)
    _, seat = next(played.positions(1))
    slots = hidden(played, seat)[:18]
    cards, rng, oaths = played.dealer.truth.cards, Random(1), Oaths()
    view = remembering(played, seat, *(Among(cards[slot], frozenset(slots)) for slot in slots))
    last = {cards[slot] for slot in slots[13:]}
    oaths.hear(view.table, Swear(1 - seat, tuple(slots[:13]), last.__contains__), None, ())
    deals = Determinizations(view, oaths)
    for deal in [deals._deal(rng) for _ in range(DRAWN)]:
        assert deal is not None
        assert {deal[slot] for slot in slots[13:]} == last


def test_what_others_did_changes_nothing_of_it() -> None:
    """Slots that nobody has seen are dealt anew, but not those among which a card lies."""
    played, seat = _later("flop-a", 3)
    follower, said = Follower(played.session.course), lookahead("flop-a")
    follower.catch_up()
    table = played.session.table
    slots = [slot for slot in hidden(played, seat) if table.locks[slot] == JOINT][:2]
    card = played.dealer.truth.cards[slots[0]]
    view = remembering(played, seat, Among(card, frozenset(slots)))
    rng, deals = Random(4), Determinizations(view, follower.oaths)
    belief = Belief(view, deals, follower.witnessed, said, rng)
    drawn = [belief.draw(rng) for _ in range(DRAWN)]
    assert all(card in (cards[slots[0]], cards[slots[1]]) for cards in drawn)
    assert not set(deals.free) & {*slots}


def test_one_that_can_lie_in_two_ways_is_open_to_doubt() -> None:
    """Two hidden cards, of which one is known: nothing else is, and both deals are drawn."""
    played, seat = _later("flaps", 2)
    one, other, *rest = hidden(played, seat)
    cards = played.dealer.truth.cards
    known = [Among(cards[slot], frozenset({slot})) for slot in rest]
    either = Among(cards[one], frozenset({one, other}))
    rng = Random(1)
    deals = Determinizations(remembering(played, seat, *known, either), Oaths())
    assert deals.open
    assert {deals.draw(rng).index(cards[one]) for _ in range(20)} == {one, other}
    exact = Among(cards[one], frozenset({one}))
    assert not Determinizations(remembering(played, seat, *known, exact), Oaths()).open


@pytest.mark.parametrize("name", ["flip-over", "flaps"])
def test_a_bot_in_a_process_of_its_own_is_told_it_too(name: str) -> None:
    """It decides as one at the table does, and differently from one that was not told."""
    played, rng, met, differs = Played(name, 6), Random(6), 0, False
    teller, listener = Teller(), Listener(Hard(6))
    for asked, seat in played.positions(2):
        if len(hidden(played, seat)) < 5 or met == 4:
            break
        met += 1
        view = remembering(played, seat, *some(played, seat, rng))
        told = pickle.loads(pickle.dumps(teller.tell(view, met)))
        assert len(told.among) == 3
        found = _weighed(view, asked, met)
        assert listener.decide(told) == Hard(6)(view, asked, Random(met))
        differs |= found != _weighed(remembering(played, seat), asked, met)
    assert met == 4
    assert differs


def _weighed(view: View, asked: object, seed: int) -> Sequence[object]:
    return Hard(6).weigh(view, asked, Random(seed))  # type: ignore[arg-type]


def test_a_card_that_the_seat_can_read_is_not_told_again() -> None:
    played, seat = _later("flaps", 2)
    view = played.dealer.view(played.session.table, seat)
    own = next(slot for slot, lock in enumerate(view.table.locks) if lock == seat)
    one, *_ = hidden(played, seat)
    card: Card = played.dealer.truth.cards[one]
    known = [Among(view.face(own), frozenset({own})), Among(card, frozenset({one}))]
    assert remembering(played, seat, *known).among() == known[1:]
