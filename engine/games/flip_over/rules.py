"""The rules of Flip Over, by sirou.  Sections are those of the game's README."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any, Final

from engine.game import Game, Option, Options, Sides
from engine.games.flip_over.cards import ANYTHING, DECKS, FOLLOW, SIZES
from engine.games.flip_over.discs import alternating, set_up
from engine.games.flip_over.table import (
    TEAMS,
    FlipTable,
    new_table,
    receivers,
    round_scores,
    totals,
    winner,
)
from engine.question import Otherwise, Question
from engine.totals import winners
from engine.zone import Seat, Slot

ANY_SWORN: Final = Otherwise.ANY_SWORN
TO_ALL: Final = "give one card to each other player"
TO_PARTNER: Final = "give one card to your partner"
Gift = tuple[Slot, Seat]


async def turn(t: FlipTable) -> None:
    """One turn: preparing a round, or one trick of it."""
    if t.disc == 0:
        await prepare(t)
    else:
        await trick(t)


async def prepare(t: FlipTable) -> None:
    """Deal anew in odd rounds; in even ones play the same hands with every disc turned."""
    if t.second:
        take_up(t)
        if t.teams:
            await exchange(t)
    else:
        await name_leader(t)
        await deal(t)
        await lay_out_discs(t)
    t.round = len(t.scores) + 1
    t.disc = 1
    t.note("discs", t.round, tuple(t.blue))


async def name_leader(t: FlipTable) -> None:
    """The winner of the last disc of the last finished round leads, otherwise chance decides."""
    players = t.present()
    if t.last_taker in players:
        t.leader = t.last_taker
        return
    (drawn,) = await t.flip(len(players))
    t.leader = players[drawn]
    t.note("leader", t.leader)


async def deal(t: FlipTable) -> None:
    """Deal a fresh, shuffled deck evenly: that of the number of players."""
    players = t.present()
    t.players = len(players)
    await t.fresh(DECKS[t.players], t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, [t.hands[seat] for seat in players], t.numbers)
    t.note("deal", t.numbers)


async def lay_out_discs(t: FlipTable) -> None:
    """Lay discs in a row, each with a random side up, then turn some by the rules of section 2."""
    sides = await t.flip(2, 1 if t.alternating else t.numbers)
    t.takers.clear()
    if t.alternating:
        t.blue = alternating(bool(sides[0]), t.numbers)
        return
    t.blue = [bool(side) for side in sides]
    t.note("set-up", tuple(t.blue), tuple(set_up(t.blue)))


def take_up(t: FlipTable) -> None:
    """Everybody takes up the cards laid beside him, which all have seen; all discs are turned.

    Nobody has taken one of these yet, also while cards are exchanged.
    """
    t.takers.clear()
    for laid, hand in zip(t.beside, t.hands, strict=True):
        t.move_all(laid, hand)
    t.blue = [not blue for blue in t.blue]
    t.note("take-up")


async def exchange(t: FlipTable) -> None:
    """Teams, even rounds: a card goes to each other player, or to the partner only (section 5).

    The hands are public by now, so each is hidden again first.  All choose before anything changes
    hands: nobody can pass on what he receives.  A player who forfeits his choice gives the first
    cards of his hand.
    """
    for seat, hand in enumerate(t.hands):
        await t.reshuffle(hand, by=seat)
    seats = tuple(range(t.seats))
    options = [gifts(t, seat) for seat in seats]
    chosen = await t.together(seats, options, TO_PARTNER if t.partner_only else TO_ALL)
    given = [
        gift for option, choice in zip(options, chosen, strict=True) for gift in option[choice or 0]
    ]
    await t.hand_over([(slot, t.hands[receiver]) for slot, receiver in given])
    t.note("exchange", "partner" if t.partner_only else "all")


def gifts(t: FlipTable, seat: Seat) -> Sequence[tuple[Gift, ...]]:
    """Every way to give cards of the hand away: (slot, receiver) pairs, clockwise."""
    takers = receivers(t, seat)
    return [
        tuple(zip(slots, takers, strict=True)) for slots in permutations(t.hands[seat], len(takers))
    ]


async def trick(t: FlipTable) -> None:
    """The leader lays any card, the others follow suit if they can; the winner takes the disc."""
    hands, beside = t.hands, t.beside
    leader, *others = t.order(t.leader)
    fits, why = ANYTHING[t.players]
    led = await t.play(leader, hands[leader], fits, beside[leader], Otherwise.NOTHING, why)
    t.trick.append(led)
    fits, why = FOLLOW[t.players][led.suit]
    for seat in others:
        t.trick.append(await t.play(seat, hands[seat], fits, beside[seat], ANY_SWORN, why))
    take_disc(t)


def take_disc(t: FlipTable) -> None:
    """The winner takes the disc as it lies, and leads to the next."""
    best = winner(t.trick, t.disc, t.trumps)
    taker = t.order(t.leader)[best]
    trumps = sum(card.rank == t.disc for card in t.trick) if t.trumps else 0
    t.note("trick", t.disc, t.blue[t.disc - 1], taker, t.trick[best], trumps)
    t.takers.append(taker)
    t.led_last, t.leader = t.leader, taker
    t.trick.clear()
    t.disc += 1
    if t.disc > t.numbers:
        end_round(t)


def end_round(t: FlipTable) -> None:
    """Write down the scores; after the last round the highest sum wins."""
    last = t.round == t.length
    t.scores.append(round_scores(t))
    t.note("round", t.round, t.scores[-1], totals(t))
    t.last_taker = t.leader
    t.disc, t.second = 0, not t.second
    if last:
        end_match(t)


def end_match(t: FlipTable) -> None:
    """The finished rounds decide; a lost seat, and its partner, cannot win."""
    t.over = True
    t.note("over", totals(t), winners(totals(t), t.lost, TEAMS if t.teams else ()))


async def lose(t: FlipTable, seat: Seat, asked: Question[Any]) -> None:
    """A player is lost: the round is void, and the others start a new pair of rounds (section 4).

    With two left, or teams, the match ends.
    """
    if t.disc:
        t.note("void", t.round)
    t.disc, t.second = 0, False
    t.trick.clear()
    t.takers.clear()
    if t.teams or len(t.present()) not in DECKS:
        end_match(t)


def bounds(seats: int, options: Options) -> tuple[int, int]:
    """No round gives more, or less, than all discs of one colour.

    Each player who leaves while others continue can make the match one round longer.
    """
    numbers = SIZES[seats][1]
    rounds = int(options["rounds"]) + seats - min(DECKS)
    most = rounds * numbers * (numbers + 1) // 2
    return -most, most


def sides(seats: int, options: Options) -> Sides:
    """The teams, if partners play together."""
    return TEAMS if options["teams"] else ()


def unfit(seats: int, options: Options) -> str | None:
    """Partners sit opposite each other."""
    if options["teams"] and seats != 4:
        return f"teams are for 4 players, not {seats}"
    if options["exchange"] != "all" and not options["teams"]:
        return "cards are exchanged between teams only: option teams=on"
    return None


GAME: Final = Game(
    name="flip-over",
    title="Flip Over",
    rules_version=4,
    seats=range(3, 6),
    options=(
        Option("rounds", 2, tuple(range(1, 21)), "rounds to be played; an even number is fair"),
        Option("trumps", True, (True, False), "a card with the number of the trick is a trump"),
        Option("discs", "random", ("random", "alternating"), "how the discs are laid out"),
        Option("teams", False, (True, False), "4 players, partners opposite"),
        Option("exchange", "all", ("all", "partner"), "teams: to whom everybody gives a card"),
    ),
    table=new_table,
    turn=turn,
    returns=totals,
    bounds=bounds,
    unfit=unfit,
    sides=sides,
    shows_all=True,  # all hands are played out
    lose=lose,
)
