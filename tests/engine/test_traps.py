"""Each trap of writing a game gets its sentence: these toy games are broken in one place."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from engine import testing
from engine.cards import Card
from engine.compiling import is_compiled
from engine.errors import EngineError
from engine.game import Game, Options
from engine.games import load
from engine.question import Choose, Either, LayDown, Otherwise, Play, Race, Together
from engine.sets import LaySet, LayTogether, Terms
from engine.subsets import Block, every
from engine.table import Table
from engine.zone import Slot, Zone, nowhere
from tests.engine.tiny import DECK, GAME, TinyTable, table

CARD = re.compile(r"\b\d[RB] ")
Turn = Callable[[TinyTable], Coroutine[Any, Any, None]]


def anything(card: Card) -> bool:
    return True


def nothing(card: Card) -> bool:
    return False


def toy(rules: Turn, made: Callable[[int, Options], Table] = table) -> Game:
    """A game of one turn: all have three cards, then these rules go on."""

    async def turn(t: TinyTable) -> None:
        await t.fresh(DECK, t.stock)
        await t.shuffle(t.stock)
        await t.deal(t.stock, t.hands, 3)
        await rules(t)
        t.over = True

    return replace(GAME, name="toy", turn=turn, table=made, bounds=lambda seats, options: (0, 99))


def caught(game: Game, seats: int = 2) -> str:
    """What every check of the kit says, whatever the cards are."""
    said = []
    for check in (testing.check_simulation, testing.check_sync, testing.check_legality):
        with pytest.raises(AssertionError) as trap:
            check(game, seats, {}, 1)
        said.append(str(trap.value))
    with pytest.raises(AssertionError) as trap:
        testing.play_drawn(game, seats, {}, lambda count: 0)
    assert len({CARD.sub("", one) for one in (*said, str(trap.value))}) == 1
    return said[0]


def passes(game: Game, seats: int = 2) -> None:
    testing.check_simulation(game, seats, {}, seed=1)
    testing.check_sync(game, seats, {}, seed=1)
    testing.check_legality(game, seats, {}, seed=1)


# -- sets ----


def alike(cards: Sequence[Card]) -> bool:
    return len({card.rank for card in cards}) == 1


def all_of_a_colour(cards: Sequence[Card], slots: Sequence[Slot], sizes: range) -> list[Block]:
    """What an author lists who has changed `fits` and forgotten `sets`."""
    colours: dict[int, list[Slot]] = {}
    for card, slot in zip(cards, slots, strict=True):
        colours.setdefault(card.suit, []).append(slot)
    return [block for found in colours.values() for block in every(found, sizes)]


def none_at_all(cards: Sequence[Card], slots: Sequence[Slot], sizes: range) -> list[Block]:
    return []


def laying(terms: Terms, together: bool = False) -> Game:
    async def rules(t: TinyTable) -> None:
        claims = [LaySet(seat, t.hands[seat], range(2, 4), terms) for seat in range(2)]
        if together:
            await t.lay_together(claims, [t.laid] * 2)
        else:
            await t.lay_set(0, t.hands[0], range(2, 4), terms, t.laid)

    return toy(rules)


@pytest.mark.parametrize("together", [False, True])
def test_sets_that_never_fit_are_told(together: bool) -> None:
    terms = Terms("alike", may_pass=True, fits=alike, sets=all_of_a_colour)
    assert re.fullmatch(
        r"toy, question lay-set, seat 0: 'alike' lists \d. \d. as a set that can be laid, and it"
        " does not fit: `sets` has to list exactly what `fits` allows, or is left out",
        caught(laying(terms, together)),
    )


def test_sets_that_fit_and_are_not_listed_are_told() -> None:
    terms = Terms("any", may_pass=True, sets=none_at_all)
    assert re.fullmatch(
        r"toy, question lay-set, seat 0: 'any' lists no set, and \d. \d. fits: `sets` has to list"
        " exactly what `fits` allows, or is left out",
        caught(laying(terms)),
    )


def test_more_sets_than_are_tried_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    async def rules(t: TinyTable) -> None:
        for _ in range(6):
            await t.draw(t.stock, t.hands[0])
        terms = Terms("alike", fits=alike, may_pass=True)
        await t.lay_set(0, t.hands[0], range(1, 10), terms, t.laid)

    passes(toy(rules))
    monkeypatch.setattr("engine.traps.MOST_TRIED", 500)
    what = "'alike' leaves 511 sets to be tried: list those that fit by `sets`"
    assert caught(toy(rules)) == f"toy, question lay-set, seat 0: {what}"


def test_sets_follow_from_what_fits() -> None:
    passes(laying(Terms("alike", may_pass=True, fits=alike)))
    passes(laying(Terms("alike", may_pass=True, fits=alike), together=True))
    passes(laying(Terms("down only", up=False, down=True, sets=none_at_all)))


# -- questions that nobody can answer ----

NOBODY = [
    (lambda t: Play(0, t.hands[0], nothing), "play, seat 0: nobody can answer it: it leaves this"),
    (lambda t: Choose(1, (), "a suit"), "choose (a suit), seat 1: nobody can answer it: it leaves"),
    (lambda t: Together((0, 1), ((1,), ()), "go?"), "together (go?), seat 1: nobody can answer it"),
    (lambda t: Together((), (), "go?"), "together (go?): nobody can answer it: it is put to no s"),
    (lambda t: Race((), "slap"), "race (slap): nobody can answer it: it is put to no seat"),
    (lambda t: Choose(2, ("a", "b"), "go"), "choose (go), seat 2: nobody can answer it: 2 play"),
    (
        lambda t: LaySet(1, t.hands[1], range(4, 5), Terms("four")),
        "lay-set, seat 1: nobody can answer it: it leaves this seat nothing to decide",
    ),
    (
        lambda t: LayTogether([LaySet(1, t.hands[1], range(4, 5), Terms("four"))]),
        "lay-together, seat 1: nobody can answer it: it leaves this seat nothing to decide",
    ),
]


@pytest.mark.parametrize(("asked", "sentence"), NOBODY)
def test_a_question_that_nobody_can_answer_is_told(
    asked: Callable[[TinyTable], Any], sentence: str
) -> None:
    async def rules(t: TinyTable) -> None:
        await asked(t)

    assert caught(toy(rules)).startswith(f"toy, question {sentence}")


# -- a forgotten await ----


async def pays(t: TinyTable) -> None:
    t.points[0] += 1


def test_a_coroutine_that_is_dropped_is_told() -> None:
    async def rules(t: TinyTable) -> None:
        await t.choose(1, ("yes", "no"), "pay?")
        pays(t)  # type: ignore[unused-coroutine]
        await t.flip(2)

    assert caught(toy(rules)) == (
        "toy, question choose (pay?), seat 1: after it `pays` was called and never awaited: write"
        " `await` before the call"
    )


def test_a_coroutine_that_is_dropped_at_the_beginning_is_told() -> None:
    async def turn(t: TinyTable) -> None:
        pays(t)  # type: ignore[unused-coroutine]
        await t.fresh(DECK, t.stock)
        t.over = True

    assert caught(replace(toy(pays), turn=turn)) == (
        "toy, before the first question: `pays` was called and never awaited: write"
        " `await` before the call"
    )


@pytest.mark.skipif(is_compiled(Table), reason="Python does not watch over compiled coroutines")
def test_a_verb_without_await_is_told_though_the_rules_fail_for_it() -> None:
    async def rules(t: TinyTable) -> None:
        await t.reshuffle(t.hands[1], by=1)
        card: Any = t.play(1, t.hands[1], anything, t.laid)
        t.points[1] += card.rank

    assert caught(toy(rules)) == (
        "toy, question reshuffle, seat 1: after it `Table.play` was called and never awaited:"
        " write `await` before the call"
    )


def test_rules_that_fail_for_another_reason_say_that_one() -> None:
    async def rules(t: TinyTable) -> None:
        t.points[9] += 1

    with pytest.raises(EngineError, match="IndexError"):
        testing.play_out(toy(rules), 2, {}, seed=1)


# -- blind picks ----


def picking(*, hidden: bool, coin: bool, whole: bool = False, opened: bool = False) -> Game:
    """Seat 0 gets (or all see) a card of seat 1, by a choice or by a coin."""

    async def rules(t: TinyTable) -> None:
        hand = t.hands[1]
        if hidden:
            await t.reshuffle(hand, by=1)
        if coin:
            (place,) = await t.flip(3)
        else:
            place = await t.choose(0, ("left", "middle", "right"), "a card")
        slots = list(hand) if whole else [hand[place]]
        if opened:
            await t.open(slots)
        else:
            await t.hand_over([(slot, t.hands[0]) for slot in slots])

    return toy(rules)


@pytest.mark.parametrize("coin", [False, True])
@pytest.mark.parametrize("opened", [False, True])
def test_a_blind_pick_from_a_hand_that_was_not_reshuffled_is_told(coin: bool, opened: bool) -> None:
    assert caught(picking(hidden=False, coin=coin, opened=opened)) == (
        f"toy, question {'open' if opened else 'hand-over'}, seat 1: a card of the zone 'hand' of"
        " this seat is taken unseen, and the zone was not reshuffled before: use t.pick_blind"
    )


@pytest.mark.parametrize("opened", [False, True])
def test_a_place_in_a_hidden_hand_is_no_choice(opened: bool) -> None:
    assert caught(picking(hidden=True, coin=False, opened=opened)) == (
        "toy, question choose (a card), seat 0: a card of the zone 'hand' of seat 1 is chosen by"
        " its place, and its holder has put the zone in order: use t.pick_blind"
    )


def test_a_card_that_nobody_names_is_no_secret_either() -> None:
    async def rules(t: TinyTable) -> None:
        await t.play(0, t.hands[0], anything, t.laid)
        await t.hand_over([(t.hands[1][0], t.hands[0])])

    assert "taken unseen" in caught(toy(rules))


def test_a_card_may_be_shown_when_it_comes_and_one_that_its_holder_names_be_given() -> None:
    async def rules(t: TinyTable) -> None:
        await t.choose(0, ("yes", "no"), "one more?")
        await t.draw(t.stock, t.hands[1])
        await t.open(t.hands[1][-1:])
        await t.together((0, 1), (("first", "second"),) * 2, "what to give")
        await t.hand_over([(t.hands[0][1], t.hands[1]), (t.hands[1][0], t.hands[0])])

    passes(toy(rules))


def test_a_card_may_be_given_that_its_holder_names_by_laying_another_one_down() -> None:
    async def rules(t: TinyTable) -> None:
        await t.lay_down(1, t.hands[1], 1, t.aside)  # type: ignore[attr-defined]
        await t.hand_over([(t.hands[1][0], t.hands[0])])

    passes(toy(rules, table_with_aside))


def test_a_card_drawn_since_the_reshuffle_is_no_secret_either() -> None:
    async def rules(t: TinyTable) -> None:
        await t.reshuffle(t.hands[1], by=1)
        await t.draw(t.stock, t.hands[1])
        (place,) = await t.flip(4)
        await t.hand_over([(t.hands[1][place], t.hands[0])])

    assert "taken unseen" in caught(toy(rules))


def test_two_parts_of_a_hand_that_were_reshuffled_each_for_itself_are_no_secret() -> None:
    """All have seen which part a place is of, and the holder knows which cards that part has."""

    async def rules(t: TinyTable) -> None:
        hand, aside = t.hands[0], t.aside  # type: ignore[attr-defined]
        t.move(hand[:1], aside)
        await t.reshuffle(hand, by=0)
        await t.reshuffle(aside, by=0)
        t.move_all(aside, hand)
        (place,) = await t.flip(3)
        await t.hand_over([(hand[place], t.hands[1])])

    assert "taken unseen" in caught(toy(rules, table_with_aside))


def test_a_reshuffle_after_the_coin_is_too_late() -> None:
    """The holder would know where to put which card."""

    async def rules(t: TinyTable) -> None:
        (place,) = await t.flip(3)
        await t.reshuffle(t.hands[1], by=1)
        await t.hand_over([(t.hands[1][place], t.hands[0])])

    assert "taken unseen" in caught(toy(rules))


@pytest.mark.parametrize(
    "game",
    [
        picking(hidden=True, coin=True),
        picking(hidden=False, coin=True, whole=True),
        picking(hidden=False, coin=False, whole=True, opened=True),
    ],
)
def test_a_hidden_hand_and_a_whole_hand_can_be_taken(game: Game) -> None:
    passes(game)


def test_a_pick_by_the_verb_and_among_cards_set_down_is_sound() -> None:
    async def rules(t: TinyTable) -> None:
        (slot,) = await t.pick_blind([t.hands[1]])
        await t.choose(0, ("see", "do not"), "look?")
        await t.hand_over([(slot, t.hands[0])])
        two = await t.lay_down(0, t.hands[0], 2, t.aside)  # type: ignore[attr-defined]
        taken = two[await t.choose(1, ("first", "second"), "one of the two")]
        await t.hand_over([(taken, t.hands[1])])

    passes(toy(rules, table_with_aside))


@dataclass(slots=True, eq=False)
class AsideTable(TinyTable):
    aside: Zone = field(default_factory=nowhere)


def table_with_aside(seats: int, options: Options) -> TinyTable:
    plain = table(seats, options)
    made = AsideTable(seats, points=plain.points)
    made.stock, made.laid = made.zone("stock"), made.zone("laid")
    made.hands = [made.zone("hand", seat) for seat in range(seats)]
    made.aside = made.zone("aside", 0)
    return made


# -- zones ----


def cards_beside(seats: int, options: Options) -> TinyTable:
    """A seat has another zone before the one that it is dealt to."""
    made = TinyTable(seats)
    made.stock, made.laid = made.zone("stock"), made.zone("laid")
    for seat in range(seats):
        made.zone("won", seat)
    made.hands = [made.zone("cards", seat) for seat in range(seats)]
    made.points = [0] * seats
    return made


@pytest.mark.parametrize(
    "asked",
    [
        lambda t: Play(1, t.hands[1], anything),
        lambda t: LaySet(1, t.hands[1], range(1, 3), Terms("any")),
        lambda t: LayDown(1, t.hands[1], 2),
        lambda t: Race([Play(1, t.hands[1], anything)], "first"),
        lambda t: Race([Either(Play(1, t.hands[1], anything), Choose(1, ("me",), "me"))], "first"),
    ],
)
def test_a_hand_that_nobody_declared_is_told(asked: Callable[[TinyTable], Any]) -> None:
    async def rules(t: TinyTable) -> None:
        await asked(t)

    assert re.fullmatch(
        r"toy, question [\w-]+, seat 1: nobody declared the zone 'cards' to be a hand, so no screen"
        r" shows its cards to this seat: make it before the seat's other zones, or say in the"
        r" wording's `held` that it is one",
        caught(toy(rules, cards_beside)),
    )


def test_cards_that_all_see_may_be_played_from_anywhere() -> None:
    async def rules(t: TinyTable) -> None:
        await t.open(t.stock)
        await t.play(0, t.stock, anything, t.laid)

    passes(toy(rules))


def test_a_zone_that_was_never_made_is_told() -> None:
    def forgetful(seats: int, options: Options) -> TinyTable:
        t = table(seats, options)
        t.laid = nowhere()
        return t

    async def rules(t: TinyTable) -> None:
        await t.play(1, t.hands[1], anything, t.laid)

    what = "laid is no zone of the table: make it with t.zone(name, owner)"
    assert caught(toy(rules, forgetful)) == f"toy, question fresh: {what}"


def test_a_zone_that_was_never_made_is_told_where_cards_are_lost_before_any_question() -> None:
    def forgetful(seats: int, options: Options) -> TinyTable:
        t = table(seats, options)
        t.stock = nowhere()
        return t

    what = "stock is no zone of the table: make it with t.zone(name, owner)"
    assert caught(toy(pays, forgetful)) == f"toy, before the first question: {what}"


# -- slots told as numbers ----


def numbered(options: Callable[[TinyTable], Sequence[Any]], together: bool = False) -> Game:
    """A number is chosen, and the slot of that number is opened."""

    async def rules(t: TinyTable) -> None:
        choices = options(t)
        if together:
            (at,) = await t.together((1,), (choices,), "which card?")
        else:
            at = await t.choose(1, choices, "which card?")
        chosen = choices[at or 0]
        await t.open([chosen[-1] if isinstance(chosen, tuple) else chosen])

    return toy(rules)


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        lambda t: t.stock[:3],
        lambda t: [*t.stock[:2], "neither"],
        lambda t: [(0, slot) for slot in t.stock[:3]],
    ],
)
def test_slots_that_are_told_as_numbers_are_told(
    options: Callable[[TinyTable], Sequence[Any]], together: bool
) -> None:
    assert caught(numbered(options, together)) == (
        f"toy, question {'together' if together else 'choose'} (which card?), seat 1: the options"
        " are slots, and people read them as numbers: say in the wording's `options` what they"
        " are, and pick unseen cards by `pick_blind`"
    )


def test_one_slot_alone_may_be_told_as_a_number() -> None:
    async def rules(t: TinyTable) -> None:
        if await t.choose(1, (t.stock[0], "none"), "which card?") == 0:
            await t.open(t.stock[:1])

    passes(toy(rules))


def test_numbers_that_are_no_slots_may_be_chosen() -> None:
    async def rules(t: TinyTable) -> None:
        t.points[0] += await t.choose(0, (1, 2, 3), "how much?")
        await t.open(t.stock[-1:])

    passes(toy(rules))


def test_numbers_that_lead_to_the_same_cards_name_none_of_them() -> None:
    async def rules(t: TinyTable) -> None:
        one, two = t.stock[:2]
        await t.choose(1, ((one, two), (two, one)), "in which order?")
        await t.open([one, two])

    passes(toy(rules))


def test_a_pass_is_no_trap() -> None:
    async def rules(t: TinyTable) -> None:
        await t.play(0, t.hands[0], nothing, t.laid, Otherwise.PASS)

    passes(toy(rules))


@pytest.mark.parametrize("seed", [25, 129])
def test_a_card_that_lies_before_a_seat_and_in_no_hand_is_taken_by_its_place(seed: int) -> None:
    """A 1-SWAP or 1-OVER names a card of a pile: no hand has to be reshuffled for that."""
    options = {"level": 7, "turn-limit": 60, "last-card": "catch", "wins": 2}
    assert testing.play_out(load("flaps"), 2, options, seed).over
