"""Cheats that one call of a verifier catches: without that call they would be believed.

Each cheat satisfies everything else, so that its verdict comes from the call with which its test is
marked (tests/mutation/calls.py).
"""

from __future__ import annotations

from typing import Any

import pytest

from engine import acts
from engine.question import Choose, Either, Otherwise, Play
from engine.sets import Lay
from p2p.crypto.elgamal import pack_ciphers, unpack_ciphers
from p2p.crypto.group import POINT_BYTES, Point, add, sub
from p2p.crypto.shuffle import OfflinePart
from p2p.errors import LocalError
from p2p.protocol.acts import shuffling
from p2p.protocol.acts.shuffling import Permuted
from p2p.protocol.cards import Cards
from tests.protocol import sets
from tests.protocol.cheats import CHEAT, acquit, bend_payload, convict, signed
from tests.protocol.deals import seed_with
from tests.protocol.kit import Hub, Seat, bare_hub, game_hub, seeded
from tests.protocol.scenes import SCENES, Turn, _hands, low, one_turn, scene
from tests.protocol.verbs import DECK, VerbsTable, anything

assert sets.__name__, "its scenes are registered"
LAYING, ALL, SETS = (
    "p2p.protocol.acts.laying",
    "p2p.protocol.acts.laying_all",
    "p2p.protocol.acts.laying_sets",
)
OPENING = "p2p.protocol.acts.opening"
RACING = "p2p.protocol.acts.racing"
OATH_CARDS = sum(not low(card) for card in DECK.cards)
"""The cards that a hand without low ones may hold: an oath shuffles this many."""


@scene
async def laid_down_late(t: VerbsTable) -> None:
    """Seat 1 draws one card more and lays two face down."""
    await _hands(t, 2)
    await t.deal(t.stock, [t.hands[1]], 1)
    await t.lay_down(1, t.hands[1], 2, t.pile)


@scene
async def raced(t: VerbsTable) -> None:
    """The first to claim lays any card."""
    await _hands(t)
    claims = [Play(seat, t.hands[seat], anything, Otherwise.PASS) for seat in range(t.seats)]
    won = await t.race(claims, "first card", t.pile)
    t.seen.append(-1 if won is None else won.seat)


@scene
async def raced_or_called(t: VerbsTable) -> None:
    """The first to claim lays any card or calls something."""
    await _hands(t)
    plays = [Play(seat, t.hands[seat], anything, Otherwise.PASS) for seat in range(t.seats)]
    claims = [Either(play, Choose(play.seat, ("a call",), "a call")) for play in plays]
    won = await t.race(claims, "first", t.pile)
    t.seen.append(-1 if won is None else won.seat)


# -- a card that was never dealt to this hand ------------------------------------------------


def merge_in_a_foreign_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the cheat reshuffles its hand, the last card becomes one that it never had.

    It holds that card from then on: what it lays and swears afterwards is right.
    """
    real = shuffling.merge

    def merge(cards: Cards, slots: tuple[int, ...]) -> tuple[Permuted, list[int]]:
        merged, origin = real(cards, slots)
        if cards.keys.me != CHEAT:
            return merged, origin
        known, last, place = cards.slots, slots[-1], origin.index(len(slots) - 1)
        taken = {*known.own.values(), *known.numbers}
        foreign = max(number for number in range(len(DECK)) if number not in taken)
        deck, (a, b) = list(merged.deck), merged.deck[place]
        deck[place] = a, add(b, sub(known.points[foreign], known.points[known.own[last]]))
        known.own[last] = foreign
        return Permuted(deck, merged.proof), origin

    monkeypatch.setattr(shuffling, "merge", merge)


def the_first(view: Any, asked: Any) -> Any:
    """The first card of the zone is laid: in a merged hand, not the one that is foreign."""
    match asked:
        case Play():
            return asked.zone[0]
        case _ if hasattr(asked, "claims"):
            return Lay(tuple(asked.claims[view.seat].zone[:1]))
        case _ if hasattr(asked, "count"):
            return tuple(asked.zone[: asked.count])
    return Lay(tuple(asked.zone[:1]))


MERGING = {
    "drawn-late": (f"{LAYING}:verify_laid -> hand.check", f"{LAYING}:play -> verify_laid"),
    "laid-down-late": (f"{LAYING}:lay_down -> hand.check",),
    "laid-all-late": (
        f"{ALL}:_Forced.verify -> self._hand.check",
        f"{ALL}:lay_all -> forced[seat].verify",
    ),
    "set-laid-anyhow": (
        f"{SETS}:_Claim.verify -> self._hand.check",
        f"{SETS}:lay_set -> claim.verify",
    ),
    "sets-in-secret": (
        f"{SETS}:lay_together.verify -> claims[seat].verify",
        f"{SETS}:lay_together -> verify",
    ),
}
"""Scenes in which a hand is reshuffled inside of another entry, and what looks at that."""
MERGES = (
    f"{LAYING}:Hand.check -> shuffling.check_merge",
    "p2p.protocol.acts.shuffling:check_merge -> chain.verify",
    "p2p.protocol.acts.shuffling:ShuffleChain.verify -> verify_chain",
)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.call(*calls, *MERGES))
        for name, calls in MERGING.items()
    ],
)
def test_a_card_that_comes_in_by_the_reshuffle_of_a_hand_is_refused(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seat exchanges a card of its hand in the reshuffle that comes inside another entry.

    Answer: that reshuffle is proven like any other, whatever the entry does; it is refused.
    """
    merge_in_a_foreign_card(monkeypatch)
    hub = game_hub(SCENES[name], 3)
    hub.chooser = the_first
    convict(hub, "bad-shuffle")


