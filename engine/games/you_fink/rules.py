"""The rules of You Fink!  Sections and decisions (D...) are those of the README."""

from __future__ import annotations

from typing import Any, Final

from engine.game import Game, Option, Options
from engine.games.you_fink.acts import (
    FOREHEAD,
    INTEL,
    RESHUFFLE,
    SHUFFLED,
    SLAP,
    TOUCH_FIRST,
    TURN,
    race_now,
    waits_for_barred,
)
from engine.games.you_fink.cards import DECKS
from engine.games.you_fink.challenges import (
    highest_power,
    judge,
    lose_seat,
    name_power,
    pay,
    take,
    tell_end,
)
from engine.games.you_fink.table import (
    CHOOSING,
    COOLDOWN_CARDS,
    NOBODY,
    RESHUFFLE_BAN_CARDS,
    TOUCH_CARDS,
    TURNING,
    FinkTable,
    counts,
    new_table,
    next_holder,
    slappable,
)
from engine.question import Question
from engine.zone import Seat

MOST_GUESTS: Final = 6


async def turn(t: FinkTable) -> None:
    """One turn: the deal, or what happens until a card is turned or the pile is taken.

    Each race is for the card or the power that is due, and for all that others do meanwhile.
    """
    if t.deck is None:
        await set_up(t)
        return
    turned, size = t.turned, len(t.pile)
    while t.turned == turned and len(t.pile) == size:
        race = race_now(t)
        won = await race if race.claims else None
        if won is None:
            await go_on(t)
            continue
        for seat, act in won.claims:
            if act == TURN:
                await turn_card(t, seat)
            elif act == RESHUFFLE:
                await reshuffle_early(t, seat)
            else:
                obey(t, seat, act)


async def set_up(t: FinkTable) -> None:
    """All cards are dealt face down, one at a time, from the dealer's left (section 2)."""
    players = [seat for seat in t.present() if seat < t.seats - t.guests] or t.present()
    (dealer,) = await t.flip(len(players))
    await t.fresh(DECKS[t.minions], t.stock)
    await t.shuffle(t.stock)
    order = [*players[dealer + 1 :], *players[: dealer + 1]]
    for place, seat in enumerate(order):
        t.decks[seat].extend(t.stock[place :: len(order)])
    t.stock.clear()
    t.due = max(order, key=lambda seat: len(t.decks[seat]))  # the first of several (D2)
    t.note("deal", players[dealer], counts(t), t.due)


async def lose(t: FinkTable, seat: Seat, asked: Question[Any]) -> None:
    """A player is lost (section 8); before all cards are dealt, they are dealt to the others."""
    if t.deck is None or t.stock:
        t.deck, t.gone[seat] = None, True
        t.over = len(t.present()) == 1
        if t.over:
            tell_end(t, limit=False)
    else:
        lose_seat(t, seat)


def obey(t: FinkTable, seat: Seat, act: Any) -> None:
    """Do what was claimed first, or is aside; everybody else is asked again."""
    if act == SLAP:
        slap(t, seat)
    elif act == FOREHEAD:
        t.touched[seat] = t.turned + TOUCH_CARDS
        t.note("forehead", seat)
    else:
        name_power(t, act - INTEL)


async def go_on(t: FinkTable) -> None:
    """Go on when nobody claims before the window ends (sections 5 and 6, D8, D9, D12, D15)."""
    if t.phase is TURNING:
        await turn_card(t, t.due)
    elif t.phase is CHOOSING:
        name_power(t, highest_power(t))
    elif waits_for_barred(t):
        t.barred = [0] * t.seats  # 3 s have passed for a hand that was busy with its cards
    elif t.heir != NOBODY:
        take(t, t.heir)
    else:
        await cover_lost_pile(t)


async def cover_lost_pile(t: FinkTable) -> None:
    """The next player after the answerer turns a card onto it, if there is one (D9, D15)."""
    due = next_holder(t, t.last_placer)
    if due == NOBODY:
        take(t, t.last_placer)
        return
    t.phase, t.due = TURNING, due
    await turn_card(t, due)


async def turn_card(t: FinkTable, seat: Seat) -> None:
    """Turn the top card of the deck onto the pile, face up for all."""
    deck = t.decks[seat]
    if not deck:
        await make_deck(t, seat)
        await t.choose(seat, ("done",), SHUFFLED)
    (card,) = await t.open(deck[-1:])
    t.pile.append(deck.pop())
    t.turned += 1
    t.last_placer = seat
    t.touched[seat] = 0
    if t.notes is not None:
        t.note("turn", seat, card)
    judge(t, seat, card)


async def make_deck(t: FinkTable, seat: Seat) -> None:
    """Everybody shuffles the won cards of `seat`, which become its new deck (section 3)."""
    won = t.claimed[seat]
    await t.shuffle(won)
    t.note("reshuffle", seat, len(won))
    t.move_all(won, t.decks[seat])


def slap(t: FinkTable, seat: Seat) -> None:
    """The first slap wins the pile, if it can be slapped (section 4)."""
    t.touched[seat], t.barred[seat] = 0, t.turned + COOLDOWN_CARDS
    if slappable(t):
        t.note("slap", seat)
        take(t, seat)
    else:
        pay(t, seat)


async def reshuffle_early(t: FinkTable, seat: Seat) -> None:
    """Reshuffle out of turn, with an empty deck: play goes on, but this hand may not slap (D13)."""
    t.barred[seat], t.touched[seat] = t.turned + RESHUFFLE_BAN_CARDS, 0
    await make_deck(t, seat)


def bounds(seats: int, options: Options) -> tuple[int, int]:
    """The results are numbers of cards."""
    return 0, len(DECKS[options["minions"] is True])


def unfit(seats: int, options: Options) -> str | None:
    """At least two players have to be dealt cards."""
    most = seats - 2
    if int(options["guests"]) > most:
        return f"option guests is 0 to {most} with {seats} seats: two are dealt cards"
    return None


GAME: Final = Game(
    name="you-fink",
    title="You Fink!",
    rules_version=2,
    seats=range(2, 9),
    options=(
        Option("minions", True, (True, False), "two Minions in the deck"),
        Option("forehead", True, (True, False), TOUCH_FIRST),
        Option("guests", 0, tuple(range(MOST_GUESTS + 1)), "last seats that begin without cards"),
        Option(
            "cardLimit",
            "500",
            ("off", "50", "100", "250", "500", "1000", "1500", "3000", "5000"),
            "cards turned until most cards win",
        ),
        Option("leader", "winner", ("winner", "next"), "who leads after a pile is won"),
        Option(
            "minionBeatenTakesPile",
            False,
            (True, False),
            "the player who beats a Minion takes what lies there",
        ),
    ),
    table=new_table,
    turn=turn,
    returns=counts,
    bounds=bounds,
    unfit=unfit,
    races=True,
    lose=lose,
)
