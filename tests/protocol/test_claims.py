"""Every claim is about ciphers, never about handles (protocol section 5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from engine.cards import Card, Deck
from engine.errors import EngineError
from engine.question import Otherwise, Play
from engine.session import Session
from engine.sets import Lay, Terms
from engine.zone import Slot
from p2p.crypto.elgamal import Cipher, read
from p2p.crypto.keys import TableSecret
from p2p.crypto.shuffle import OfflinePart
from p2p.crypto.shuffle_prover import Shuffled
from p2p.protocol.acts import laying, moving, shuffling
from tests.protocol.cheats import (
    CHEAT,
    acquit,
    bend_payload,
    convict,
    signed,
    unite_oaths,
)
from tests.protocol.kit import Hub, Seat, game_hub
from tests.protocol.odd_proofs import by_one_factor, without_factors
from tests.protocol.scenes import SCENES, Turn, anything, one_turn, scene
from tests.protocol.verbs import DECK, VerbsTable

WANTED: set[Card] = set()
"""The faces that the scenes below ask for; a test chooses them once it has seen the cards."""


@pytest.fixture(autouse=True)
def nothing_wanted() -> Iterator[None]:
    WANTED.clear()
    yield
    WANTED.clear()


def wanted(card: Card) -> bool:
    return card in WANTED


async def _deal(t: VerbsTable, deck: Deck, count: int) -> None:
    await t.fresh(deck, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, t.hands, count)
    await t.choose(CHEAT, ("go on",), "whether it has looked at its cards")


def behind(hub: Hub, seat: int, slot: Slot) -> Card:
    """The face behind any slot as it lies before `seat`: all table secrets together read it."""
    cards = hub.seats[seat].cards
    point = cards.slots.ciphers[slot]
    lock = cards.table.locks[slot]
    keys = [seat.cards.keys.own for seat in hub.seats if lock in (seat.seat, -1)]
    return cards.slots.card(cards.slots.identify(read_with(keys, point)))


def read_with(keys: list[TableSecret], cipher: Cipher) -> bytes:
    a, b = cipher
    for key in keys:
        b = read(key, (a, b))
    return b


# -- oaths and merges ---------------------------------------------------------------------------


@scene
async def drawn_after_an_oath(t: VerbsTable) -> None:
    """Seat 1 swears, draws a card, and has to lay a wanted one or to swear."""
    await _deal(t, DECK, 2)
    await t.swear(CHEAT, t.hands[CHEAT], wanted)
    await t.draw(t.stock, t.hands[CHEAT])
    card = await t.play(CHEAT, t.hands[CHEAT], wanted, t.pile, Otherwise.ANY_SWORN, "lay it")
    assert card is not None


def _wants_the_next_card(hub: Hub) -> None:
    """The card that seat 1 will draw is the one that is wanted; it lays another one."""

    def chooser(view: Any, question: Any) -> object:
        if question.kind == "choose":
            WANTED.add(behind(hub, CHEAT, view.table.stock[-1]))
            return 0
        held = [slot for slot in question.zone if not wanted(view.face(slot))]
        return held[0]

    hub.chooser = chooser


SWORN_AT = 6
"""The step of the oath: three shuffles, their confirmation, the deal and the choice are before."""


def _takes_the_oath_for_given(hub: Hub) -> None:
    """For each handle that stays, the cheat relies on what was sworn before it merged its hand."""
    cards = hub.seats[CHEAT].cards
    honest = cards.slots.is_sworn
    cards.slots.is_sworn = (  # type: ignore[method-assign]
        lambda about, none_of: cards.chain.step > SWORN_AT or honest(about, none_of)
    )


@pytest.mark.parametrize("seed", range(8))
def test_a_wanted_card_is_moved_behind_a_sworn_handle(seed: int) -> None:
    """The cheat swore that it holds no wanted card, draws one, and merges its hand so that a
    sworn handle gets the drawn card; it lays an innocent card and swears nothing.

    Answer: after a merge, only what was sworn of all its ciphers still counts for each of them,
    so an oath about the cards that stay is owed, and an entry without it is `illegal-move`.
    """
    hub = game_hub(SCENES["drawn-after-an-oath"], 3, seed)
    _wants_the_next_card(hub)
    _takes_the_oath_for_given(hub)
    convict(hub, "illegal-move")


@scene
async def merged_then_asked(t: VerbsTable) -> None:
    """Seat 1 swears, draws, merges its hand with a card that owes no oath, and is asked again."""
    await _deal(t, DECK, 2)
    await t.swear(CHEAT, t.hands[CHEAT], wanted)
    await t.draw(t.stock, t.hands[CHEAT])
    await t.play(CHEAT, t.hands[CHEAT], anything, t.pile)
    await t.play(CHEAT, t.hands[CHEAT], wanted, t.pile, Otherwise.ANY_SWORN, "lay it")


@pytest.mark.parametrize("seed", range(4))
def test_drawn_card_merged_with_sworn_ones_owes_oath(seed: int) -> None:
    """A seat swears that it holds no heart, draws a heart, and merges its hand while it lays a
    card that owes no oath. Asked for hearts, it lays another card, as if the earlier oath were
    about the drawn card as well.

    Answer: a merged card carries only the oaths that all merged cards had, so that an oath is owed
    again, and an entry without it is `illegal-move`.
    """
    hub = game_hub(SCENES["merged-then-asked"], 3, seed)
    _wants_the_next_card(hub)
    unite_oaths(hub.seats[CHEAT].cards.slots)
    convict(hub, "illegal-move")


async def _sworn_in_vain(t: VerbsTable) -> None:
    """Everybody sees that seat 1 holds what it is to swear that it does not hold."""
    await _deal(t, DECK, 2)
    await t.open(t.hands[CHEAT])
    await t.swear(CHEAT, t.hands[CHEAT], anything)


def test_rules_that_ask_for_an_oath_that_all_can_see_is_false_are_our_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No game for other tests: it cannot be played to its end."""
    game = one_turn("sworn-in-vain", _sworn_in_vain)
    monkeypatch.setitem(SCENES, game.name, game)
    with pytest.raises(ValueError, match="an oath that everybody can see is false"):
        game_hub(game, 3, 1).run()


