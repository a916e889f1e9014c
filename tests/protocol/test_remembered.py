"""A seat remembers a card that it has read until it is shuffled, and never reads another's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from engine.bots import sensible
from engine.bots.determinization import Determinizations
from engine.bots.following import Follower, Oaths
from engine.cards import Card
from engine.game import Game, Value
from engine.games.flaps.rules import GAME as FLAPS
from engine.games.flip_over.rules import GAME as FLIP_OVER
from engine.question import Question
from engine.table_state import JOINT
from engine.view import View
from p2p.crypto.elgamal import read
from tests.engine.test_memory import is_true
from tests.protocol.kit import Hub, bare_hub, game_hub
from tests.protocol.test_flaps import curious
from tests.protocol.verbs import DECK, VerbsTable, anything

A, B, C = range(3)
OPTIONS: dict[str, Value] = {"level": 7, "turn-limit": 60, "last-card": "off"}


@dataclass(slots=True, eq=False)
class Trusting(VerbsTable):
    """A table whose rules say that everybody has seen everything; peers know better."""

    says: bool = True

    def has_seen(self, seat: int, slot: int) -> bool:
        return self.says


async def handed_over(t: VerbsTable) -> None:
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands, 2)
    await t.hand_over([(t.hands[A][0], t.hands[B])])


async def put_back(t: VerbsTable) -> None:
    await handed_over(t)
    await t.put_back([t.hands[B][-1]], t.stock)


async def shown_again(t: VerbsTable) -> None:
    await put_back(t)
    await t.show(t.stock[-1], C)


async def shuffled(t: VerbsTable) -> None:
    await put_back(t)
    await t.shuffle(t.stock)


async def opened(t: VerbsTable) -> None:
    await put_back(t)
    await t.open(t.stock[-1:])


async def reshuffled(t: VerbsTable) -> None:
    await handed_over(t)
    await t.reshuffle(t.hands[B], B)


async def opened_and_reshuffled(t: VerbsTable) -> None:
    await handed_over(t)
    await t.open(t.hands[B])
    await t.reshuffle(t.hands[B], B)


async def laid(t: VerbsTable) -> None:
    """B lays a card of its own: the hand is merged first, so that any of its slots is laid."""
    await handed_over(t)
    await t.play(B, t.hands[B], anything, t.pile)


async def laid_all_but_one(t: VerbsTable) -> None:
    await laid(t)
    await t.play(B, t.hands[B], anything, t.pile)


async def laid_down(t: VerbsTable) -> None:
    await handed_over(t)
    await t.lay_down(B, t.hands[B], 1, t.pile)


Turn = Callable[[VerbsTable], Coroutine[Any, Any, None]]


def after(turn: Turn, *, says: bool = True) -> Hub:
    async def whole(t: VerbsTable) -> None:
        await turn(t)
        t.over = True

    def make(seats: int, options: Any) -> VerbsTable:
        table = Trusting(seats, says=says)
        table.stock, table.pile = table.zone("stock"), table.zone("pile")
        table.hands = [table.zone("hand", seat) for seat in range(seats)]
        return table

    game = Game("x", "x", 1, range(2, 6), (), make, whole,
                lambda t: (0,) * t.seats, lambda seats, options: (0, 0))  # fmt: skip
    hub = bare_hub(game, 3)

    def choose(view: View, question: Question[Any]) -> object:
        """Keep the card that came from A."""
        given = hub.seats[A].cards.seen[0].number
        return next(
            one
            for one in question.decisions(view)
            if view.face(_slot(one)) is not DECK.cards[given]
        )

    hub.chooser = choose
    hub.run()
    assert not hub.faults
    return hub


def _slot(decision: Any) -> int:
    """The card that is laid, open or face down."""
    return decision[0] if isinstance(decision, tuple) else decision


def known(hub: Hub, seat: int) -> list[tuple[Card, set[int]]]:
    """The hidden cards that a seat has seen, and where each may be."""
    view = hub.seats[seat].cards.view(seat)
    return [(card, {*slots}) for card, slots in view.among()]


def recalled(hub: Hub, slot: int) -> list[Card | None]:
    """What each seat can tell of this slot."""
    return [seat.cards.view(seat.seat).recall(slot) for seat in hub.seats]


def the_card(hub: Hub) -> int:
    """The slot that A was dealt first, and gave away: where it lies does not change its number."""
    table: Any = hub.seats[A].session.table
    slot = hub.seats[A].cards.seen[0].slot
    assert slot not in table.hands[A]
    return slot


def test_who_gave_a_card_away_knows_it_and_so_does_who_has_it() -> None:
    hub = after(handed_over)
    mine, theirs, nobodys = recalled(hub, the_card(hub))
    assert mine is theirs is not None
    assert nobodys is None
    assert not hub.seats[A].cards.view(A).knows(the_card(hub))


def test_nothing_is_recalled_of_which_the_rules_do_not_say_that_it_was_seen() -> None:
    hub = after(handed_over, says=False)
    mine, theirs, nobodys = recalled(hub, the_card(hub))
    assert theirs is not None
    assert mine is nobodys is None


def test_a_card_that_was_put_back_is_known_to_those_who_had_it_even_if_another_looks() -> None:
    first, second = after(put_back), after(shown_again)
    one, two, three = recalled(first, the_card(first))
    assert one is two is not None
    assert three is None
    one, two, three = recalled(second, the_card(second))
    assert one is two is three is not None


@pytest.mark.parametrize("turn", [shuffled, reshuffled])
def test_after_a_shuffle_nobody_recalls_where_it_lies(turn: Turn) -> None:
    hub = after(turn)
    for slot in hub.seats[A].session.table.zones[0] if turn is shuffled else [the_card(hub)]:
        told = recalled(hub, slot)
        assert told[A] is told[C] is None


def given_card(hub: Hub) -> Card:
    return hub.seats[A].cards.slots.card(hub.seats[A].cards.seen[0].number)


def test_who_gave_a_card_away_knows_that_it_is_in_that_hand_until_it_is_laid() -> None:
    hub = after(laid)
    table: Any = hub.seats[A].session.table
    assert len(table.hands[B]) == 2
    assert known(hub, A) == [(given_card(hub), {*table.hands[B]})]
    assert known(hub, B) == known(hub, C) == []


def test_the_last_card_of_a_hand_is_known_to_who_gave_it_whatever_the_rules_say() -> None:
    hub = after(laid_all_but_one, says=False)
    table: Any = hub.seats[A].session.table
    assert known(hub, A) == [(given_card(hub), {*table.hands[B]})]
    assert len(table.hands[B]) == 1
    assert recalled(hub, table.hands[B][0])[A] is None
    assert known(hub, C) == []


@pytest.mark.parametrize("turn", [laid, laid_all_but_one])
def test_who_looks_ahead_deals_a_card_that_it_gave_away_into_that_hand(turn: Turn) -> None:
    """A review named "7 of 100 better" where a player knew the other's last card."""
    hub, rng = after(turn), Random(1)
    table: Any = hub.seats[A].session.table
    drawn = Counter[int]()
    for seat in (A, C):
        deals = Determinizations(hub.seats[seat].cards.view(seat), Oaths())
        for deal in [deals.draw(rng) for _ in range(40)]:
            drawn[seat] += given_card(hub) in [deal[slot] for slot in table.hands[B]]
    assert drawn[A] == 40
    assert drawn[C] < 40


