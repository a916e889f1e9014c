"""The rules of Flop-A, by Brian Odell.  Sections are those of the game's README."""

from __future__ import annotations

from typing import Any, Final

from engine.acts import LayAll
from engine.game import Game, Option, Options
from engine.games.flop_a.betting import CHECK, FOLD, Act, act, fold, put_in, start_round
from engine.games.flop_a.cards import DECK, OF_RANK
from engine.games.flop_a.pots import FIFTH, FIXED_PAYMENT, flopped_out, share
from engine.games.flop_a.showdown import DECLARATIONS, TOPIC, declaration
from engine.games.flop_a.table import FLIPS, NOBODY, FlopTable, Stage, hands_to_play, new_table
from engine.question import Question
from engine.totals import winners
from engine.zone import Seat

CARDS_EACH: Final = 3
ROW: Final = 4
MOST_HANDS: Final = 100
STACKS: Final = (0, 20, 50, 100, 200, 500)


async def turn(t: FlopTable) -> None:
    """One turn: a deal, one act of betting, a flip with its flop, or the declaration."""
    stage = t.stage
    if stage is Stage.BETTING:
        await act(t)
    elif stage is Stage.FLIP:
        await flip(t)
    elif stage is Stage.DEAL:
        await deal(t)
    else:
        await declaration(t)
    if t.stage is Stage.DEAL:
        end_hand(t)


async def deal(t: FlopTable) -> None:
    """Take antes, deal three cards to everybody and a row of four; then comes round 1.

    Chance names the first dealer (D4).
    """
    if t.first_dealer == NOBODY:
        (dealer,) = await t.flip(len(t.present()))
        t.first_dealer = t.present()[dealer]
    begin_hand(t)
    players = t.players()
    await t.fresh(DECK, t.stock)
    await t.shuffle(t.stock)
    await t.deal(t.stock, [t.hands[seat] for seat in players], CARDS_EACH)
    t.row.extend(t.stock[: -ROW - 1 : -1])
    del t.stock[-ROW:]
    t.note("deal", t.dealer)
    start_round(t, (t.dealer + 1) % t.seats)


def begin_hand(t: FlopTable) -> None:
    """Take everybody's ante; a player with no chips left (table stakes) sits out."""
    t.hand += 1
    t.flips = 0
    t.ranks = []
    t.paid = [0] * t.seats
    t.bets = [0] * t.seats
    t.still_in = [t.can_play(seat) for seat in range(t.seats)]
    t.note("hand", t.hand, t.dealer, t.ante, t.pot)
    if t.ante:
        for seat in t.players():
            put_in(t, seat, t.afford(seat, t.ante))


async def flip(t: FlopTable) -> None:
    """Turn up the next table card, or finally the top of the deck.

    A card of a rank already on the table goes onto its pile, and the top of the deck takes its
    place and is turned instead, until a new rank appears.
    """
    while True:
        if not t.row:
            t.row.append(t.stock.pop())
        (card,) = await t.open(t.row[:1])
        t.board.append(t.row.pop(0))
        new = card.rank not in t.ranks
        if t.notes is not None:
            t.note("flip", card, new)
        if new:
            break
        t.row.insert(0, t.stock.pop())
    t.ranks.append(card.rank)
    t.flips += 1
    await flop(t, card.rank)


async def flop(t: FlopTable, rank: int) -> None:
    """Everybody still in lays all cards of this rank; a player with none left has won.

    Otherwise there is a round of betting, begun by the first who flopped a card.
    """
    players = t.players()
    laid = await t.lay_all([t.hands[seat] for seat in players], OF_RANK[rank], t.board)
    out: list[Seat] = []
    opener = (t.dealer + 1) % t.seats
    for seat, cards in zip(reversed(players), reversed(laid), strict=True):
        if cards:
            opener = seat
            if not t.hands[seat]:
                out.insert(0, seat)
    _tell_flops(t, players, laid)
    if out:
        flopped_out(t, out)
        t.stage = Stage.DEAL
    else:
        start_round(t, opener)