@scene
async def drawn_and_sworn_again(t: VerbsTable) -> None:
    """Seat 1 swears about each card as it comes, so that it owes nothing when it lays one."""
    await _deal(t, DECK, 2)
    await t.swear(CHEAT, t.hands[CHEAT], wanted)
    await t.draw(t.stock, t.hands[CHEAT])
    await t.swear(CHEAT, t.hands[CHEAT], wanted)
    for _ in range(2):
        await t.play(CHEAT, t.hands[CHEAT], wanted, t.pile, Otherwise.ANY_SWORN, "lay it")


def test_what_is_sworn_of_every_merged_card_holds_on() -> None:
    hub = game_hub(SCENES["drawn-and-sworn-again"], 3)

    def chooser(view: Any, question: Any) -> object:
        if question.kind == "choose":
            WANTED.add(behind(hub, CHEAT, view.table.stock[0]))
        return question.decisions(view)[0]

    hub.chooser = chooser
    acquit(hub)
    oaths = [entry for entry in signed(hub, 0) if entry.kind == "play"]
    assert [entry.payload["oath"] for entry in oaths] == [None, None]
    assert [entry.payload["merge"] is None for entry in oaths] == [False, True]


@scene
async def laid_openly_under_oath(t: VerbsTable) -> None:
    """Seat 1 lays a card that all know, and swears that it could not do otherwise."""
    await _deal(t, DECK, 3)
    await t.open(t.hands[CHEAT][:1])
    await t.play(CHEAT, t.hands[CHEAT], wanted, t.pile, Otherwise.ANY_SWORN, "lay it")


@pytest.mark.parametrize("seed", range(3))
def test_a_card_that_all_know_is_laid_under_oath(seed: int) -> None:
    """The oath is about the hidden ones; once an honest seat refused its own entry here."""
    hub = game_hub(SCENES["laid-openly-under-oath"], 3, seed)

    def chooser(view: Any, question: Any) -> object:
        if question.kind == "choose":
            WANTED.add(behind(hub, CHEAT, view.table.stock[0]))
            return 0
        return question.zone[0]

    hub.chooser = chooser
    acquit(hub)
    (laid,) = [entry.payload for entry in signed(hub, 0) if entry.kind == "play"]
    assert (laid["card"], laid["merge"]) == (None, None)
    assert laid["oath"] is not None


# -- slots that a seat cannot read --------------------------------------------------------------


async def _with_a_card_of_nobody(t: VerbsTable) -> None:
    """A card of the stock comes into the hand of seat 1, and nobody can read it."""
    await _deal(t, DECK, 2)
    t.move(t.stock[-1:], t.hands[CHEAT])


async def lays_what_nobody_knows(t: VerbsTable) -> None:
    await _with_a_card_of_nobody(t)
    await t.play(CHEAT, t.hands[CHEAT], anything, t.pile)


async def lays_down_what_nobody_knows(t: VerbsTable) -> None:
    await _with_a_card_of_nobody(t)
    await t.lay_down(CHEAT, t.hands[CHEAT], 1, t.pile)