def test_a_card_that_may_have_been_laid_face_down_is_there_or_in_the_hand() -> None:
    hub = after(laid_down)
    table: Any = hub.seats[A].session.table
    assert known(hub, A) == [(given_card(hub), {*table.hands[B], *table.pile})]
    assert len(table.pile) == 1


def test_what_was_put_back_is_in_the_stock_after_it_was_shuffled() -> None:
    hub = after(shuffled)
    table: Any = hub.seats[A].session.table
    assert known(hub, A) == known(hub, B) == [(given_card(hub), {*table.stock})]
    assert known(hub, C) == []


def test_what_lies_open_is_what_everybody_sees() -> None:
    hub = after(opened)
    slot = the_card(hub)
    assert recalled(hub, slot) == [hub.seats[A].session.table.faces[slot]] * 3
    assert not any(known(hub, seat) for seat in (A, B, C))


def test_what_lay_open_in_a_hand_is_in_it_after_it_was_reshuffled() -> None:
    """A review did not blame who forgot a card that another player had shown to all."""
    hub = after(opened_and_reshuffled)
    table: Any = hub.seats[A].session.table
    hand = table.hands[B]
    held = sorted(_really(hub, B, slot).name for slot in hand)
    assert given_card(hub).name in held
    for seat in (A, C):
        told = known(hub, seat)
        assert sorted(card.name for card, _ in told) == held
        assert all(slots == {*hand} for _, slots in told)
    assert known(hub, B) == []