# -- a share that opens the card one would like ----------------------------------------------


def wished(seat: Seat, card: int, share: Point) -> tuple[int, Point]:
    """Another card of the same kind, low or not, and the share that would show it."""
    points = seat.cards.slots.points
    alike = [n for n, face in enumerate(DECK.cards) if low(face) == low(DECK.cards[card])]
    held = {card, *seat.cards.slots.own.values()}
    other = next(number for number in alike if number not in held)
    return other, add(share, sub(points[card], points[other]))


def wish_one(hub: Hub) -> Any:
    """For a card that is laid alone."""

    def bend(payload: Any) -> Any:
        card, share = wished(hub.seats[CHEAT], payload["card"], payload["share"])
        return {**payload, "card": card, "share": share}

    return bend


def wish_first(hub: Hub) -> Any:
    """For the first of several cards."""

    def bend(payload: Any) -> Any:
        (first, *rest), shares = payload["cards"], payload["shares"]
        card, share = wished(hub.seats[CHEAT], first, shares[:POINT_BYTES])
        return {**payload, "cards": [card, *rest], "shares": share + shares[POINT_BYTES:]}

    return bend


@pytest.mark.call(
    f"{LAYING}:play -> verify_laid",
    f"{LAYING}:verify_laid -> dleq.verify_shares",
)
def test_a_wished_card_is_not_laid() -> None:
    """A seat lays a card, calls it a better one, and adds the share that would open it as such.

    Answer: the share has to be proven, and cannot be.
    """
    hub = game_hub(SCENES["laid-freely"], 3)
    bend_payload(hub, "play", wish_one(hub))
    convict(hub, "bad-share")


@pytest.mark.slow
@pytest.mark.call(
    f"{ALL}:_Forced.verify -> opening.check", f"{OPENING}:check -> dleq.verify_shares"
)
def test_a_wished_card_is_not_laid_among_all_that_fit() -> None:
    """The same among several cards that have to be laid at once.

    Answer: one proof covers all shares, and is refused.
    """
    hub = game_hub(SCENES["laid-all"], 3, seed_with("laid-all", 2))
    bend_payload(hub, "lay-all", wish_first(hub))
    convict(hub, "bad-share")


