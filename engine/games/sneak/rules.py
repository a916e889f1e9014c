"""The rules of Sneak, by David Parlett.  Sections are those of the game's README."""

from __future__ import annotations

from typing import Any, Final

from engine.game import Game, Option, Options
from engine.games.sneak.cards import DECKS, packs_for, target_of
from engine.games.sneak.combos import is_combo
from engine.games.sneak.hands import combos
from engine.games.sneak.table import (
    NO_COUNT,
    SneakTable,
    best_set,
    leaders,
    new_table,
    totals,
    why_best,
)
from engine.question import Question
from engine.sets import LaySet, Terms
from engine.totals import winners
from engine.zone import Seat

NO_COMBO: Final = "two or more cards are flaunted only as a match, a straight or a flush"
LEAD_LIMIT: Final = "at least one other player has to hold as many cards as you lead"

LEAD: Final = Terms(
    "draw, sneak or flaunt",
    down=True,
    may_pass=True,
    fits=is_combo,
    singles_fit=True,
    sets=combos,
    why=NO_COMBO,
    why_size=LEAD_LIMIT,
)
"""What may be led while there is stock; a pass is a draw."""

LAST_LEADS: Final = Terms(
    "flaunt",
    fits=is_combo,
    singles_fit=True,
    sets=combos,
    why=NO_COMBO,
    why_size=LEAD_LIMIT,
    why_down="the stock is gone, and with it sneaking: you have to flaunt",
    why_pass="the stock is gone: you have to flaunt",
)

WHY_SIZE: Final = "a challenge has as many cards as the lead"
ON_SNEAK: Final = Terms(
    "challenge a sneak",
    may_pass=True,
    singles_fit=True,
    why_size=WHY_SIZE,
    why_down="a challenge is turned up",
)

ON_FLAUNT: Final = Terms(
    "challenge a flaunt",
    may_pass=True,
    fits=is_combo,
    singles_fit=True,
    sets=combos,
    why="a flaunt of two or more cards is challenged only with a match, a straight or a flush",
    why_size=WHY_SIZE,
    why_down="a flaunt is challenged face up",
)

MOST_TIES: Final = 10
"""How many rounds in a row may end with the top shared; then it stays shared."""


async def turn(t: SneakTable) -> None:
    """Start a round, or play one player's turn: draw, sneak or flaunt while there is stock.

    (Cards are asked for here and not further down, because each level of coroutines costs time.)
    """
    if t.dealing:
        await begin_round(t)
        return
    seat, limit, laid = t.seat, t.lead_limit(t.seat), None
    if not t.stock:
        await flaunt(t, seat, range(1, limit + 1))
    else:
        if limit:
            sizes = range(1, limit + 1)
            laid = await t.lay_set(seat, t.hands[seat], sizes, LEAD, t.played[seat])
        if laid is None:
            await t.draw(t.stock, t.hands[seat])
            drawn(t, seat, "draw" if limit else "has to draw")
        else:
            if t.notes is not None:
                tell_lead(t, seat, laid.cards is not None)
            await contest(t, seat, flaunted=laid.cards is not None)
    t.seat = t.left_of(seat)
    if not t.stock and is_round_over(t):
        end_round(t)


async def lose(t: SneakTable, seat: Seat, asked: Question[Any]) -> None:
    """A player is lost: his hand goes under the stock, his winnings keep their score (section 7).

    A contest goes on: a set that was turned up stays in it, a sneak of his can only lose.
    """
    if t.dealing:
        t.dealer = t.neighbour(t.dealer, -1) if t.round else t.dealer  # who deals, deals again
        if len(t.present()) == 1:
            finish(t)
        return
    leader, contested = t.seat, bool(t.played[t.seat])
    leave_round(t, seat)
    if contested:
        await go_on(t, leader)
    if contested or seat == leader:
        t.turns_left -= t.turns_left > 0
        t.seat = t.left_of(leader)
    if len(t.present()) == 1 or (not t.stock and is_round_over(t)):
        end_round(t)