@pytest.mark.parametrize("seed", [25, 35])
def test_in_a_whole_game_a_seat_recalls_only_what_it_has_read(seed: int) -> None:
    """At every decision, what it read last; whoever can read the card at that step agrees."""
    hub = game_hub(FLAPS, 3, seed, verifying=1, **OPTIONS)
    rng, older = Random(seed), list[int]()

    def choose(view: View, question: Question[Any]) -> object:
        cards, step = hub.seats[view.seat].cards, hub.seats[view.seat].machine.chain.step
        last = {seen.slot: cards.slots.card(seen.number) for seen in cards.seen}
        for slot in range(len(view.table.faces)):
            card = view.recall(slot)
            if card is not None and not view.knows(slot):
                older.append(slot)
                assert view.table.has_seen(view.seat, slot)
                assert last[slot] is card
                for other in hub.seats:
                    there = other.cards.view(other.seat)
                    if other.machine.chain.step == step and there.knows(slot):
                        assert there.face(slot) is card
        return curious(view, question, rng)

    hub.chooser = choose
    hub.run(limit=400_000)
    assert not hub.faults
    assert older


def _really(hub: Hub, seat: int, slot: int) -> Card:
    """What lies there, for whoever has the keys of all seats."""
    cards = hub.seats[seat].cards
    a, left = cards.slots.ciphers[slot]
    lock = cards.table.locks[slot]
    for other in hub.seats:
        if lock in (JOINT, other.seat):
            left = read(other.cards.keys.own, (a, left))
    return cards.slots.card(cards.slots.identify(left))


@pytest.mark.parametrize("seed", [38, 42])
def test_in_a_whole_game_a_card_is_among_those_where_a_seat_knows_it_to_be(seed: int) -> None:
    """And only a seat that has read the card, or seen it with all others, knows it."""
    hub = game_hub(FLAPS, 3, seed, verifying=1, **OPTIONS)
    rng, sizes, shown = Random(seed), Counter[bool](), set[Card | None]()

    def choose(view: View, question: Question[Any]) -> object:
        own = hub.seats[view.seat].cards
        if view.among():
            follower = Follower(hub.seats[view.seat].session.course)
            follower.catch_up()
            deal = Determinizations(view, follower.oaths).draw(Random(seed))
            assert is_true(view.among(), deal)
        shown.update(view.table.faces)
        read_so_far = {own.slots.card(seen.number) for seen in own.seen}
        for card, slots in view.among():
            assert card in read_so_far | shown
            assert not any(map(view.knows, slots))
            assert card in [_really(hub, view.seat, slot) for slot in slots]
            sizes[len(slots) > 1] += 1
        return curious(view, question, rng)

    hub.chooser = choose
    hub.run(limit=400_000)
    assert not hub.faults
    assert min(sizes[True], sizes[False]) > 10


@pytest.mark.slow
def test_hands_that_lay_open_are_in_every_deal_of_flip_over_for_teams() -> None:
    """They are reshuffled and exchanged, and sworn of later: a hard bot found no deal that fits."""
    hub = game_hub(FLIP_OVER, 4, 100, verifying=1, rounds=2, teams=True)
    bot, rng, sizes = sensible("flip-over"), Random(100), Counter[int]()

    def choose(view: View, question: Question[Any]) -> object:
        known = view.among()
        if known:
            follower = Follower(hub.seats[view.seat].session.course)
            follower.catch_up()
            deals = Determinizations(view, follower.oaths)
            for deal in [deals._deal(rng) for _ in range(5)]:
                assert deal is not None, "a deal has to be begun again"
                assert is_true(known, deal)
            sizes[len(known)] += 1
        return bot(view, question, rng)

    hub.chooser = choose
    hub.run(limit=400_000)
    assert not hub.faults
    assert max(sizes) > 20