async def lays_a_set_that_nobody_knows(t: VerbsTable) -> None:
    await _with_a_card_of_nobody(t)
    await t.lay_set(CHEAT, t.hands[CHEAT], range(1, 3), Terms("anything", down=True), t.pile)


UNREADABLE = (lays_what_nobody_knows, lays_down_what_nobody_knows, lays_a_set_that_nobody_knows)


def _table_of(turn: Turn, monkeypatch: pytest.MonkeyPatch) -> Hub:
    """A table with rules that no other test plays."""
    monkeypatch.setitem(SCENES, turn.__name__, one_turn(turn.__name__, turn))
    return game_hub(SCENES[turn.__name__], 3)


@pytest.mark.parametrize("turn", UNREADABLE)
def test_no_table_of_peers_asks_about_cards_that_the_seat_cannot_read(
    turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mistake of the author of the rules: it is told at the question, before anybody answers."""
    hub = _table_of(turn, monkeypatch)
    with pytest.raises(EngineError, match="asked seat 1 about cards that it cannot read"):
        hub.run()


def _a_careless_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Session, "_check_question", lambda self, asked: None)


def _craft(cheat: Seat, question: Any) -> Any:
    """Name the card that nobody can read, with card 0 as its face if one is needed."""
    foreign = question.zone[-1]
    if question.kind == "lay-down":
        return {"slots": [foreign], "merge": None}
    if question.kind == "lay-set":
        return {"slots": [foreign], "shown": None, "merge": None}
    hand = laying.Hand(cheat.cards, CHEAT, tuple(question.zone))
    honest = laying.make_laid(cheat.cards, hand, question, question.zone[0])
    assert isinstance(honest, dict)
    return {**honest, "slot": foreign, "merge": None}


@pytest.mark.check("play.zone")
@pytest.mark.check("lay-down.held")
@pytest.mark.check("set.held")
@pytest.mark.parametrize("turn", UNREADABLE)
def test_a_card_that_nobody_can_read_is_laid(turn: Turn, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat lays a card that it cannot read; in sets it once passed as card 0, without any proof.

    Answer: a seat lays what all know or what it alone can read; all else is `illegal-move`.
    """
    _a_careless_session(monkeypatch)
    hub = _table_of(turn, monkeypatch)

    def chooser(view: Any, question: Any) -> object:
        if question.kind == "choose":
            return 0
        crafted = _craft(hub.seats[CHEAT], question)
        bend_payload(hub, question.kind, lambda _: crafted)
        mine: Slot = question.zone[0]
        return {"play": mine, "lay-down": (mine,), "lay-set": Lay((mine,))}[question.kind]

    hub.chooser = chooser
    convict(hub, "illegal-move")


# -- one point for two cards ----------------------------------------------------------------------


@scene
async def put_back_twice(t: VerbsTable) -> None:
    """Seat 1 puts two cards back, which are dealt to two seats as they are."""
    await _deal(t, DECK, 3)
    await t.put_back(t.hands[CHEAT][:2], t.stock)
    await t.deal(t.stock, [t.hands[0], t.hands[2]], 1)


@scene
async def put_back_in_turn(t: VerbsTable) -> None:
    """The same, one after another; in between the first one is dealt again."""
    await _deal(t, DECK, 3)
    for to in (0, 2):
        await t.put_back(t.hands[CHEAT][:1], t.stock)
        await t.deal(t.stock, [t.hands[to]], 1)


@pytest.mark.check("slots.repeated")
@pytest.mark.call(
    "p2p.protocol.acts.moving:_move -> moves[seat].apply",
    "p2p.protocol.acts.moving:Moves.apply -> self._cards.slots.renew",
)
@pytest.mark.parametrize("name", ["put-back-twice", "put-back-in-turn"])
def test_two_cards_are_hidden_by_one_factor(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each transfer is proven, but the shares that open one card open the other too: dealt to
    two seats, they once ended every honest program without a verdict.

    Answer: a point that has hidden a card before is `bad-transfer`.
    """
    hub = game_hub(SCENES[name], 3)
    cheat = hub.seats[CHEAT].cards.keys.own
    monkeypatch.setattr(moving, "transfer", by_one_factor(cheat))
    convict(hub, "bad-transfer")


@pytest.mark.call(
    "p2p.protocol.slots:Slots.permute -> self.renew",
    "p2p.protocol.acts.laying:Hand.apply -> self._cards.slots.permute",
)
def test_a_merge_that_changes_no_cipher(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat reshuffles its hand inside an entry, and every cipher stays as it was: the others
    still know which card was drawn last, and two cards of one point could be made.

    Answer: every cipher after a reshuffle has a new point, or the reshuffle is refused.
    """
    hub = game_hub(SCENES["drawn-late"], 3)
    honest = shuffling.prove_shuffle
    cheat = hub.seats[CHEAT].cards.keys.own.public

    def prove(part: OfflinePart, *statement: Any) -> Shuffled:
        return (without_factors if part.key == cheat else honest)(part, *statement)

    monkeypatch.setattr(shuffling, "prove_shuffle", prove)
    convict(hub, "bad-shuffle")


# -- claims in a race -----------------------------------------------------------------------------


@scene
async def raced_under_oath(t: VerbsTable) -> None:
    """Seats 0 and 1 claim to lay any card under oath not to hold the wanted one."""
    await _deal(t, DECK, 2)
    claims = [Play(seat, t.hands[seat], wanted, Otherwise.ANY_SWORN, "lay it") for seat in (0, 1)]
    await t.race(claims, "first", t.pile)


@pytest.mark.parametrize("seed", range(4))
def test_a_claim_that_shows_the_card_that_another_one_swore_about(seed: int) -> None:
    """Seat 0 lays the only card that is wanted, so that after it nobody could hold one.

    Seat 1 has sworn in the same step, as it had to: its oath was owed when it signed.
    """
    hub = game_hub(SCENES["raced-under-oath"], 3, seed)

    def chooser(view: Any, question: Any) -> object:
        if question.kind == "choose":
            WANTED.add(behind(hub, CHEAT, view.table.hands[0][0]))
            return 0
        return question.claims[view.seat].zone[0]

    hub.chooser = chooser
    acquit(hub)


def test_nobody_has_to_claim_whatever_the_claim_would_owe() -> None:
    """In turn a card has to be laid here; in a race a pass is always allowed."""
    hub = game_hub(SCENES["raced-under-oath"], 3)
    hub.chooser = lambda view, question: 0 if question.kind == "choose" else None
    acquit(hub)
    assert [entry.payload for entry in signed(hub, 0) if entry.kind == "race"] == [None, None]


# -- copies ---------------------------------------------------------------------------------------

COPIES = Deck(
    "test copies", [Card(r, f"{r + 1}C", 0, r) for r in range(9)], [2, 2, 2, 2, 2, 2, 2, 2, 2]
)


@scene
async def laid_out_of_copies(t: VerbsTable) -> None:
    """Every face is printed twice; each seat lays a wanted card or swears that it has none."""
    await _deal(t, COPIES, 4)
    for seat in range(t.seats):
        for _ in range(2):
            hand = t.hands[seat]
            await t.play(seat, hand, wanted, t.pile, Otherwise.ANY_SWORN, "lay it")
    await t.lay_all(t.hands, lambda card: card.rank == 8, t.pile)


def _wants(hub: Hub, *faces: int) -> None:
    choose = hub.chooser

    def chooser(view: Any, question: Any) -> object:
        if question.kind == "choose":
            WANTED.update(COPIES.faces[face] for face in faces)
        return choose(view, question)

    hub.chooser = chooser


@pytest.mark.parametrize("faces", [(0,), (0, 1, 2), tuple(range(7))])
@pytest.mark.parametrize("seed", range(3))
def test_nobody_is_told_which_copy_of_a_card_is_laid(faces: tuple[int, ...], seed: int) -> None:
    """Whoever has seen a card could follow it, if entries named the copy; at a real table nobody
    could.  Copies have one point and one number, so that an entry cannot say it."""
    hub = game_hub(SCENES["laid-out-of-copies"], 3, seed)
    _wants(hub, *faces)
    acquit(hub)
    lowest = set(COPIES.lowest)
    assert len(lowest) == 9
    assert len(set(hub.seats[0].cards.slots.points)) == 9
    laid = [entry.payload for entry in signed(hub, 0) if entry.kind == "play"]
    assert {one["card"] for one in laid} <= lowest


@pytest.mark.check("play.copy")
def test_a_copy_is_named_by_another_number() -> None:
    """The cheat uses the number of another copy, which tells the copies apart.

    Answer: a card has one number, the lowest of its face; any other is `malformed`.
    """
    hub = game_hub(SCENES["laid-out-of-copies"], 3)
    _wants(hub, *range(9))
    bend_payload(hub, "play", lambda payload: {**payload, "card": payload["card"] + 1})
    convict(hub, "malformed")


def test_a_face_is_forbidden_until_every_copy_lies_open() -> None:
    hub = game_hub(SCENES["laid-out-of-copies"], 3)
    _wants(hub, *range(9))
    acquit(hub)
    slots = hub.seats[0].cards.slots
    lying = [number for number in slots.numbers if number is not None]
    closed = slots.hidden_faces(set(COPIES.lowest))
    assert set(closed) == {number for number in COPIES.lowest if lying.count(number) < 2}
    assert any(lying.count(number) == 1 for number in closed)