async def go_on(t: SneakTable, leader: Seat) -> None:
    """Go on with a contest that somebody has left; a player who is left alone takes all of it."""
    flaunted = t.faces[t.played[leader][0]] is not None
    if len(t.present()) == 1:
        win(t, t.present()[0], ())
    elif sum(map(bool, t.played)) == 1:
        await contest(t, leader, flaunted=flaunted)
    else:  # the challenges lie open, and the sneak was about to be turned up
        if leader not in t.lost:
            await t.open(t.played[leader])
        compare(t, leader, flaunted)


def leave_round(t: SneakTable, seat: Seat) -> None:
    """His hand goes under the stock unopened, or without a stock out of the round."""
    turns = t.turns_left
    if turns > 0:  # of those who have one more turn, perhaps he was one
        order = [one for one in (t.seat, *t.others(t.seat)) if one == seat or one not in t.lost]
        t.turns_left -= seat in order[1:turns]
    under = [slot for slot in t.hands[seat] if t.faces[slot] is None] if t.stock else []
    if t.hands[seat]:
        t.note("out", seat, len(t.hands[seat]), bool(t.stock))
    for slot in under:
        t.hands[seat].remove(slot)
    t.stock[:0] = under


async def begin_round(t: SneakTable) -> None:
    """Make the pack the stock, and let everybody draw: a first turn allows nothing else."""
    if t.round == 0:
        (dealer,) = await t.flip(len(t.present()))
        t.dealer = t.present()[dealer]
    else:
        t.dealer = t.left_of(t.dealer)
    await t.fresh(DECKS[t.packs], t.stock)
    await t.shuffle(t.stock)
    drawers = [seat for seat in (*t.others(t.dealer), t.dealer) if seat not in t.lost]
    await t.deal(t.stock, [t.hands[seat] for seat in drawers], 1)
    t.round += 1
    t.seat = drawers[0]
    t.turns_left = NO_COUNT
    t.dealing = False
    t.note("round", t.round, t.dealer, t.seat)


async def flaunt(t: SneakTable, seat: Seat, sizes: range) -> None:
    """The stock is gone: players with cards have to flaunt (section 6), the others are skipped."""
    if sizes:
        await t.lay_set(seat, t.hands[seat], sizes, LAST_LEADS, t.played[seat])
        if t.notes is not None:
            tell_lead(t, seat, True)
        await contest(t, seat, flaunted=True)
    if t.turns_left > 0:
        t.turns_left -= 1


def drawn(t: SneakTable, seat: Seat, how: str) -> None:
    """Note that a card was drawn, by choice or not; with the last one sneaking is over."""
    if t.notes is not None:
        t.note(how, seat)
    if not t.stock:
        t.turns_left = len(t.present()) if t.one_more else NO_COUNT
        t.note("stock gone", t.one_more)


async def contest(t: SneakTable, leader: Seat, *, flaunted: bool) -> None:
    """All who can challenge do so or pass, in secret; the best set wins all cards laid."""
    led, hands, played = t.played[leader], t.hands, t.played
    count = len(led)
    terms, sizes = ON_FLAUNT if flaunted else ON_SNEAK, range(count, count + 1)
    claims, places = [], []
    for seat in t.present():
        if seat != leader and len(hands[seat]) >= count:
            claims.append(LaySet(seat, hands[seat], sizes, terms))
            places.append(played[seat])
    if claims and any(await t.lay_together(claims, places)):
        if not flaunted and leader not in t.lost:
            await t.open(led)
        compare(t, leader, flaunted)
    elif flaunted or leader not in t.lost:
        t.move_all(led, t.winnings[leader])
        t.note("unchallenged", leader, count)
    else:
        t.stock[:0] = led
        led.clear()
        t.note("unclaimed", leader, count)


def compare(t: SneakTable, leader: Seat, flaunted: bool) -> None:
    """All sets lie open, but for the sneak of a leader who has left: the best one wins all."""
    winner, why = best_set(t, leader, flaunted), tuple[object, ...]()
    if t.notes is not None:
        if not flaunted and leader not in t.lost:
            tell_cards(t, "turned up", leader, True)
        for seat in t.others(leader):
            if t.played[seat]:
                tell_cards(t, "challenge", seat, True)
        why = why_best(t, leader, flaunted, winner)
    win(t, winner, why)