@pytest.mark.slow
@pytest.mark.call(
    f"{SETS}:_Claim.verify -> opening.check", f"{OPENING}:check -> dleq.verify_shares"
)
def test_a_wished_card_is_not_laid_in_a_set() -> None:
    """The same in a set of cards.

    Answer: refused.
    """
    hub = game_hub(SCENES["set-laid-anyhow"], 3)
    hub.chooser = the_first
    bend = wish_first(hub)
    bend_payload(hub, "lay-set", lambda payload: {**payload, "shown": bend(payload["shown"])})
    convict(hub, "bad-share")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("raced", marks=pytest.mark.call(f"{RACING}:race -> sides[seat].verify")),
        pytest.param(
            "raced-or-called",
            marks=pytest.mark.call(f"{RACING}:_Either.verify -> self._card.verify"),
        ),
    ],
)
@pytest.mark.call(f"{RACING}:_Card.verify -> laying.verify_laid")
def test_a_race_is_not_won_with_a_wished_card(name: str) -> None:
    """The same in a race, where being first is all that counts.

    Answer: every claim is proven, won or not; it is refused.
    """
    hub = game_hub(SCENES[name], 3)
    hub.chooser = lambda view, asked: view.table.hands[view.seat][0]
    bend_payload(hub, "race", wish_one(hub))
    convict(hub, "bad-share")


# -- what the rules may not ask for ----------------------------------------------------------


async def _dealt_to_two_at_once(t: VerbsTable) -> None:
    await acts.Deal(((t.stock[-1], 0), (t.stock[-1], 1)))


async def _dealt_to_one_and_then_to_another(t: VerbsTable) -> None:
    await acts.Deal(((t.stock[-1], 0),))
    await acts.Deal(((t.stock[-1], 1),))


@pytest.mark.call("p2p.protocol.acts.sharing:deal -> slots.pledge")
@pytest.mark.parametrize(
    ("wrong", "dealt"), [(_dealt_to_two_at_once, 0), (_dealt_to_one_and_then_to_another, 2)]
)
def test_rules_that_release_one_card_to_two_seats_are_stopped_in_time(
    wrong: Any, dealt: int
) -> None:
    """Control: a mistake of the rules is loud, and no share leaves by which all could look."""

    async def turn(t: VerbsTable) -> None:
        await t.fresh(DECK, t.stock)
        await t.shuffle(t.stock)
        await wrong(t)

    hub = bare_hub(one_turn("released-twice", turn), 3)
    with pytest.raises(LocalError, match="was released to seat 0, not to 1"):
        hub.run()
    assert max(_deals(hub, seat) for seat in range(3)) == dealt


def _deals(hub: Hub, seat: int) -> int:
    """How many entries of deals the machine of a seat holds."""
    return len({(one.step, one.seat) for one in signed(hub, seat) if one.kind == "deal"})


def test_a_card_that_was_dealt_may_be_opened() -> None:
    """Control: everybody gets the share then that was not released before."""

    async def turn(t: VerbsTable) -> None:
        await _hands(t)
        t.seen += [card.id for card in await t.open(t.hands[0])]

    acquit(bare_hub(one_turn("dealt-and-opened", turn), 3))


# -- an offline part that is used twice ------------------------------------------------------


def scene_of(prepare: Turn, act: Turn) -> str:
    """A scene of two halves; its name says the second."""

    async def whole(t: VerbsTable) -> None:
        await prepare(t)
        await act(t)

    whole.__name__ = f"{prepare.__name__}_{act.__name__}".strip("_")
    return scene(whole).name


async def mixed(t: VerbsTable) -> None:
    """Seat 1 reshuffles three cards, and holds three of two histories then."""
    await _hands(t)
    await t.reshuffle(t.hands[1], 1)
    await t.open(t.hands[1][:1])
    await t.deal(t.stock, [t.hands[1]], 1)


async def swore(t: VerbsTable) -> None:
    """Seat 1 swears to hold nothing low and draws a card, about which it did not swear."""
    await _hands(t)
    await t.swear(1, t.hands[1], low)
    await t.deal(t.stock, [t.hands[1]], 1)


async def plays(t: VerbsTable) -> None:
    await t.play(1, t.hands[1], low, t.pile, Otherwise.ANY_SWORN, "hold low")


async def lays_down(t: VerbsTable) -> None:
    await t.lay_down(1, t.hands[1], 1, t.pile)


async def lays_all(t: VerbsTable) -> None:
    await t.lay_all(t.hands[1:2], low, t.pile)


async def lays_a_set(t: VerbsTable) -> None:
    await t.lay_set(1, t.hands[1][1:], range(1, 2), sets.ANYHOW, t.pile)


async def swears(t: VerbsTable) -> None:
    await t.swear(1, t.hands[1], low)