def _tell_flops(t: FlopTable, players: list[Seat], laid: tuple[tuple[object, ...], ...]) -> None:
    if t.notes is not None:
        for seat, cards in zip(players, laid, strict=True):
            if cards:
                t.note("flop", seat, cards)


async def lose(t: FlopTable, seat: Seat, asked: Question[Any]) -> None:
    """A player is lost: he folds (section 6); a hand that is just being dealt is dealt again (D19).

    The player who was about to act acts; one who was about to declare declares again (D20).
    """
    stage = t.stage
    if stage is Stage.DEAL:
        take_back(t)
        return
    if t.still_in[seat]:
        t.note("act", seat, "fold", 0)
        fold(t, seat)
    if t.stage is Stage.FLIP and isinstance(asked, LayAll):
        await flop(t, t.ranks[-1])
    if t.stage is Stage.DEAL:
        end_hand(t)


def take_back(t: FlopTable) -> None:
    """Everybody takes his ante back; with one player left, he takes what was carried over.

    Before the first dealer is drawn there is nothing to take back.
    """
    begun = t.first_dealer != NOBODY
    for seat, chips in enumerate(t.paid):
        t.tally[seat] += chips
        t.pot -= chips
    t.paid = [0] * t.seats
    t.hand -= begun
    able = [seat for seat in t.present() if t.can_play(seat)]
    if len(able) < 2:
        share(t, t.pot, able or t.present())
        t.over = True
        t.note("over", tuple(t.tally), winners(t.tally, t.lost))
    elif begun:
        t.note("dealt-again")


def end_hand(t: FlopTable) -> None:
    """Tell the tally; after the last hand the highest wins."""
    t.note("hand-over", t.hand, tuple(t.tally))
    if t.is_last():
        t.over = True
        t.note("over", tuple(t.tally), winners(t.tally, t.lost))


def returns(t: FlopTable) -> tuple[int, ...]:
    """Each seat's tally; the highest wins, ties share."""
    return tuple(t.tally)


def bounds(seats: int, options: Options) -> tuple[int, int]:
    """In each hand nobody can lose more than all he may bet, and a fifth of all that all may bet.

    Under table stakes, not more than he started with.
    """
    hands, stack = hands_to_play(seats, options), int(options["stack"])
    a_hand = int(options["ante"]) + (FLIPS + 1) * int(options["bet"]) * (1 + int(options["raises"]))
    most = hands * (a_hand + max(FIXED_PAYMENT, hands * seats * a_hand // FIFTH))
    if stack:
        most = min(most, stack)
    return -most, most * (seats - 1)


def timed_out(t: FlopTable, seat: Seat, question: Question[Any]) -> object:
    """When a player's time is over he checks if that is free, or else folds; he declares low (D13).

    Those are numbers of options; None where nothing is decided.
    """
    if question.topic == TOPIC:
        return DECLARATIONS.index("low")
    acts = question.options_of(seat)
    return (CHECK if acts[CHECK] == Act("check", 0) else FOLD) if acts else None


GAME: Final = Game(
    name="flop-a",
    title="Flop-A",
    rules_version=4,
    seats=range(2, 9),
    options=(
        Option("hands", 0, tuple(range(MOST_HANDS + 1)), "hands to be played; 0: two per player"),
        Option("ante", 1, (0, 1), "chips that everybody puts in before the deal"),
        Option("bet", 4, tuple(range(1, 11)), "the most chips of a bet, and of a raise"),
        Option("raises", 3, tuple(range(11)), "how many raises a round of betting may have"),
        Option("foldersPay", False, (True, False), "players who have folded pay the 20 % too"),
        Option("stack", 0, STACKS, "table stakes: chips at the start; 0: a tally without limit"),
    ),
    table=new_table,
    turn=turn,
    returns=returns,
    bounds=bounds,
    lose=lose,
    timed_out=timed_out,
)