def tell_lead(t: SneakTable, leader: Seat, flaunted: bool) -> None:
    """Note what was led."""
    tell_cards(t, "flaunt" if flaunted else "sneak", leader, flaunted)


def tell_cards(t: SneakTable, what: str, seat: Seat, known: bool) -> None:
    """Note what lies before a seat: its cards, or how many there are."""
    led = t.played[seat]
    t.note(what, seat, tuple(map(t.face, led)) if known else len(led))


def win(t: SneakTable, winner: Seat, why: tuple[object, ...]) -> None:
    """Move all cards of the contest to the winnings of the best set."""
    count = 0
    for laid in t.played:
        if laid:
            count += len(laid)
            t.move_all(laid, t.winnings[winner])
    t.note("contest", winner, count, why)


def is_round_over(t: SneakTable) -> bool:
    """Whether the stock is gone and nobody can lead, or all turns are taken."""
    return t.turns_left == 0 or sum(1 for seat in t.present() if t.hands[seat]) < 2


def end_round(t: SneakTable) -> None:
    """Score a point for each card won; if only one player has cards left, they are added."""
    for seat in t.present():
        hand = t.hands[seat]
        if hand:
            t.note("leftover", seat, len(hand), not t.one_more)
            if not t.one_more:
                t.move_all(hand, t.winnings[seat])
    won = [len(pile) for pile in t.winnings]
    t.scores = [before + now for before, now in zip(t.scores, won, strict=True)]
    t.note("round over", t.round, tuple(won), totals(t))
    t.dealing = True
    end_game(t)


def end_game(t: SneakTable) -> None:
    """Once a player has the target the highest total wins; a tie at the top means another round.

    The points of lost seats count for neither.  The game ends too when one player is left.
    """
    if len(t.present()) > 1:
        best = leaders(t)
        if t.scores[best[0]] < t.target:
            return
        if len(best) > 1 and t.ties < MOST_TIES:
            t.ties += 1
            t.note("tie", tuple(best))
            return
    finish(t)


def finish(t: SneakTable) -> None:
    """The game is over."""
    t.over = True
    t.note("over", totals(t), winners(totals(t), t.lost))


def bounds(seats: int, options: Options) -> tuple[int, int]:
    """The last round, except after ties, begins below the target; no round gives more than all."""
    packs = packs_for(seats, str(options["packs"]))
    return 0, target_of(packs, options) - 1 + len(DECKS[packs]) * (1 + MOST_TIES)


def unfit(seats: int, options: Options) -> str | None:
    """How many packs go with how many players (section 1)."""
    packs = options["packs"]
    if packs == "two" and seats < 4:
        return f"two packs are for 4 to 7 players, not {seats}"
    if packs == "one" and seats > 4:
        return f"one pack is for 2 to 4 players, not {seats}"
    if options["ranking"] == "house" and packs_for(seats, str(packs)) == 1:
        return "the house ranking is for two packs: option packs=two, or 5 to 7 players"
    return None


GAME: Final = Game(
    name="sneak",
    title="Sneak",
    rules_version=2,
    seats=range(2, 8),
    options=(
        Option("packs", "auto", ("auto", "one", "two"), "packs of 52; auto: two from 5 players on"),
        Option(
            "target",
            0,
            (0, 25, 50, 100, 150, 200),
            "points that end the game; 0: 100 with one pack, 200 with two",
        ),
        Option(
            "ranking",
            "author",
            ("author", "house"),
            "author: a match is best; house, two packs: straight flush, match, flush, straight",
        ),
        Option(
            "ending",
            "leftovers",
            ("leftovers", "one-more-turn"),
            "after the last stock card: play on, or exactly one more turn each",
        ),
    ),
    table=new_table,
    turn=turn,
    returns=totals,
    bounds=bounds,
    unfit=unfit,
    lose=lose,
)