MERGED = (f"{LAYING}:Hand.apply -> self._cards.count_part",)
SWORN = ("p2p.protocol.acts.swearing:accept -> cards.count_part",)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("prepare", "act"),
    [
        pytest.param(prepare, act, marks=pytest.mark.call(*calls))
        for prepare, act, calls in [
            (mixed, plays, (f"{LAYING}:apply_laid -> hand.apply", *MERGED)),
            (mixed, lays_down, (f"{LAYING}:lay_down -> hand.apply", *MERGED)),
            (
                *(mixed, lays_all),
                (
                    f"{ALL}:_Forced.apply -> self._hand.apply",
                    f"{ALL}:lay_all -> forced[seat].apply",
                    *MERGED,
                ),
            ),
            (mixed, lays_a_set, (f"{SETS}:_Claim.apply -> self._hand.apply", *MERGED)),
            (swore, plays, (f"{LAYING}:apply_laid -> swearing.accept", *SWORN)),
            (swore, lays_all, (f"{ALL}:_Forced.apply -> swearing.accept", *SWORN)),
            (swore, swears, (f"{LAYING}:swear -> swearing.accept", *SWORN)),
        ]
    ],
)
def test_an_offline_part_is_used_once_wherever_it_is_used(
    prepare: Turn, act: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seat uses prepared randomness twice, anywhere in its reshuffles and oaths.

    Answer: the second use is refused: it would give the order of the cards away.
    """
    name, sizes = scene_of(prepare, act), {mixed: 3, swore: OATH_CARDS}
    hub = game_hub(SCENES[name], 3, seed_with(name, 0, of=4))
    choose = hub.chooser
    hub.chooser = lambda view, asked: (
        asked.zone[-1] if isinstance(asked, Play) else choose(view, asked)
    )
    parts, taken = hub.seats[CHEAT].cards.parts, []
    take = parts.take

    def take_again(count: int, key: Point) -> OfflinePart:
        if count != sizes[prepare]:
            return take(count, key)
        taken.append(count)
        return OfflinePart.prepare(count, key, seeded("the same part"))

    monkeypatch.setattr(parts, "take", take_again)
    convict(hub, "bad-shuffle")
    assert len(taken) == 2


# -- what else only one call refuses ---------------------------------------------------------


@pytest.mark.call("p2p.protocol.acts.shuffling:reshuffle -> chain.verify")
def test_a_card_that_comes_in_by_a_reshuffle_of_its_own_is_refused() -> None:
    """A seat exchanges a card of its hand when the rules ask it for a reshuffle.

    Answer: refused.
    """
    hub = game_hub(SCENES["reshuffled"], 3)

    def bend(payload: Any) -> Any:
        known = hub.seats[CHEAT].cards.slots
        (a, b), *rest = unpack_ciphers(payload["deck"], 3)
        foreign = (a, add(b, sub(known.points[0], known.points[1])))
        return {**payload, "deck": pack_ciphers([foreign, *rest])}

    bend_payload(hub, "reshuffle", bend)
    convict(hub, "bad-shuffle")


FALSE_OATHS = {
    "followed": (f"{LAYING}:verify_laid -> swearing.check",),
    "laid-all": (f"{ALL}:_Forced.verify -> swearing.check",),
    "sworn": (f"{LAYING}:swear -> swearing.check",),
}


@pytest.mark.parametrize(
    "name", [pytest.param(at, marks=pytest.mark.call(*calls)) for at, calls in FALSE_OATHS.items()]
)
@pytest.mark.call("p2p.protocol.acts.swearing:check -> crypto.verify_oath")
def test_an_oath_is_looked_at(name: str) -> None:
    """A seat swears the truth, but one bit of its proof is changed.

    Answer: what is not proven is refused, true or not.
    """
    hub = game_hub(SCENES[name], 3, seed_with(name, 0, of=4))

    def bend(oath: bytes) -> bytes:
        return oath[:-1] + bytes([oath[-1] ^ 1])

    def change(payload: Any) -> Any:
        if isinstance(payload, bytes):
            return bend(payload)
        return {**payload, "oath": bend(payload["oath"])}

    bend_payload(hub, {"followed": "play", "laid-all": "lay-all", "sworn": "swear"}[name], change)
    convict(hub, "bad-oath")
